"""CAST and TRY_CAST."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sqlglot import exp

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.conversions import retyped
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import zone_of
from pystream.table.evaluation.values import Rule, Scope, Value, constant, strict
from pystream.table.functions.conversion import Convert, conversion
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values import conversions
from pystream.table.sql.type_trees import data_type_of_sql

__all__ = ["CASTS"]


def _cast(scope: Scope, node: exp.Cast) -> Value:
    value = scope.value(node.this)
    try:
        target = data_type_of_sql(node.to).nullable()
    except ConfigurationError as error:
        raise NotEvaluatedError(node, str(error)) from None
    if value.kind == Kind.NULL:
        return constant(None, target)
    needs_zone = (value.kind == Kind.TIMESTAMP_LTZ) != (kind_of(target) == Kind.TIMESTAMP_LTZ)
    zone = zone_of(scope, node) if needs_zone else scope.zone
    convert = conversion(value.data_type, target, zone)
    if convert is None:
        complaint = f"a CAST of {value.data_type.nullable()} to {target} is not supported"
        raise NotEvaluatedError(node, complaint)
    if convert is conversions.same:
        return retyped(value, target)
    return _converted(node, convert, target, value)


def _converted(node: exp.Cast, convert: Convert, target: DataType, value: Value) -> Value:
    """Return values in another type; null for those without a counterpart, if the conversion is lenient."""
    if not node.args.get("safe"):
        return strict(convert, target, value)
    return strict(partial(conversions.or_null, convert), target, value, may_be_null=True)


CASTS: Mapping[type[exp.Expr], Rule] = {exp.Cast: _cast, exp.TryCast: _cast}
"""The rules for what the parser knows."""
