"""Functions of numbers, whose results have types that follow from those of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.declaration import Arguments, SqlFunction
from pystream.table.functions.kinds import BEYOND, FLOATING, Kind, digits_of, kind_of
from pystream.table.functions.spans import rounded_in_spark, rounded_time
from pystream.table.functions.values import arithmetic, conversions, decimals, units
from pystream.table.functions.values import mathematics as values

__all__ = ["NUMBERS", "remainder_digits"]

_MAX_DIGITS = 38
_WHOLE = 2**53  # greater doubles have no fraction
_WHOLE_EXAMPLES = ("3", "-2.5", "1.45", "-1.5e0", "1e300", "CAST(NULL AS DOUBLE)")
_TIME = "TIMESTAMP '2024-02-29 13:14:15.678'"
_ROUNDED_TIMES = (
    *(f"{_TIME} TO {unit}" for unit in ("MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH")),
    *(f"{_TIME} TO {unit}" for unit in ("QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM")),
    *(f"DATE '2024-02-29' TO {unit}" for unit in ("WEEK", "MONTH", "QUARTER", "YEAR", "CENTURY")),
    "CAST(NULL AS DATE) TO DAY",
)


def _kind(arguments: Arguments) -> Kind:
    kind = kind_of(arguments.types[0])
    assert kind is not None
    return kind


def _of_first(arguments: Arguments) -> DataType:
    return arguments.types[0]


def _absolute(arguments: Arguments) -> Callable[..., Any]:
    kind = _kind(arguments)
    if kind == Kind.DECIMAL:
        return Decimal.copy_abs
    return partial(values.absolute_integer, BEYOND[kind]) if kind.is_integer else abs


def _sign(arguments: Arguments) -> Callable[..., Any]:
    kind = _kind(arguments)
    if kind == Kind.DECIMAL:
        return partial(values.sign_of_decimal, _step(arguments.types[0]))
    return values.sign_of_integer if kind.is_integer else values.sign_of_double


def _step(data_type: DataType) -> Decimal:
    _, scale = digits_of(data_type)
    return Decimal(1).scaleb(-scale)


def _sign_in_spark(arguments: Arguments) -> str:
    return f"CAST(SIGN({{0}}) AS {arguments.types[0].nullable()})"


def _whole_type(arguments: Arguments) -> DataType:
    data_type = arguments.types[0]
    if kind_of(data_type) != Kind.DECIMAL:
        return data_type
    precision, _ = digits_of(data_type)
    return DataTypes.DECIMAL(precision, 0)


def _whole(of_decimal: Any, of_double: Any, of_time: Any, arguments: Arguments) -> Callable[..., Any]:
    kind = _kind(arguments)
    if len(arguments.types) > 1:
        return rounded_time(of_time, arguments)
    if kind.is_integer:
        return conversions.same
    return of_decimal if kind == Kind.DECIMAL else of_double  # type: ignore[no-any-return]


def _whole_in_spark(name: str, arguments: Arguments) -> str:
    kind = _kind(arguments)
    if len(arguments.types) > 1:
        return rounded_in_spark(name, arguments)
    if kind.is_integer:
        return "{0}"
    whole = f"CAST({name}({{0}}) AS {_whole_type(arguments).nullable()})"
    return f"IF(ABS({{0}}) < {_WHOLE}, {whole}, {{0}})" if kind in FLOATING else whole


def _whole_number(name: str, does: str, of_decimal: Any, of_double: Any, of_time: Any) -> SqlFunction:
    return SqlFunction(
        name,
        "NUMBER; DATE|TIME|TIMESTAMP|TIMESTAMP_LTZ, UNIT",
        _whole_type,
        does,
        python_for=partial(_whole, of_decimal, of_double, of_time),
        spark=partial(_whole_in_spark, name),
        syntax=[f"{name}({{0}})", f"{name}({{0}} TO {{1}})"],
        examples=[f"{name}({one})" for one in (*_WHOLE_EXAMPLES, *_ROUNDED_TIMES)],
    )


def remainder_digits(precision: int, scale: int, of_divisor: int, scale_of_divisor: int) -> tuple[int, int]:
    """Return the precision and the scale of the remainder of two decimals.

    Args:
        precision: that of the dividend.
        scale: that of the dividend.
        of_divisor: the precision of the divisor.
        scale_of_divisor: its scale.
    """
    most = max(scale, scale_of_divisor)
    return min(precision - scale, of_divisor - scale_of_divisor) + most, most


def _remainder_type(arguments: Arguments) -> DataType:
    one, other = arguments.types
    if kind_of(one) == Kind.DECIMAL or kind_of(other) == Kind.DECIMAL:
        return DataTypes.DECIMAL(*remainder_digits(*digits_of(one), *digits_of(other)))
    return other


def _remainder(arguments: Arguments) -> Callable[..., Any]:
    result = _remainder_type(arguments)
    if kind_of(result) != Kind.DECIMAL:
        return arithmetic.integer_remainder
    return partial(decimals.remainder_of_exact, decimals.Digits.of(*digits_of(result)))


def _remainder_in_spark(arguments: Arguments) -> str:
    result = _remainder_type(arguments)
    if kind_of(result) != Kind.DECIMAL:
        return f"CAST(MOD({{0}}, {{1}}) AS {result.nullable()})"
    digits = [digits_of(one) for one in arguments.types]
    one, other = (f"CAST({{{n}}} AS DECIMAL({p}, {s}))" for n, (p, s) in enumerate(digits))
    return f"MOD({one}, {other})"


def _rounded_type(arguments: Arguments) -> DataType:
    data_type = arguments.types[0]
    if kind_of(data_type) != Kind.DECIMAL:
        return data_type
    precision, scale = digits_of(data_type)
    kept = arguments.constants.get(1, scale) if len(arguments.types) > 1 else 0
    if kept is None or kept >= scale:
        return data_type
    kept = max(kept, 0)
    return DataTypes.DECIMAL(min(_MAX_DIGITS, 1 + precision - scale + kept), kept)


def _rounded(
    of_decimal: Any, of_integer: Any, of_double: Callable[..., float], arguments: Arguments
) -> Callable[..., Any]:
    kind = _kind(arguments)
    if kind == Kind.DECIMAL:
        return partial(of_decimal, _step(_rounded_type(arguments)))
    if kind.is_integer:
        return partial(of_integer, BEYOND[kind])
    return partial(arithmetic.rounded_to_float, of_double) if kind == Kind.FLOAT else of_double


def _rounded_in_spark(arguments: Arguments) -> str | None:
    if len(arguments.types) > 1 and 1 not in arguments.constants:
        return None  # Spark takes only literals
    return f"CAST(ROUND({{0:}}) AS {_rounded_type(arguments).nullable()})"


def _truncated_in_spark(arguments: Arguments) -> str | None:
    if len(arguments.types) > 1 and 1 not in arguments.constants:
        return None  # Spark takes only literals
    number = "CAST({0} AS DECIMAL(38, 15))" if _kind(arguments) in FLOATING else "{0}"
    digits = "{1}" if len(arguments.types) > 1 else "0"
    cut = f"IF({number} < 0, CEIL({number}, {digits}), FLOOR({number}, {digits}))"
    return f"CAST({cut} AS {_rounded_type(arguments).nullable()})"


_ROUNDED = ("2.5", "-2.5e0", "1234, -2", "-1.005, 2", "CAST(123.45 AS DECIMAL(10, 2)), -1", "1.15e0, 1")

NUMBERS: Sequence[SqlFunction] = [
    SqlFunction(
        "ABS",
        "NUMBER",
        _of_first,
        "The number without its sign.",
        python_for=_absolute,
        examples=["ABS(-3)", "ABS(-1.50)", "ABS(-1.5e0)", "ABS(CAST(NULL AS INT))"],
    ),
    _whole_number(
        "CEIL",
        "The least whole number that is not less; the start of a unit of time that is not before the time.",
        values.ceiling_of_decimal,
        values.ceiling_of_double,
        units.ceiled,
    ),
    _whole_number(
        "CEILING", "The same as CEIL.", values.ceiling_of_decimal, values.ceiling_of_double, units.ceiled
    ),
    _whole_number(
        "FLOOR",
        "The greatest whole number that is not greater; the start of the unit of time that the time is in.",
        values.floor_of_decimal,
        values.floor_of_double,
        units.floored,
    ),
    SqlFunction(
        "MOD",
        "EXACT, EXACT",
        _remainder_type,
        "The remainder of a division, with the sign of the first number; that of integers has the type of "
        "the second.",
        python_for=_remainder,
        spark=_remainder_in_spark,
        examples=["MOD(7, 3)", "MOD(-7, 3)", "MOD(7.5, 2)", "MOD(-7, 2.5)", "MOD(CAST(NULL AS INT), 2)"],
    ),
    SqlFunction(
        "ROUND",
        "NUMBER [, INT]",
        _rounded_type,
        "The number rounded to digits after the point, 0 unless given, or before it; halves away from zero.",
        python_for=partial(_rounded, values.rounded_decimal, values.rounded_integer, values.rounded_double),
        spark=_rounded_in_spark,
        examples=[f"ROUND({one})" for one in _ROUNDED],
    ),
    SqlFunction(
        "SIGN",
        "NUMBER",
        _of_first,
        "-1, 0 or 1, as the number is less than, equal to or greater than 0.",
        python_for=_sign,
        spark=_sign_in_spark,
        examples=["SIGN(-3)", "SIGN(1.50)", "SIGN(-1.5e0)", "SIGN(0)"],
    ),
    SqlFunction(
        "TRUNCATE",
        "NUMBER [, INT]",
        _rounded_type,
        "The number without the digits that ROUND rounds.",
        python_for=partial(
            _rounded, values.truncated_decimal, values.truncated_integer, values.truncated_double
        ),
        spark=_truncated_in_spark,
        examples=[f"TRUNCATE({one})" for one in (*_ROUNDED, "0.00, CAST(NULL AS INT)")],
    ),
]
"""The declarations."""
