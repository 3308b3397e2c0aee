"""Window functions on tables: each row, with the bounds of a window that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from pystream.table.sql.intervals import unit_milliseconds

__all__ = [
    "WINDOW_CALL",
    "WINDOW_COLUMNS",
    "WINDOW_FUNCTIONS",
    "PartitionedTable",
    "WindowCall",
    "WindowFunctionError",
    "milliseconds",
    "window_table",
]

WINDOW_CALL = "window_call"
WINDOW_COLUMNS = ("window_start", "window_end", "window_time")
"""The columns that window functions add, in order."""

_WINDOW = "$window"  # a name that no column of a program has
_SESSION = "$session"
_END = "$end"
_STARTS = "$starts"


class WindowFunctionError(ValueError):
    """The arguments of a window function are wrong."""


class WindowCall(NamedTuple):
    """The call of a window function.

    Attributes:
        function: its name, in capitals.
        time: the column of times.
        keys: the columns of ``PARTITION BY``.
        lengths: its intervals in milliseconds.
        depth: the number of subqueries between its results and its table.
    """

    function: str
    time: str
    keys: tuple[str, ...]
    lengths: tuple[int, ...]
    depth: int


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

    A row is there once for each window that it is in, with the columns ``window_start``, ``window_end`` and
    ``window_time``, the last millisecond of the window. The argument ``WINDOW_CALL`` of the query is the
    call.

    Args:
        function: the name of the function, in capitals.
        given: its arguments: a PartitionedTable, the column of times, and intervals, each with its name, or
            without one in the order of the function.

    Raises:
        WindowFunctionError: the arguments are not those of the function.
    """
    build, *names = WINDOW_FUNCTIONS[function]
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
            result: exp.Subquery = build(_Arguments(table, keys, time, intervals))
            lengths = tuple(map(milliseconds, intervals))
            partition = tuple(key.name for key in keys)
            result.set(WINDOW_CALL, WindowCall(function, time.name, partition, lengths, _depth(result)))
            return result
    wanted = ", ".join(("TABLE t", "DESCRIPTOR(time)", *names))
    raise WindowFunctionError(f"{function} takes {wanted}{', which may be left out' if optional else ''}")


def _depth(query: exp.Expr) -> int:
    depth = 0
    while isinstance(query, exp.Subquery):
        query = query.this.args["from_"].this
        depth += 1
    return depth


class _Arguments(NamedTuple):
    table: exp.Expr
    keys: Sequence[exp.Expr]
    time: exp.Expr
    intervals: Sequence[exp.Expr]


def _bounded(table: exp.Expr, start: Any, end: Any, *hidden: str) -> exp.Subquery:
    """Return the rows of a table with the bounds of their windows instead of hidden columns."""
    star = exp.Star(except_=[exp.to_identifier(name, quoted=True) for name in hidden])
    last = exp.Sub(
        this=end.copy(), expression=exp.Interval(this=exp.Literal.string("1"), unit=exp.var("MILLISECOND"))
    )
    return (
        exp.select(
            star,
            exp.alias_(exp.cast(start, exp.DType.TIMESTAMPNTZ), "window_start"),
            exp.alias_(exp.cast(end, exp.DType.TIMESTAMPNTZ), "window_end"),
            exp.alias_(last, "window_time"),
        )
        .from_(table)
        .subquery()
    )


def _with_column(table: exp.Expr, value: exp.Expr, name: str) -> exp.Subquery:
    return exp.select(exp.Star(), exp.alias_(value, name, quoted=True)).from_(table).subquery()


def _bound(name: str) -> exp.Expr:
    return exp.Dot(this=_column(_WINDOW), expression=exp.to_identifier(name, quoted=True))


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


def _text(interval: exp.Expr) -> exp.Expr:
    """Return an interval as the text that Spark's function ``window`` takes."""
    milliseconds(interval)
    return exp.Literal.string(f"{interval.this.name} {interval.args['unit'].name}")


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


