"""Workers find the classes in state in the program that they were sent, and run no code of forged state."""

from __future__ import annotations

import os
import pickle
import zlib
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pystream.datastream import StreamExecutionEnvironment
from pystream.engine.connectors.storage import LocalStorage
from pystream.errors import PyStreamError
from pystream.hosts.unbounded.checked_file import read_checked, write_checked
from pystream.hosts.unbounded.savepoint import SavepointMetadata
from pystream.hosts.unbounded.savepoint_files import SAVEPOINT
from tests.unit.hosts.local.test_forged_state import Count, Named, ended, forged, started
from tests.unit.hosts.local.test_lost_state import run_on


def local_class() -> Any:
    @dataclass
    class Total:
        count: int
        last: int

    return Total


@pytest.mark.time_limit(120)
def test_workers_load_data_only(spark: SparkSession, tmp_path: Path) -> None:
    on_spark = partial(started, environment=StreamExecutionEnvironment.get_execution_environment)
    client = on_spark(tmp_path, Count(local_class()))
    run_on(client, 1)
    savepoint = client.trigger_savepoint(str(tmp_path / "savepoints")).result()
    ended(client, 0)
    ended(on_spark(tmp_path, Count(local_class()), resume=True), 1)

    metadata = SavepointMetadata.read(savepoint)
    (file, *_) = (file for file in metadata.files if "counts" in file.path)
    content = read_checked(LocalStorage(), f"{savepoint}/{file.path}", SAVEPOINT)
    assert content is not None
    made = forged(content, pickle.dumps([Named(os.mkdir, str(tmp_path / "mark"))]), 2)
    assert made is not None
    write_checked(LocalStorage(), f"{savepoint}/{file.path}", made, SAVEPOINT)
    changed = replace(file, size=len(made), checksum=zlib.crc32(made))
    files = tuple(changed if each == file else each for each in metadata.files)
    replace(metadata, files=files).write(savepoint)
    with pytest.raises(PyStreamError, match=r"\(uid counts.* names posix\.mkdir, which is not data"):
        ended(on_spark(tmp_path, Count(local_class()), savepoint=savepoint), 1)
    assert not (tmp_path / "mark").exists()
