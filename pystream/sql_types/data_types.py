"""SQL data types, for the columns of files and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.atomic_types import (
    UNLIMITED,
    AtomicType,
    BigIntType,
    BinaryType,
    BooleanType,
    CharType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntType,
    LocalZonedTimestampType,
    NullType,
    SmallIntType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarBinaryType,
    VarCharType,
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
from pystream.sql_types.data_type import DataType
from pystream.sql_types.decimals import in_streams
from pystream.sql_types.interval_types import (
    DayTimeIntervalType,
    Resolution,
    YearMonthIntervalType,
    interval_type,
)
from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError, short_repr
from typeinfo.info import TypeInformation

__all__ = [
    "ArrayType",
    "AtomicType",
    "DataType",
    "DataTypes",
    "DecimalType",
    "MapType",
    "RowField",
    "RowType",
    "type_info_of",
]


def type_info_of(row_type: object, role: str) -> TypeInformation[Any]:
    """Return the element type of a data type or of a type of streams; decimals are BIG_DEC.

    Raises:
        UnsupportedTypeError: ``row_type`` is neither.
    """
    if isinstance(row_type, DataType):
        return in_streams(row_type.type_info)
    if isinstance(row_type, TypeInformation):
        return row_type
    raise UnsupportedTypeError(
        f"{role} must be DataTypes.ROW([DataTypes.FIELD(…)]) or a TypeInformation such as "
        f"Types.ROW_NAMED(…), not {short_repr(row_type)}"
    )


@checks_arguments(ArgumentTypeError)
class DataTypes:
    """Factory of data types.

    Columns of tables hold values of exactly these types. In files and streams, lengths of text and bytes and
    the precision of times are not enforced.
    Mirrors ``org.apache.flink.table.api.DataTypes``.
    """

    @staticmethod
    def NULL() -> NullType:
        """Return the type of columns that hold only nulls."""
        return NullType()

    @staticmethod
    def CHAR(length: int, nullable: bool = True) -> CharType:
        """Return the type of text of a fixed length."""
        return CharType(length, nullable)

    @staticmethod
    def VARCHAR(length: int, nullable: bool = True) -> VarCharType:
        """Return the type of text of a limited length."""
        return VarCharType(length, nullable)

    @staticmethod
    def STRING(nullable: bool = True) -> VarCharType:
        """Return the type of text."""
        return VarCharType(UNLIMITED, nullable)

    @staticmethod
    def BOOLEAN(nullable: bool = True) -> BooleanType:
        """Return the type of ``bool``."""
        return BooleanType(nullable)

    @staticmethod
    def BINARY(length: int, nullable: bool = True) -> BinaryType:
        """Return the type of bytes of a fixed length."""
        return BinaryType(length, nullable)

    @staticmethod
    def VARBINARY(length: int, nullable: bool = True) -> VarBinaryType:
        """Return the type of bytes of a limited length."""
        return VarBinaryType(length, nullable)

    @staticmethod
    def BYTES(nullable: bool = True) -> VarBinaryType:
        """Return the type of bytes."""
        return VarBinaryType(UNLIMITED, nullable)

    @staticmethod
    def DECIMAL(precision: int, scale: int, nullable: bool = True) -> DecimalType:
        """Return the type of decimals of a fixed scale.

        As in Flink, a value with more digits after the decimal point is rounded, halves away from zero; one
        with too many before it is an error. Parquet and ORC files hold at most 20 of these.

        Args:
            precision: number of digits, from 1 to 38.
            scale: how many of them follow the decimal point.
            nullable: whether the column may hold nulls.

        Raises:
            ConfigurationError: precision or scale is out of range.
        """
        return DecimalType(precision, scale, nullable)

    @staticmethod
    def TINYINT(nullable: bool = True) -> TinyIntType:
        """Return the type of 8-bit integers."""
        return TinyIntType(nullable)

    @staticmethod
    def SMALLINT(nullable: bool = True) -> SmallIntType:
        """Return the type of 16-bit integers."""
        return SmallIntType(nullable)

    @staticmethod
    def INT(nullable: bool = True) -> IntType:
        """Return the type of 32-bit integers."""
        return IntType(nullable)

    @staticmethod
    def BIGINT(nullable: bool = True) -> BigIntType:
        """Return the type of 64-bit integers."""
        return BigIntType(nullable)

    @staticmethod
    def FLOAT(nullable: bool = True) -> FloatType:
        """Return the type of 32-bit floats."""
        return FloatType(nullable)

    @staticmethod
    def DOUBLE(nullable: bool = True) -> DoubleType:
        """Return the type of 64-bit floats."""
        return DoubleType(nullable)

    @staticmethod
    def DATE(nullable: bool = True) -> DateType:
        """Return the type of dates."""
        return DateType(nullable)

    @staticmethod
    def TIME(precision: int = 0, nullable: bool = True) -> TimeType:
        """Return the type of times of day, to the microsecond."""
        return TimeType(precision, nullable)

    @staticmethod
    def TIMESTAMP(precision: int = 6, nullable: bool = True) -> TimestampType:
        """Return the type of timestamps without a zone, to the microsecond."""
        return TimestampType(precision, nullable)

    @staticmethod
    def TIMESTAMP_WITH_LOCAL_TIME_ZONE(precision: int = 6, nullable: bool = True) -> LocalZonedTimestampType:
        """Return the type of instants, to the microsecond."""
        return LocalZonedTimestampType(precision, nullable)

    @staticmethod
    def TIMESTAMP_LTZ(precision: int = 6, nullable: bool = True) -> LocalZonedTimestampType:
        """Return the type of instants, to the microsecond."""
        return LocalZonedTimestampType(precision, nullable)

    @staticmethod
    def ARRAY(element_type: DataType, nullable: bool = True) -> ArrayType:
        """Return the type of arrays of a type."""
        return ArrayType(_require(element_type, "element_type"), nullable)

    @staticmethod
    def MAP(key_type: DataType, value_type: DataType, nullable: bool = True) -> MapType:
        """Return the type of maps."""
        return MapType(_require(key_type, "key_type"), _require(value_type, "value_type"), nullable)

    @staticmethod
    def MULTISET(element_type: DataType, nullable: bool = True) -> MultisetType:
        """Return the type of bags of elements."""
        return MultisetType(_require(element_type, "element_type"), nullable)

    @staticmethod
    def LIST_VIEW(element_type: DataType) -> ListViewType:
        """Return the type of a list in the accumulator of an aggregate function."""
        return ListViewType(_require(element_type, "element_type"))

    @staticmethod
    def MAP_VIEW(key_type: DataType, value_type: DataType) -> MapViewType:
        """Return the type of a map in the accumulator of an aggregate function."""
        return MapViewType(_require(key_type, "key_type"), _require(value_type, "value_type"))

    @staticmethod
    def FIELD(name: str, data_type: DataType, description: str | None = None) -> RowField:
        """Return a column of `DataTypes.ROW`."""
        return RowField(name, _require(data_type, f"the type of field {name}"), description)

    @staticmethod
    def ROW(row_fields: Sequence[RowField] = (), nullable: bool = True) -> RowType:
        """Return the type of rows with columns made by `DataTypes.FIELD`."""
        for row_field in row_fields:
            if not isinstance(row_field, RowField):
                raise ConfigurationError(
                    f"DataTypes.ROW takes a list of DataTypes.FIELD(name, type), not {row_field!r}"
                )
        return RowType(row_fields, nullable)

    @staticmethod
    def INTERVAL(
        upper_resolution: Resolution, lower_resolution: Resolution | None = None
    ) -> DayTimeIntervalType | YearMonthIntervalType:
        """Return the type of intervals, of one unit or from it to a shorter one.

        SQL computes with intervals; columns and streams do not hold them.

        Args:
            upper_resolution: such as ``DataTypes.DAY()``.
            lower_resolution: such as ``DataTypes.SECOND(3)``.

        Raises:
            ConfigurationError: there are no intervals of these units, or of so many digits.
        """
        return interval_type(upper_resolution, lower_resolution)

    @staticmethod
    def SECOND(precision: int = DayTimeIntervalType.DEFAULT_FRACTIONAL_PRECISION) -> Resolution:
        """Return the unit of seconds with a number of digits."""
        return Resolution(Resolution.IntervalUnit.SECOND, precision)

    @staticmethod
    def MINUTE() -> Resolution:
        """Return the unit of minutes."""
        return Resolution(Resolution.IntervalUnit.MINUTE)

    @staticmethod
    def HOUR() -> Resolution:
        """Return the unit of hours."""
        return Resolution(Resolution.IntervalUnit.HOUR)

    @staticmethod
    def DAY(precision: int = DayTimeIntervalType.DEFAULT_DAY_PRECISION) -> Resolution:
        """Return the unit of days with a number of digits."""
        return Resolution(Resolution.IntervalUnit.DAY, precision)

    @staticmethod
    def MONTH() -> Resolution:
        """Return the unit of months."""
        return Resolution(Resolution.IntervalUnit.MONTH)

    @staticmethod
    def YEAR(precision: int = YearMonthIntervalType.DEFAULT_PRECISION) -> Resolution:
        """Return the unit of years with a number of digits."""
        return Resolution(Resolution.IntervalUnit.YEAR, precision)


def _require(data_type: object, role: str) -> DataType:
    if isinstance(data_type, DataType):
        return data_type
    raise ConfigurationError(
        f"{role} must be a data type such as DataTypes.INT(), not {short_repr(data_type)}"
    )
