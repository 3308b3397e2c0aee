"""The declared bounds of operations hold all of their results."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from pystream.expressions.expression import Op, Operation

DECLARED = [
    op
    for family in Op.__mro__
    for op in vars(family).values()
    if isinstance(op, Operation) and callable(op.bounds)
]
INTERVALS = [(low, high) for low in range(-3, 4) for high in range(low, 4)]


def computed(op: Operation, *parts: int) -> int:
    compute: Callable[..., int] | str = op.python
    return int(eval(compute.format(*parts)) if isinstance(compute, str) else compute(*parts))


def test_operations_on_integers_declare_bounds() -> None:
    assert {Op.ADD, Op.MULTIPLY, Op.ABSOLUTE, Op.LEAST, Op.BIT_XOR, Op.WIDEN} <= set(DECLARED)


@pytest.mark.parametrize("op", DECLARED, ids=lambda op: op.name)
def test_declared_bounds_hold_all_results(op: Operation) -> None:
    assert callable(op.bounds)
    count = 2 if op.variadic else len(op.takes)
    for intervals in product(INTERVALS, repeat=count):
        low, high = op.bounds(*intervals)
        results = [computed(op, *parts) for parts in product(*intervals)]
        assert low <= min(results)
        assert max(results) <= high
