"""The conditions of a join of unbounded tables: equal keys, and times that lie close together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from pystream.table.sql.windows import WindowFunctionError, milliseconds

__all__ = ["JoinConditions", "join_conditions"]


@dataclass(slots=True)
class JoinConditions:
    """The conditions of a join.

    Attributes:
        keys: pairs of equal columns, that of the left side first.
        times: the columns of the times that are compared.
        lower: the least time of a right row minus that of a left one, in milliseconds.
        upper: the greatest.
        others: the conditions of other forms.
    """

    keys: list[tuple[exp.Column, exp.Column]] = field(default_factory=list)
    times: tuple[exp.Column, exp.Column] | None = None
    lower: int | None = None
    upper: int | None = None
    others: list[exp.Expr] = field(default_factory=list)

    def bound(self, left: exp.Column, right: exp.Column, least: int | None, greatest: int | None) -> bool:
        """Limit the difference of two times; return whether these are the ones that are compared."""
        if self.times is not None and self.times != (left, right):
            return False
        self.times = left, right
        if least is not None:
            self.lower = least if self.lower is None else max(self.lower, least)
        if greatest is not None:
            self.upper = greatest if self.upper is None else min(self.upper, greatest)
        return True


def join_conditions(
    conditions: Sequence[exp.Expr],
    is_left: Callable[[exp.Column], bool],
    is_time: Callable[[exp.Column], bool],
) -> JoinConditions:
    """Sort the conditions of a join by their forms.

    Args:
        conditions: the conditions, each of columns of both sides.
        is_left: returns whether a column is one of the left side.
        is_time: returns whether a column is the event time of its table.
    """
    result = JoinConditions()
    for condition in conditions:
        for part in _comparisons(condition):
            if not _add(result, part, is_left, is_time):
                result.others.append(condition)
                break
    return result


def _comparisons(condition: exp.Expr) -> Sequence[exp.Expr]:
    if not isinstance(condition, exp.Between) or condition.args.get("symmetric"):
        return [condition]
    value, low, high = condition.this, condition.args["low"], condition.args["high"]
    return [exp.GTE(this=value, expression=low), exp.LTE(this=value, expression=high)]


def _add(
    result: JoinConditions,
    condition: exp.Expr,
    is_left: Callable[[exp.Column], bool],
    is_time: Callable[[exp.Column], bool],
) -> bool:
    """Add a comparison of a column of each side; return whether it is one."""
    if not isinstance(condition, exp.EQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
        return False
    left, right = _shifted(condition.left), _shifted(condition.right)
    if left is None or right is None or is_left(left[0]) == is_left(right[0]):
        return False
    (one, plus), (other, other_plus) = left, right
    are_times = is_time(one) and is_time(other)
    if isinstance(condition, exp.EQ) and not (plus or other_plus):
        result.keys.append((one, other) if is_left(one) else (other, one))
        return True
    if not are_times:
        return False
    # one - other is compared with other_plus - plus
    difference, is_strict = other_plus - plus, isinstance(condition, exp.GT | exp.LT)
    least = difference + is_strict if isinstance(condition, exp.GT | exp.GTE | exp.EQ) else None
    greatest = difference - is_strict if isinstance(condition, exp.LT | exp.LTE | exp.EQ) else None
    if is_left(other):
        return result.bound(other, one, least, greatest)
    return result.bound(one, other, _negated(greatest), _negated(least))


def _negated(value: int | None) -> int | None:
    return None if value is None else -value


def _shifted(node: exp.Expr) -> tuple[exp.Column, int] | None:
    """Return the column that an expression is, and how many milliseconds are added to it."""
    match node.unnest():
        case exp.Column() as column:
            return column, 0
        case exp.Add() | exp.Sub() as shifted if isinstance(shifted.right, exp.Interval):
            inner = _shifted(shifted.left)
            try:
                length = milliseconds(shifted.right)
            except WindowFunctionError:
                return None
            sign = 1 if isinstance(shifted, exp.Add) else -1
            return None if inner is None else (inner[0], inner[1] + sign * length)
    return None
