"""The data types of columns, under their module name in Flink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports
from pystream.sql_types.arrow_types import create_arrow_schema, from_arrow_type, to_arrow_type
from pystream.sql_types.atomic_types import (
    AtomicType,
    BigIntType,
    BinaryType,
    BooleanType,
    CharType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    FractionalType,
    IntegralType,
    IntType,
    LocalZonedTimestampType,
    NullType,
    NumericType,
    SmallIntType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarBinaryType,
    VarCharType,
    ZonedTimestampType,
)
from pystream.sql_types.composite_types import (
    ArrayType,
    ListViewType,
    MapType,
    MapViewType,
    MultisetType,
    RowField,
    RowType,
)
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.sql_types.interval_types import DayTimeIntervalType, Resolution, YearMonthIntervalType
from pystream.sql_types.stream_types import RawType
from pystream.sql_types.user_defined_type import UserDefinedType

if TYPE_CHECKING:
    from pystream.common.types import Row as Row
    from pystream.common.types import RowKind as RowKind
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "ArrayType",
    "AtomicType",
    "BigIntType",
    "BinaryType",
    "BooleanType",
    "CharType",
    "DataType",
    "DataTypes",
    "DateType",
    "DayTimeIntervalType",
    "DecimalType",
    "DoubleType",
    "FloatType",
    "FractionalType",
    "IntType",
    "IntegralType",
    "ListViewType",
    "LocalZonedTimestampType",
    "MapType",
    "MapViewType",
    "MultisetType",
    "NullType",
    "NumericType",
    "RawType",
    "Resolution",
    "RowField",
    "RowType",
    "SmallIntType",
    "TimeType",
    "TimestampType",
    "TinyIntType",
    "UserDefinedType",
    "VarBinaryType",
    "VarCharType",
    "YearMonthIntervalType",
    "ZonedTimestampType",
    "create_arrow_schema",
    "from_arrow_type",
    "to_arrow_type",
]
