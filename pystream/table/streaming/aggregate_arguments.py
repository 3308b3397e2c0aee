"""The values that aggregates accumulate of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any

from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from typeinfo.row import Row

__all__ = ["accumulated_values"]


def accumulated_values(call: AggregateCall) -> Callable[[Row[Any]], Any]:
    """Return a function from a row to the value that an aggregate accumulates, ``None`` for none.

    That of ``COUNT(*)`` is ``True``, that of several arguments their tuple, if none of them is null.
    Functions of the program, and others for which nulls are values, get the tuple of all arguments.
    """
    value_of = _value_of(call)
    return value_of if call.condition is None else partial(_value_if, call.condition, value_of)


def _value_of(call: AggregateCall) -> Callable[[Row[Any]], Any]:
    function = AGGREGATE_FUNCTIONS.get(call.function)
    if call.definition is not None or (function is not None and function.has_nulls):
        values_of = partial(_values, call.arguments)
        is_filtered = call.definition is None and call.skips_nulls
        return partial(_values_unless_null, values_of) if is_filtered else values_of
    match call.arguments:
        case ():
            return _always
        case (position,):
            return itemgetter(position)
    return partial(_values_unless_null, itemgetter(*call.arguments))


def _always(row: Row[Any]) -> bool:
    return True


def _value_if(condition: int, value_of: Callable[[Row[Any]], Any], row: Row[Any]) -> Any:
    return value_of(row) if row[condition] else None


def _values(positions: tuple[int, ...], row: Row[Any]) -> tuple[Any, ...]:
    return tuple([row[position] for position in positions])


def _values_unless_null(values_of: Callable[[Row[Any]], tuple[Any, ...]], row: Row[Any]) -> Any:
    values = values_of(row)
    return None if any(value is None for value in values) else values
