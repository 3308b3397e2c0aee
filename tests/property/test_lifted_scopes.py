"""Scopes of names in lifted functions: random comprehensions that reuse a few names."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pystream.lifting import NotLifted, lift
from tests.unit.lifting.model import Raised, compiled, evaluate
from typeinfo import Types
from typeinfo.testing.sameness import same

NAMES = ("n", "v", "u", "w", "len")
"""A parameter, one with a default, a local variable, a global name, and a builtin."""


def iterated(r: random.Random, depth: int) -> str:
    if depth and r.random() < 0.3:
        return f"[{comprehension(r, depth - 1)}]"
    return r.choice([f"({one(r)}, {one(r)})", f"({one(r)},)", r.choice(NAMES), f"[{one(r)}]"])


def one(r: random.Random) -> str:
    return r.choice([*NAMES[:4], "1"])


def element(r: random.Random, depth: int) -> str:
    if depth and r.random() < 0.4:
        return f"[{comprehension(r, depth - 1)}]"
    return r.choice([one(r), f"({one(r)}, {one(r)})", f"len(({one(r)}, {one(r)}))"])


def comprehension(r: random.Random, depth: int) -> str:
    loops = ""
    for _ in range(r.choice([1, 1, 2])):
        target = r.choice([*NAMES[1:], *NAMES[1:], "u, v"])
        condition = f" if {one(r)} == {one(r)}" if r.random() < 0.3 else ""
        loops += f" for {target} in {iterated(r, depth)}{condition}"
    return element(r, depth) + loops


def function_text(seed: int) -> str:
    r = random.Random(seed)
    if r.random() < 0.5:
        return f"f = lambda n, v=(7,): [{comprehension(r, 2)}]\n"
    return f"def f(n, v=(7,)):\n    u = {element(r, 0)}\n    return ([{comprehension(r, 2)}], {one(r)})\n"


def test_names_have_the_scopes_of_python() -> None:
    given = 0
    for seed in range(1500):
        text = function_text(seed)
        function = compiled(text, w=5)
        expression = lift(function, [Types.LONG()])
        if isinstance(expression, NotLifted):
            continue
        try:
            found = evaluate(expression, [3])
        except Raised:
            continue
        assert same(found, function(3)), text
        given += 1
    assert given > 150, f"only {given} functions were compared"


@pytest.mark.parametrize(
    "function",
    [
        lambda n, v=(7,): [v for u in (n, n) for v in v],
        lambda n, v=(7,): [u for u in (n, n) if v for v in (n,)],
        lambda n: [len for u in (n, n) for len in (len((u,)),)],
        lambda n: sum(w for u in [(n,)] for w in w),  # noqa: F821 - the name that is not set
    ],
)
def test_a_local_name_is_not_looked_up_outside_before_it_is_set(function: Callable[[int], Any]) -> None:
    with pytest.raises(UnboundLocalError):
        function(1)
    found = lift(function, [Types.LONG()])
    assert isinstance(found, NotLifted)
    assert "is not set in every case" in found.reason


def test_the_iterable_of_the_outermost_loop_is_evaluated_outside() -> None:
    expression = lift(lambda n, v=(7, 8): [v * 2 for v in v], [Types.LONG()])
    assert not isinstance(expression, NotLifted)
    assert evaluate(expression, [1]) == [14, 16]
