"""CASE, IF, COALESCE, NULLIF, GREATEST and LEAST."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.common_types import common_type, widened
from pystream.table.evaluation.comparisons import comparable
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import condition
from pystream.table.evaluation.values import Rule, Scope, Value, constant, strict
from pystream.table.functions.kinds import FLOATING, Kind, kind_of
from pystream.table.functions.values.choices import (
    first_not_null,
    first_that_holds,
    first_that_matches,
    null_if,
)
from pystream.table.functions.values.mathematics import greatest_float, least_float

__all__ = ["CHOICES", "in_common"]


def in_common(node: exp.Expr, values: Sequence[Value]) -> tuple[Sequence[Value], DataType]:
    """Return values in the type that they have in common, and that type, nullable if one of them is.

    Raises:
        NotEvaluatedError: they have no type in common.
    """
    data_type = common_type(values)
    if data_type is None:
        types = ", ".join(str(value.data_type.nullable()) for value in values)
        raise NotEvaluatedError(node, f"the types {types} have no type in common")
    if not any(value.data_type.is_nullable for value in values):
        data_type = data_type.not_null()
    return [widened(value, data_type) for value in values], data_type


def _case(scope: Scope, node: exp.Case) -> Value:
    default = node.args.get("default")
    given = [scope.value(branch.args["true"]) for branch in node.args["ifs"]]
    otherwise = constant(None, given[0].data_type) if default is None else scope.value(default)
    (*values, last), data_type = in_common(node, [*given, otherwise])
    results = [value.evaluate for value in values]
    if node.this is None:
        conditions = [condition(scope, branch.this).evaluate for branch in node.args["ifs"]]
        branches = tuple(zip(conditions, results, strict=True))
        return Value(partial(first_that_holds, branches, last.evaluate), data_type)
    operand = scope.value(node.this)
    pairs = [comparable(node, operand, scope.value(branch.this)) for branch in node.args["ifs"]]
    matches = tuple(
        (one.evaluate, other.evaluate, result) for (one, other), result in zip(pairs, results, strict=True)
    )
    return Value(partial(first_that_matches, matches, last.evaluate), data_type)


def _if(scope: Scope, node: exp.If) -> Value:
    false = node.args.get("false")
    given = [scope.value(part) for part in (node.args["true"], false or exp.null())]
    (true, otherwise), data_type = in_common(node, given)
    branches = ((condition(scope, node.this).evaluate, true.evaluate),)
    return Value(partial(first_that_holds, branches, otherwise.evaluate), data_type)


def _coalesce(scope: Scope, node: exp.Coalesce) -> Value:
    given = [scope.value(part) for part in (node.this, *node.expressions)]
    values, data_type = in_common(node, given)
    if not all(value.data_type.is_nullable for value in given):
        data_type = data_type.not_null()
    return Value(partial(first_not_null, tuple(value.evaluate for value in values)), data_type)


def _nullif(scope: Scope, node: exp.Nullif) -> Value:
    value = scope.value(node.this)
    one, other = comparable(node, value, scope.value(node.expression))
    function = partial(null_if, value.evaluate, (one.evaluate, other.evaluate))
    return Value(function, value.data_type.nullable())


def _extreme(scope: Scope, node: exp.Greatest | exp.Least) -> Value:
    values, data_type = in_common(node, [scope.value(part) for part in (node.this, *node.expressions)])
    for value in values:
        if value.kind in (Kind.ARRAY, Kind.MAP, Kind.ROW):
            raise NotEvaluatedError(
                node, f"{node.sql_name()} of {value.data_type.nullable()} is not supported"
            )
    if len(values) == 1:
        return values[0]
    is_greatest = isinstance(node, exp.Greatest)
    if kind_of(data_type) in FLOATING:
        return strict(greatest_float if is_greatest else least_float, data_type, *values)
    return strict(max if is_greatest else min, data_type, *values)


CHOICES: Mapping[type[exp.Expr], Rule] = {
    exp.Case: _case,
    exp.Coalesce: _coalesce,
    exp.Greatest: _extreme,
    exp.If: _if,
    exp.Least: _extreme,
    exp.Nullif: _nullif,
}
"""The rules for what the parser knows."""
