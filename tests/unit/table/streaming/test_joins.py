"""Joins of changes: against joins of the rows that they leave, and against what PyFlink 2.3 printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common import Row, RowKind, Time
from pystream.common.typeinfo import Types
from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.joins import JoinSide, RegularJoin
from pystream.testing import OperatorHarness, ProcessFunctionTestHarnesses
from tests.unit.table.streaming.changes_of_two_tables import (
    Change,
    changes,
    comparable,
    left_by,
    row_of,
    rows_of,
)

KEY = Types.STRING()
ADD, D, UB, UA = RowKind.INSERT, RowKind.DELETE, RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER


def first(row: Row[Any]) -> str:
    return str(row[0])


def is_less(row: Sequence[Any]) -> bool | None:
    """Return whether the value of the left row is less than that of the right one."""
    return None if row[1] is None or row[3] is None else bool(row[1] < row[3])


LESS = Evaluation(is_less, DataTypes.BOOLEAN())


def harness_of(function: Any) -> OperatorHarness[Any, Any, Any]:
    return ProcessFunctionTestHarnesses.for_keyed_co_process_function(function, first, first, KEY)


def results_of(function: Any, given: Sequence[Change], resumed_at: int = 0) -> list[Row[Any]]:
    """Return the results of a join; it is resumed from a snapshot after some changes."""
    harness = harness_of(function)
    with harness:
        for change in given[:resumed_at]:
            _process(harness, change)
        results, snapshot = harness.extract_output_values(), harness.snapshot()
    with harness_of(function).initialize_state(snapshot) as resumed:
        for change in given[resumed_at:]:
            _process(resumed, change)
        return [*results, *resumed.extract_output_values()]


def _process(harness: OperatorHarness[Any, Any, Any], change: Change) -> None:
    (harness.process_element1 if change.side == 0 else harness.process_element2)(change.row)


def regular_join(
    is_left_outer: bool,
    is_right_outer: bool,
    required: Sequence[int] = (0,),
    condition: Evaluation | None = None,
    ttl: Time | None = None,
) -> RegularJoin:
    sides = JoinSide(2, tuple(required), is_left_outer), JoinSide(2, tuple(required), is_right_outer)
    return RegularJoin(*sides, condition, ttl, ttl)


def is_pair(
    one: tuple[Any, ...], other: tuple[Any, ...], required: Sequence[int], condition: Evaluation | None
) -> bool:
    equal = one[0] == other[0] and (one[0] is not None or not required)
    return equal and (condition is None or condition(one + other) is True)


@settings(max_examples=300)
@given(
    changes(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([(), (0,)]),
    st.sampled_from([None, LESS]),
    st.integers(0, 14),
)
def test_the_results_leave_the_join_of_what_the_inputs_leave(
    changes_given: list[Change],
    is_left_outer: bool,
    is_right_outer: bool,
    required: tuple[int, ...],
    condition: Evaluation | None,
    resumed_at: int,
) -> None:
    lefts, rights = rows_of(changes_given, 0), rows_of(changes_given, 1)
    expected = [(a + b) for a in lefts for b in rights if is_pair(a, b, required, condition)]
    if is_left_outer:
        expected += [
            (*a, None, None) for a in lefts if not any(is_pair(a, b, required, condition) for b in rights)
        ]
    if is_right_outer:
        expected += [
            (None, None, *b) for b in rights if not any(is_pair(a, b, required, condition) for a in lefts)
        ]
    function = regular_join(is_left_outer, is_right_outer, required, condition)
    assert left_by(results_of(function, changes_given, resumed_at)) == Counter(map(comparable, expected))


A1, A2, X = ("a", 1), ("a", 2), ("a", "x")
NULLS = (None, None)
COUNTED = [
    Change(0, row_of(ADD, *A1)),
    Change(1, row_of(ADD, *X)),
    Change(0, row_of(UB, *A1)),
    Change(0, row_of(UA, *A2)),
]
"""A count that is updated, and a row of its key."""


@pytest.mark.parametrize(
    ("is_left_outer", "is_right_outer", "expected"),
    [
        (False, False, [(ADD, *A1, *X), (UB, *A1, *X), (UA, *A2, *X)]),
        (
            True,
            False,
            [(ADD, *A1, *NULLS), (D, *A1, *NULLS), (ADD, *A1, *X), (D, *A1, *X), (ADD, *A2, *X)],
        ),
        (
            False,
            True,
            [(ADD, *A1, *X), (UB, *A1, *X), (ADD, *NULLS, *X), (D, *NULLS, *X), (ADD, *A2, *X)],
        ),
        (
            True,
            True,
            [
                (ADD, *A1, *NULLS),
                (D, *A1, *NULLS),
                (ADD, *A1, *X),
                (D, *A1, *X),
                (ADD, *NULLS, *X),
                (D, *NULLS, *X),
                (ADD, *A2, *X),
            ],
        ),
    ],
)
def test_the_kinds_of_results(
    is_left_outer: bool, is_right_outer: bool, expected: list[tuple[Any, ...]]
) -> None:
    found = results_of(regular_join(is_left_outer, is_right_outer), COUNTED)
    assert [(row.get_row_kind(), *row) for row in found] == expected  # as PyFlink 2.3 printed


def test_equal_rows_of_a_side_have_each_a_result_with_nulls() -> None:
    given = [
        Change(0, row_of(ADD, *A1)),
        Change(0, row_of(ADD, *A1)),
        Change(1, row_of(ADD, *X)),
        Change(1, row_of(D, *X)),
    ]
    found = results_of(regular_join(True, False), given)
    assert [(row.get_row_kind(), *row) for row in found] == [
        *[(ADD, *A1, *NULLS)] * 2,
        *[(D, *A1, *NULLS)] * 2,
        *[(ADD, *A1, *X)] * 2,
        *[(D, *A1, *X)] * 2,
        *[(ADD, *A1, *NULLS)] * 2,
    ]


def test_a_row_counts_each_of_equal_partners() -> None:
    given = [
        Change(1, row_of(ADD, *X)),
        Change(1, row_of(ADD, *X)),
        Change(0, row_of(ADD, *A1)),
        Change(1, row_of(D, *X)),
        Change(1, row_of(D, *X)),
    ]
    found = results_of(regular_join(True, False), given)
    assert [(row.get_row_kind(), *row) for row in found] == [
        *[(ADD, *A1, *X)] * 2,
        *[(D, *A1, *X)] * 2,
        (ADD, *A1, *NULLS),
    ]


@pytest.mark.parametrize("required", [(0,), ()])
def test_null_equals_null_only_where_it_is_admitted(required: tuple[int, ...]) -> None:
    given = [
        Change(0, row_of(ADD, None, 1)),
        Change(1, row_of(ADD, None, "x")),
        Change(0, row_of(D, None, 1)),
    ]
    found = results_of(regular_join(True, True, required), given)
    one, other = (None, 1), (None, "x")
    lone = [(ADD, *one, *NULLS), (ADD, *NULLS, *other), (D, *one, *NULLS)]
    paired = [
        (ADD, *one, *NULLS),
        (D, *one, *NULLS),
        (ADD, *one, *other),
        (D, *one, *other),
        (ADD, *NULLS, *other),
    ]
    assert [(row.get_row_kind(), *row) for row in found] == (lone if required else paired)


def test_a_row_joins_those_of_the_other_side_in_the_order_in_which_they_came() -> None:
    given = [Change(0, row_of(ADD, "a", n)) for n in (3, 1, 2, 1)] + [Change(1, row_of(ADD, *X))]
    found = results_of(regular_join(False, False), given)
    assert [row[1] for row in found] == [3, 1, 1, 2]


def test_rows_of_objects_that_cannot_be_hashed_are_found() -> None:
    given = [Change(0, row_of(kind, "a", {"k": [1.0, {2}]})) for kind in (ADD, ADD, D)] + [
        Change(1, row_of(ADD, *X))
    ]
    found = results_of(regular_join(False, False), given)
    assert [row[1] for row in found] == [{"k": [1.0, {2}]}]


def test_a_retraction_finds_a_row_with_a_nan() -> None:
    given = [
        Change(0, row_of(ADD, "a", float("nan"))),
        Change(0, row_of(D, "a", -float("nan"))),
        Change(1, row_of(ADD, *X)),
    ]
    assert results_of(regular_join(False, False), given) == []


def test_the_retraction_of_a_row_that_has_expired_is_passed_on() -> None:
    with harness_of(regular_join(False, False, ttl=Time.milliseconds(100))) as harness:
        harness.process_element1(Row(*A1))
        harness.set_processing_time(50)
        harness.process_element2(Row(*X))
        harness.set_processing_time(100)
        harness.clear_output()
        harness.process_element1(row_of(D, *A1))
        assert [(row.get_row_kind(), *row) for row in harness.extract_output_values()] == [(D, *A1, *X)]


def test_rows_of_each_side_have_a_time_to_live_of_their_own() -> None:
    sides = JoinSide(2, (0,)), JoinSide(2, (0,))
    with harness_of(RegularJoin(*sides, None, Time.milliseconds(100), None)) as harness:
        harness.process_element1(Row(*A1))
        harness.process_element2(Row(*X))
        harness.set_processing_time(100)
        harness.clear_output()
        harness.process_element2(Row("a", "y"))
        assert harness.extract_output_values() == []
        harness.process_element1(Row("a", 2))
        found = harness.extract_output_values()
        assert sorted(tuple(row) for row in found) == [("a", 2, *X), ("a", 2, "a", "y")]


def test_a_row_of_an_outer_side_is_renewed_by_its_partners() -> None:
    with harness_of(regular_join(True, False, ttl=Time.milliseconds(100))) as harness:
        harness.process_element1(Row(*A1))
        harness.set_processing_time(99)
        harness.process_element2(Row(*X))
        harness.set_processing_time(150)
        harness.clear_output()
        harness.process_element2(Row("a", "y"))
        assert [tuple(row) for row in harness.extract_output_values()] == [(*A1, "a", "y")]
