"""TO_TIMESTAMP_LTZ."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import arguments, integer
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.values import formatting

__all__ = ["NAMED_FORMATS"]

_UNITS = {"0": 1000, "3": 1}
"""The milliseconds of a unit, by the precision of TO_TIMESTAMP_LTZ."""


def _instant(scope: Scope, node: exp.Anonymous) -> Value:
    value, *precision = arguments(node, 1, 2)
    digits = precision[0].name if precision else "3"
    if digits not in _UNITS:
        raise NotEvaluatedError(node, "TO_TIMESTAMP_LTZ takes a number and the precision 0 or 3 as a literal")
    function = partial(formatting.instant_of, _UNITS[digits])
    return strict(function, DataTypes.TIMESTAMP_LTZ(3), integer(scope, value))


NAMED_FORMATS: Mapping[str, Rule] = {
    "TO_TIMESTAMP_LTZ": _instant,
}
"""The rules for functions, by name."""
