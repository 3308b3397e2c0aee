"""Functions of numbers, whose results are of one type whatever the types of the arguments."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataTypes
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.values import mathematics as values
from pystream.table.functions.values import random_numbers

__all__ = ["MATHEMATICS"]

_DOUBLE = DataTypes.DOUBLE()


def _of_double(
    name: str,
    does: str,
    python: Callable[..., Any],
    *arguments: str,
    takes: str = "DOUBLE",
    spark: Sequence[str] = (),
) -> SqlFunction:
    examples = [f"{name}({one})" for one in arguments]
    return SqlFunction(name, takes, _DOUBLE, does, python, spark=spark, examples=examples)


def _logarithm_in_spark(name: str, place: int = 0) -> str:
    """Return a logarithm in Spark's SQL, whose own is null for 0 and for negative numbers."""
    number = f"CAST({{{place}}} AS DOUBLE)"
    infinite = f"IF({number} = 0, CAST('-Infinity' AS DOUBLE), CAST('NaN' AS DOUBLE))"
    return f"IF({number} <= 0, {infinite}, {name}({number}))"


def _any_logarithm_in_spark(arguments: Arguments) -> str | None:
    """Return Spark's SQL for LOG, with a base only if that is a literal greater than 1."""
    if len(arguments.types) == 1:
        return _logarithm_in_spark("LN")
    base = arguments.constants.get(0)
    if not isinstance(base, int) or base < 2:
        return None
    return _logarithm_in_spark("LOG10", 1) if base == 10 else f"{_logarithm_in_spark('LN', 1)} / LN({{0}})"


def _random_double(arguments: Arguments) -> Callable[..., float]:
    seed = arguments.constants.get(0)
    if not arguments.types:
        return random.random
    return random_numbers.first_double if seed is None else random_numbers.RandomDoubles(seed)


def _random_integer(arguments: Arguments) -> Callable[..., int]:
    seed = arguments.constants.get(0)
    if len(arguments.types) == 1:
        return random_numbers.unseeded_integer
    return random_numbers.first_integer if seed is None else random_numbers.RandomIntegers(seed)


MATHEMATICS: Sequence[SqlFunction] = [
    _of_double("ACOS", "The arc cosine; NaN if there is none.", values.arc_cosine, "0.5", "1"),
    _of_double("ASIN", "The arc sine; NaN if there is none.", values.arc_sine, "0.5", "1"),
    _of_double("ATAN", "The arc tangent.", math.atan, "0.5", "CAST(NULL AS INT)"),
    _of_double(
        "ATAN2",
        "The angle of a point, from its second coordinate and its first.",
        math.atan2,
        "1e0, -1.5e0",
        "0.5e0, 2",
        takes="DOUBLE, DOUBLE",
    ),
    SqlFunction(
        "BIN",
        "INT",
        DataTypes.STRING(),
        "The integer in binary digits; 64 of them for a negative one.",
        values.in_base_2,
        examples=["BIN(5)", "BIN(-1)"],
    ),
    _of_double("COS", "The cosine.", values.cosine, "0", "1.5"),
    _of_double("COSH", "The hyperbolic cosine.", values.hyperbolic_cosine, "1.5"),
    _of_double("COT", "The cotangent.", values.cotangent, "1.5"),
    _of_double("DEGREES", "The angle in degrees of one in radians.", math.degrees, "1.5"),
    SqlFunction(
        "E",
        "",
        DataTypes.DOUBLE(nullable=False),
        "The base of natural logarithms.",
        values.e,
        examples=["E()"],
    ),
    _of_double("EXP", "The power of e; infinity if it is too great.", values.exponential, "1", "0.5e0"),
    _of_double(
        "LN",
        "The natural logarithm.",
        values.logarithm,
        *("2", "0.5", "0", "-1"),
        spark=[_logarithm_in_spark("LN")],
    ),
    SqlFunction(
        "LOG",
        "DOUBLE [, DOUBLE]",
        _DOUBLE,
        "The natural logarithm, or the logarithm of the second number with the first as its base.",
        values.logarithm_of,
        spark=_any_logarithm_in_spark,
        examples=["LOG(2)", "LOG(2, 8)", "LOG(10, 1000)"],
    ),
    _of_double(
        "LOG10",
        "The logarithm of base 10.",
        values.logarithm_of_10,
        *("1000", "0.5", "0", "-1"),
        spark=[_logarithm_in_spark("LOG10")],
    ),
    _of_double(
        "LOG2",
        "The logarithm of base 2.",
        partial(values.logarithm_of_base, 2.0),
        *("8", "0.5", "0", "-1"),
        spark=[f"{_logarithm_in_spark('LN')} / LN(2e0)"],
    ),
    SqlFunction("PI", "", DataTypes.DOUBLE(nullable=False), "The number π.", values.pi, examples=["PI()"]),
    _of_double(
        "POWER",
        "A power of the number.",
        values.power,
        "2, 10",
        "4, 0.5",
        "2e0, -1",
        takes="DOUBLE, DOUBLE",
    ),
    _of_double("RADIANS", "The angle in radians of one in degrees.", math.radians, "180"),
    SqlFunction(
        "RAND",
        "[INT]",
        _DOUBLE,
        "A random number from 0 up to, but not including, 1; the same ones in each run with a seed.",
        python_for=_random_double,
        spark=lambda arguments: None if arguments.types else "RAND()",
        is_deterministic=False,
    ),
    SqlFunction(
        "RAND_INTEGER",
        "INT [, INT]",
        DataTypes.INT(),
        "A random integer from 0 up to, but not including, the last number; the same ones in each run with a "
        "seed before it.",
        python_for=_random_integer,
        spark=lambda arguments: None if len(arguments.types) > 1 else "CAST(FLOOR(RAND() * {0}) AS INT)",
        is_deterministic=False,
    ),
    _of_double("SIN", "The sine.", values.sine, "0", "1.5"),
    _of_double("SINH", "The hyperbolic sine.", values.hyperbolic_sine, "1.5"),
    _of_double("SQRT", "The square root; NaN for a negative number.", values.square_root, "2", "2.25", "-1"),
    _of_double("TAN", "The tangent.", values.tangent, "1.5"),
    _of_double("TANH", "The hyperbolic tangent.", math.tanh, "0.5"),
    SqlFunction(
        "UNHEX",
        "STRING|NULL",
        DataTypes.BYTES(),
        "The bytes of hexadecimal digits; null if they are none.",
        values.bytes_of_hexadecimal,
        Nulls.AND_OTHERS,
        examples=["UNHEX('00fF')", "UNHEX('abc')", "UNHEX('xy')", "UNHEX('')"],
    ),
]
"""The declarations."""
