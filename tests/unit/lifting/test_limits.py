"""Functions whose expressions could grow exponentially: lifted in linear size, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.lifting import Expression, NotLifted, lift, lift_flat_map
from tests.unit.lifting.model import Raised, compiled, evaluate
from typeinfo import Types

LONG = Types.LONG()


def function(count: int, *, before: str = "", block: str, after: str) -> Callable[[Any], Any]:
    """Return a function of ``x`` with a block of statements a number of times, in which ``k`` counts."""
    blocks = "".join(block.replace("K", str(k + 2)) for k in range(count))
    lines = [before, *blocks.splitlines(), after]
    return compiled("def f(x):\n" + "".join(f"    {line}\n" for line in lines))


CHECKS = "if x == K:\n    y = K\n    if x % 7:\n        raise ValueError\n"


def test_nested_checks_are_lifted_in_linear_size() -> None:
    sizes = []
    for count in (10, 20, 40):
        found = lift(function(count, before="y = x", block=CHECKS, after="return y"), [LONG])
        assert isinstance(found, Expression), found
        sizes.append(found.size)
    assert sizes[2] - sizes[1] == 2 * (sizes[1] - sizes[0])


def test_nested_checks_raise_where_python_does() -> None:
    checking = function(20, before="y = x * 10", block=CHECKS, after="return y")
    expression = lift(checking, [LONG])
    assert isinstance(expression, Expression)
    raised = []
    for x in range(30):
        try:
            assert evaluate(expression, [x]) == checking(x)
        except Raised:
            raised.append(x)
            with pytest.raises(ValueError, match=r"^$"):
                checking(x)
    assert raised == [x for x in range(2, 22) if x % 7]


def either_way(x: int) -> int:
    if x > 3:
        y = 10 // (x - 5)
        if x % 2:
            raise ValueError
    else:
        y = 1
        if not x:
            raise ValueError
        if x == 1:
            raise KeyError
        y = 2
    return y


def test_errors_in_either_branch() -> None:
    expression = lift(either_way, [LONG])
    assert isinstance(expression, Expression)
    for x in range(12):
        try:
            wanted: Any = either_way(x)
        except (ArithmeticError, LookupError, ValueError):
            with pytest.raises(Raised):
                evaluate(expression, [x])
        else:
            assert evaluate(expression, [x]) == wanted


@pytest.mark.parametrize(
    ("before", "block", "after", "reason"),
    [
        ("y = 0", "if x == K:\n    if x > 3:\n        return K\n    y += 1\n", "return y", "too many paths"),
        ("y = 0", "if y != K:\n    y += x // K\n", "return y", "more than fits one expression"),
        ("", "x = x % 7 + x // 3\n", "return x", "more than fits one expression"),
        ("", "x = x + x\n", "return x", "more than fits one expression"),
        ("", "x = (x, x)\n", "return 1", "more than fits one expression"),
        ("s = str(x)", "s = s + s\n", "return s", "more than fits one expression"),
        ("b = x > 1", "b = b and (not b or x > 2) or b\n", "return b", "more than fits one expression"),
        ("y = 'ab'", "y = y + y\n", "return x", "constant that is too large"),
        ("y = 2", "y = y * y\n", "return x", "constant that is too large"),
        ("y = 2", "y = y ** 9\n", "return x", "constant that is too large"),
        ("y = 'a'", "y = 9 * y\n", "return x", "constant that is too large"),
        ("y = (1, 2)", "y = (y, y)\n", "return x", "constant that is too large"),
        ("y = 1", "y = y << 99\n", "return x", "constant that is too large"),
    ],
)
def test_exponential_growth_is_refused(before: str, block: str, after: str, reason: str) -> None:
    found = lift(function(40, before=before, block=block, after=after), [LONG])
    assert isinstance(found, NotLifted)
    assert reason in found.reason


def test_exponential_growth_of_flat_maps_is_refused() -> None:
    yielding = function(
        40, before="y = 0", block="if x == K:\n    if y:\n        return\n    y += 1\n", after="yield y"
    )
    found = lift_flat_map(yielding, LONG)
    assert isinstance(found, NotLifted)
    assert "too many paths" in found.reason


def test_helpers_that_call_others_twice_are_refused() -> None:
    helpers = "".join(f"def g{k}(x):\n    return (g{k - 1}(x), g{k - 1}(x))[0]\n" for k in range(1, 7))
    found = lift(
        compiled(f"def g0(x):\n    return {'x + ' * 30}1\n{helpers}def f(x):\n    return g6(x)\n"), [LONG]
    )
    assert isinstance(found, NotLifted)
    assert "too many paths" in found.reason
