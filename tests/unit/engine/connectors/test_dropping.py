"""A sink that drops batches."""

from __future__ import annotations

import pickle
from typing import Any

from pystream.engine.connectors.dropping import DroppingOutput
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.engine.vectorised.columns import layout_of
from tests.property.test_columnar_files import OnlyColumns
from typeinfo import Row, Types
from typeinfo.serde import serializer_for


def test_columns_are_dropped_without_making_elements() -> None:
    t: Any = Types.ROW([Types.LONG()])
    output = pickle.loads(pickle.dumps(DroppingOutput()))
    writer = output.epoch_writer("", SubtaskInfo(JobInfo("00", "job"), 0, 1, 128, 0))
    writer.write(OnlyColumns(layout_of(t), serializer_for(t).to_batch([Row(1), Row(2)])), [1, 2], 0)
    assert writer.finish() is None
