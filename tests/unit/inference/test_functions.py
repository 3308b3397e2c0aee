"""The types of results that functions have by their code; those expected are the ones that mypy reveals."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import functools
import itertools
import json
import math
import random
import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar

import pytest

from pystream.inference import Functions, Unknown, common_type, opened
from typeinfo import Row, Types

T = TypeVar("T")


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


def optional(number=0):  # type: ignore[no-untyped-def]
    return number


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
        (lambda c: round(number=c.ms / 3, ndigits=1), float),
        (lambda c: math.sqrt(c.ms), float),
        (lambda c: random.randint(1, c.ms), int),
        (lambda c: ~c.ms, int),
        (lambda c: -datetime.timedelta(c.ms) // 2, datetime.timedelta),
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
        (lambda c: round(Decimal(c.ms)), int),
        (lambda c: Count(*c.user.split(",")), Count),
        (lambda c: replace(c, **letters(c)), Click),
        (lambda c: "{} {}".format(*c.user), str),
        (lambda c: MODEL.score(*c.user), float),
    ],
)
def test_a_function_has_the_type_of_its_code(function: Callable[[Click], Any], expected: Any) -> None:
    assert result(function, Types.of(Click)) == Types.of(expected)


@pytest.mark.parametrize("function", [words, generated, odd, lambda c: ((w, 1) for w in c.user.split())])
def test_each_of_many_results_has_the_type_of_its_code(function: Callable[[Click], Any]) -> None:
    assert set(result(function, Types.of(Click), many=True).field_types) == {Types.STRING(), Types.LONG()}


def counted(c):  # type: ignore[no-untyped-def]
    counts = Counter(c.user)
    counts.update(c.user.upper())
    return counts.most_common(2)


def defaulted(c):  # type: ignore[no-untyped-def]
    counts, names = defaultdict(int), defaultdict(list)
    for letter in c.user:
        counts[letter] += 1
        names[letter].append(c.ms)
    return dict(counts), names["a"]


def queued(c):  # type: ignore[no-untyped-def]
    queue = deque(maxlen=2)
    queue.append(c.score or 0.0)
    return sum(queue) / len(queue), list(queue)


def accumulated(c):  # type: ignore[no-untyped-def]
    parts = [0, 0.0]
    parts[0] += c.ms
    parts[1] += c.ms
    number, total = parts
    return total / parts[0], number


def searched(c):  # type: ignore[no-untyped-def]
    found = re.match(r"(a)(b)", c.user) or WORD.search(c.user)
    return (found.group(1), found[2], found.start()) if found else None


def chosen(c):  # type: ignore[no-untyped-def]
    def other(text, times=2):  # type: ignore[no-untyped-def]
        return text * times

    match c.ms:
        case 1:
            return other(c.user, 1)
        case _:
            return "?"


def factorial(n):  # type: ignore[no-untyped-def]
    return 1 if n < 2 else n * factorial(n - 1)


class Scale:
    def __init__(self, factor=0.5):  # type: ignore[no-untyped-def]
        self.factor = factor
        self.calls = 0

    def of(self, number):  # type: ignore[no-untyped-def]
        self.calls += 1
        return self.calls, number * self.factor


WORD = re.compile(r"(\w)(\w)")


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (counted, list[tuple[str, int]]),
        (defaulted, tuple[dict[str, int], list[int]]),
        (queued, tuple[float, list[float]]),
        (accumulated, tuple[float, int]),
        (searched, tuple[str, str, int] | None),
        (chosen, str),
        (lambda c: factorial(c.ms), int),
        (lambda c: Scale().of(c.ms), tuple[int, float]),
        (lambda c: [key for key, _ in itertools.groupby(c.user, key=str.upper)], list[str]),
        (lambda c: list(itertools.chain(c.user, ["a"])), list[str]),
        (lambda c: functools.reduce(lambda a, b: a + len(b), c.user.split(), 0), int),
        (lambda c: copy.deepcopy(c), Click),
        (lambda c: copy.deepcopy(x=c), Click),
        (lambda c: dataclasses.asdict(Count(c.user, 1))["n"], int),
        (lambda c: OrderedDict(a=c.ms).popitem(), tuple[str, int]),
    ],
)
def test_containers_and_objects_hold_what_is_put_into_them(
    function: Callable[[Click], Any], expected: Any
) -> None:
    assert result(function, Types.of(Click)) == Types.of(expected)


@dataclass
class Held(Generic[T]):
    items: list[T]
    first: T | None
    n: int = 0


class Tagged(NamedTuple, Generic[T]):
    tag: str
    value: T


class Document(TypedDict, Generic[T]):
    text: T


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda c: Held([c.user], None), Held[str]),
        (lambda c: Held([c.ms], c.ms, n=2), Held[int]),
        (lambda c: Held[int]([c.ms], c.ms), Held[int]),
        (lambda c: Tagged("a", (c.ms, c.user)), Tagged[tuple[int, str]]),
        (lambda c: Tagged(value=c.user, tag="a").value, str),
        (lambda c: Document(text=c.user), Document[str]),
        (lambda c: Held([Tagged("a", c.ms)], None).items[0].value, int),
    ],
)
def test_arguments_tell_the_parameters_of_generic_classes(
    function: Callable[[Click], Any], expected: Any
) -> None:
    assert result(function, Types.of(Click)) == Types.of(expected)


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
        (lambda c: Counter(c.user), "returns a Counter, which has no type"),
        (lambda c: deque([c.ms]), "returns a deque, which has no type"),
        (lambda c: Held([], None), "returns an object of class Held, which has no type"),
        (lambda c: c.nope, "reads .nope of Click (test_functions.py:"),
        (lambda c: ~(c.ms / 2), "negates float (test_functions.py:"),
        (lambda c: datetime.timedelta(c.ms) // 2.0, "computes with timedelta and float"),
        (lambda c: MODEL, "returns <"),
        (forever, "calls forever, which calls itself"),
        (lambda c: Row(*c.user), "unpacks arguments that are not known"),
        (lambda c: Row(**letters(c)), "unpacks arguments that are not known"),
        (lambda c: optional(*c.user), "unpacks arguments that are not known"),
        (lambda c: sum([c.ms], **letters(c)), "unpacks arguments that are not known"),
        (lambda c: list(zip(*[c.user], strict=False)), "unpacks arguments that are not known"),
        (lambda c: round(value=c.ms), "calls round, whose result is not known"),
        (lambda c: copy.deepcopy(c, c, c, c), "calls deepcopy, whose result is not known"),
        (lambda c: next(*[c.user]), "unpacks arguments that are not known"),
    ],
)
def test_a_function_that_cannot_be_followed_says_why(function: Callable[[Click], Any], reason: str) -> None:
    found = result(function, Types.of(Click))
    assert isinstance(found, Unknown)
    assert str(found).startswith(reason)
