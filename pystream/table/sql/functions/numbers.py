"""Operators and functions of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.intervals import interval_of, is_interval
from pystream.table.functions.values.moments import DAY
from pystream.table.sql.expression_types import INTEGERS, decimal, decimal_of, is_a, type_of
from pystream.table.sql.functions.building import NotTranslatedError, as_type, call, number, text, when
from pystream.table.sql.written_rows import equal_values, values_of_row

__all__ = ["NUMBERS"]

_DType = exp.DType
_FLOATING = (_DType.FLOAT, _DType.DOUBLE)


def _arithmetic(node: Any) -> exp.Expr:
    """Give integers as many digits as their types have, where the result is a decimal."""
    operands = (node.left, node.right)
    moved = _moved(node) if any(map(is_interval, operands)) else None
    if moved is not None:
        return moved
    if any(is_a(part, _DType.TIME) for part in operands) and any(
        isinstance(p, exp.Interval) for p in operands
    ):
        return _moved_time(node)
    if is_a(node, *INTEGERS) and isinstance(node, exp.Mod):
        return as_type(node, node.type)
    if is_a(node, _DType.FLOAT):
        return as_type(node, _DType.FLOAT)
    if not is_a(node, _DType.DECIMAL):
        return node  # type: ignore[no-any-return]
    for operand in operands:
        if is_a(operand, *INTEGERS):
            operand.replace(as_type(operand, decimal(*_digits(operand))))
    return node  # type: ignore[no-any-return]


def _moved(node: exp.Add | exp.Sub) -> exp.Expr | None:
    """Return the sum or difference of a time and an interval, ``None`` where Spark's is that of Flink."""
    interval, time = (node.left, node.right) if is_interval(node.left) else (node.right, node.left)
    try:
        months, microseconds = interval_of(interval)
    except NotEvaluatedError:
        return None
    if months:
        if not is_a(time, _DType.TIME):
            interval.replace(exp.Interval(this=text(str(months)), unit=exp.Var(this="MONTH")))
        return None
    if is_a(time, _DType.TIMESTAMPLTZ):  # days have 24 hours
        moved = type(node)(this=call("UNIX_MICROS", time.copy()), expression=number(microseconds))
        return call("TIMESTAMP_MICROS", moved)
    if is_a(time, _DType.DATE):  # parts of days do not move it
        return type(node)(this=time.copy(), expression=number(int(microseconds / DAY)))
    return None


def _moved_time(node: Any) -> exp.Expr:
    """Return the sum or difference of a TIME and an interval, which goes on at the other end of the day."""
    moved = node.copy()
    time = moved.right if isinstance(moved.left, exp.Interval) else moved.left
    time.replace(as_type(time, _DType.TIMESTAMPNTZ))
    return as_type(moved, _DType.TIME)


def _sum(node: Any) -> exp.Expr:
    """Join texts, which expressions of a program add."""
    if is_a(node.left, *exp.DataType.TEXT_TYPES) and is_a(node.right, *exp.DataType.TEXT_TYPES):
        return exp.Concat(expressions=[node.left.copy(), node.right.copy()])
    return _arithmetic(node)


def _digits(node: Any) -> tuple[int, int]:
    digits = decimal_of(node)
    assert digits is not None
    return digits


def _division(node: Any) -> exp.Expr:
    kind = type_of(node)
    if kind in INTEGERS:
        return as_type(exp.IntDiv(this=node.left.copy(), expression=node.right.copy()), kind)
    if kind not in _FLOATING:
        return _arithmetic(node)
    divided = as_type(node, kind) if kind == _DType.FLOAT else node.copy()
    if isinstance(node.right, exp.Literal) and float(node.right.name):
        return divided
    # That of a zero is infinite and has its sign.
    inverse = as_type(call("POWER", node.right.copy(), number(-1)), kind)
    infinite = exp.Mul(this=node.left.copy(), expression=inverse)
    return when(exp.EQ(this=node.right.copy(), expression=number(0)), infinite, divided)


def _literal(node: exp.Literal) -> exp.Expr:
    """Count a zero before the point among the digits of a decimal."""
    return as_type(node, node.type) if node.name.startswith("0.") and not node.is_string else node


def _equality(node: Any) -> exp.Expr:
    """Compare rows that are written value by value by their values; a null among these is no value."""
    if isinstance(node.right, exp.Any):
        return exp.In(this=node.left.copy(), query=exp.Subquery(this=node.right.this.unnest().copy()))
    left, right = values_of_row(node.left), values_of_row(node.right)
    if left is None or right is None:
        return node  # type: ignore[no-any-return]
    if len(left) != len(right):
        raise NotTranslatedError(node, "rows that are compared have the same number of values")
    return equal_values(node, left, right)


def _order(node: exp.Binary) -> exp.Expr:
    """Refuse the order of arrays and rows, which Spark has."""
    if is_a(node.left, _DType.ARRAY, _DType.STRUCT):
        raise NotTranslatedError(node, "arrays and rows have no order")
    return node


NUMBERS: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.Add: _sum,
    exp.Sub: _arithmetic,
    exp.Mul: _arithmetic,
    exp.Mod: _arithmetic,
    exp.Div: _division,
    exp.EQ: _equality,
    exp.Literal: _literal,
    exp.NEQ: _equality,
    **dict.fromkeys((exp.GT, exp.GTE, exp.LT, exp.LTE), _order),
}
"""The rules for what the parser knows."""
