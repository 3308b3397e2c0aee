"""Rows that are equal but written differently: what is taken back is what was given, in every operator."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common import Row, RowKind
from pystream.common.typeinfo import Types
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.ranks import RankRange
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.changelog_normalize import ChangelogNormalize
from pystream.table.streaming.deduplication import LastRow
from pystream.table.streaming.final_rows import FinalOrder, FinalRows
from pystream.table.streaming.group_aggregation import GroupAggregation
from pystream.table.streaming.joins import JoinSide, RegularJoin
from pystream.table.streaming.retracting_aggregation import RetractingGroupAggregation
from pystream.table.streaming.row_order import RowOrder
from pystream.table.streaming.top_n import AppendOnlyTopN, RetractableTopN
from pystream.testing import ProcessFunctionTestHarnesses
from tests.unit.table.streaming.changelogs import ADDED, Remaining, Values, changelogs, changes_of, inserts
from typeinfo.info import TypeInformation
from typeinfo.row import make_row

PAIR = Types.ROW_NAMED(["x", "y"], [Types.DOUBLE(), Types.STRING()])
FAMILIES: dict[str, tuple[TypeInformation[Any], list[Any]]] = {
    "doubles": (Types.DOUBLE(), [0.0, -0.0, math.nan, -math.nan, 1.5, math.inf]),
    "decimals": (Types.BIG_DEC(), [Decimal(text) for text in ("1", "1.0", "1.00", "0", "-0.0", "2")]),
    "rows": (PAIR, [Row(x=x, y=y) for x in (0.0, -0.0, math.nan) for y in ("a", "b")]),
    "arrays": (Types.LIST(Types.DOUBLE()), [[0.0], [-0.0], [math.nan], [0.0, -0.0], [-0.0, 0.0], []]),
    "maps": (
        Types.MAP(Types.STRING(), Types.DOUBLE()),
        [{"a": 0.0, "b": 1.0}, {"b": 1.0, "a": -0.0}, {"a": math.nan}, {}],
    ),
    "texts": (Types.STRING(), ["a", "A", "a ", "é", "e\u0301", ""]),
}
families = pytest.mark.parametrize("family", FAMILIES)
BIGINT, DOUBLE = DataTypes.BIGINT(), DataTypes.DOUBLE()
NUMBERS = st.none() | st.sampled_from([0.0, -0.0, math.nan, 1.5, -2.0, math.inf, -math.inf])
CALLS = [
    AggregateCall("COUNT", (), False, BIGINT),
    AggregateCall("COUNT", (1,), True, BIGINT),
    AggregateCall("SUM", (1,), False, DOUBLE),
    AggregateCall("AVG", (1,), False, DOUBLE),
]
ARRIVALS = [
    AggregateCall(function, (1,), is_distinct, DOUBLE)
    for function in ("FIRST_VALUE", "LAST_VALUE")
    for is_distinct in (False, True)
]
EXTREMES = [AggregateCall(function, (1,), False, DOUBLE) for function in ("MIN", "MAX")]


def rows_of(family: str) -> st.SearchStrategy[Values]:
    return st.tuples(st.sampled_from(FAMILIES[family][1]), NUMBERS)


def folded(value: Any) -> Hashable:
    """Return a value so that values which SQL calls equal are equal in Python."""
    match value:
        case float():
            return "NaN" if math.isnan(value) else value
        case list():
            return tuple(map(folded, value))
        case dict():
            return frozenset((key, folded(item)) for key, item in value.items())
        case Row():
            return tuple(map(folded, value))
    hashable: Hashable = value
    return hashable


def multiset(rows: Sequence[Values]) -> Counter[Hashable]:
    return Counter(tuple(map(folded, row)) for row in rows)


def aggregated(rows: Sequence[Values]) -> Counter[Hashable]:
    """Return the results of CALLS by key."""
    groups = defaultdict(list)
    for key, number in rows:
        groups[folded(key)].append(number)
    results = []
    for key, numbers in groups.items():
        known = [number for number in numbers if number is not None]
        total = sum(known) if known else None
        average = None if total is None else total / len(known)
        results.append((key, len(numbers), len(set(map(folded, known))), total, average))
    return multiset(results)


@families
@settings(max_examples=12)
@given(st.data())
def test_groups_of_inserted_rows(family: str, data: st.DataObject) -> None:
    rows = data.draw(inserts(rows_of(family)))
    function = GroupAggregation([0], [*CALLS, *EXTREMES, *ARRIVALS])
    for remaining, results in changes_of(function, rows, FAMILIES[family][0]):
        assert multiset([row[:5] for row in results]) == aggregated(remaining)


@families
@settings(max_examples=12)
@given(st.data())
def test_groups_of_updated_rows(family: str, data: st.DataObject) -> None:
    rows = data.draw(changelogs(rows_of(family)))
    function = RetractingGroupAggregation([0], [*CALLS, *EXTREMES, *ARRIVALS])
    for remaining, results in changes_of(function, rows, FAMILIES[family][0]):
        assert multiset([row[:5] for row in results]) == aggregated(remaining)


@families
@settings(max_examples=6)
@given(st.data())
def test_distinct_rows(family: str, data: st.DataObject) -> None:
    rows = data.draw(changelogs(rows_of(family)))
    for remaining, results in changes_of(RetractingGroupAggregation([0], []), rows, FAMILIES[family][0]):
        assert multiset(results) == Counter({(folded(key),) for key, _ in remaining})


@families
@settings(max_examples=6)
@given(st.data())
def test_first_and_last_rows(family: str, data: st.DataObject) -> None:
    order, key_type = RowOrder([SortField(1, False, True)]), FAMILIES[family][0]
    updated, inserted = data.draw(changelogs(rows_of(family))), data.draw(inserts(rows_of(family)))
    for ranks in (RankRange(1, 1), RankRange(1, 2), RankRange(1, 2, has_number=True)):
        functions = ((RetractableTopN(order, ranks), updated), (AppendOnlyTopN(order, ranks), inserted))
        for function, rows in functions:
            for remaining, results in changes_of(function, rows, key_type):
                kept = Counter[Hashable]()
                for key, count in Counter(folded(key) for key, _ in remaining).items():
                    kept[key] = min(count, ranks.last)
                assert Counter(folded(row[0]) for row in results) == kept
                assert not Counter(map(repr, (row[:2] for row in results))) - Counter(map(repr, remaining))
    for remaining, results in changes_of(LastRow(is_by_arrival=True), inserted, key_type):
        assert sorted(map(repr, results)) == sorted(
            map(repr, {folded(row[0]): row for row in remaining}.values())
        )


@families
@settings(max_examples=6)
@given(st.data())
def test_rows_that_replace_others(family: str, data: st.DataObject) -> None:
    key_type, results, expected = FAMILIES[family][0], Remaining(), dict[Hashable, Values]()
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        ChangelogNormalize(["k", "v"]), lambda row: row[0], key_type
    ) as harness:
        for values in data.draw(st.lists(rows_of(family), max_size=12)):
            kind = data.draw(st.sampled_from([RowKind.UPDATE_AFTER, RowKind.UPDATE_AFTER, RowKind.DELETE]))
            harness.process_element(make_row(values, None, kind))
            expected.pop(folded(values[0]), None)
            if kind is RowKind.UPDATE_AFTER:
                expected[folded(values[0])] = values
        for row in harness.extract_output_values():
            results.apply(row)
    assert sorted(map(repr, results.rows)) == sorted(map(repr, expected.values()))


@families
@settings(max_examples=6)
@given(st.data())
def test_joined_rows(family: str, data: st.DataObject) -> None:
    key_type = FAMILIES[family][0]
    left, right = data.draw(changelogs(rows_of(family))), data.draw(changelogs(rows_of(family)))
    turns = data.draw(st.permutations([0] * len(left) + [1] * len(right)))
    for outer in ((False, False), (True, False), (True, True)):
        one_side, other_side = (JoinSide(2, (0,), is_outer) for is_outer in outer)
        given, results, sources = (Remaining(), Remaining()), Remaining(), (iter(left), iter(right))
        with ProcessFunctionTestHarnesses.for_keyed_co_process_function(
            RegularJoin(one_side, other_side), lambda row: row[0], lambda row: row[0], key_type
        ) as harness:
            for side in turns:
                row = next(sources[side])
                given[side].apply(row)
                (harness.process_element1 if side == 0 else harness.process_element2)(row)
            for row in harness.extract_output_values():
                results.apply(row)
        ones, others = given[0].rows, given[1].rows
        pairs = [one + other for one in ones for other in others if folded(one[0]) == folded(other[0])]
        keys = [{folded(row[0]) for row in rows} for rows in (ones, others)]
        if outer[0]:
            pairs += [(*one, None, None) for one in ones if folded(one[0]) not in keys[1]]
        if outer[1]:
            pairs += [(None, None, *other) for other in others if folded(other[0]) not in keys[0]]
        assert Counter(map(repr, results.rows)) == Counter(map(repr, pairs))


@families
@settings(max_examples=6)
@given(st.data())
def test_final_rows(family: str, data: st.DataObject) -> None:
    rows = data.draw(changelogs(rows_of(family)))
    remaining = Remaining()
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        FinalRows(FinalOrder(RowOrder(()))), lambda row: 0, Types.INT()
    ) as harness:
        for row in rows:
            remaining.apply(row)
            harness.process_element(row)
        harness.process_watermark(2**63 - 1)
        results = harness.extract_output_values()
    assert all(row.get_row_kind() in ADDED for row in results)
    assert Counter(map(repr, map(tuple, results))) == Counter(map(repr, remaining.rows))


@pytest.mark.parametrize("values", [(0.0, -0.0, 1.0), (Decimal("1.0"), Decimal("1.00"), Decimal(2))])
@pytest.mark.parametrize("function", [GroupAggregation, RetractingGroupAggregation])
def test_a_result_that_is_written_differently_is_an_update(function: Any, values: tuple[Any, ...]) -> None:
    rows = [make_row(("a", value), None) for value in values]
    last = [str(results[0][1]) for _, results in changes_of(function([0], [ARRIVALS[2]]), rows)]
    assert last == [*map(str, values)]
