"""The data types of single values: numbers, text, bytes, dates and times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.data_type import DataType, made_of
from typeinfo.arguments import checks_arguments
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = [
    "UNLIMITED",
    "AtomicType",
    "BigIntType",
    "BinaryType",
    "BooleanType",
    "CharType",
    "DateType",
    "DecimalType",
    "DoubleType",
    "FloatType",
    "FractionalType",
    "IntType",
    "IntegralType",
    "LocalZonedTimestampType",
    "NullType",
    "NumericType",
    "SmallIntType",
    "TimeType",
    "TimestampType",
    "TinyIntType",
    "VarBinaryType",
    "VarCharType",
    "ZonedTimestampType",
]

UNLIMITED: Final = 0x7FFFFFFF
"""The length of STRING and BYTES."""

_BYTES = Types.PRIMITIVE_ARRAY(Types.BYTE)


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class AtomicType(DataType):
    """The data type of numbers, text, bytes, dates or times.

    Args:
        name: its name in SQL.
        type_info: the type of the values in a stream.
        nullable: whether the column may hold nulls.

    Mirrors ``org.apache.flink.table.types.AtomicDataType``.
    """

    name: str
    _type_info: TypeInformation[Any] | None

    def __init__(self, name: str, type_info: TypeInformation[Any] | None, nullable: bool = True) -> None:
        made_of(self, is_nullable=nullable, name=name, _type_info=type_info)

    @property
    def type_info(self) -> TypeInformation[Any]:
        """Type of the values in a stream.

        Raises:
            UnsupportedTypeError: streams have no such values.
        """
        if self._type_info is None:
            raise UnsupportedTypeError(
                f"columns of the type {self.name} are not supported; use DataTypes.TIMESTAMP_LTZ() for a "
                "point in time, DataTypes.BIGINT() for a length of time"
            )
        return self._type_info

    def in_stream(self, type_info: TypeInformation[Any]) -> AtomicType:
        """Return this type for values of another type of streams, which has the same values."""
        return self._with(_type_info=type_info)

    def _text(self) -> str:
        return self.name


class NullType(AtomicType):
    """The data type of columns that hold only nulls."""

    __slots__ = ()

    def __init__(self) -> None:
        AtomicType.__init__(self, "NULL", Types.VOID)


class NumericType(AtomicType):
    """The data type of numbers."""

    __slots__ = ()


class IntegralType(NumericType):
    """The data type of whole numbers."""

    __slots__ = ()


class FractionalType(NumericType):
    """The data type of numbers with fractions."""

    __slots__ = ()


class BooleanType(AtomicType):
    """The data type of ``bool``."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "BOOLEAN", Types.BOOLEAN, nullable)


class TinyIntType(IntegralType):
    """The data type of 8-bit integers."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "TINYINT", Types.BYTE, nullable)


class SmallIntType(IntegralType):
    """The data type of 16-bit integers."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "SMALLINT", Types.SHORT, nullable)


class IntType(IntegralType):
    """The data type of 32-bit integers."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "INT", Types.INT, nullable)


class BigIntType(IntegralType):
    """The data type of 64-bit integers."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "BIGINT", Types.LONG, nullable)


class FloatType(FractionalType):
    """The data type of 32-bit floats."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "FLOAT", Types.FLOAT, nullable)


class DoubleType(FractionalType):
    """The data type of 64-bit floats."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "DOUBLE", Types.DOUBLE, nullable)


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class DecimalType(FractionalType):
    """The data type of decimals of a fixed scale.

    Attributes:
        precision: number of digits, from 1 to 38.
        scale: number of digits after the decimal point.

    Raises:
        ConfigurationError: precision or scale is out of range.
    """

    precision: int
    scale: int

    def __init__(self, precision: int = 10, scale: int = 0, nullable: bool = True) -> None:
        if not (1 <= precision <= 38 and 0 <= scale <= precision):
            raise ConfigurationError(
                f"DECIMAL({precision}, {scale}): the precision must be from 1 to 38 and the scale from 0 to "
                "the precision"
            )
        type_info = BigDecimalTypeInfo(precision, scale)
        AtomicType.__init__(self, type_info.display_name(), type_info, nullable)
        made_of(self, precision=precision, scale=scale)

    def _parameters(self) -> tuple[object, ...]:
        return self.precision, self.scale


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _MeasuredType(AtomicType):
    """The data type of text or bytes of a length.

    Attributes:
        length: the number of characters or bytes, from 1 on.
    """

    length: int

    def __init__(self, name: str, type_info: TypeInformation[Any], length: int, nullable: bool) -> None:
        made_of(self, is_nullable=nullable, name=name, _type_info=type_info, length=length)

    def _parameters(self) -> tuple[object, ...]:
        return (self.length,)


