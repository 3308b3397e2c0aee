"""Long chains of ANDs and ORs keep their operands in order, nested by halves."""

from __future__ import annotations

from functools import reduce

import pytest
from sqlglot import exp

from pystream.table.sql.conditions import balanced


def chain(kind: type[exp.Connector], count: int) -> exp.Expr:
    operands: list[exp.Expr] = [exp.column(f"c{number}") for number in range(count)]
    return reduce(lambda left, right: kind(this=left, expression=right), operands)


def names_and_depth(condition: exp.Expr) -> tuple[list[str], int]:
    if isinstance(condition, exp.Connector):
        lefts, left_depth = names_and_depth(condition.left)
        rights, right_depth = names_and_depth(condition.right)
        return lefts + rights, 1 + max(left_depth, right_depth)
    return [condition.name], 0


@pytest.mark.parametrize("kind", [exp.And, exp.Or])
@pytest.mark.parametrize("count", [64, 65, 127, 500])
def test_long_chains_are_as_deep_as_their_logarithm(kind: type[exp.Connector], count: int) -> None:
    names, depth = names_and_depth(balanced(chain(kind, count)))
    assert names == [f"c{number}" for number in range(count)]
    assert depth == (count - 1).bit_length()


def test_short_chains_and_other_operands_stay_as_they_are() -> None:
    for condition in (
        chain(exp.And, 63),
        exp.column("c"),
        exp.Or(this=chain(exp.And, 100), expression=exp.true()),
    ):
        assert balanced(condition) is condition
