"""The data types of columns, under their module name in Flink."""

from __future__ import annotations

from pystream.sql_types.data_types import (
    ArrayType,
    AtomicType,
    DataType,
    DataTypes,
    DecimalType,
    MapType,
    RowField,
    RowType,
)

__all__ = [
    "ArrayType",
    "AtomicType",
    "DataType",
    "DataTypes",
    "DecimalType",
    "MapType",
    "RowField",
    "RowType",
]
