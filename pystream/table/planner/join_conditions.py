"""The conditions of a join of unbounded tables: equal keys, times that lie close together, and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlglot import exp

from pystream.table.sql.windows import WindowFunctionError, milliseconds

__all__ = ["EqualKey", "JoinConditions", "join_conditions"]


class EqualKey(NamedTuple):
    """Equal expressions, each of columns of one side.

    Attributes:
        left: that of the left side.
        right: that of the right side.
        condition: the condition.
    """

    left: exp.Expr
    right: exp.Expr
    condition: exp.Expr

    @property
    def admits_null(self) -> bool:
        """Whether null equals null."""
        return isinstance(self.condition, exp.NullSafeEQ)


@dataclass(slots=True)
class JoinConditions:
    """The conditions of a join.

    Attributes:
        keys: the equal expressions.
        times: the columns of the times that are compared.
        lower: the least time of a right row minus that of a left one, in milliseconds.
        upper: the greatest.
        on_times: the conditions that are these bounds.
        others: the conditions of other forms.
    """

    keys: list[EqualKey] = field(default_factory=list)
    times: tuple[exp.Column, exp.Column] | None = None
    lower: int | None = None
    upper: int | None = None
    on_times: list[exp.Expr] = field(default_factory=list)
    others: list[exp.Expr] = field(default_factory=list)

    @property
    def interval(self) -> tuple[int, int] | None:
        """The bounds of the times; ``None`` if one is missing."""
        return None if self.lower is None or self.upper is None else (self.lower, self.upper)

    @property
    def remaining(self) -> list[exp.Expr]:
        """The conditions that neither keys nor an interval fulfil."""
        return self.others if self.interval is not None else [*self.on_times, *self.others]

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
        conditions: the conditions.
        is_left: returns whether a column is one of the left side.
        is_time: returns whether a column is the event time of its table.
    """
    result = JoinConditions()
    for condition in conditions:
        bounds = [_bounds_times(result, part, is_left, is_time) for part in _comparisons(condition)]
        if all(bounds):
            result.on_times.append(condition)
            continue
        key = _key(condition, is_left)
        if key is None:
            result.others.append(condition)
        else:
            result.keys.append(key)
    return result


def _comparisons(condition: exp.Expr) -> Sequence[exp.Expr]:
    if not isinstance(condition, exp.Between) or condition.args.get("symmetric"):
        return [condition]
    value, low, high = condition.this, condition.args["low"], condition.args["high"]
    return [exp.GTE(this=value, expression=low), exp.LTE(this=value, expression=high)]


def _key(condition: exp.Expr, is_left: Callable[[exp.Column], bool]) -> EqualKey | None:
    """Return the key that a condition is, ``None`` if it is none."""
    if not isinstance(condition, exp.EQ | exp.NullSafeEQ):
        return None
    one, other = condition.left.unnest(), condition.right.unnest()
    match _sides(one, is_left), _sides(other, is_left):
        case [True], [False]:
            return EqualKey(one, other, condition)
        case [False], [True]:
            return EqualKey(other, one, condition)
    return None


def _sides(node: exp.Expr, is_left: Callable[[exp.Column], bool]) -> list[bool]:
    """Return whether the columns of an expression are of the left side, once for each side."""
    return list(dict.fromkeys(is_left(column) for column in node.find_all(exp.Column)))


def _bounds_times(
    result: JoinConditions,
    condition: exp.Expr,
    is_left: Callable[[exp.Column], bool],
    is_time: Callable[[exp.Column], bool],
) -> bool:
    """Add a comparison of the event times of both sides; return whether it is one."""
    if not isinstance(condition, exp.EQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
        return False
    left, right = _shifted(condition.left), _shifted(condition.right)
    if left is None or right is None or is_left(left[0]) == is_left(right[0]):
        return False
    (one, plus), (other, other_plus) = left, right
    if not (is_time(one) and is_time(other)):
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
