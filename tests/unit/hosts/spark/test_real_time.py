"""Jobs in Real-Time Mode before they start."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from pystream.errors import ConfigurationError
from pystream.hosts.spark import real_time
from pystream.hosts.spark.real_time import RealTimeJob


def test_each_partition_needs_a_task_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_time, "partition_count", lambda source: source)
    pipelines = [SimpleNamespace(input=2), SimpleNamespace(input=3)]
    job = SimpleNamespace(_pipelines=pipelines, request=SimpleNamespace(name="words"))
    require: Any = RealTimeJob._require_slots
    require(cast(RealTimeJob, job), 5)
    with pytest.raises(ConfigurationError, match=r"5 in all, and Spark has 4: set spark\.master to"):
        require(cast(RealTimeJob, job), 4)
