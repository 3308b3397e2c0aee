"""The data types of columns, under their module name in Flink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports
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

if TYPE_CHECKING:
    from pystream.common.types import Row as Row
    from pystream.common.types import RowKind as RowKind
else:
    __getattr__ = re_exports(__name__)


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
