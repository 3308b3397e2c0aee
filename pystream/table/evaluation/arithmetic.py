"""The operators + - * / % of numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.conversions import converted
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.intervals import is_interval
from pystream.table.evaluation.literals import negative_literal
from pystream.table.evaluation.times import moved
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.kinds import BEYOND, FLOATING, NUMBERS, Kind, digits_of, kind_of
from pystream.table.functions.values import arithmetic, decimals
from pystream.table.functions.values.texts import concatenated
from pystream.table.sql.expression_types import arithmetic_type
from pystream.table.sql.type_trees import data_type_of_sql, sql_of_data_type

__all__ = ["ARITHMETIC"]

_SYMBOLS: Mapping[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Div: "/",
    exp.Mod: "%",
    exp.Mul: "*",
    exp.Sub: "-",
}
_INTEGERS: Mapping[str, Callable[..., int]] = {
    "*": arithmetic.integer_product,
    "+": arithmetic.integer_sum,
    "-": arithmetic.integer_difference,
    "/": arithmetic.integer_quotient,
}
_DECIMALS: Mapping[str, Callable[..., Decimal]] = {
    "%": decimals.decimal_remainder,
    "*": decimals.decimal_product,
    "+": decimals.decimal_sum,
    "-": decimals.decimal_difference,
    "/": decimals.decimal_quotient,
}
_DOUBLES: Mapping[str, Callable[[Any, Any], Any]] = {
    "*": operator.mul,
    "+": operator.add,
    "-": operator.sub,
    "/": arithmetic.double_quotient,
}


def _arithmetic(scope: Scope, node: exp.Binary) -> Value:
    if isinstance(node, exp.Add | exp.Sub) and (is_interval(node.left) or is_interval(node.right)):
        return moved(scope, node)
    left, right = scope.value(node.left), scope.value(node.right)
    symbol = _SYMBOLS[type(node)]
    if isinstance(node, exp.Add) and left.kind == right.kind == Kind.TEXT:
        return strict(concatenated, DataTypes.STRING(), left, right)  # as expressions of a program join text
    if not {left.kind, right.kind} <= set(NUMBERS):
        raise NotEvaluatedError(node, f"{_types(left, right)} have no operator {symbol}")
    result = _result_type(node, left, right)
    kind = kind_of(result)
    assert kind is not None
    if kind in FLOATING:
        return _floating(scope, node, left, right, result)
    if kind == Kind.DECIMAL:
        digits = decimals.Digits.of(*digits_of(result))
        return strict(partial(_DECIMALS[symbol], digits), result, _as_decimal(left), _as_decimal(right))
    if symbol == "%":
        return strict(arithmetic.integer_remainder, result, left, right)
    return strict(partial(_INTEGERS[symbol], BEYOND[kind]), result, left, right)


def _floating(scope: Scope, node: exp.Binary, left: Value, right: Value, result: DataType) -> Value:
    symbol = _SYMBOLS[type(node)]
    if symbol not in _DOUBLES:
        raise NotEvaluatedError(node, f"{_types(left, right)} have no remainder")
    function = _DOUBLES[symbol]
    if kind_of(result) == Kind.FLOAT:
        function = partial(arithmetic.rounded_to_float, function)
    operands = (converted(scope, node, value, result) for value in (left, right))
    return strict(function, result, *operands)


def _types(left: Value, right: Value) -> str:
    return f"{left.data_type.nullable()} and {right.data_type.nullable()}"


def _result_type(node: exp.Binary, left: Value, right: Value) -> DataType:
    operands = [sql_of_data_type(part.data_type) for part in (left, right)]
    return data_type_of_sql(arithmetic_type(type(node), *operands))


def _as_decimal(value: Value) -> Value:
    if value.kind == Kind.DECIMAL:
        return value
    return strict(Decimal, DataTypes.DECIMAL(*digits_of(value.data_type)), value)


def _negative(scope: Scope, node: exp.Neg) -> Value:
    literal = negative_literal(node)
    if literal is not None:
        return literal
    value = scope.value(node.this)
    match value.kind:
        case kind if kind.is_integer:
            function: Callable[..., Any] = partial(arithmetic.integer_negative, BEYOND[kind])
        case Kind.DECIMAL:
            function = decimals.EXACT.minus
        case Kind.FLOAT | Kind.DOUBLE:
            function = operator.neg
        case _:
            raise NotEvaluatedError(node, f"{value.data_type.nullable()} has no operator -")
    return strict(function, value.data_type, value)


ARITHMETIC: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_SYMBOLS, _arithmetic),
    exp.Neg: _negative,
}
"""The rules for what the parser knows."""
