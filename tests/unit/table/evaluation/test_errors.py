"""Values without a result: errors that name them."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from pystream.errors import PyStreamError
from pystream.table.evaluation import ConversionError, SqlArithmeticError
from tests.unit.table.evaluation.expressions import value_of

CASES: list[tuple[str, str, Any, type[PyStreamError], str]] = [
    ("x + 1", "INT", 2**31 - 1, SqlArithmeticError, "2147483647 + 1 is out of the range of INT"),
    ("x - x / x", "TINYINT", -128, SqlArithmeticError, "-128 - 1 is out of the range of TINYINT"),
    ("x * x", "BIGINT", -(2**40), SqlArithmeticError, "-1099511627776 * (-1099511627776) is out of"),
    ("x / -1", "INT", -(2**31), SqlArithmeticError, "-2147483648 / (-1) is out of the range of INT"),
    ("-x", "SMALLINT", -(2**15), SqlArithmeticError, "-(-32768) is out of the range of SMALLINT"),
    ("ABS(x)", "BIGINT", -(2**63), SqlArithmeticError, "ABS(-9223372036854775808) is out of the range"),
    ("ROUND(x, -1)", "TINYINT", 127, SqlArithmeticError, "ROUND(127, -1) is out of the range of TINYINT"),
    ("x / 0", "INT", 5, SqlArithmeticError, "5 / 0 is a division by zero"),
    ("x % 0", "INT", 5, SqlArithmeticError, "5 % 0 is a division by zero"),
    ("x / 0.00", "INT", 5, SqlArithmeticError, "5 / 0 is a division by zero"),
    ("MOD(x, 0.0)", "INT", 5, SqlArithmeticError, "5 % 0 is a division by zero"),
    ("x * x", "DECIMAL(38, 0)", 10**30, SqlArithmeticError, "is out of the range of DECIMAL(38, 0)"),
    ("CAST(x AS TINYINT)", "INT", 300, SqlArithmeticError, "300 is out of the range of TINYINT, -128 to 127"),
    ("CAST(x AS INT)", "DOUBLE", 1e10, SqlArithmeticError, "1.0E10 is out of the range of INT"),
    ("CAST(x AS INT)", "DOUBLE", float("nan"), SqlArithmeticError, "NaN is not an integer"),
    ("CAST(x AS DECIMAL(3, 1))", "INT", 100, SqlArithmeticError, "100 is out of the range of DECIMAL(3, 1)"),
    ("CAST(x AS DECIMAL(3, 1))", "DOUBLE", 1e300, SqlArithmeticError, "1.0E300 is out of the range of DEC"),
    ("CAST(x AS INT)", "STRING", "abc", ConversionError, "'abc' is not an integer"),
    (
        "CAST(x AS INT)",
        "STRING",
        "99999999999",
        SqlArithmeticError,
        "'99999999999' is out of the range of INT",
    ),
    ("CAST(x AS INT)", "STRING", "", ConversionError, "'' is not an integer"),
    ("CAST(x AS INT)", "STRING", "٣", ConversionError, "'٣' is not an integer"),
    ("CAST(x AS DOUBLE)", "STRING", "1_0", ConversionError, "'1_0' is not a number"),
    ("CAST(x AS DECIMAL(5, 2))", "STRING", "NaN", ConversionError, "'NaN' is not a number"),
    (
        "CAST(x AS DECIMAL(5, 2))",
        "STRING",
        "1e99999",
        SqlArithmeticError,
        "is out of the range of DECIMAL(5, 2)",
    ),
    (
        "CAST(x AS BOOLEAN)",
        "STRING",
        "maybe",
        ConversionError,
        "'maybe' is not a BOOLEAN such as TRUE or FALSE",
    ),
    (
        "CAST(x AS DATE)",
        "STRING",
        "2020-13-01",
        ConversionError,
        "'2020-13-01' is not a DATE such as 2020-12-31",
    ),
    ("CAST(x AS TIMESTAMP(3))", "STRING", "soon", ConversionError, "'soon' is not a TIMESTAMP such as"),
    (
        "CAST(x AS TIME(3))",
        "STRING",
        "23:59:59.9995",
        ConversionError,
        "'23:59:59.9995' is not a TIME such as",
    ),
    ("DATE '2020-01-01' > x", "STRING", "soon", ConversionError, "'soon' is not a DATE such as 2020-12-31"),
    (
        "TIMESTAMPADD(YEAR, x, DATE '2020-01-01')",
        "INT",
        9000,
        SqlArithmeticError,
        "2020-01-01 is out of the range",
    ),
    (
        "TIMESTAMPADD(DAY, x, DATE '2020-01-01')",
        "INT",
        -(10**6),
        SqlArithmeticError,
        "of the years 1 to 9999",
    ),
    (
        "FLOOR(x TO WEEK)",
        "DATE",
        date(1, 1, 1),
        SqlArithmeticError,
        "0001-01-01 is out of the range of the years 1 to 9999",
    ),
    (
        "'a' LIKE x ESCAPE '!'",
        "STRING",
        "!a",
        ConversionError,
        "LIKE '!a' ESCAPE '!': the escape must be followed",
    ),
]


@pytest.mark.parametrize(("expression", "kind", "value", "error", "message"), CASES)
def test_a_value_without_a_result(
    expression: str, kind: str, value: Any, error: type[PyStreamError], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)) as caught:
        value_of(expression, x=(kind, value))
    assert isinstance(caught.value, ArithmeticError if error is SqlArithmeticError else ValueError)


@pytest.mark.parametrize(
    ("expression", "kind", "value"),
    [
        ("TRY_CAST(x AS INT)", "STRING", "abc"),
        ("TRY_CAST(x AS TINYINT)", "INT", 300),
        ("TRY_CAST(x AS DECIMAL(3, 1))", "DOUBLE", 1e300),
        ("TRY_CAST(x AS DATE)", "STRING", "soon"),
        ("TRY_CAST(x AS TIMESTAMP(3))", "STRING", "soon"),
        ("TO_TIMESTAMP(x)", "STRING", "soon"),
        ("TO_DATE(x, 'dd.MM.yyyy')", "STRING", "31.02.2020"),
    ],
)
def test_a_lenient_conversion_is_null(expression: str, kind: str, value: Any) -> None:
    assert value_of(expression, x=(kind, value)) is None


def test_a_lenient_conversion_does_not_hide_errors_of_its_operand() -> None:
    with pytest.raises(SqlArithmeticError, match="5 / 0"):
        value_of("TRY_CAST(x / 0 AS STRING)", x=("INT", 5))
