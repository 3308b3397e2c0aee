"""Replace window functions on tables by queries that Spark computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from pystream.table.sql.expression_types import is_a
from pystream.table.sql.functions.building import as_type
from pystream.table.sql.naming import with_name
from pystream.table.sql.windows import window_call
from pystream.table.window_call import WindowCall

__all__ = ["with_window_queries"]

_DType = exp.DType

_WINDOW = "$window"  # names that no column of a program has
_SESSION = "$session"
_END = "$end"
_STARTS = "$starts"


def with_window_queries(tree: exp.Query) -> exp.Query:
    """Return a query in which Spark computes the rows of window functions.

    Windows of TIMESTAMP_LTZ are aligned to the local time zone, in which their bounds are.

    Args:
        tree: the query, whose columns have tables and types; it is changed.
    """
    for item in reversed(list(tree.find_all(exp.Subquery))):  # those inside others first
        call = window_call(item)
        if call is not None:
            _Windows(item.this, call).replace()
    return tree


class _Windows:
    """The query of the rows of a window function.

    Args:
        query: the query; it is changed.
        call: the call of the function.
    """

    def __init__(self, query: exp.Select, call: WindowCall) -> None:
        self._query = query
        self._call = call
        self._source: exp.Expr = query.args["from_"].this
        self._bounds = {
            column.alias: column
            for column in query.expressions
            if isinstance(column.this, exp.Anonymous) and column.this.name.startswith("$WINDOW_")
        }
        self._time = next(iter(self._bounds.values())).this.expressions[0]
        self._is_instant = is_a(self._time, _DType.TIMESTAMPLTZ)
        self._local_time = as_type(self._time, _DType.TIMESTAMPNTZ) if self._is_instant else self._time

    def replace(self) -> None:
        """Replace the expressions that stand for the bounds of windows."""
        match self._call.function, self._call.lengths:
            case "TUMBLE", (size, *offset):
                start, end = self._hop(size, size, *offset)
            case "HOP", (slide, size, *offset):
                start, end = self._hop(size, slide, *offset)
            case "CUMULATE", (step, size, *offset):
                start, end = self._cumulate(step, size, *offset)
            case _, lengths:
                start, end = self._session(*lengths)
        last: exp.Expr = exp.Sub(this=end.copy(), expression=_interval(1))
        if self._is_instant:
            last = exp.cast(last, _DType.TIMESTAMPLTZ)
        values = exp.cast(start, _DType.TIMESTAMPNTZ), exp.cast(end, _DType.TIMESTAMPNTZ), last
        for column, value in zip(self._bounds.values(), values, strict=True):
            column.set("this", value)
        self._query.args["from_"].set("this", self._source)

    def _hop(self, *lengths: int) -> tuple[exp.Expr, exp.Expr]:
        self._add(self._time_window(*lengths), _WINDOW)
        return self._bound("start"), self._bound("end")

    def _cumulate(self, step: int, size: int, *offset: int) -> tuple[exp.Expr, exp.Expr]:
        self._add(self._time_window(size, size, *offset), _WINDOW)
        first = exp.Add(this=self._bound("start"), expression=_interval(step))
        ends = exp.Anonymous(this="SEQUENCE", expressions=[first, self._bound("end"), _interval(step)])
        later = exp.Lambda(
            this=exp.GT(this=exp.to_identifier("bound"), expression=self._local_time.copy()),
            expressions=[exp.to_identifier("bound")],
        )
        reached = exp.Anonymous(this="FILTER", expressions=[ends, later])
        self._add(exp.Explode(this=reached), _END)
        return self._bound("start"), self._column(_END)

    def _session(self, gap: int) -> tuple[exp.Expr, exp.Expr]:
        """Start a session where the time since the row before exceeds the gap, and count the starts."""
        time, keys = self._time, [self._column(key) for key in self._call.keys]
        before = _over(exp.Lag(this=time.copy()), keys, time)
        is_start = exp.GT(this=time.copy(), expression=exp.Add(this=before, expression=_interval(gap)))
        start = exp.If(this=is_start, true=exp.Literal.number(1), false=exp.Literal.number(0))
        self._add(start, _STARTS)
        self._add(_over(exp.Sum(this=self._column(_STARTS)), keys, time), _SESSION)
        session = [*keys, self._column(_SESSION)]
        last = _over(exp.Max(this=time.copy()), session)
        return _over(exp.Min(this=time.copy()), session), exp.Add(this=last, expression=_interval(gap))

    def _add(self, value: exp.Expr, name: str) -> None:
        """Add a column to the source, under a name that no column of it has."""
        alias = self._source.alias_or_name
        query = exp.select(exp.Star(), with_name(value, name)).from_(self._source)
        self._source = query.subquery(exp.to_identifier(alias, quoted=True))

    def _time_window(self, *lengths: int) -> exp.Expr:
        texts = [exp.Literal.string(f"{length} MILLISECOND") for length in lengths]
        return exp.Anonymous(this="WINDOW", expressions=[self._local_time.copy(), *texts])

    def _bound(self, name: str) -> exp.Expr:
        return exp.Dot(this=self._column(_WINDOW), expression=exp.to_identifier(name, quoted=True))

    def _column(self, name: str) -> exp.Column:
        return exp.column(name, table=self._source.alias_or_name, quoted=True)


def _interval(milliseconds: int) -> exp.Interval:
    return exp.Interval(this=exp.Literal.string(str(milliseconds)), unit=exp.var("MILLISECOND"))


def _over(function: exp.Expr, keys: Sequence[exp.Expr], time: Any = None) -> exp.Window:
    order = None if time is None else exp.Order(expressions=[exp.Ordered(this=time.copy())])
    return exp.Window(this=function, partition_by=[key.copy() for key in keys], order=order)
