"""Align windows of TIMESTAMP_LTZ to the local time zone, in which their bounds are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.expression_types import is_a
from pystream.table.sql.functions.building import as_type, call

__all__ = ["NAMED_WINDOWS"]

_DType = exp.DType


def _window(node: exp.Anonymous) -> exp.Expr:
    time, *intervals = node.expressions
    if not is_a(time, _DType.TIMESTAMPLTZ):
        return node
    last = _last_millisecond(node)
    zoned = exp.Cast(to=exp.DataType(this=_DType.TIMESTAMPLTZ))
    last.replace(zoned)
    zoned.set("this", last)  # not a copy, as its rule is still to come
    return call("WINDOW", as_type(time, _DType.TIMESTAMPNTZ), *intervals)


def _last_millisecond(node: exp.Anonymous) -> exp.Expr:
    """Return the expression of the column ``window_time`` in the query around a window."""
    query: Any = node.parent_select
    while True:
        query = query.parent_select
        for column in query.selects:
            if column.alias == "window_time" and isinstance(column.this, exp.Sub):
                last: exp.Expr = column.this
                return last


def _bounds_after(node: exp.Anonymous) -> exp.Expr:
    """Compare the bounds of windows with the local time."""
    bounds, is_later = node.expressions
    time = is_later.this.expression
    if is_a(time, _DType.TIMESTAMPLTZ):
        time.replace(as_type(time, _DType.TIMESTAMPNTZ))
    return call("FILTER", bounds, is_later)


NAMED_WINDOWS: Mapping[str, Callable[[Any], exp.Expr]] = {"FILTER": _bounds_after, "WINDOW": _window}
"""The rules for the functions that window functions on tables are made of, by name."""
