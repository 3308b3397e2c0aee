"""Expressions have exactly the results of their functions: with None, unused values and types of any kind."""

from __future__ import annotations

import dataclasses
import ipaddress
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import attrs
import pydantic
import pytest

from pystream.lifting import Expression, NotLifted, is_guarded, lift
from tests.unit.lifting.model import Raised, evaluate
from typeinfo import Row, TypeInformation, Types
from typeinfo.testing.sameness import same

INT, LONG, DOUBLE, STRING = Types.INT(), Types.LONG(), Types.DOUBLE(), Types.STRING()
PAIR = Types.TUPLE([INT, STRING])


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception:  # noqa: BLE001 - whatever Python raises
        return Raised


def check(expression: Expression, function: Callable[[Any], Any], values: Sequence[Any]) -> None:
    """Require that an expression and a function return the same for some values, or that both raise."""
    for value in values:
        found, wanted = outcome(lambda: evaluate(expression, [value])), outcome(lambda: function(value))  # noqa: B023
        assert same(found, wanted), (value, function.__code__.co_firstlineno)


def rows_of(**fields: tuple[TypeInformation[Any], Sequence[Any]]) -> tuple[TypeInformation[Any], list[Any]]:
    """Return a type of rows, and all rows of some values of each field."""
    names, (types, values) = list(fields), zip(*fields.values(), strict=True)
    rows = [Row(**dict(zip(names, row, strict=True))) for row in product(*values)]
    return Types.ROW_NAMED(names, list(types)), rows


BOUNDS = [None, 0, 1, 2, 7, -1, -3, -9]
NUMBERS = (DOUBLE, [None, 1.0, 1.5, float("nan")])
PAIRS = (PAIR, [None, (1, "a"), (2, "b")])


@pytest.mark.parametrize(
    ("rows", "functions"),
    [
        pytest.param(
            rows_of(s=(STRING, ["a,bc,"]), k=(INT, BOUNDS), n=(LONG, BOUNDS)),
            [
                lambda r: r.s[r.k :],
                lambda r: r.s[: r.k],
                lambda r: r.s[r.k : 2],
                lambda r: r.s[-2 : r.k],
                lambda r: r.s[r.k : r.n],
                lambda r: r.s[r.k : None],
                lambda r: r.s[(r.k if r.k else None) : r.n],
                lambda r: ";".join(r.s.split(",")[r.k :]),
                lambda r: ";".join(r.s.split(",")[r.k : r.n]),
            ],
            id="bounds of slices",
        ),
        pytest.param(
            rows_of(x=(STRING, [None, "a", "c"]), s=(STRING, ["a,b"])),
            [lambda r: r.x in r.s.split(","), lambda r: r.x not in r.s.split(",")],
            id="elements of lists",
        ),
        pytest.param(
            rows_of(i=(INT, [None, 0, 1]), x=NUMBERS),
            [lambda r: r.i == r.x, lambda r: r.x != r.i],
            id="numbers",
        ),
    ],
)
def test_none_where_python_accepts_it_needs_no_guard(
    rows: tuple[TypeInformation[Any], list[Any]], functions: list[Callable[[Any], Any]]
) -> None:
    t, values = rows
    for function in functions:
        found = lift(function, [t])
        assert isinstance(found, Expression)
        assert not is_guarded(found)
        check(found, function, values)


@dataclass
class Place:
    name: str

    def kind(self) -> str:
        return "place"


@dataclass
class Visit:
    place: Place | None


class Step(NamedTuple):
    at: int
    name: str


COMPARISONS: list[Callable[[Any], Any]] = [
    lambda r: r.i == r.x,
    lambda r: r.x != r.i,
    lambda r: r.x == 1,
    lambda r: (r.i + 0 if r.i else None) == r.x,
]


