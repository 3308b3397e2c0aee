"""OVER clauses: the functions of a query over the rows around each row, and their windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlglot import exp

from pystream.table.algebra.over import Frame, Offset, RankCall
from pystream.table.planner.grouping import AggregateExpression, aggregate_of
from pystream.table.sql.windows import WindowFunctionError, milliseconds

__all__ = ["LagCall", "Over", "has_over", "overs_of"]

Refusal = Callable[[exp.Expr, str], Exception]

_RANKS: Mapping[type[exp.Expr], str] = {
    exp.RowNumber: "ROW_NUMBER",
    exp.Rank: "RANK",
    exp.DenseRank: "DENSE_RANK",
    exp.PercentRank: "PERCENT_RANK",
    exp.CumeDist: "CUME_DIST",
    exp.Ntile: "NTILE",
}
_WITHOUT_FRAME: Mapping[type[exp.Expr], str] = {**_RANKS, exp.Lag: "LAG", exp.Lead: "LEAD"}
_CURRENT_ROW = "CURRENT ROW"


@dataclass(frozen=True, slots=True)
class LagCall:
    """A call of ``LAG`` or ``LEAD``.

    Attributes:
        argument: its argument.
        offset: how many rows it looks back; less than 0 to look ahead.
        default: the value where there are not as many rows.
    """

    argument: exp.Expr
    offset: int
    default: exp.Expr | None


@dataclass(frozen=True, slots=True)
class Over:
    """A function of OVER in a query.

    Attributes:
        window: its place in the query.
        keys: the expressions of ``PARTITION BY``.
        order: those of ``ORDER BY``.
        frame: the frame.
        call: the function.
    """

    window: exp.Window
    keys: list[exp.Expr]
    order: list[exp.Ordered]
    frame: Frame
    call: AggregateExpression | LagCall | RankCall

    @property
    def name(self) -> str:
        """The name of the function."""
        if isinstance(self.call, LagCall):
            return "LAG" if self.call.offset >= 0 else "LEAD"
        return self.call.function

    @property
    def needed(self) -> list[exp.Expr]:
        """The expressions of rows that it needs."""
        needed = [*self.keys, *(field.this for field in self.order)]
        match self.call:
            case LagCall(argument=argument, default=default):
                needed += [argument] if default is None else [argument, default]
            case AggregateExpression():
                needed += self.call.operands
        return needed


def has_over(query: exp.Select) -> bool:
    """Return whether a query itself selects functions of OVER."""
    return any(selected.find(exp.Window) for selected in query.expressions)


def overs_of(query: exp.Select, refusal: Refusal) -> list[Over]:
    """Return the functions of OVER that a query selects.

    Args:
        query: the query.
        refusal: returns the error that a clause is not supported.
    """
    named = {window.name: window for window in query.args.get("windows") or ()}
    windows = [window for selected in query.expressions for window in selected.find_all(exp.Window)]
    return [_over(window, named, refusal) for window in windows]


def _over(window: exp.Window, named: Mapping[str, exp.Window], refusal: Refusal) -> Over:
    parts = [window]
    while alias := parts[-1].args.get("alias"):
        part = named.get(alias.name)
        if part is None or any(part is other for other in parts):
            raise refusal(window, f"OVER {alias.name}, which no WINDOW clause defines,")
        parts.append(part)

    def first(name: str) -> Any:
        return next((part.args[name] for part in parts if part.args.get(name)), None)

    order = first("order").expressions if first("order") else []
    frame = _frame(first("spec"), window, refusal, is_ordered=bool(order))
    return Over(window, first("partition_by") or [], order, frame, _call(window.this, window, refusal))


def _frame(spec: exp.WindowSpec | None, window: exp.Window, refusal: Refusal, *, is_ordered: bool) -> Frame:
    if spec is None:
        is_of_rows = isinstance(window.this, exp.RowNumber)
        return Frame(is_of_rows, None) if is_ordered or is_of_rows else Frame(is_of_rows, None, None)
    if type(window.this) in _WITHOUT_FRAME:
        raise refusal(window, f"{_WITHOUT_FRAME[type(window.this)]} OVER with ROWS or RANGE")
    is_of_rows = spec.args["kind"] == "ROWS"
    end = spec.args.get("end") or _CURRENT_ROW
    bounds = ((spec.args.get("start"), spec.args["start_side"]), (end, spec.args.get("end_side")))
    start_offset, end_offset = (_offset(value, side, window, refusal, is_of_rows) for value, side in bounds)
    return Frame(is_of_rows, start_offset, end_offset)


def _offset(value: Any, side: str | None, window: exp.Window, refusal: Refusal, is_of_rows: bool) -> Offset:
    if value == _CURRENT_ROW:
        return 0
    if value == "UNBOUNDED":
        return None
    sign = -1 if side == "PRECEDING" else 1
    is_number = isinstance(value, exp.Literal) and not value.is_string
    if is_of_rows:
        if not (is_number and value.is_int):
            raise refusal(window, "OVER with ROWS that are no number")
        return sign * int(value.name)
    if is_number:
        return sign * (int(value.name) if value.is_int else Decimal(value.name))
    try:
        return sign * timedelta(milliseconds=milliseconds(value))
    except WindowFunctionError as error:
        raise refusal(window, f"OVER with a RANGE of {error}:") from None


def _call(
    function: exp.Expr, window: exp.Window, refusal: Refusal
) -> AggregateExpression | LagCall | RankCall:
    if isinstance(function, exp.Filter):
        raise refusal(window, "FILTER of a function with OVER")
    if isinstance(function, exp.Lag | exp.Lead):
        offset = function.args.get("offset") or exp.Literal.number(1)
        if not offset.is_int:
            raise refusal(window, f"{function.sql_name()} by anything but a number of rows")
        sign = 1 if isinstance(function, exp.Lag) else -1
        return LagCall(function.this, sign * int(offset.to_py()), function.args.get("default"))
    if isinstance(function, exp.Ntile):
        buckets = function.this
        if not (isinstance(buckets, exp.Literal) and buckets.is_int and int(buckets.name)):
            raise refusal(window, "NTILE of anything but a number of buckets")
        return RankCall("NTILE", int(buckets.name))
    name = _RANKS.get(type(function))
    return aggregate_of(function, refusal) if name is None else RankCall(name)
