"""DATE_FORMAT, TO_DATE, TO_TIMESTAMP and TO_TIMESTAMP_LTZ."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import arguments, integer, local, text
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.kinds import Kind
from pystream.table.functions.values import formatting

__all__ = ["NAMED_FORMATS"]

_UNITS = {"0": 1000, "3": 1}
"""The milliseconds of a unit, by the precision of TO_TIMESTAMP_LTZ."""


def _formatted(scope: Scope, node: exp.Anonymous) -> Value:
    value, pattern = (scope.value(part) for part in arguments(node, 2))
    value = local(scope, node, value)
    if value.kind == Kind.TEXT:
        value = strict(formatting.timestamp_or_null, DataTypes.TIMESTAMP(3), value, may_be_null=True)
    if value.kind != Kind.TIMESTAMP:
        raise NotEvaluatedError(node, f"DATE_FORMAT of {value.data_type.nullable()} is not supported")
    try:
        writers = formatting.writer_of(_literal(node, pattern))
    except formatting.UnknownPatternError as error:
        raise NotEvaluatedError(node, str(error)) from None
    return strict(partial(formatting.formatted, writers), DataTypes.STRING(), value)


def _literal(node: exp.Expr, pattern: Value) -> Any:
    if pattern.kind != Kind.TEXT or not pattern.is_constant:
        raise NotEvaluatedError(node, "the pattern must be a literal")
    return pattern.constant


def _parsed(scope: Scope, node: exp.Anonymous) -> Value:
    value, *patterns = arguments(node, 1, 2)
    is_date = node.name.upper() == "TO_DATE"
    data_type = DataTypes.DATE() if is_date else DataTypes.TIMESTAMP(3)
    if not patterns:
        function: Any = formatting.date_or_null if is_date else formatting.timestamp_or_null
        return strict(function, data_type, text(scope, value), may_be_null=True)
    try:
        reader = formatting.reader_of(_literal(node, scope.value(patterns[0])))
    except formatting.UnknownPatternError as error:
        raise NotEvaluatedError(node, str(error)) from None
    function = partial(formatting.parsed_date if is_date else formatting.parsed, reader)
    return strict(function, data_type, text(scope, value), may_be_null=True)


def _instant(scope: Scope, node: exp.Anonymous) -> Value:
    value, *precision = arguments(node, 1, 2)
    digits = precision[0].name if precision else "3"
    if digits not in _UNITS:
        raise NotEvaluatedError(node, "TO_TIMESTAMP_LTZ takes a number and the precision 0 or 3 as a literal")
    function = partial(formatting.instant_of, _UNITS[digits])
    return strict(function, DataTypes.TIMESTAMP_LTZ(3), integer(scope, value))


NAMED_FORMATS: Mapping[str, Rule] = {
    "DATE_FORMAT": _formatted,
    "TO_DATE": _parsed,
    "TO_TIMESTAMP": _parsed,
    "TO_TIMESTAMP_LTZ": _instant,
}
"""The rules for functions, by name."""
