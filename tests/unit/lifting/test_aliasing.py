"""Alias analysis finds every value that contains one object twice, also of random functions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from pystream.lifting import Expression, NotLifted, elements_of, has_aliases, lift, lift_flat_map
from tests.unit.lifting.model import compiled
from typeinfo import Row, Types

ROW = Types.ROW_NAMED(
    ["l", "m", "p", "n"],
    [
        Types.LIST(Types.LONG()),
        Types.LIST(Types.LIST(Types.INT())),
        Types.TUPLE([Types.LIST(Types.LONG()), Types.LONG()]),
        Types.LONG(),
    ],
)


def a_row() -> Row[Any]:
    return Row(l=[1, 2], m=[[3], [4]], p=([5], 6), n=7)


@dataclass
class Point:
    x: int


def found(function: Callable[[Any], Any]) -> bool:
    expression = lift(function, [ROW])
    assert isinstance(expression, Expression), expression
    return has_aliases(expression)


@pytest.mark.parametrize(
    "function",
    [
        lambda r: (r.l, r.l),
        lambda r: (r, r.l),
        lambda r: (r.p, r.p[0]),
        lambda r: [r.l for _ in range(2)],
        lambda r: (r.l if r.n else [1], r.l),
        lambda r: [(v, v) for v in r.m],
        lambda r: [(v, 1) for v in [r.l, r.l]],
        lambda r: (r.m[0], r.m),
        lambda r: (r.m[1], r.m[r.n]),
        lambda r: (r.m[:1], r.m[1]),
        lambda r: twice(Point(r.n)),
        lambda r: twice([r.n]),
        lambda r: twice(Row(r.n, 2)),
        lambda r: [(v, r.l) for v in r.m],
    ],
)
def test_one_object_twice(function: Callable[[Any], Any]) -> None:
    assert found(function)


def twice(value: Any) -> Any:
    return (value, value)


@pytest.mark.parametrize(
    "function",
    [
        lambda r: (r.n, r.n),
        lambda r: r,
        lambda r: (r.l, r.m, r.p),
        lambda r: r.l if r.n else r.p[0],
        lambda r: [(v, len(v)) for v in r.m],
        lambda r: (r.l, [v for v in r.l if v > 1]),
        lambda r: (str(r.n), str(r.n)),
        lambda r: ([r.n], [r.n + 1]),
    ],
)
def test_each_object_once(function: Callable[[Any], Any]) -> None:
    assert not found(function)


def test_each_result_of_a_flat_map_is_analysed_by_itself() -> None:
    def apart(r: Any) -> Any:
        yield r.m[0]
        if r.n:
            yield r.m[0]
        for v in r.m:
            yield v[:1]

    def together(r: Any) -> Any:
        for v in r.m:
            if r.n:
                yield v, v

    for function, expected in ((apart, False), (together, True)):
        lifted = lift_flat_map(function, ROW)
        assert isinstance(lifted, Expression), lifted
        assert any(map(has_aliases, elements_of(lifted))) is expected


def value(r: random.Random, depth: int, names: tuple[str, ...]) -> str:
    """Return a random expression of a list, or of a value that contains lists."""
    leaves = ["r.l", "r.m[0]", "r.m[1]", "r.p[0]", "[1]", "[r.n]", "r.l[:1]", *names]
    if not depth or r.random() < 0.3:
        return r.choice(leaves)
    inner = lambda: value(r, depth - 1, names)  # noqa: E731
    form = r.randrange(6)
    if form == 0:
        return f"({inner()}, {inner()})"
    if form == 1:
        return f"({inner()}, {inner()})[{r.choice('01')}]"
    if form == 2:
        return f"Row({inner()}, {inner()})"
    if form == 3:
        kept = value(r, 0, names)
        return f"({kept} if r.n > {r.choice('19')} else {value(r, 0, names)})"
    if form == 4:
        return f"[{inner()} for u in {r.choice(['r.m', '[r.l, r.l]', '[r.l, [9]]'])}]"
    return f"[({value(r, 0, (*names, 'u'))}, 1) for u in {r.choice(['r.m', '[r.l, r.p[0]]', '[[8], r.l]'])}]"


def function_text(seed: int) -> str:
    r = random.Random(seed)
    local = value(r, 1, ())
    return f"def f(r):\n    a = {local}\n    return {value(r, 3, ('a',))}\n"


def objects(value: Any) -> Iterator[int]:
    """Yield the identity of each object in a value that can be changed, once for each place it is in."""
    if isinstance(value, (list, Row)):
        yield id(value)
    if isinstance(value, (list, tuple, Row)):
        for part in value:
            yield from objects(part)


def test_no_alias_is_missed() -> None:
    several = once = 0
    for seed in range(800):
        text = function_text(seed)
        function = compiled(text, Row=Row)
        expression = lift(function, [ROW])
        if isinstance(expression, NotLifted):
            continue
        given = function(a_row())
        places = list(objects(given))
        if len(set(places)) < len(places):
            assert has_aliases(expression), text
            several += 1
        else:
            once += not has_aliases(expression)
    assert several > 60, f"only {several} values held an object twice"
    assert once > 150, f"only {once} values were certain to hold each object once"
