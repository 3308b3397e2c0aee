"""Random expressions of integers, decimals and truth values have the values of a model of exact fractions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation import SqlArithmeticError, evaluated
from tests.unit.table.evaluation.expressions import analysed, position_in


class Number(NamedTuple):
    """A type of exact numbers.

    Attributes:
        precision: its digits.
        scale: the digits after the point.
        bits: the bits of an integer, 0 for a decimal.
    """

    precision: int
    scale: int
    bits: int = 0

    def holds(self, value: Fraction) -> bool:
        if self.bits:
            return bool(-(2 ** (self.bits - 1)) <= value < 2 ** (self.bits - 1))
        return bool(abs(value) < 10 ** (self.precision - self.scale))


INTEGERS = {
    "ti": (Number(3, 0, 8), DataTypes.TINYINT()),
    "i": (Number(10, 0, 32), DataTypes.INT()),
    "bi": (Number(19, 0, 64), DataTypes.BIGINT()),
}
DECIMALS = {
    "de": (Number(10, 2), DataTypes.DECIMAL(10, 2)),
    "small": (Number(5, 4), DataTypes.DECIMAL(5, 4)),
    "large": (Number(38, 10), DataTypes.DECIMAL(38, 10)),
}
COLUMNS: dict[str, tuple[Number, DataType]] = {**INTEGERS, **DECIMALS}
TYPED = [*((name, data_type) for name, (_, data_type) in COLUMNS.items()), ("b", DataTypes.BOOLEAN())]


class Expression(NamedTuple):
    """An expression and its model.

    Attributes:
        text: the expression in SQL.
        kind: the type of its numbers, ``None`` for truth values.
        value: returns its value for a row.
    """

    text: str
    kind: Number | None
    value: Callable[[Sequence[Any]], Any]


class OverflowInModel(Exception):  # noqa: N818 - no error of the model
    """A number is out of range, or not defined."""


def rounded(value: Fraction, scale: int) -> Fraction:
    """Round halves away from zero."""
    whole = math.floor(abs(value) * 10**scale + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, 10**scale)


def fitted(precision: int, scale: int) -> Number:
    if precision > 38:
        scale = max(38 - (precision - scale), min(scale, 6))
    return Number(min(precision, 38), scale)


def result_kind(symbol: str, one: Number, other: Number) -> Number:
    if one.bits and other.bits:
        return other if symbol == "%" else max(one, other, key=lambda kind: kind.bits)
    p1, s1, p2, s2 = one.precision, one.scale, other.precision, other.scale
    scale = max(s1, s2)
    match symbol:
        case "*":
            return fitted(p1 + p2 + 1, s1 + s2)
        case "/":
            scale = max(6, s1 + p2 + 1)
            return fitted(p1 - s1 + s2 + scale, scale)
        case "%":
            return fitted(min(p1 - s1, p2 - s2) + scale, scale)
    return fitted(max(p1 - s1, p2 - s2) + scale + 1, scale)


def computed(symbol: str, one: Fraction, other: Fraction, kind: Number) -> Fraction:
    if symbol in "/%" and not other:
        raise OverflowInModel
    if symbol == "%":
        result = one - other * math.trunc(one / other)
    elif symbol == "/" and kind.bits:
        result = Fraction(math.trunc(one / other))
    else:
        operators: dict[str, Any] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
        result = rounded(one / other, 39) if symbol == "/" else operators[symbol](one, other)
    result = result if kind.bits else rounded(result, kind.scale)
    if not kind.holds(result):
        raise OverflowInModel
    return result


def binary(symbol: str, left: Expression, right: Expression) -> Expression:
    assert left.kind is not None
    assert right.kind is not None
    kind = result_kind(symbol, left.kind, right.kind)

    def value(row: Sequence[Any]) -> Any:
        one = left.value(row)
        other = None if one is None else right.value(row)
        return None if one is None or other is None else computed(symbol, one, other, kind)

    return Expression(f"({left.text} {symbol} {right.text})", kind, value)


def comparison(symbol: str, left: Expression, right: Expression) -> Expression:
    operators = {"=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt}

    def value(row: Sequence[Any]) -> Any:
        one = left.value(row)
        other = None if one is None else right.value(row)
        return None if other is None else operators[symbol](one, other)

    return Expression(f"({left.text} {symbol} {right.text})", None, value)


def connective(symbol: str, left: Expression, right: Expression) -> Expression:
    decisive = symbol == "OR"

    def value(row: Sequence[Any]) -> Any:
        one = left.value(row)
        if one is decisive:
            return one
        other = right.value(row)
        return None if one is None and other is not decisive else (other if other is not None else None)

    return Expression(f"({left.text} {symbol} {right.text})", None, value)


def negated(operand: Expression) -> Expression:
    def value(row: Sequence[Any]) -> Any:
        found = operand.value(row)
        return None if found is None else not found

    return Expression(f"(NOT {operand.text})", None, value)


def is_null(operand: Expression) -> Expression:
    return Expression(f"({operand.text} IS NULL)", None, lambda row: operand.value(row) is None)


def chosen(condition: Expression, true: Expression, false: Expression) -> Expression:
    """Return CASE of two numbers of one type, or of two truth values."""
    text = f"CASE WHEN {condition.text} THEN {true.text} ELSE {false.text} END"
    return Expression(
        text, true.kind, lambda row: (true if condition.value(row) is True else false).value(row)
    )


def column(position: int, name: str) -> Expression:
    kind = COLUMNS[name][0] if name in COLUMNS else None
    return Expression(name, kind, lambda row: row[position])


NUMERIC = st.sampled_from([column(position, name) for position, name in enumerate(COLUMNS)])
LITERALS = st.integers(0, 200).map(
    lambda number: Expression(str(number), Number(10, 0, 32), lambda _: Fraction(number))
)
FRACTIONS = st.integers(100, 999).map(
    lambda number: Expression(
        f"{number // 100}.{number % 100:02}", Number(3, 2), lambda _: Fraction(number, 100)
    )
)
numbers = st.recursive(
    NUMERIC | LITERALS | FRACTIONS,
    lambda parts: st.builds(binary, st.sampled_from("+-*/%"), parts, parts),
    max_leaves=6,
)
conditions = st.recursive(
    st.just(column(len(COLUMNS), "b"))
    | st.builds(comparison, st.sampled_from(["=", "<>", "<", "<=", ">"]), numbers, numbers)
    | st.builds(is_null, numbers),
    lambda parts: (
        st.builds(connective, st.sampled_from(["AND", "OR"]), parts, parts)
        | st.builds(negated, parts)
        | st.builds(chosen, parts, parts, parts)
    ),
    max_leaves=5,
)
choices = st.builds(lambda condition, number: chosen(condition, number, number), conditions, numbers)


def values(kind: Number) -> st.SearchStrategy[Fraction | None]:
    limit = 2 ** (kind.bits - 1) if kind.bits else 10**kind.precision
    digits = st.integers(-limit + (not kind.bits), limit - 1) | st.integers(-100, 100)
    exact = digits.map(lambda number: Fraction(number, 10**kind.scale))
    return st.none() | exact.filter(kind.holds)


rows = st.tuples(*(values(kind) for kind, _ in COLUMNS.values()), st.none() | st.booleans())


def as_field(value: Any, kind: Number) -> Any:
    if value is None:
        return None
    return int(value) if kind.bits else Decimal(int(value * 10**kind.scale)).scaleb(-kind.scale, _WIDE)


_WIDE = Context(prec=60)


@given(numbers | conditions | choices, rows)
def test_expressions_have_the_values_of_the_model(expression: Expression, row: Sequence[Any]) -> None:
    tree, _ = analysed(expression.text, TYPED)
    evaluation = evaluated(tree, position_in(TYPED))
    fields = [
        *(as_field(value, kind) for value, (kind, _) in zip(row[:-1], COLUMNS.values(), strict=True)),
        row[-1],
    ]
    try:
        expected = expression.value(row)
    except OverflowInModel:
        try:
            result = evaluation(fields)
        except SqlArithmeticError:
            return
        raise AssertionError(f"{result!r} is out of range") from None
    result = evaluation(fields)
    if expected is None or isinstance(expected, bool):
        assert result is expected
        return
    assert Fraction(result) == expected
    assert expression.kind is not None
    if expression.kind.bits:
        assert type(result) is int
    else:
        assert -result.as_tuple().exponent == expression.kind.scale
        digits = evaluation.data_type.nullable()
        assert digits == DataTypes.DECIMAL(expression.kind.precision, expression.kind.scale)
