"""Flat maps that look like what is lifted and are not, and what is held to a type where it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.lifting import Expression, NotLifted, lift, lift_flat_map
from tests.unit.lifting.model import evaluate
from typeinfo import Row, TypeInformation, Types

LONG, STRING = Types.LONG(), Types.STRING()


def returns_else(n: int) -> Any:
    out = []
    out.append(n)
    if n > 1:
        return []
    return out


def returns_another_before(n: int) -> Any:
    if n > 1:
        return [n]
    out = []
    out.append(n)
    return out


def counts_its_list(n: int) -> Any:
    out: list[int] = []
    out.append(len(out))
    return out


def has_two_names(n: int) -> Any:
    out = other = []  # type: ignore[var-annotated]
    other.append(n)
    return out


def sets_it_anew(n: int) -> Any:
    out = []
    out.append(n)
    out = [n]
    out.append(n)
    return out


def gives_it_in_part(n: int) -> Any:
    out = []
    out.append(n)
    out.append(n)
    return out[:1]


def begins_it_in_a_case(n: int) -> Any:
    if n > 1:
        out = []
    out.append(n)  # pyright: ignore[reportPossiblyUnboundVariable]
    return out  # pyright: ignore[reportPossiblyUnboundVariable]


@pytest.mark.parametrize(
    "function",
    [
        returns_else,
        returns_another_before,
        counts_its_list,
        has_two_names,
        sets_it_anew,
        gives_it_in_part,
        begins_it_in_a_case,
    ],
)
def test_a_list_that_is_more_than_appended_to_is_left_to_python(function: Callable[[int], Any]) -> None:
    assert isinstance(lift_flat_map(function, LONG, LONG), NotLifted)


def carries_on(text: str) -> Any:
    kept = ""
    for part in text.split(","):
        if part == "a":
            kept = part
            continue
        yield kept


def yields_and_returns(n: int) -> Any:
    yield n
    return n


@pytest.mark.parametrize(
    ("function", "t", "reason"),
    [
        (carries_on, STRING, "changes kept in a loop"),
        (yields_and_returns, LONG, "yields, and returns a value besides, which is not lifted"),
    ],
)
def test_reasons(function: Callable[[Any], Any], t: TypeInformation[Any], reason: str) -> None:
    found = lift_flat_map(function, t, t)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith(reason)


def test_a_generator_is_no_value() -> None:
    generator: Any = yields_and_returns
    for function in (generator, lambda n: (n for _ in range(3))):
        found = lift(function, [LONG], Types.LIST(LONG))
        assert isinstance(found, NotLifted)
        assert found.reason.startswith("gives a generator, which is no value")


def test_rows_made_without_names_are_taken_by_position() -> None:
    swapped = Types.ROW_NAMED(["f1", "f0"], [LONG, LONG])

    def each(n: int) -> Any:
        for row in [Row(n, 0), Row(n, 1)]:  # noqa: UP028
            yield row

    assert isinstance(lift_flat_map(each, LONG, swapped), NotLifted)
    made = lift_flat_map(lambda n: [Row(n, 0), Row(f0=n, f1=1)], LONG, swapped)
    assert isinstance(made, Expression)
    assert evaluate(made, [7]) == [Row(f1=7, f0=0), Row(f1=1, f0=7)]


def test_a_result_in_one_case_is_held_to_the_type_by_itself() -> None:
    named = Types.ROW_NAMED(["a", "b"], [LONG, Types.DOUBLE()])
    made = lift(lambda r: r if r.a > 0 else Row(-r.a, 1), [named], named)
    assert isinstance(made, Expression)
    found = [evaluate(made, [Row(a=a, b=0.5)]) for a in (1, -2)]
    assert found == [Row(a=1, b=0.5), Row(a=2, b=1.0)]
    assert type(found[1].b) is float


def test_a_collector_is_given_only_where_the_caller_has_one() -> None:
    def twice(n: int, out: Any) -> None:
        out.collect(n)
        out.collect(n)

    found = lift_flat_map(twice, LONG, LONG)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith("calls twice() without out")
    assert isinstance(lift_flat_map(twice, LONG, LONG, collects=True), Expression)
