"""The types that columns have in common, as PyFlink 2.3 gave them for UNION ALL."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest

from pystream.table.algebra.common_columns import common_column, converted
from pystream.table.columns import TableColumn
from pystream.table.functions.common_types import common_argument_type, common_type
from pystream.table.sql.column_types import parse_data_type


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("INT", "BIGINT", "BIGINT"),
        ("TINYINT", "SMALLINT", "SMALLINT"),
        ("INT NOT NULL", "BIGINT", "BIGINT"),
        ("INT NOT NULL", "INT NOT NULL", "INT"),
        ("ARRAY<INT NOT NULL>", "ARRAY<BIGINT NOT NULL>", "ARRAY<BIGINT NOT NULL>"),
        ("INT", "FLOAT", "FLOAT"),
        ("BIGINT", "FLOAT", "FLOAT"),
        ("INT", "DOUBLE", "DOUBLE"),
        ("FLOAT", "DOUBLE", "FLOAT"),
        ("DOUBLE", "FLOAT", "DOUBLE"),
        ("INT", "DECIMAL(5, 2)", "DECIMAL(12, 2)"),
        ("DECIMAL(5, 2)", "BIGINT", "DECIMAL(21, 2)"),
        ("TINYINT", "DECIMAL(5, 2)", "DECIMAL(5, 2)"),
        ("DECIMAL(5, 2)", "DECIMAL(10, 0)", "DECIMAL(12, 2)"),
        ("DECIMAL(5, 2)", "DECIMAL(38, 10)", "DECIMAL(38, 10)"),
        ("DECIMAL(38, 0)", "DECIMAL(38, 10)", "DECIMAL(38, 0)"),
        ("DECIMAL(38, 38)", "DECIMAL(20, 0)", "DECIMAL(38, 18)"),
        ("DECIMAL(30, 20)", "DECIMAL(30, 5)", "DECIMAL(38, 13)"),
        ("DECIMAL(5, 2)", "DOUBLE", "DOUBLE"),
        ("DECIMAL(5, 2)", "FLOAT", "DOUBLE"),
        ("FLOAT", "DECIMAL(5, 2)", "DOUBLE"),
        ("STRING", "VARCHAR(5)", "STRING"),
        ("VARCHAR(9)", "VARCHAR(5)", "VARCHAR(9)"),
        ("CHAR(3)", "VARCHAR(5)", "VARCHAR(5)"),
        ("CHAR(3)", "CHAR(5)", "VARCHAR(5)"),
        ("CHAR(3)", "STRING", "STRING"),
        ("BYTES", "VARBINARY(4)", "BYTES"),
        ("TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(3)"),
        ("TIMESTAMP(6)", "TIMESTAMP(3)", "TIMESTAMP(6)"),
        ("TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(6)", "TIMESTAMP_LTZ(6)"),
        ("TIME(0)", "TIME(3)", "TIME(3)"),
        ("ARRAY<INT>", "ARRAY<BIGINT>", "ARRAY<BIGINT>"),
        ("MAP<STRING, INT>", "MAP<STRING, BIGINT>", "MAP<STRING, BIGINT>"),
        ("ROW<a INT>", "ROW<b BIGINT>", "ROW<`a` BIGINT>"),
        ("STRING", "INT", None),
        ("DATE", "TIMESTAMP(3)", None),
        ("TIME(0)", "TIMESTAMP(3)", None),
        ("DATE", "TIMESTAMP_LTZ(6)", None),
        ("BOOLEAN", "INT", None),
        ("ROW<a INT>", "ROW<a INT, b INT>", None),
        ("TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "TIMESTAMP(3)"),
        ("TIMESTAMP_LTZ(3)", "TIMESTAMP(6)", "TIMESTAMP(6)"),
        ("TIMESTAMP(3)", "TIMESTAMP_LTZ(6)", "TIMESTAMP_LTZ(6)"),
    ],
)
def test_common_types(one: str, other: str, expected: str | None) -> None:
    found = common_type([parse_data_type(one), parse_data_type(other)])
    assert (None if found is None else str(found)) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("FLOAT", "DOUBLE", "DOUBLE"),
        ("DECIMAL(5, 2)", "FLOAT", "FLOAT"),
        ("FLOAT", "DECIMAL(5, 2)", "DOUBLE"),
        ("DATE", "TIMESTAMP(3)", "DATE"),
        ("TIMESTAMP(3)", "TIME(0)", "TIME(0)"),
        ("TIMESTAMP(6)", "TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(6)"),
        ("DATE", "TIMESTAMP_LTZ(3)", None),
        ("INT", "BIGINT", "BIGINT"),
    ],
)
def test_common_types_of_arguments(one: str, other: str, expected: str | None) -> None:
    """The types are those of COALESCE and GREATEST in PyFlink 2.3."""
    found = common_argument_type([parse_data_type(one), parse_data_type(other)])
    assert (None if found is None else str(found)) == expected


def test_a_timestamp_has_no_common_column_with_one_of_a_zone_that_is_not_known() -> None:
    types = parse_data_type("TIMESTAMP(3)"), parse_data_type("TIMESTAMP_LTZ(3)")
    columns = [TableColumn("c", data_type, data_type.type_info, 0) for data_type in types]
    assert common_column(*columns) is None


@pytest.mark.parametrize(
    ("source", "other", "value", "expected"),
    [
        ("INT", "DECIMAL(5, 2)", 1, Decimal("1.00")),
        ("DECIMAL(38, 10)", "DECIMAL(38, 0)", Decimal("2.5"), Decimal("3")),
        ("BIGINT", "FLOAT", 16777217, 16777216.0),
        ("DOUBLE", "FLOAT", 1.5, 1.5),
        ("DECIMAL(5, 2)", "DOUBLE", Decimal("1.25"), 1.25),
        ("INT", "BIGINT", 7, 7),
        ("ROW<a DATE>", "ROW<b DATE>", None, None),
    ],
)
def test_values_are_converted(source: str, other: str, value: Any, expected: Any) -> None:
    found = converted_to_common(source, other, value)
    assert found == expected
    assert type(found) is type(expected)


def converted_to_common(source: str, other: str, value: Any) -> Any:
    types = parse_data_type(source), parse_data_type(other)
    columns = [TableColumn("c", data_type, data_type.type_info, 0) for data_type in types]
    common = common_column(*columns)
    assert common is not None
    return converted(value, common.conversions[0])


def test_a_double_becomes_the_nearest_float_where_the_float_is_first() -> None:
    types = parse_data_type("FLOAT"), parse_data_type("DOUBLE")
    columns = [TableColumn("c", data_type, data_type.type_info, 0) for data_type in types]
    common = common_column(*columns)
    assert common is not None
    assert converted(1.1, common.conversions[1]) == 1.100000023841858
    assert converted(-1e300, common.conversions[1]) == -math.inf
    assert common.conversions[0] is None
