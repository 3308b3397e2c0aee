"""The operators + - * / % of numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from ctypes import c_float
from decimal import Decimal
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.common_types import as_double
from pystream.table.evaluation.decimals import EXACT, in_type, quotient, step_of
from pystream.table.evaluation.errors import NotEvaluatedError, SqlArithmeticError
from pystream.table.evaluation.kinds import NUMBERS, Kind, digits_of, kind_of
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.sql.column_types import data_type_of_sql, sql_of_data_type
from pystream.table.sql.expression_types import arithmetic_type

__all__ = ["ARITHMETIC", "BEYOND", "in_range"]

BEYOND: Mapping[Kind, int] = {
    Kind.TINYINT: 1 << 7,
    Kind.SMALLINT: 1 << 15,
    Kind.INT: 1 << 31,
    Kind.BIGINT: 1 << 63,
}
"""The least positive integer that is out of the range of each type."""

_SYMBOLS: Mapping[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
}


def in_range(number: int, beyond: int, told: Callable[[], str]) -> int:
    """Return an integer if it is in the range of a type.

    Raises:
        SqlArithmeticError: it is not.
    """
    if -beyond <= number < beyond:
        return number
    raise SqlArithmeticError(f"{told()} is out of the range of integers of {beyond.bit_length()} bits")


def _arithmetic(scope: Scope, node: exp.Binary) -> Value:
    left, right = scope.value(node.left), scope.value(node.right)
    if not {left.kind, right.kind} <= set(NUMBERS):
        types = f"{left.data_type.nullable()} and {right.data_type.nullable()}"
        raise NotEvaluatedError(node, f"{_SYMBOLS[type(node)]} of {types} is not supported")
    result = _result_type(node, left, right)
    kind = kind_of(result)
    assert kind is not None
    symbol = _SYMBOLS[type(node)]
    if kind.is_integer:
        return strict(partial(_INTEGERS[symbol], BEYOND[kind]), result, left, right)
    if kind == Kind.DECIMAL:
        precision, scale = digits_of(result)
        function = partial(_DECIMALS[symbol], step_of(scale), Decimal(1).scaleb(precision - scale))
        return strict(function, result, _as_decimal(left), _as_decimal(right))
    function = _DOUBLES[symbol]
    if kind == Kind.FLOAT:
        function = partial(_as_float, function)
    return strict(function, result, as_double(left), as_double(right))


def _result_type(node: exp.Binary, left: Value, right: Value) -> DataType:
    operands = [sql_of_data_type(part.data_type) for part in (left, right)]
    return data_type_of_sql(arithmetic_type(type(node), *operands))


def _as_decimal(value: Value) -> Value:
    return (
        value
        if value.kind == Kind.DECIMAL
        else strict(Decimal, DataTypes.DECIMAL(*digits_of(value.data_type)), value)
    )


def _integer_sum(beyond: int, one: int, other: int) -> int:
    total = one + other
    return total if -beyond <= total < beyond else _overflow(beyond, one, "+", other)


def _integer_difference(beyond: int, one: int, other: int) -> int:
    total = one - other
    return total if -beyond <= total < beyond else _overflow(beyond, one, "-", other)


def _integer_product(beyond: int, one: int, other: int) -> int:
    total = one * other
    return total if -beyond <= total < beyond else _overflow(beyond, one, "*", other)


def _integer_quotient(beyond: int, one: int, other: int) -> int:
    if other == 0:
        raise _division_by_zero(one, "/")
    total = abs(one) // abs(other)
    if (one < 0) != (other < 0):
        total = -total
    return total if -beyond <= total < beyond else _overflow(beyond, one, "/", other)


def _integer_remainder(beyond: int, one: int, other: int) -> int:
    if other == 0:
        raise _division_by_zero(one, "%")
    rest = abs(one) % abs(other)
    return -rest if one < 0 else rest


def _overflow(beyond: int, one: int, symbol: str, other: int) -> int:
    raise SqlArithmeticError(
        f"{one} {symbol} {other} is out of the range of {_NAMES[beyond]}, which ends at {beyond - 1}; cast to a "
        "larger type before"
    )


_NAMES = {beyond: kind.name for kind, beyond in BEYOND.items()}


def _division_by_zero(one: Any, symbol: str) -> SqlArithmeticError:
    return SqlArithmeticError(f"{one} {symbol} 0: division by zero")


_INTEGERS: Mapping[str, Callable[..., int]] = {
    "+": _integer_sum,
    "-": _integer_difference,
    "*": _integer_product,
    "/": _integer_quotient,
    "%": _integer_remainder,
}


def _decimal_sum(step: Decimal, beyond: Decimal, one: Decimal, other: Decimal) -> Decimal:
    return in_type(EXACT.add(one, other), step, beyond, partial(_told, one, "+", other))


def _decimal_difference(step: Decimal, beyond: Decimal, one: Decimal, other: Decimal) -> Decimal:
    return in_type(EXACT.subtract(one, other), step, beyond, partial(_told, one, "-", other))


def _decimal_product(step: Decimal, beyond: Decimal, one: Decimal, other: Decimal) -> Decimal:
    return in_type(EXACT.multiply(one, other), step, beyond, partial(_told, one, "*", other))


def _decimal_quotient(step: Decimal, beyond: Decimal, one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise _division_by_zero(one, "/")
    return in_type(quotient(one, other), step, beyond, partial(_told, one, "/", other))


def _decimal_remainder(step: Decimal, beyond: Decimal, one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise _division_by_zero(one, "%")
    return in_type(EXACT.remainder(one, other), step, beyond, partial(_told, one, "%", other))


def _told(one: Any, symbol: str, other: Any) -> str:
    return f"{one} {symbol} {other}"


_DECIMALS: Mapping[str, Callable[..., Decimal]] = {
    "+": _decimal_sum,
    "-": _decimal_difference,
    "*": _decimal_product,
    "/": _decimal_quotient,
    "%": _decimal_remainder,
}


def _double_quotient(one: float, other: float) -> float:
    if other:
        return one / other
    if not one or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def _double_remainder(one: float, other: float) -> float:
    if not other or math.isinf(one):
        return math.nan
    return math.fmod(one, other)


_DOUBLES: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _double_quotient,
    "%": _double_remainder,
}


def _as_float(function: Callable[[float, float], float], one: float, other: float) -> float:
    return c_float(function(one, other)).value


def _negative(scope: Scope, node: exp.Neg) -> Value:
    value = scope.value(node.this)
    if value.kind not in NUMBERS:
        raise NotEvaluatedError(node, f"- of {value.data_type.nullable()} is not supported")
    if value.kind.is_integer:
        return strict(partial(_negative_integer, BEYOND[value.kind]), value.data_type, value)
    return strict(EXACT.minus if value.kind == Kind.DECIMAL else operator.neg, value.data_type, value)


def _negative_integer(beyond: int, number: int) -> int:
    return -number if number != -beyond else _overflow(beyond, 0, "-", number)


ARITHMETIC: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_SYMBOLS, _arithmetic),
    exp.Neg: _negative,
}
"""The rules for what the parser knows."""