@checks_arguments(ArgumentTypeError, methods=False)
class CharType(_MeasuredType):
    """The data type of text of a fixed length."""

    __slots__ = ()

    def __init__(self, length: int = 1, nullable: bool = True) -> None:
        super().__init__(f"CHAR({length})", Types.STRING, length, nullable)


@checks_arguments(ArgumentTypeError, methods=False)
class VarCharType(_MeasuredType):
    """The data type of text of a limited length; STRING is that of all texts."""

    __slots__ = ()

    def __init__(self, length: int = 1, nullable: bool = True) -> None:
        name = "STRING" if length == UNLIMITED else f"VARCHAR({length})"
        super().__init__(name, Types.STRING, length, nullable)


@checks_arguments(ArgumentTypeError, methods=False)
class BinaryType(_MeasuredType):
    """The data type of bytes of a fixed length."""

    __slots__ = ()

    def __init__(self, length: int = 1, nullable: bool = True) -> None:
        super().__init__(f"BINARY({length})", _BYTES, length, nullable)


@checks_arguments(ArgumentTypeError, methods=False)
class VarBinaryType(_MeasuredType):
    """The data type of bytes of a limited length; BYTES is that of all bytes."""

    __slots__ = ()

    def __init__(self, length: int = 1, nullable: bool = True) -> None:
        name = "BYTES" if length == UNLIMITED else f"VARBINARY({length})"
        super().__init__(name, _BYTES, length, nullable)


class DateType(AtomicType):
    """The data type of dates."""

    __slots__ = ()

    def __init__(self, nullable: bool = True) -> None:
        AtomicType.__init__(self, "DATE", Types.SQL_DATE, nullable)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _PreciseType(AtomicType):
    """The data type of times.

    Attributes:
        precision: the digits of seconds, from 0 to 9; streams hold 6 at most.
    """

    precision: int

    def __init__(
        self, name: str, type_info: TypeInformation[Any] | None, precision: int, nullable: bool
    ) -> None:
        made_of(self, is_nullable=nullable, name=name, _type_info=type_info, precision=precision)

    def _parameters(self) -> tuple[object, ...]:
        return (self.precision,)


@checks_arguments(ArgumentTypeError, methods=False)
class TimeType(_PreciseType):
    """The data type of times of day."""

    __slots__ = ()

    def __init__(self, precision: int = 0, nullable: bool = True) -> None:
        super().__init__(f"TIME({precision})", Types.SQL_TIME, precision, nullable)


@checks_arguments(ArgumentTypeError, methods=False)
class TimestampType(_PreciseType):
    """The data type of timestamps without a zone."""

    __slots__ = ()

    def __init__(self, precision: int = 6, nullable: bool = True) -> None:
        super().__init__(f"TIMESTAMP({precision})", Types.SQL_TIMESTAMP, precision, nullable)


@checks_arguments(ArgumentTypeError, methods=False)
class LocalZonedTimestampType(_PreciseType):
    """The data type of points in time, which are shown in the time zone of the session."""

    __slots__ = ()

    def __init__(self, precision: int = 6, nullable: bool = True) -> None:
        super().__init__(f"TIMESTAMP_LTZ({precision})", Types.INSTANT, precision, nullable)


@checks_arguments(ArgumentTypeError, methods=False)
class ZonedTimestampType(_PreciseType):
    """The data type of timestamps with a zone each, which Flink declares but does not support in tables."""

    __slots__ = ()

    def __init__(self, precision: int = 6, nullable: bool = True) -> None:
        super().__init__(f"TIMESTAMP({precision}) WITH TIME ZONE", None, precision, nullable)
