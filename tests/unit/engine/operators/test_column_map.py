"""The operators of functions that take columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pystream.engine.events import Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.column_map import COLUMN_FLAT_MAP, COLUMN_MAP, ColumnFunction, ColumnResults
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from tests.unit.engine import driving
from tests.unit.engine.tasks import operator
from typeinfo.types import Types

LAYOUT = layout_of(Types.LONG())


def columns_of(numbers: list[int]) -> ColumnValues:
    return ColumnValues(LAYOUT, pa.RecordBatch.from_arrays([pa.array(numbers)], schema=LAYOUT.schema))


class Kept(ColumnFunction):
    """Keep positive numbers; columns of them are negated, to be told from single ones."""

    def flat_map(self, number: int) -> Iterator[int]:
        if number < 0:
            raise ValueError("less than none")
        if number:
            yield number

    def of_columns(self, values: ColumnValues) -> ColumnResults | None:
        numbers = values.columns[0].array.to_numpy()
        if numbers.min() < 0:
            raise ValueError("a batch")
        if 100 in numbers:
            return None
        positions = np.flatnonzero(numbers)
        return ColumnResults(columns_of((-numbers[positions]).tolist()), positions)


class Doubled(ColumnFunction):
    def map(self, number: int) -> int:
        return 2 * number

    def of_columns(self, values: ColumnValues) -> ColumnResults | None:
        return None


def processed(kind: Any, function: Any, elements: Elements) -> list[tuple[list[Any], Any]]:
    opened = driving.opened(operator(kind, function))
    found = opened.process(elements, 0)
    return [(list(e.values), e.timestamps and list(e.timestamps)) for e in found]  # type: ignore[union-attr]


def test_columns_are_taken_at_once_and_results_have_the_times_of_their_elements() -> None:
    elements = Elements(columns_of([2, 0, 1]), [10, 20, 30])
    assert processed(COLUMN_FLAT_MAP, Kept(), elements) == [([-2, -1], [10, 30])]
    assert processed(COLUMN_FLAT_MAP, Kept(), elements._replace(timestamps=None)) == [([-2, -1], None)]


def test_elements_that_are_no_columns_are_taken_one_by_one() -> None:
    assert processed(COLUMN_FLAT_MAP, Kept(), Elements([2, 0, 1], [10, 20, 30])) == [([2, 1], [10, 30])]


@pytest.mark.parametrize(("kind", "function"), [(COLUMN_FLAT_MAP, Kept()), (COLUMN_MAP, Doubled())])
def test_a_function_may_leave_columns_to_calls(kind: Any, function: Any) -> None:
    ((values, _),) = processed(kind, function, Elements(columns_of([100, 1])))
    assert values in ([100, 1], [200, 2])


def test_an_error_names_the_element() -> None:
    with pytest.raises(TaskFailure, match="less than none") as raised:
        processed(COLUMN_FLAT_MAP, Kept(), Elements(columns_of([1, -3])))
    assert raised.value.report.element == "-3"
