"""Conversions of values to other types."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Scope, Value, strict
from pystream.table.functions.conversion import conversion
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values.conversions import same

__all__ = ["converted", "retyped"]


def converted(scope: Scope, node: exp.Expr, value: Value, data_type: DataType) -> Value:
    """Return values as those of another type.

    Args:
        scope: where the values come from.
        node: what needs the type, for the message.
        value: the values.
        data_type: the type; the results are nullable if the values are.

    Raises:
        NotEvaluatedError: the conversion is not supported, or the time zone that it needs is not known.
    """
    if value.kind == Kind.NULL:
        return replace(value, data_type=data_type.nullable())
    convert = conversion(value.data_type.nullable(), data_type.nullable(), scope.zone)
    if convert is None:
        complaint = f"{value.data_type.nullable()} is not converted to {data_type.nullable()}"
        is_local = (value.kind == Kind.TIMESTAMP_LTZ) != (kind_of(data_type) == Kind.TIMESTAMP_LTZ)
        needs_zone = is_local and scope.zone is None
        raise NotEvaluatedError(
            node, f"{complaint} without a time zone; set table.local-time-zone" if needs_zone else complaint
        )
    return retyped(value, data_type) if convert is same else strict(convert, data_type, value)


def retyped(value: Value, data_type: DataType) -> Value:
    """Return values of another type that has the same ones."""
    return replace(
        value, data_type=data_type.nullable() if value.data_type.is_nullable else data_type.not_null()
    )
