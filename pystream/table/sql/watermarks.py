"""The delay of a watermark that is written as an SQL expression."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from sqlglot import exp

from pystream.errors import SqlError
from pystream.sql_types.names import quoted_name
from pystream.table.sql.intervals import unit_milliseconds
from pystream.table.sql.syntax import parsed

__all__ = ["watermark_delay"]


def watermark_delay(column: str, expression: str) -> int:
    """Return how far a watermark is behind the largest time of a column, in milliseconds.

    Args:
        column: the column.
        expression: ``column`` or ``column - INTERVAL '5' SECOND``.

    Raises:
        SqlError: it is another expression; the message names the place in it, if it cannot be parsed.
    """
    try:
        (tree,) = parsed(expression, exp.Condition)
    except SqlError as error:
        raise SqlError(f"WATERMARK FOR {quoted_name(column)} AS {expression}: {error}") from None
    match tree:
        case exp.Column() as time if time.name == column:
            return 0
        case exp.Sub(this=exp.Column() as time, expression=exp.Interval() as interval) if time.name == column:
            delay = _millis(interval)
            if delay is not None and delay >= 0:
                return delay
    raise SqlError(
        f"the watermark of {column!r} must be {quoted_name(column)} or "
        f"{quoted_name(column)} - INTERVAL '5' SECOND, not {expression}"
    )


def _millis(interval: exp.Interval) -> int | None:
    unit = unit_milliseconds(interval)
    try:
        return None if unit is None else int(Decimal(interval.this.name) * unit)
    except InvalidOperation:
        return None