@pytest.mark.parametrize(
    ("rows", "functions"),
    [
        pytest.param(rows_of(i=(INT, [None, 0, 1]), x=NUMBERS), COMPARISONS, id="int and float"),
        pytest.param(rows_of(i=(LONG, [None, 0, 1]), x=NUMBERS), COMPARISONS, id="long and float"),
        pytest.param(
            rows_of(i=(Types.BOOLEAN(), [None, False, True]), x=NUMBERS), COMPARISONS, id="bool and float"
        ),
        pytest.param(
            rows_of(t=PAIRS, u=PAIRS),
            [
                lambda r: r.t == (1, "a"),
                lambda r: r.t != (1, "a"),
                lambda r: r.t == r.u,
                lambda r: (r.t if r.t else None) == r.u,
                lambda r: r.t in ((1, "a"), (2, "b")),
                lambda r: r.t == (1,),
            ],
            id="tuples",
        ),
        pytest.param(
            rows_of(
                v=(Types.of(Visit), [None, Visit(None), Visit(Place("a"))]),
                s=(Types.of(Step), [None, Step(1, "a")]),
                i=(LONG, [None, 0, 1]),
            ),
            [
                lambda r: replace(r.v, place=Place("b")),
                lambda r: replace(r.v),
                lambda r: (
                    dataclasses.replace(Visit(None), place=replace(r.v.place, name=str(1 // r.i))).place
                ),
                lambda r: r.s._replace(name="b"),
                lambda r: r.s._replace(name="b", at=r.i + 1),
                lambda r: r.s._replace(at=1 // r.i)._replace(name="b").name,
            ],
            id="copies with other fields",
        ),
        pytest.param(
            (LONG, [0, 1]),
            [
                lambda n: "{}".format("n", 1 // n),  # noqa: F523
                lambda n: "{1}".format(1 // n, "n"),  # noqa: F523
            ],
            id="unused values that may raise",
        ),
        pytest.param(
            (Types.of(Visit), [Visit(None), Visit(Place("here"))]),
            [lambda v: v.place.kind()],
            id="unused objects that may be None",
        ),
    ],
)
def test_results_are_exact(
    rows: tuple[TypeInformation[Any], list[Any]], functions: list[Callable[[Any], Any]]
) -> None:
    t, values = rows
    for function in functions:
        found = lift(function, [t])
        assert isinstance(found, Expression)
        check(found, function, values)


def test_only_integers_that_may_exceed_doubles_are_guarded() -> None:
    for whole, guarded in ((INT, False), (LONG, True)):
        found = lift(lambda r: r.i == r.x, [rows_of(i=(whole, []), x=NUMBERS)[0]])
        assert isinstance(found, Expression)
        assert is_guarded(found) is guarded


@attrs.frozen
class Point:
    x: int
    name: str = ""


class Order(pydantic.BaseModel):
    x: int
    name: str = ""


VALUES: list[tuple[Any, list[Any]]] = [
    (set[int], [set(), {1}, {1, 2}]),
    (frozenset[str], [frozenset(), frozenset({"1"})]),
    (tuple[int, ...], [(), (1,), (2, 1)]),
    (tuple[int, ...] | None, [None, (), (1,)]),
    (int | str, [0, 1, "", "1"]),
    (int | float, [0, 1, 1.0]),
    (ipaddress.IPv4Address, [ipaddress.IPv4Address(1)]),
    (pathlib.PurePosixPath, [pathlib.PurePosixPath("a/b")]),
    (Fraction, [Fraction(0), Fraction(1, 2)]),
    (Point, [Point(1), Point(0, "a")]),
    (Order, [Order(x=1), Order(x=0, name="a")]),
]
FUNCTIONS: list[Callable[[Any], Any]] = [
    lambda r: r,
    lambda r: r.v,
    lambda r: (r.v, r.n),
    lambda r: r.n + 1,
    lambda r: r.v is None,
    lambda r: r.v == r.v,
    lambda r: r.v != 1,
    lambda r: r.v < r.v,
    lambda r: r.v == r.n,
    lambda r: 1 in r.v,
    lambda r: r.n in r.v,
    lambda r: len(r.v),
    lambda r: bool(r.v),
    lambda r: 1 if r.v else 0,
    lambda r: not r.v,
    lambda r: r.v or r.n,
    lambda r: r.v if r.n > 0 else None,
    lambda r: str(r.v),
    lambda r: f"{r.v}",
    lambda r: r.v + 1,
    lambda r: r.v[0],
    lambda r: r.v.x,
    lambda r: r.v.name,
    lambda r: r.v.x + r.n,
    lambda r: r.v.tag,
    lambda r: int(r.v),
    lambda r: float(r.v),
    lambda r: isinstance(r.v, int),
    lambda r: sum(r.v),
    lambda r: max(r.v),
    lambda r: r.v.upper(),
    lambda r: r.v.numerator,
    lambda r: [part for part in r.v],  # noqa: C416 - as users write it
]


@pytest.mark.parametrize(("annotation", "values"), VALUES, ids=lambda part: str(part)[:30])
def test_functions_of_other_types_are_exact_or_not_lifted(annotation: Any, values: list[Any]) -> None:
    t = Types.ROW_NAMED(["v", "n"], [Types.of(annotation), Types.LONG()])
    lifted = 0
    for function in FUNCTIONS:
        found = lift(function, [t])
        if isinstance(found, NotLifted):
            assert "CarriedTypeInfo" not in found.reason
            assert found.reason
            continue
        lifted += 1
        check(found, function, [Row(v=value, n=1) for value in values])
    assert lifted  # at least what does not look into the value


class Composed:
    """A function class that calls a function stored in it."""

    def __init__(self, step: Any) -> None:
        self.step = step

    def map(self, value: Any) -> Any:
        return self.step(value) + 1


def test_a_function_in_an_attribute_is_followed() -> None:
    composed = Composed(lambda n: n * 3)
    lifted = lift(composed.map, [LONG], LONG)
    assert isinstance(lifted, Expression)
    check(lifted, composed.map, [0, -4, 2**61])
    assert isinstance(lift(Composed(Composed(lambda n: n)).map, [LONG], LONG), NotLifted)
