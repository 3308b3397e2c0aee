"""OVER clauses: the functions of a query over rows before each row, and the window that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.over import Frame
from pystream.table.planner.grouping import AggregateExpression, aggregate_of
from pystream.table.sql.windows import WindowFunctionError, milliseconds

__all__ = ["LagCall", "Over", "has_over", "over_of"]

Refusal = Callable[[exp.Expr, str], Exception]

_NOT_OF_STREAMS = (exp.Lead, exp.Ntile, exp.CumeDist, exp.PercentRank, exp.Rank, exp.DenseRank)
_CURRENT_ROW = "CURRENT ROW"


@dataclass(frozen=True, slots=True)
class LagCall:
    """A call of ``LAG``.

    Attributes:
        argument: its argument.
        offset: how many rows it looks back.
        default: the value where there are not as many rows.
    """

    argument: exp.Expr
    offset: int
    default: exp.Expr | None


@dataclass(slots=True)
class Over:
    """The functions of OVER in a query, which all have the same window.

    Attributes:
        keys: the expressions of ``PARTITION BY``.
        time: the column of ``ORDER BY``.
        frame: the frame.
        calls: the functions, each with its place in the query.
    """

    keys: list[exp.Expr]
    time: exp.Expr
    frame: Frame
    calls: list[tuple[exp.Window, AggregateExpression | LagCall]] = field(default_factory=list)


def has_over(query: exp.Select) -> bool:
    """Return whether a query itself selects functions of OVER."""
    return any(selected.find(exp.Window) for selected in query.expressions)


def over_of(query: exp.Select, refusal: Refusal) -> Over:
    """Return the functions of OVER that a query selects.

    Args:
        query: the query, which has some.
        refusal: returns the error that a clause is not supported.
    """
    named = {window.name: window for window in query.args.get("windows") or ()}
    windows = [window for selected in query.expressions for window in selected.find_all(exp.Window)]
    if query.args.get("group") or query.args.get("distinct"):
        raise refusal(windows[0], "OVER together with GROUP BY or DISTINCT")
    over: Over | None = None
    for window in windows:
        function = window.this
        if isinstance(function, _NOT_OF_STREAMS):
            raise refusal(window, f"{function.sql_name()} OVER")
        if isinstance(function, exp.Filter):
            raise refusal(window, "FILTER of a function with OVER")
        found = _window(window, named, refusal)
        if isinstance(function, exp.RowNumber):
            found.frame = Frame(is_of_rows=True, preceding=None)
        over = over or found
        if (found.keys, found.time, found.frame) != (over.keys, over.time, over.frame):
            raise refusal(window, "OVER of different windows in one SELECT")
        over.calls.append((window, _call(function, window, refusal)))
    assert over is not None
    return over


def _window(window: exp.Window, named: Mapping[str, exp.Window], refusal: Refusal) -> Over:
    """Return the window of a function, without functions."""
    parts = [window]
    while alias := parts[-1].args.get("alias"):
        part = named.get(alias.name)
        if part is None or any(part is other for other in parts):
            raise refusal(window, f"OVER {alias.name}, which no WINDOW clause defines,")
        parts.append(part)

    def first(name: str) -> Any:
        return next((part.args[name] for part in parts if part.args.get(name)), None)

    times = first("order").expressions if first("order") else []
    if len(times) != 1:
        raise refusal(window, "OVER that is not ordered by one column")
    if times[0].args.get("desc"):
        raise refusal(times[0], "OVER in descending order")
    return Over(first("partition_by") or [], times[0].this, _frame(first("spec"), window, refusal))


def _frame(spec: exp.WindowSpec | None, window: exp.Window, refusal: Refusal) -> Frame:
    if spec is None:
        return Frame(is_of_rows=False, preceding=None)
    if isinstance(window.this, exp.RowNumber | exp.Lag):
        raise refusal(window, f"{window.this.sql_name()} OVER with ROWS or RANGE")
    start: Any = spec.args.get("start")
    end = spec.args.get("end")
    is_of_rows = spec.args["kind"] == "ROWS"
    if end not in (None, _CURRENT_ROW) or start == _CURRENT_ROW or spec.args["start_side"] != "PRECEDING":
        raise refusal(window, "OVER with another frame than from PRECEDING to CURRENT ROW")
    if start == "UNBOUNDED":
        return Frame(is_of_rows, None)
    if is_of_rows:
        if not (isinstance(start, exp.Literal) and start.is_int):
            raise refusal(window, "OVER with ROWS that are no number")
        return Frame(is_of_rows, int(start.name))
    try:
        return Frame(is_of_rows, milliseconds(start))
    except WindowFunctionError as error:
        raise refusal(window, f"OVER with a RANGE of {error}:") from None


def _call(function: exp.Expr, window: exp.Window, refusal: Refusal) -> AggregateExpression | LagCall:
    match function:
        case exp.RowNumber():
            return AggregateExpression("COUNT", (), is_distinct=False, result=DataTypes.BIGINT())
        case exp.Lag():
            offset = function.args.get("offset") or exp.Literal.number(1)
            if not (isinstance(offset, exp.Literal) and offset.is_int):
                raise refusal(window, "LAG by anything but a number of rows")
            return LagCall(function.this, int(offset.name), function.args.get("default"))
    return aggregate_of(function, refusal)
