"""Functions of numbers that have the types of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.operands import integer, number
from pystream.table.evaluation.times import ceiled, floored
from pystream.table.evaluation.values import Rule, Scope, Value, constant, strict
from pystream.table.functions.kinds import BEYOND, FLOATING, Kind, digits_of
from pystream.table.functions.values import mathematics as functions
from pystream.table.functions.values.arithmetic import rounded_to_float

__all__ = ["MATHEMATICS"]

_MAX_DIGITS = 38


def _absolute(scope: Scope, node: exp.Abs) -> Value:
    value = number(scope, node.this)
    function: Callable[..., Any] = abs
    if value.kind.is_integer:
        function = partial(functions.absolute_integer, BEYOND[value.kind])
    elif value.kind == Kind.DECIMAL:
        function = Decimal.copy_abs
    return strict(function, value.data_type, value)


def _sign(scope: Scope, node: exp.Sign) -> Value:
    value = number(scope, node.this)
    if value.kind in FLOATING:
        return strict(functions.sign_of_double, value.data_type, value)
    if value.kind == Kind.DECIMAL:
        scale = Decimal(1).scaleb(-digits_of(value.data_type)[1])
        return strict(partial(functions.sign_of_decimal, scale), value.data_type, value)
    return strict(functions.sign_of_integer, value.data_type, value)


def _whole(scope: Scope, node: exp.Floor | exp.Ceil) -> Value:
    if node.args.get("to"):
        return floored(scope, node) if isinstance(node, exp.Floor) else ceiled(scope, node)
    is_floor = isinstance(node, exp.Floor)
    value = number(scope, node.this)
    if value.kind.is_integer:
        return value
    if value.kind == Kind.DECIMAL:
        precision, _ = digits_of(value.data_type)
        function = functions.floor_of_decimal if is_floor else functions.ceiling_of_decimal
        return strict(function, DataTypes.DECIMAL(precision, 0), value)
    of_double = functions.floor_of_double if is_floor else functions.ceiling_of_double
    return strict(of_double, value.data_type, value)


def _rounded(scope: Scope, node: exp.Round | exp.Trunc) -> Value:
    value = number(scope, node.this)
    given = node.args.get("decimals")
    digits = constant(0, DataTypes.INT()) if given is None else integer(scope, given)
    if value.kind == Kind.DECIMAL:
        return _rounded_decimal(node, value, digits)
    is_rounded = isinstance(node, exp.Round)
    if value.kind.is_integer:
        of_integer = partial(functions.rounded_integer, BEYOND[value.kind])
        function: Callable[..., Any] = of_integer if is_rounded else functions.truncated_integer
        return strict(function, value.data_type, value, digits)
    function = functions.rounded_double if is_rounded else functions.truncated_double
    if value.kind == Kind.FLOAT:
        function = partial(rounded_to_float, function)
    return strict(function, value.data_type, value, digits)


def _rounded_decimal(node: exp.Round | exp.Trunc, value: Value, digits: Value) -> Value:
    if not digits.is_constant or digits.constant is None:
        raise NotEvaluatedError(node, f"{node.sql_name()} of a decimal takes a number of digits as a literal")
    kept: int = digits.constant
    precision, scale = digits_of(value.data_type)
    if kept < scale:
        whole = 1 + precision - scale
        precision, scale = min(_MAX_DIGITS, whole + max(kept, 0)), max(kept, 0)
    function = functions.rounded_decimal if isinstance(node, exp.Round) else functions.truncated_decimal
    step = Decimal(1).scaleb(-scale)
    return strict(partial(function, step, kept), DataTypes.DECIMAL(precision, scale), value)


MATHEMATICS: Mapping[type[exp.Expr], Rule] = {
    exp.Abs: _absolute,
    exp.Ceil: _whole,
    exp.Floor: _whole,
    exp.Round: _rounded,
    exp.Sign: _sign,
    exp.Trunc: _rounded,
}
"""The rules for what the parser knows."""
