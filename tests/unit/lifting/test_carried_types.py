"""Functions of sets, tuples of any length, unions, texts, attrs classes and models: exact, or not lifted."""

from __future__ import annotations

import ipaddress
import pathlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import attrs
import pydantic
import pytest

from pystream.lifting import NotLifted, lift
from tests.unit.lifting.model import Raised, evaluate
from typeinfo import Row, Types
from typeinfo.testing.sameness import same


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


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception:  # noqa: BLE001 - that it fails is what is compared
        return Raised


@pytest.mark.parametrize(("annotation", "values"), VALUES, ids=lambda part: str(part)[:30])
def test_what_is_lifted_is_exact_and_all_else_has_a_reason(annotation: Any, values: list[Any]) -> None:
    t = Types.ROW_NAMED(["v", "n"], [Types.of(annotation), Types.LONG()])
    lifted = 0
    for function in FUNCTIONS:
        found = lift(function, [t])
        if isinstance(found, NotLifted):
            assert "CarriedTypeInfo" not in found.reason
            assert found.reason
            continue
        lifted += 1
        for value in values:
            row = Row(v=value, n=1)
            expected = outcome(lambda: function(row))  # noqa: B023 - called at once
            given = outcome(lambda: evaluate(found, [row]))  # noqa: B023 - called at once
            assert same(given, expected), (value, function.__code__.co_firstlineno)
    assert lifted  # at least what does not look into the value
