"""Sources that stay connected between splits, on Spark's workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from pystream.engine.metrics.registry import MetricRegistry
from pystream.errors import SourceError
from pystream.hosts.inputs import SourceInput
from pystream.hosts.spark.epoch_tasks import _OpenStage
from pystream.hosts.spark.task_inputs import SplitsInput
from pystream.kinds import SourceColumns


class Connected:
    """A source with a split, "good" or "bad", that knows whether it is connected."""

    is_bounded = True
    columns = SourceColumns.NONE
    is_connected = False

    def splits(self, parallelism: int) -> Sequence[Sequence[str]]:
        return ()

    def read(self, split: str) -> Iterator[Sequence[str]]:
        self.is_connected = True
        yield [split]
        if split == "bad":
            raise SourceError("no more")

    def connected(self) -> Connected:
        return Connected()

    def disconnect(self) -> None:
        self.is_connected = False


def arrivals(source: Connected, split: str) -> Iterator[Any]:
    subtask: Any = SimpleNamespace(index=0)
    return SplitsInput(SourceInput(source, ((split,),))).batches(iter(()), subtask, MetricRegistry())


def test_a_subtask_of_a_bounded_job_disconnects_its_source_at_its_end() -> None:
    source = Connected()
    arriving = arrivals(source, "good")
    next(arriving)
    assert source.is_connected
    assert not list(arriving)
    assert not source.is_connected


def test_a_subtask_of_a_bounded_job_that_fails_disconnects_its_source() -> None:
    source = Connected()
    with pytest.raises(SourceError):
        list(arrivals(source, "bad"))
    assert not source.is_connected


def test_a_subtask_of_an_unbounded_job_that_is_dropped_disconnects_its_source() -> None:
    source = Connected()
    next(source.read("good"))
    part: Any = SimpleNamespace(source=source)
    dropped: list[bool] = []
    subtask: Any = SimpleNamespace(abandon=lambda: dropped.append(source.is_connected))
    _OpenStage(part, subtask).abandon()
    assert dropped == [True]
    assert not source.is_connected
