"""Functions of OVER in any order: after each change, their results are those of the rows that remain."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.over import Frame, Lag, OverCall, RankCall
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.updating_over import UpdatingOver
from pystream.testing import ProcessFunctionTestHarnesses
from tests.unit.table.streaming.changelogs import changelogs, changes_of
from typeinfo.row import make_row
from typeinfo.types import Types

BY_VALUE = [SortField(1, False, True)]
SUM = AggregateCall("SUM", (2,), False, DataTypes.BIGINT())
RANGE = Frame(is_of_rows=False, start=None)
ROWS = st.tuples(st.sampled_from(["a", "b"]), st.none() | st.integers(0, 3), st.integers(-2, 2))


def value_of(row: tuple[Any, ...]) -> int:
    return -1 if row[1] is None else row[1]


@given(changelogs(ROWS))
def test_results_that_do_not_depend_on_the_order_of_equal_rows(rows: list[Row[Any]]) -> None:
    calls = [OverCall(SUM, RANGE), OverCall(RankCall("RANK"), RANGE), OverCall(RankCall("DENSE_RANK"), RANGE)]
    for remaining, results in changes_of(UpdatingOver(BY_VALUE, calls), rows, pairs_updates=False):
        expected = []
        for row in remaining:
            own = [other for other in remaining if other[0] == row[0]]
            total = sum(other[2] for other in own if value_of(other) <= value_of(row))
            lower = [value_of(other) for other in own if value_of(other) < value_of(row)]
            expected.append((*row, total, len(lower) + 1, len({*lower}) + 1))
        assert sorted(results, key=repr) == sorted(expected, key=repr)


@given(changelogs(ROWS))
def test_results_of_single_rows(rows: list[Row[Any]]) -> None:
    latest = Frame(is_of_rows=True, start=-1)
    calls = [
        OverCall(SUM, latest),
        OverCall(RankCall("ROW_NUMBER"), latest),
        OverCall(Lag(2, 1, None), latest),
        OverCall(Lag(2, -1, None), latest),
    ]
    for remaining, results in changes_of(UpdatingOver(BY_VALUE, calls), rows, pairs_updates=False):
        assert sorted((row[:3] for row in results), key=repr) == sorted(remaining, key=repr)
        for key in "ab":
            own = sorted((row for row in results if row[0] == key), key=lambda row: row[4])
            assert [row[4] for row in own] == [*range(1, len(own) + 1)]
            assert [value_of(row) for row in own] == sorted(map(value_of, own))
            amounts = [None, *(row[2] for row in own), None]
            for before, row, after in zip(amounts, own, amounts[2:], strict=False):
                assert row[3] == (before or 0) + row[2]
                assert row[5:] == (before, after)


def test_rows_of_which_nothing_changes_are_not_updated() -> None:
    function = UpdatingOver(BY_VALUE, [OverCall(SUM, RANGE)])
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING
    ) as harness:
        for values in (("a", 1, 5), ("a", 3, 7), ("a", 2, 0)):
            harness.clear_output()
            harness.process_element(make_row(values, None))
        found = [(str(row.get_row_kind()), *row) for row in harness.extract_output_values()]
        assert found == [("+I", "a", 2, 0, 5)]
