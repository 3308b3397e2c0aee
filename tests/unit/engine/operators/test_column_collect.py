"""The operator of functions that collect columns, and emit results when their input ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pystream.engine.events import MAX_BATCH, MAX_WATERMARK, Elements, Watermark
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.column_collect import (
    COLUMN_CO_COLLECT,
    COLUMN_COLLECT,
    ColumnCollectFunction,
)
from tests.unit.engine import driving
from tests.unit.engine.tasks import operator


class Repeated(ColumnCollectFunction):
    """Collect numbers; emit each as often as it says."""

    def __init__(self) -> None:
        self.state: list[int] = []

    def collect(self, values: Sequence[Any], side: int) -> None:
        if -1 in values:
            raise ValueError("less than none")
        self.state = [*self.state, *values]

    def results(self) -> Iterator[Sequence[Any]]:
        for number in self.state:
            yield [number] * number


def test_results_come_with_the_last_watermark() -> None:
    opened = driving.opened(operator(COLUMN_COLLECT, Repeated()))
    assert list(opened.process(Elements([2, MAX_BATCH + 1], [10, 20]), 0)) == []
    assert list(opened.advance(20)) == [Watermark(20)]
    results = list(opened.advance(MAX_WATERMARK))
    assert results == [
        Elements([2, 2]),
        Elements([MAX_BATCH + 1] * MAX_BATCH),
        Elements([MAX_BATCH + 1]),
        Watermark(MAX_WATERMARK),
    ]


class Sides(ColumnCollectFunction):
    """Collect elements with the inputs that they come from."""

    def __init__(self) -> None:
        self.state: list[tuple[int, Any]] = []

    def collect(self, values: Sequence[Any], side: int) -> None:
        self.state = [*self.state, *((side, value) for value in values)]

    def results(self) -> Iterator[Sequence[Any]]:
        yield self.state


def test_elements_of_two_inputs_are_told_apart() -> None:
    opened = driving.opened(operator(COLUMN_CO_COLLECT, Sides()))
    list(opened.process(Elements(["a"]), 0))
    list(opened.process(Elements(["b"]), 1))
    assert next(iter(opened.advance(MAX_WATERMARK))) == Elements([(0, "a"), (1, "b")])


def test_what_is_collected_survives_in_a_snapshot() -> None:
    first = driving.opened(operator(COLUMN_COLLECT, Repeated()))
    list(first.process(Elements([1]), 0))
    snapshot = first.snapshot()
    assert isinstance(snapshot, bytes)  # states hold only data, which aggregates of columns are not
    second = driving.opened(operator(COLUMN_COLLECT, Repeated()))
    second.restore(snapshot)
    assert next(iter(second.advance(MAX_WATERMARK))) == Elements([1])


def test_an_error_names_the_operator() -> None:
    opened = driving.opened(operator(COLUMN_COLLECT, Repeated()))
    with pytest.raises(TaskFailure, match="less than none"):
        list(opened.process(Elements([-1]), 0))
