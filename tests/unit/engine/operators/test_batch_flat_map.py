"""The operator of functions that map batches of elements."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pystream.engine.events import Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.batch_flat_map import BATCH_FLAT_MAP, BatchFlatMapFunction
from tests.unit.engine import driving
from tests.unit.engine.tasks import operator


class Repeated(BatchFlatMapFunction):
    """Repeat each number as often as it says."""

    def flat_map_batch(self, values: list[int]) -> tuple[list[int], Sequence[int]]:
        positions = [position for position, value in enumerate(values) for _ in range(value)]
        if -1 in values:
            raise ValueError("less than none")
        return [values[position] for position in positions], positions


def test_results_have_the_times_of_their_elements() -> None:
    opened = driving.opened(operator(BATCH_FLAT_MAP, Repeated()))
    (results,) = opened.process(Elements([2, 0, 1], [10, 20, 30]), 0)
    assert results == Elements([2, 2, 1], [10, 10, 30])
    (untimed,) = opened.process(Elements([1]), 0)
    assert untimed == Elements([1])
    assert list(opened.process(Elements([0], [10]), 0)) == []


def test_an_error_names_the_operator() -> None:
    opened = driving.opened(operator(BATCH_FLAT_MAP, Repeated()))
    with pytest.raises(TaskFailure, match="less than none"):
        list(opened.process(Elements([-1]), 0))
