"""First rows: the changes of the results lead to the first of the rows that remain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from functools import cmp_to_key
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row, RowKind, Time
from pystream.common.typeinfo import Types
from pystream.engine.state.errors import TimeToLiveError
from pystream.table.algebra.ranks import RankRange
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.row_order import RowOrder
from pystream.table.streaming.top_n import AppendOnlyTopN, RetractableTopN, UpdatableTopN
from pystream.testing import ProcessFunctionTestHarnesses
from tests.unit.table.streaming.changelogs import Values, changelogs, changes_of, inserts
from typeinfo.row import make_row

KEYS = st.sampled_from(["a", "b"])
NUMBERS = st.none() | st.sampled_from([-1.0, -0.0, 0.0, 1.0, 2.0, math.inf, math.nan])
ROWS = st.tuples(KEYS, NUMBERS, st.none() | st.sampled_from(["", "p", "é", "\uffff", "\U0001f600"]))
ORDERS = st.lists(
    st.builds(SortField, st.integers(1, 2), st.booleans(), st.booleans()),
    max_size=2,
    unique_by=lambda f: f[0],
)
RANKS = st.tuples(st.integers(1, 3), st.integers(0, 2), st.booleans()).map(
    lambda drawn: RankRange(drawn[0], drawn[0] + drawn[1], drawn[2])
)


def compared(one: Any, other: Any, field: SortField) -> int:
    """Return whether a value comes before another: below 0 if so, 0 if neither does."""
    if one is None or other is None:
        return ((one is None) - (other is None)) * (-1 if field.nulls_first else 1)
    if isinstance(one, str):
        one, other = one.encode(), other.encode()
    elif math.isnan(one) or math.isnan(other):
        one, other = math.isnan(one), math.isnan(other)
    return ((one > other) - (one < other)) * (-1 if field.is_descending else 1)


def in_order(rows: Sequence[Values], order: Sequence[SortField]) -> list[Values]:
    def before(one: Values, other: Values) -> int:
        results = (compared(one[field.position], other[field.position], field) for field in order)
        return next((result for result in results if result), 0)

    return sorted(rows, key=cmp_to_key(before))


def first_rows(rows: Sequence[Values], order: Sequence[SortField], ranks: RankRange) -> list[Values]:
    results = []
    for key in ("a", "b"):
        ordered = in_order([row for row in rows if row[0] == key], order)[: ranks.last]
        numbered = [(*row, rank) if ranks.has_number else row for rank, row in enumerate(ordered, 1)]
        results += numbered[ranks.first - 1 :]
    return sorted(results, key=repr)


@given(inserts(ROWS), ORDERS, RANKS)
def test_the_first_of_the_rows_that_are_inserted(
    rows: list[Row[Any]], order: list[SortField], ranks: RankRange
) -> None:
    for remaining, results in changes_of(AppendOnlyTopN(RowOrder(order), ranks), rows):
        assert repr(sorted(results, key=repr)) == repr(first_rows(remaining, order, ranks))


@given(changelogs(ROWS), ORDERS, RANKS)
def test_the_first_of_the_rows_that_remain(
    rows: list[Row[Any]], order: list[SortField], ranks: RankRange
) -> None:
    for remaining, results in changes_of(RetractableTopN(RowOrder(order), ranks), rows):
        assert repr(sorted(results, key=repr)) == repr(first_rows(remaining, order, ranks))


@given(st.lists(st.tuples(KEYS, st.sampled_from("pqrs")), max_size=20), RANKS)
def test_the_first_of_the_counts_that_grow(items: list[tuple[str, str]], ranks: RankRange) -> None:
    order = [SortField(2, is_descending=True, nulls_first=False)]
    changes, counts = [], dict.fromkeys(product("ab", "pqrs"), 0)
    for item in items:
        if counts[item]:
            changes.append(make_row((*item, counts[item]), None, RowKind.UPDATE_BEFORE))
        counts[item] += 1
        changes.append(make_row((*item, counts[item]), None, RowKind.UPDATE_AFTER))
    function = UpdatableTopN(RowOrder(order), ranks, [0, 1])
    for change, (remaining, results) in zip(changes, changes_of(function, changes), strict=True):
        if change.get_row_kind() is RowKind.UPDATE_AFTER:
            assert sorted(results, key=repr) == first_rows(remaining, order, ranks)


@pytest.mark.parametrize(
    "values",
    [
        [None, False, True],
        [None, -(2**63), 0, 2**63 - 1],
        [None, -math.inf, -1e-300, 0.0, 1.5, math.inf, math.nan],
        [
            None,
            Decimal("-1E+30"),
            Decimal("-1.00000000000000000000000000001"),
            Decimal("-1"),
            Decimal("1E-30"),
        ],
        [None, "", "A", "a", "ab", "é", "\uffff", "\U0001f600"],
        [None, datetime(1, 1, 1), datetime(1970, 1, 1), datetime(9999, 12, 31)],
    ],
)
def test_the_order_of_values(values: list[Any]) -> None:
    known = values[1:]
    for is_descending, nulls_first in product((False, True), repeat=2):
        order = RowOrder([SortField(0, is_descending, nulls_first)])
        expected = known[::-1] if is_descending else known
        expected = [None, *expected] if nulls_first else [*expected, None]
        rows = sorted([(value,) for value in values], key=order.key)
        assert repr([value for (value,) in rows]) == repr(expected)
    assert RowOrder([SortField(0, True, True)]).key((0.0,)) == RowOrder([SortField(0, True, True)]).key(
        (-0.0,)
    )


# The expected results of the following tests are those that PyFlink 2.3 printed, in streaming mode.


def changes(function: Any, rows: list[tuple[Any, ...]]) -> list[str]:
    kinds = {str(kind): kind for kind in RowKind}
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    ) as harness:
        for kind, *values in rows:
            harness.process_element(make_row(tuple(values), None, kinds[kind]))
        return [f"{row.get_row_kind()} {' '.join(map(str, row))}" for row in harness.extract_output_values()]


DESCENDING = RowOrder([SortField(1, is_descending=True, nulls_first=False)])
INSERTS = [("+I", "a", number) for number in (3, 5, 4, 3, 9)]


def test_kinds_of_inserted_rows() -> None:
    assert changes(AppendOnlyTopN(DESCENDING, RankRange(1, 2)), INSERTS) == [
        "+I a 3",
        "+I a 5",
        "-D a 3",
        "+I a 4",
        "-D a 4",
        "+I a 9",
    ]
    assert changes(AppendOnlyTopN(DESCENDING, RankRange(1, 2, has_number=True)), INSERTS) == [
        "+I a 3 1",
        "-U a 3 1",
        "+U a 5 1",
        "+I a 3 2",
        "-U a 3 2",
        "+U a 4 2",
        "-U a 5 1",
        "+U a 9 1",
        "-U a 4 2",
        "+U a 5 2",
    ]


@pytest.mark.parametrize("number", ["", " 1"])
def test_kinds_of_the_only_row(number: str) -> None:
    ranks = RankRange(1, 1, has_number=bool(number))
    updates = [("-U", 3), ("+U", 5), ("-U", 5), ("+U", 9)]
    expected = [f"+I a 3{number}", *(f"{kind} a {value}{number}" for kind, value in updates)]
    assert changes(AppendOnlyTopN(DESCENDING, ranks), INSERTS) == expected
    changed = [line.replace("-U", "-D").replace("+U", "+I") for line in expected]
    assert changes(RetractableTopN(DESCENDING, ranks), INSERTS) == changed


def test_kinds_of_deleted_rows() -> None:
    rows = [*INSERTS, ("-D", "a", 5), ("-U", "a", 3), ("-D", "a", 7), ("-D", "a", 9), ("-D", "a", 4)]
    end = ["-D a 5", "+I a 4", "-D a 9", "+I a 3", "-D a 4"]
    assert changes(RetractableTopN(DESCENDING, RankRange(1, 2)), rows)[6:] == end
    end = [
        "-U a 5 2",
        "+U a 4 2",
        "-U a 9 1",
        "+U a 4 1",
        "-U a 4 2",
        "+U a 3 2",
        "-U a 4 1",
        "+U a 3 1",
        "-D a 3 2",
    ]
    assert changes(RetractableTopN(DESCENDING, RankRange(1, 2, has_number=True)), rows)[10:] == end


def test_kinds_of_rows_that_move_forwards() -> None:
    order = RowOrder([SortField(2, is_descending=True, nulls_first=False)])
    rows = [
        ("+I", "a", "p", 1),
        ("+I", "a", "q", 1),
        ("+I", "a", "r", 1),
        ("-U", "a", "r", 1),
        ("+U", "a", "r", 2),
    ]
    assert changes(UpdatableTopN(order, RankRange(1, 3), [0, 1]), rows)[3:] == ["-U a r 1", "+U a r 2"]
    assert changes(UpdatableTopN(order, RankRange(1, 3, has_number=True), [0, 1]), rows)[3:] == [
        "-U a p 1 1",
        "-U a r 1 3",
        "+U a r 2 1",
        "-U a q 1 2",
        "+U a p 1 2",
        "+U a q 1 3",
    ]


def test_a_row_that_changes_where_it_is_keeps_its_rank() -> None:
    order = RowOrder([SortField(2, is_descending=True, nulls_first=False)])
    rows = [("+I", "a", "p", 1, "x"), ("+I", "a", "q", 1, "x"), ("+U", "a", "p", 1, "y")]
    ranks = RankRange(1, 2, has_number=True)
    assert changes(UpdatableTopN(order, ranks, [0, 1]), rows)[2:] == ["-U a p 1 x 1", "+U a p 1 y 1"]


def test_rows_beyond_the_last_rank_are_not_kept_unless_others_may_be_deleted() -> None:
    rows = [make_row(("a", number), None) for number in range(1000)]
    sizes = []
    for function in (AppendOnlyTopN, RetractableTopN):
        with ProcessFunctionTestHarnesses.for_keyed_process_function(
            function(DESCENDING, RankRange(1, 2)), lambda row: row[0], Types.STRING()
        ) as harness:
            harness.process_elements(rows)
            sizes.append(len(harness.snapshot()))
    assert sizes[0] * 10 < sizes[1]


def test_the_state_of_a_key_is_dropped_with_its_last_row() -> None:
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        RetractableTopN(DESCENDING, RankRange(1, 2)), lambda row: row[0], Types.STRING()
    ) as harness:
        harness.process_element(Row("a", 5))
        assert harness.num_keyed_state_entries() == 1
        harness.process_element(make_row(("a", 5), None, RowKind.DELETE))
        assert harness.num_keyed_state_entries() == 0


def test_rows_that_have_expired_are_ranked_no_longer() -> None:
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        AppendOnlyTopN(DESCENDING, RankRange(1, 1), Time.milliseconds(100)),
        lambda row: row[0],
        Types.STRING(),
    ) as harness:
        harness.process_element(Row("a", 5))
        harness.set_processing_time(99)
        harness.process_element(Row("a", 3))  # does not enter, and renews nothing
        harness.set_processing_time(100)
        harness.clear_output()
        harness.process_element(Row("a", 1))
        assert [str(row.get_row_kind()) for row in harness.extract_output_values()] == ["+I"]
    with pytest.raises(TimeToLiveError, match="must be positive"):
        AppendOnlyTopN(DESCENDING, RankRange(1, 1), Time.milliseconds(0))
