"""CASE, and the common columns of ``JOIN … USING``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.comparisons import comparable
from pystream.table.evaluation.conversions import converted
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import condition
from pystream.table.evaluation.values import Rule, Scope, Value, constant
from pystream.table.functions.common_types import common_type
from pystream.table.functions.values.choices import (
    first_that_holds,
    first_that_matches,
)

__all__ = ["CHOICES", "in_common"]


def in_common(scope: Scope, node: exp.Expr, values: Sequence[Value]) -> tuple[Sequence[Value], DataType]:
    """Return values in the type that they have in common, and that type, nullable if one of them is.

    Raises:
        NotEvaluatedError: they have no type in common.
    """
    data_type = common_type([value.data_type for value in values])
    if data_type is None:
        types = ", ".join(str(value.data_type.nullable()) for value in values)
        raise NotEvaluatedError(node, f"the types {types} have no type in common")
    if not any(value.data_type.is_nullable for value in values):
        data_type = data_type.not_null()
    return [converted(scope, node, value, data_type) for value in values], data_type


def _case(scope: Scope, node: exp.Case) -> Value:
    default = node.args.get("default")
    given = [scope.value(branch.args["true"]) for branch in node.args["ifs"]]
    otherwise = constant(None, given[0].data_type) if default is None else scope.value(default)
    (*values, last), data_type = in_common(scope, node, [*given, otherwise])
    results = [value.evaluate for value in values]
    if node.this is None:
        conditions = [condition(scope, branch.this).evaluate for branch in node.args["ifs"]]
        branches = tuple(zip(conditions, results, strict=True))
        return Value(partial(first_that_holds, branches, last.evaluate), data_type)
    operand = scope.value(node.this)
    pairs = [comparable(scope, node, operand, scope.value(branch.this)) for branch in node.args["ifs"]]
    matches = tuple(
        (one.evaluate, other.evaluate, result) for (one, other), result in zip(pairs, results, strict=True)
    )
    return Value(partial(first_that_matches, matches, last.evaluate), data_type)


def _coalesce(scope: Scope, node: exp.Coalesce) -> Value:
    """Return the first value that is not null of columns that ``JOIN … USING`` has joined."""
    given = [part.copy() for part in (node.this, *node.expressions)]
    return scope.value(exp.Anonymous(this="COALESCE", expressions=given))


CHOICES: Mapping[type[exp.Expr], Rule] = {
    exp.Case: _case,
    exp.Coalesce: _coalesce,
}
"""The rules for what the parser knows."""