def _require_multiple(function: str, size: exp.Expr, part: exp.Expr, name: str) -> None:
    if milliseconds(part) <= 0 or milliseconds(size) <= 0 or milliseconds(size) % milliseconds(part):
        raise WindowFunctionError(
            f"{function} needs a size that is a multiple of the {name}, both greater than zero, not "
            f"{size.sql()} and {part.sql()}"
        )


def _time_window(time: exp.Expr, size: exp.Expr, slide: exp.Expr, *offset: exp.Expr) -> exp.Expr:
    texts = [_text(interval) for interval in (size, slide, *offset)]
    return exp.Anonymous(this="WINDOW", expressions=[time.copy(), *texts])


def _tumble(arguments: _Arguments) -> exp.Subquery:
    size, *offset = arguments.intervals
    if milliseconds(size) <= 0:
        raise WindowFunctionError(f"TUMBLE needs a size greater than zero, not {size.sql()}")
    return _hop(arguments._replace(intervals=[size, size, *offset]))


def _hop(arguments: _Arguments) -> exp.Subquery:
    slide, size, *offset = arguments.intervals
    _require_multiple("HOP", size, slide, "slide")
    windows = _time_window(arguments.time, size, slide, *offset)
    table = _with_column(arguments.table, windows, _WINDOW)
    return _bounded(table, _bound("start"), _bound("end"), _WINDOW)


def _cumulate(arguments: _Arguments) -> exp.Subquery:
    step, size, *offset = arguments.intervals
    _require_multiple("CUMULATE", size, step, "step")
    table = _with_column(arguments.table, _time_window(arguments.time, size, size, *offset), _WINDOW)
    first = exp.Add(this=_bound("start"), expression=step.copy())
    ends = exp.Anonymous(this="SEQUENCE", expressions=[first, _bound("end"), step.copy()])
    later = exp.Lambda(
        this=exp.GT(this=exp.to_identifier("bound"), expression=arguments.time.copy()),
        expressions=[exp.to_identifier("bound")],
    )
    reached = exp.Anonymous(this="FILTER", expressions=[ends, later])
    exploded = _with_column(table, exp.Explode(this=reached), _END)
    return _bounded(exploded, _bound("start"), _column(_END), _WINDOW, _END)


def _session(arguments: _Arguments) -> exp.Subquery:
    """Start a session where the time since the row before is longer than the gap, and count the starts."""
    (gap,) = arguments.intervals
    if milliseconds(gap) <= 0:
        raise WindowFunctionError(f"SESSION needs a gap greater than zero, not {gap.sql()}")
    time, keys = arguments.time, arguments.keys
    before = _over(exp.Lag(this=time.copy()), keys, time)
    is_start = exp.GT(this=time.copy(), expression=exp.Add(this=before, expression=gap.copy()))
    start = exp.If(this=is_start, true=exp.Literal.number(1), false=exp.Literal.number(0))
    started = _with_column(arguments.table, start, _STARTS)
    numbered = _with_column(started, _over(exp.Sum(this=_column(_STARTS)), keys, time), _SESSION)
    session = [*keys, _column(_SESSION)]
    last = _over(exp.Max(this=time.copy()), session)
    return _bounded(
        numbered,
        _over(exp.Min(this=time.copy()), session),
        exp.Add(this=last, expression=gap.copy()),
        _STARTS,
        _SESSION,
    )


def _over(function: exp.Expr, keys: Sequence[exp.Expr], time: exp.Expr | None = None) -> exp.Window:
    order = None if time is None else exp.Order(expressions=[exp.Ordered(this=time.copy())])
    return exp.Window(this=function, partition_by=[key.copy() for key in keys], order=order)


WINDOW_FUNCTIONS: Mapping[str, tuple[Any, ...]] = {
    "TUMBLE": (_tumble, "SIZE", "OFFSET"),
    "HOP": (_hop, "SLIDE", "SIZE", "OFFSET"),
    "CUMULATE": (_cumulate, "STEP", "SIZE", "OFFSET"),
    "SESSION": (_session, "GAP"),
}
"""The window functions, each with the names of its intervals."""
