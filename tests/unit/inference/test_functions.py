"""The types of results that functions have by their code; those expected are the ones that mypy reveals."""

from __future__ import annotations

import dataclasses
import datetime
import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest

from pystream.inference import Functions, Unknown, common_type, opened
from typeinfo import Row, Types


@dataclass
class Click:
    user: str
    ms: int
    score: float | None = None


@dataclass
class Count:
    user: str
    n: int

    @property
    def double(self):  # type: ignore[no-untyped-def]
        return self.n * 2

    def scaled(self, by):  # type: ignore[no-untyped-def]
        return Count(self.user, self.n * by)


class Step(NamedTuple):
    at: int
    user: str


class Model:
    def score(self, text: str) -> float:
        return float(len(text))


MODEL = Model()


def doubled(number):  # type: ignore[no-untyped-def]
    return number * 2


def letters(c):  # type: ignore[no-untyped-def]
    counts = {}
    for letter in c.user:
        counts[letter] = counts.get(letter, 0) + 1
    return counts


def odd(c):  # type: ignore[no-untyped-def]
    found = []
    for number in range(c.ms):
        if number % 2:
            found.append((number, c.user))
    return found


def checked(c):  # type: ignore[no-untyped-def]
    if c.score is None:
        raise ValueError("no score")
    return c.score


def score(c):  # type: ignore[no-untyped-def]
    try:
        return c.score if c.ms else None
    finally:
        del c


def words(c: Any) -> Iterator[tuple[str, int]]:
    for word in c.user.split():
        yield word, len(word)


def generated(c):  # type: ignore[no-untyped-def]
    for word in c.user.split():
        yield word, len(word)


def forever(c):  # type: ignore[no-untyped-def]
    return forever(c)


def result(function: Callable[..., Any], *types: Any, many: bool = False) -> Any:
    return common_type([Functions().result(function, list(map(opened, types)), many=many).main])


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda c: c, Click),
        (lambda c: Count(c.user, 1), Count),
        (lambda c: Count(c.user, 1).double, int),
        (lambda c: Count(c.user, 1).scaled(2), Count),
        (lambda c: (c.user.upper(), c.ms + 1, c.ms / 2), tuple[str, int, float]),
        (lambda c: (c.user, *(1, 2)), tuple[str, int, int]),
        (lambda c: c.score, float | None),
        (lambda c: c.score or 0.0, float),
        (lambda c: c.score if c.score is not None else 0.0, float),
        (lambda c: c.user if c.ms else None, str | None),
        (lambda c: c.ms > 1 and not c.user, bool),
        (lambda c: f"{c.ms}", str),
        (lambda c: c.user.split(",")[0], str),
        (lambda c: [part.strip() for part in c.user.split(",") if part], list[str]),
        (lambda c: {c.user: c.ms}, dict[str, int]),
        (lambda c: {"a": 1, "b": "x"}["b"], str),
        (lambda c: max(c.ms, 0), int),
        (lambda c: sum(len(word) for word in c.user.split()), int),
        (lambda c: sorted(c.user), list[str]),
        (lambda c: dict(zip(["a"], [c.ms], strict=True)), dict[str, int]),
        (lambda c: round(c.ms / 3, 2), float),
        (lambda c: round(c.ms / 3), int),
        (lambda c: math.sqrt(c.ms), float),
        (lambda c: random.randint(1, c.ms), int),
        (lambda c: datetime.datetime.now() - datetime.timedelta(days=1), datetime.datetime),
        (lambda c: MODEL.score(c.user), float),
        (lambda c: doubled(c.ms), int),
        (lambda c: (lambda n: (n, n))(c.ms), tuple[int, int]),
        (letters, dict[str, int]),
        (odd, list[tuple[int, str]]),
        (checked, float),
        (score, float | None),
        (lambda c: replace(c, ms=c.ms + 1), Click),
        (lambda c: dataclasses.replace(c), Click),
        (lambda c: Step(1, c.user)._replace(at=c.ms), Step),
        (lambda c: None, None),
    ],
)
def test_a_function_has_the_type_of_its_code(function: Callable[[Click], Any], expected: Any) -> None:
    assert result(function, Types.of(Click)) == Types.of(expected)


@pytest.mark.parametrize("function", [words, generated, odd, lambda c: ((w, 1) for w in c.user.split())])
def test_each_of_many_results_has_the_type_of_its_code(function: Callable[[Click], Any]) -> None:
    assert set(result(function, Types.of(Click), many=True).field_types) == {Types.STRING(), Types.LONG()}


def test_the_fields_of_a_row_may_be_null() -> None:
    t = Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()])
    pair = result(lambda row: (row.a, row["b"].upper()), t)
    assert str(pair) == "TupleTypeInfo(Optional<Integer>, String)"
    assert result(lambda row: Row(x=row.b), t) == Types.ROW_NAMED(["x"], [Types.STRING()])


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda c: json.loads(c.user), "calls loads, whose result is not known (test_functions.py:"),
        (lambda c: 1 if c.ms else 2.0, "has values of two types, Long and Double (test_functions.py:"),
        (lambda c: [], "returns an empty collection, whose elements have no type"),
        (lambda c: c.nope, "reads .nope of Click (test_functions.py:"),
        (lambda c: MODEL, "returns <"),
        (forever, "calls forever, which calls itself"),
    ],
)
def test_a_function_that_cannot_be_followed_says_why(function: Callable[[Click], Any], reason: str) -> None:
    found = result(function, Types.of(Click))
    assert isinstance(found, Unknown)
    assert str(found).startswith(reason)
