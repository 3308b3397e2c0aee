"""The defaults of LAG and LEAD, as values of the type of the column."""

from __future__ import annotations

from sqlglot import exp

from pystream.table.sql.expression_types import known_type
from pystream.table.sql.syntax import error_at

__all__ = ["convert_lag_defaults"]

_TEXT, _NUMBERS = exp.DataType.TEXT_TYPES, exp.DataType.NUMERIC_TYPES
_TIMESTAMPS = frozenset({exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPLTZ})


def convert_lag_defaults(text: str, tree: exp.Query) -> None:
    """Cast the defaults of LAG and LEAD to the type of the values that they stand in for.

    Args:
        text: the text of the statement, for messages.
        tree: the query, whose expressions have types; it is changed.

    Raises:
        SqlError: Flink makes no value of one type of the other; the message names the place.
    """
    for function in tree.find_all(exp.Lag, exp.Lead):
        default, own = function.args.get("default"), function.this.type
        kind = default and default.type
        if (
            default is None
            or kind is None
            or own is None
            or own == kind
            or exp.DType.UNKNOWN in (own.this, kind.this)
        ):
            continue
        if not _is_converted(kind.this, own.this):
            types = f"{known_type(default)}, not {known_type(function.this)}"
            complaint = f"the default of {function.sql_name()} is of the type {types}; CAST it"
            raise error_at(text, function, complaint)
        converted = exp.Cast(this=default.copy(), to=own.copy())
        converted.type = own.copy()
        function.set("default", converted)


def _is_converted(kind: exp.DType, to: exp.DType) -> bool:
    """Return whether values of a type become those of another one without CAST."""
    if kind in (to, exp.DType.NULL) or kind in _TEXT or to in _TEXT:
        return True
    return any(kind in family and to in family for family in (_NUMBERS, _TIMESTAMPS))
