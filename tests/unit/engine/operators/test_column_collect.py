"""The operator of functions that collect columns, and emit results when their input ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pystream.engine.events import MAX_BATCH, MAX_WATERMARK, Elements, Watermark
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.column_collect import COLUMN_COLLECT, ColumnCollectFunction
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


def test_what_is_collected_survives_in_a_snapshot() -> None:
    first = driving.opened(operator(COLUMN_COLLECT, Repeated()))
    list(first.process(Elements([1]), 0))
    second = driving.opened(operator(COLUMN_COLLECT, Repeated()))
    second.restore(first.snapshot())
    assert next(iter(second.advance(MAX_WATERMARK))) == Elements([1])


def test_an_error_names_the_operator() -> None:
    opened = driving.opened(operator(COLUMN_COLLECT, Repeated()))
    with pytest.raises(TaskFailure, match="less than none"):
        list(opened.process(Elements([-1]), 0))
