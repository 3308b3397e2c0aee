"""Which functions are certain to keep nothing from call to call."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from types import FunctionType
from typing import Any

import pytest

from pystream.plan.function import UserFunction
from pystream.plan.keeping import has_no_methods_of_users, keeps_nothing
from typeinfo import Row, TypeInformation, Types

SEEN: list[Any] = []
FACTORS = (2, ("a", 3.0), frozenset({1}), datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC))
KNOWN = frozenset({Row(1)})
TO_COME = None
LIMIT = 3


def double(value: Any) -> Any:
    return value * 2


def countdown(n: int) -> list[int]:
    return [] if n < 0 else [n, *countdown(n - 1)]


def grown(value: Any) -> Any:
    parts = [value]
    parts.append(LIMIT)
    parts[0] = FACTORS[0]
    del parts[1]
    return Row(value, parts)


def with_variables_of_its_own(value: Any) -> Any:
    total = 0

    def add(part: int) -> int:
        nonlocal total
        total += part
        return total

    return [add(part) for part in value]


def tried(value: Any) -> Any:
    try:
        return int(value)
    except ValueError as error:
        return str(error)


def changing_what_it_was_given(row: Any) -> Any:
    row[0] = 1
    row["tags"].append("more")
    return row


def handing_on(value: Any) -> Any:
    return list(map(lambda part: (part, {k: double(k) for k in part}), value))  # noqa: C417


def _with_constants(low: int, word: str) -> Callable[[Any], Any]:
    return lambda value: value if value > low else word


@pytest.mark.parametrize(
    "function",
    [
        double,
        countdown,
        grown,
        with_variables_of_its_own,
        tried,
        changing_what_it_was_given,
        handing_on,
        _with_constants(1, "few"),
        lambda row, names=("a", "b"): Row(**dict(zip(names, row, strict=True))),
        lambda row: tuple(str(part) for part in row),
        lambda row: row.amount + row["id"] + row.upper()[1:],
        lambda value: [double(double(value))],
    ],
)
def test_functions_that_keep_nothing(function: Callable[..., Any]) -> None:
    assert keeps_nothing(function)
    assert UserFunction.of(function, "map").keeps_nothing


def in_a_global(value: Any) -> Any:
    SEEN.append(value)
    return SEEN


def naming_a_global(value: Any) -> Any:
    global LAST
    LAST = value
    return value


def within_a_lambda(value: Any) -> Any:
    return list(map(lambda part: SEEN.append(part) or part, value))  # noqa: C417


def by_a_helper(value: Any) -> Any:
    return in_a_global(double(value))


def by_an_import(value: Any) -> Any:
    import tests.unit.plan.test_keeping as here

    return here


def on_itself(value: Any) -> Any:
    on_itself.last = value  # type: ignore[attr-defined]
    return value


def of_its_own(value: Any) -> Any:
    return of_its_own.__globals__["SEEN"]


def found_by_name(value: Any) -> Any:
    return globals()["SEEN"]


def going_on(value: Any) -> Iterator[Any]:
    seen: list[Any] = []
    for part in value:
        seen.append(part)
        yield seen


def with_a_default(value: Any, seen: list[Any] = []) -> Any:  # noqa: B006
    seen.append(value)
    return seen


def with_a_keyword_default(value: Any, *, seen: list[Any] = []) -> Any:  # noqa: B006
    seen.append(value)
    return seen


def having_attributes(value: Any) -> Any:
    return having_attributes.seen  # type: ignore[attr-defined]


having_attributes.seen = SEEN  # type: ignore[attr-defined]


def of_no_name(value: Any) -> Any:
    return nowhere  # type: ignore[name-defined]  # noqa: F821


def of_a_frozenset(value: Any) -> Any:
    (row,) = KNOWN
    row[0] = value
    return row


def not_made_yet(value: Any) -> Any:
    return TO_COME


def by_the_frame_of_a_generator(value: Any) -> Any:
    return (part for part in ()).gi_frame.f_globals["SEEN"]


def by_a_pattern(value: Any) -> Any:
    match value:
        case Exception(__traceback__=found):
            return found
        case _:
            return value


class _Zone(datetime.tzinfo):
    seen: list[Any] = []  # noqa: RUF012


NOON = datetime.time(12, tzinfo=_Zone())


def by_a_zone(value: Any) -> Any:
    return NOON.tzinfo.seen  # type: ignore[union-attr]


class _Unhashable(type):
    def __eq__(cls, other: object) -> bool:
        return NotImplemented


class Odd(metaclass=_Unhashable):
    pass


ODD = Odd()


def of_an_odd_class(value: Any) -> Any:
    return ODD


class Disguised:
    __class__ = FunctionType  # type: ignore[assignment]
    __code__ = double.__code__

    def __call__(self, value: Any) -> Any:
        SEEN.append(value)


class Keeper:
    seen: list[Any]

    def __call__(self, value: Any) -> Any:
        return self.seen

    def method(self, value: Any) -> Any:
        return self.seen


def by_a_class(value: Any) -> Any:
    return Keeper()


def making_a_class(value: Any) -> Any:
    class Own:
        pass

    return Own


def _closures() -> list[Callable[..., Any]]:
    seen: list[Any] = []
    count = 0

    def counted(value: Any) -> Any:
        nonlocal count
        count += 1
        return count

    def of_a_later_variable(value: Any) -> Any:
        return later

    def of_a_tuple(value: Any) -> Any:
        return pair[1]

    pair = (1, seen)

    def holding(held: list[Any] | int) -> Callable[[Any], Any]:
        return lambda value: held

    first, second = holding(1), holding(seen)

    def by_the_second_of_two(value: Any) -> Any:
        return first(value), second(value)

    functions = [lambda value: seen, counted, of_a_later_variable, of_a_tuple, by_the_second_of_two]
    if not functions:
        later = 1
    return functions


@pytest.mark.parametrize(
    "function",
    [
        in_a_global,
        naming_a_global,
        within_a_lambda,
        by_a_helper,
        by_an_import,
        on_itself,
        of_its_own,
        found_by_name,
        going_on,
        with_a_default,
        with_a_keyword_default,
        having_attributes,
        of_no_name,
        by_a_class,
        making_a_class,
        of_a_frozenset,
        not_made_yet,
        by_the_frame_of_a_generator,
        by_a_pattern,
        by_a_zone,
        of_an_odd_class,
        Disguised(),
        *_closures(),
        Keeper(),
        Keeper().method,
        functools.partial(double),
        functools.lru_cache(double),
        len,
        lambda value: type(value).seen,
        lambda value: setattr(value, "seen", value),
    ],
)
def test_functions_that_keep_something_or_may(function: Callable[..., Any]) -> None:
    assert not keeps_nothing(function)


def test_helpers_beyond_counting_are_not_followed() -> None:
    function: Callable[[Any], Any] = double
    for _ in range(2_000):
        function = _calling(function)
    assert not keeps_nothing(function)


def _calling(inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: inner(value)


class Colour(Enum):
    RED = 1


@dataclass
class Point:
    x: int


PLAIN_ROW = Types.ROW_NAMED(
    ["a", "b"], [Types.LONG(), Types.LIST(Types.MAP(Types.STRING(), Types.INSTANT()))]
)


@pytest.mark.parametrize(
    ("type_info", "expected"),
    [
        (Types.LONG(), True),
        (PLAIN_ROW, True),
        (Types.of(tuple[int, str | None]), True),
        (Types.PICKLED_BYTE_ARRAY(), False),
        (Types.of(Point), False),
        (Types.of(Colour), False),
        (Types.LIST(Types.of(Point)), False),
        (Types.TUPLE([Types.LONG(), Types.PICKLED_BYTE_ARRAY()]), False),
    ],
)
def test_types_whose_values_have_no_methods_of_users(type_info: TypeInformation[Any], expected: bool) -> None:
    assert has_no_methods_of_users(type_info) is expected
