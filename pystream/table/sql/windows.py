"""Window functions on tables: each row, with the bounds of a window that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from pystream.table.sql.intervals import unit_milliseconds
from pystream.table.window_call import WindowCall

__all__ = [
    "WINDOW_COLUMNS",
    "WINDOW_FUNCTIONS",
    "WINDOW_TIME",
    "PartitionedTable",
    "WindowFunctionError",
    "bound_of",
    "milliseconds",
    "window_call",
    "window_table",
]

WINDOW_COLUMNS = ("window_start", "window_end", "window_time")
"""The columns that window functions add, in order."""

WINDOW_TIME = "$WINDOW_TIME"
"""The name of the expression of ``window_time``, which has the type of the times."""

_CALL = "window_call"


class WindowFunctionError(ValueError):
    """The arguments of a window function are wrong."""


class PartitionedTable(NamedTuple):
    """The first argument of a window function.

    Attributes:
        table: the table.
        keys: the columns of ``PARTITION BY``.
    """

    table: exp.Expr
    keys: Sequence[exp.Expr]


def window_table(function: str, given: Sequence[tuple[str, Any]]) -> exp.Subquery:
    """Return a query for the rows of a table and the windows that they belong to.

    It selects all columns of the table, and as ``window_start``, ``window_end`` and ``window_time``, the last
    millisecond of the window, calls of functions of the time that stand for them. `window_call` returns the
    call that it is.

    Args:
        function: the name of the function, in capitals.
        given: its arguments: a PartitionedTable, the column of times, and intervals, each with its name, or
            without one in the order of the function.

    Raises:
        WindowFunctionError: the arguments are not those of the function.
    """
    check, *names = WINDOW_FUNCTIONS[function]
    parameters = ["DATA", "TIMECOL", *names]
    unknown = [name for name, _ in given if name and name not in parameters]
    if unknown:
        raise WindowFunctionError(f"{function} has no argument {unknown[0]}, only {', '.join(parameters)}")
    places = [
        parameters.index(name) if name in parameters else place for place, (name, _) in enumerate(given)
    ]
    arguments = [given[place][1] for place in sorted(range(len(given)), key=places.__getitem__)]
    optional = names[-1] == "OFFSET"
    is_complete = sorted(places) == list(range(len(given))) and len(given) >= len(parameters) - optional
    match arguments:
        case [PartitionedTable(table, keys), exp.Column() as time, *intervals] if is_complete:
            if keys and function != "SESSION":
                raise WindowFunctionError(f"{function} takes no PARTITION BY: group the results")
            check(intervals)
            lengths = tuple(map(milliseconds, intervals))
            call = WindowCall(function, time.name, tuple(key.name for key in keys), lengths)
            return _marked(table, time, call)
    wanted = ", ".join(("TABLE t", "DESCRIPTOR(time)", *names))
    raise WindowFunctionError(f"{function} takes {wanted}{', which may be left out' if optional else ''}")


def _marked(table: exp.Expr, time: exp.Expr, call: WindowCall) -> exp.Subquery:
    bounds = [
        exp.alias_(exp.Anonymous(this=f"${name.upper()}", expressions=[time.copy()]), name)
        for name in WINDOW_COLUMNS
    ]
    query = exp.select(exp.Star(), *bounds).from_(table).subquery()
    query.set(_CALL, call)
    return query


def window_call(item: exp.Expr) -> WindowCall | None:
    """Return the call of a window function that an item of FROM is, ``None`` if it is none."""
    call = item.args.get(_CALL)
    return call if isinstance(call, WindowCall) else None


def bound_of(node: exp.Expr) -> int | None:
    """Return which of `WINDOW_COLUMNS` an expression over the table of a window function stands for."""
    if not isinstance(node, exp.Anonymous) or not node.name.startswith("$"):
        return None
    name = node.name.removeprefix("$").lower()
    return WINDOW_COLUMNS.index(name) if name in WINDOW_COLUMNS else None


def milliseconds(interval: exp.Expr) -> int:
    """Return the length of an interval.

    Raises:
        WindowFunctionError: it is none of a fixed length.
    """
    length = unit_milliseconds(interval)
    if length is None or not isinstance(interval.this, exp.Literal) or not _is_integer(interval.this.name):
        raise WindowFunctionError(
            f"{interval.sql()} is not an interval of weeks or less, such as INTERVAL '10' MINUTES"
        )
    return int(interval.this.name) * length


def _is_integer(text: str) -> bool:
    return re.fullmatch(r"\s*[+-]?\d+\s*", text) is not None


def _check_tumble(intervals: Sequence[exp.Expr]) -> None:
    _require_positive("TUMBLE", intervals[0], "size")


def _check_hop(intervals: Sequence[exp.Expr]) -> None:
    slide, size = intervals[:2]
    if not 0 < milliseconds(slide) <= milliseconds(size):
        raise WindowFunctionError(
            f"HOP needs a slide greater than zero and not above the size, not {slide.sql()} and {size.sql()}"
        )


def _check_cumulate(intervals: Sequence[exp.Expr]) -> None:
    step, size = map(milliseconds, intervals[:2])
    if step <= 0 or size <= 0 or size % step:
        raise WindowFunctionError(
            "CUMULATE needs a size that is a multiple of the step, both greater than zero, not "
            f"{intervals[1].sql()} and {intervals[0].sql()}"
        )


def _check_session(intervals: Sequence[exp.Expr]) -> None:
    _require_positive("SESSION", intervals[0], "gap")


def _require_positive(function: str, length: exp.Expr, name: str) -> None:
    if milliseconds(length) <= 0:
        raise WindowFunctionError(f"{function} needs a {name} greater than zero, not {length.sql()}")


WINDOW_FUNCTIONS: Mapping[str, tuple[Any, ...]] = {
    "TUMBLE": (_check_tumble, "SIZE", "OFFSET"),
    "HOP": (_check_hop, "SLIDE", "SIZE", "OFFSET"),
    "CUMULATE": (_check_cumulate, "STEP", "SIZE", "OFFSET"),
    "SESSION": (_check_session, "GAP"),
}
"""The window functions, each with the check and the names of its intervals."""
