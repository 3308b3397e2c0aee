"""Checks of functions of OVER: what there is of bounded rows, and of those of streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from sqlglot import exp

from pystream.table.algebra.over import RankCall
from pystream.table.planner.grouping import AggregateExpression
from pystream.table.planner.over_clauses import LagCall, Over

__all__ = ["check_any_order", "check_ranges", "check_event_time"]

Refusal = Callable[[exp.Expr, str], Exception]

_HERE = (0, timedelta())
_TIMES = (exp.DType.DATE, exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPLTZ)
_RUNNING = ("ROW_NUMBER", "RANK", "DENSE_RANK")


def check_any_order(overs: Sequence[Over], refusal: Refusal) -> None:
    """Refuse functions of OVER in any order that Flink's batch mode refuses.

    Args:
        overs: the functions of a query.
        refusal: returns the error that a clause is not supported.
    """
    for over in overs:
        if not isinstance(over.call, AggregateExpression) and not over.order:
            raise refusal(over.window, f"{over.name} OVER without ORDER BY")


def check_ranges(overs: Sequence[Over], error: Callable[[exp.Expr, str], Exception]) -> None:
    """Refuse distances of a RANGE that the values of its order do not have.

    Args:
        overs: the functions of a query.
        error: returns the error that a part of the query is wrong.
    """
    for over in overs:
        distances = {bound for bound in (over.frame.start, over.frame.end) if bound is not None} - {*_HERE}
        if over.frame.is_of_rows or not distances:
            continue
        if len(over.order) != 1:
            raise error(over.window, "RANGE with a distance takes ORDER BY of one expression")
        kind = over.order[0].this.type
        are_times = all(isinstance(distance, timedelta) for distance in distances)
        if kind is None or not kind.is_type(*(_TIMES if are_times else exp.DataType.NUMERIC_TYPES)):
            wanted = "a DATE or TIMESTAMP" if are_times else "a number"
            distance = "an interval" if are_times else "a number"
            raise error(over.order[0], f"RANGE with {distance} takes ORDER BY of {wanted}")


def check_event_time(overs: Sequence[Over], refusal: Refusal) -> None:
    """Refuse functions of OVER, one of them in event time, that need later rows, or different windows.

    Args:
        overs: the functions of a query.
        refusal: returns the error that a clause is not supported.
    """
    for over in overs:
        window, call = over.window, over.call
        is_rank = isinstance(call, RankCall) and call.function not in _RUNNING
        if is_rank or (isinstance(call, LagCall) and call.offset < 0):
            raise refusal(window, f"{over.name} OVER")
        _check_frame(over, refusal)
        if (over.keys, over.order, over.frame) != (overs[0].keys, overs[0].order, overs[0].frame):
            raise refusal(window, "OVER of different windows in one SELECT")


def _check_frame(over: Over, refusal: Refusal) -> None:
    start, is_of_rows = over.frame.start, over.frame.is_of_rows
    is_after = start is not None and start not in _HERE and start == abs(start)
    if over.frame.end not in _HERE or is_after:
        raise refusal(over.window, "OVER with another frame than from PRECEDING to CURRENT ROW")
    if start is not None and not is_of_rows and not isinstance(start, timedelta):
        raise refusal(over.window, f"OVER with a RANGE of {abs(start)}, which is not an interval,")
