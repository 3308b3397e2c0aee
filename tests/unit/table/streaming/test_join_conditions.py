"""The bounds that comparisons of the times of two tables give, against plain arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp, parse_one

from pystream.table.planner.join_conditions import JoinConditions, join_conditions

LEAST, GREATEST = -20_001, 20_001  # milliseconds, beyond the shifts of two times
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def sorted_conditions(*texts: str) -> JoinConditions:
    """Return the conditions of a join of l with r, whose columns t are event times."""
    return join_conditions(
        [parse_one(text) for text in texts],
        lambda column: column.table == "l",
        lambda column: column.name == "t",
    )


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [
        ("r.t >= l.t", 0, None),
        ("r.t > l.t", 1, None),
        ("r.t <= l.t", None, 0),
        ("r.t < l.t", None, -1),
        ("l.t >= r.t", None, 0),
        ("l.t > r.t", None, -1),
        ("l.t <= r.t", 0, None),
        ("l.t < r.t", 1, None),
        ("r.t < l.t + INTERVAL '5' SECOND", None, 4999),
        ("r.t - INTERVAL '5' SECOND < l.t", None, 4999),
        ("l.t > r.t - INTERVAL '5' SECOND", None, 4999),
        ("l.t - INTERVAL '1' MINUTE <= r.t", -60_000, None),
        ("r.t = l.t + INTERVAL '2' SECOND", 2000, 2000),
        ("r.t = l.t", 0, 0),
        ("r.t BETWEEN l.t - INTERVAL '2' SECOND AND l.t + INTERVAL '1' HOUR", -2000, 3_600_000),
        ("l.t BETWEEN r.t - INTERVAL '2' SECOND AND r.t + INTERVAL '1' HOUR", -3_600_000, 2000),
        ("r.t BETWEEN (l.t) AND (l.t + INTERVAL '1' SECOND) + INTERVAL '1' SECOND", 0, 2000),
    ],
)
def test_the_bounds_of_each_form(text: str, lower: int | None, upper: int | None) -> None:
    found = sorted_conditions(text)
    assert (found.lower, found.upper, found.keys, found.others) == (lower, upper, [], [])
    assert found.times is not None
    assert [column.table for column in found.times] == ["l", "r"]


def test_the_tightest_bounds_count() -> None:
    found = sorted_conditions(
        "r.t > l.t", "r.t >= l.t", "l.t >= r.t - INTERVAL '9' SECOND", "r.t < l.t + INTERVAL '3' SECOND"
    )
    assert (found.lower, found.upper) == (1, 2999)


def test_equal_expressions_of_one_side_each_are_keys_the_left_one_first() -> None:
    found = sorted_conditions(
        "l.a = r.b", "r.c = l.d", "l.t = r.b", "l.a + l.b = UPPER(r.c)", "r.a IS NOT DISTINCT FROM l.a"
    )
    assert [(key.left.sql(), key.right.sql(), key.admits_null) for key in found.keys] == [
        ("l.a", "r.b", False),
        ("l.d", "r.c", False),
        ("l.t", "r.b", False),
        ("l.a + l.b", "UPPER(r.c)", False),
        ("l.a", "r.a", True),
    ]
    assert found.times is None


def test_one_bound_is_a_condition_like_others() -> None:
    found = sorted_conditions("r.t >= l.t", "l.a < r.a", "r.t > l.t")
    assert found.interval is None
    assert [condition.sql() for condition in found.remaining] == ["r.t >= l.t", "r.t > l.t", "l.a < r.a"]
    found = sorted_conditions("r.t >= l.t", "l.a < r.a", "r.t <= l.t")
    assert found.interval == (0, 0)
    assert [condition.sql() for condition in found.remaining] == ["l.a < r.a"]


@pytest.mark.parametrize(
    "text",
    [
        "l.a > r.a",
        "l.a <> r.a",
        "l.t > r.a",
        "l.t <> r.t",
        "l.a = l.b",
        "l.t > l.t - INTERVAL '1' SECOND",
        "l.a + r.a = 1",
        "l.a = 1",
        "l.a + r.b = r.a",
        "l.a = r.a OR l.b = r.b",
        "l.t BETWEEN r.t AND r.t + INTERVAL '1' MONTH",
        "l.t BETWEEN r.t AND r.a",
        "r.t < l.t + l.a",
    ],
)
def test_other_conditions(text: str) -> None:
    found = sorted_conditions("l.id = r.id", text)
    assert [condition.sql() for condition in found.others] == [parse_one(text).sql()]
    assert len(found.keys) == 1


def test_times_of_other_columns_than_those_before_are_other_conditions() -> None:
    conditions = [parse_one(text) for text in ("l.t <= r.t", "l.u >= r.t")]
    found = join_conditions(conditions, lambda column: column.table == "l", lambda column: True)
    assert found.others == conditions[1:]


SHIFTS = st.integers(-9, 9)


@given(
    st.lists(
        st.tuples(st.booleans(), SHIFTS, st.sampled_from(list(COMPARISONS)), SHIFTS), min_size=1, max_size=4
    ),
    SHIFTS,
)
def test_the_bounds_admit_the_differences_for_which_all_comparisons_are_true(
    comparisons: list[tuple[bool, int, str, int]], left: int
) -> None:
    texts, tests = [], []
    for is_left_first, one, comparison, other in comparisons:
        first, second = ("l", "r") if is_left_first else ("r", "l")
        texts.append(
            f"{first}.t + INTERVAL '{one}' SECOND {comparison} {second}.t - INTERVAL '{other}' SECOND"
        )
        tests.append((is_left_first, one * 1000, COMPARISONS[comparison], -other * 1000))
    found = sorted_conditions(*texts, "l.id = r.id")
    assert (len(found.keys), found.others) == (1, [])
    lower = LEAST if found.lower is None else found.lower
    upper = GREATEST if found.upper is None else found.upper
    for difference in (n + near for n in range(-20_000, 20_000, 1000) for near in (-1, 0, 1)):
        times = left, left + difference
        expected = all(
            compare(times[not is_left_first] + one, times[is_left_first] + other)
            for is_left_first, one, compare, other in tests
        )
        assert (lower <= difference <= upper) == expected


def test_a_condition_is_one_of_columns() -> None:
    assert sorted_conditions("TRUE").others == [exp.true()]
