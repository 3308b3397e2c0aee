"""SQL data types, for the columns of files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.names import quoted_name
from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError, short_repr
from typeinfo.info import TypeInformation
from typeinfo.types import Types

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DataType(ABC):
    """The data type of a column.

    Attributes:
        is_nullable: whether the column may hold nulls.

    Mirrors ``org.apache.flink.table.types.DataType``.
    """

    _example: ClassVar[str] = "DataTypes.INT()"

    is_nullable: bool = True

    @property
    @abstractmethod
    def type_info(self) -> TypeInformation[Any]:
        """Type of the values in a stream."""

    @abstractmethod
    def _text(self) -> str:
        """The name in SQL, without nullability."""

    def __str__(self) -> str:
        return self._text() if self.is_nullable else f"{self._text()} NOT NULL"

    def not_null(self) -> Self:
        """Return this type without nulls."""
        return replace(self, is_nullable=False)

    def nullable(self) -> Self:
        """Return this type with nulls."""
        return replace(self, is_nullable=True)

    @checks_arguments(ArgumentTypeError)
    def bridged_to(self, conversion_cls: str) -> Self:
        """Return this type: Java classes, which Flink converts values to, do not exist here."""
        return self


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True)
class AtomicType(DataType):
    """The data type of numbers, text, bytes, dates or times.

    Attributes:
        name: its name in SQL.
    """

    name: str
    _type_info: TypeInformation[Any] = field(repr=False)

    @property
    def type_info(self) -> TypeInformation[Any]:
        return self._type_info

    def _text(self) -> str:
        return self.name


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True)
class DecimalType(DataType):
    """The data type of decimals of a fixed scale; in a stream they are BIG_DEC.

    Attributes:
        precision: number of digits, from 1 to 38.
        scale: number of digits after the decimal point.
    """

    precision: int
    scale: int

    @property
    def type_info(self) -> TypeInformation[Any]:
        return Types.BIG_DEC

    def _text(self) -> str:
        return f"DECIMAL({self.precision}, {self.scale})"


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True)
class ArrayType(DataType):
    """The data type of arrays.

    Attributes:
        element_type: type of the elements.
    """

    element_type: DataType

    @property
    def type_info(self) -> TypeInformation[Any]:
        element = self.element_type
        array = Types.OBJECT_ARRAY if element.is_nullable else Types.LIST
        return array(element.type_info)

    def _text(self) -> str:
        return f"ARRAY<{self.element_type}>"


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True)
class MapType(DataType):
    """The data type of maps.

    Attributes:
        key_type: type of the keys.
        value_type: type of the values.
    """

    key_type: DataType
    value_type: DataType

    @property
    def type_info(self) -> TypeInformation[Any]:
        return Types.MAP(self.key_type.type_info, self.value_type.type_info)

    def _text(self) -> str:
        return f"MAP<{self.key_type}, {self.value_type}>"


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True)
class RowField:
    """A column.

    Attributes:
        name: its name.
        data_type: type of its values.
        description: a comment, which has no effect.
    """

    _example: ClassVar[str] = "DataTypes.FIELD('a', DataTypes.INT())"

    name: str
    data_type: DataType
    description: str | None = None

    def __str__(self) -> str:
        return f"{quoted_name(self.name)} {self.data_type}"


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True)
class RowType(DataType):
    """The data type of rows, whose fields are columns.

    Attributes:
        fields: the columns in order.
    """

    fields: tuple[RowField, ...]

    @property
    def type_info(self) -> TypeInformation[Any]:
        return Types.ROW_NAMED([f.name for f in self.fields], [f.data_type.type_info for f in self.fields])

    def _text(self) -> str:
        return f"ROW<{', '.join(map(str, self.fields))}>"


def type_info_of(row_type: object, role: str) -> TypeInformation[Any]:
    """Return the element type of a data type or of a type of streams.

    Raises:
        UnsupportedTypeError: ``row_type`` is neither.
    """
    if isinstance(row_type, DataType):
        return row_type.type_info
    if isinstance(row_type, TypeInformation):
        return row_type
    raise UnsupportedTypeError(
        f"{role} must be DataTypes.ROW([DataTypes.FIELD(…)]) or a TypeInformation such as "
        f"Types.ROW_NAMED(…), not {short_repr(row_type)}"
    )


_BYTES = Types.PRIMITIVE_ARRAY(Types.BYTE)


@checks_arguments(ArgumentTypeError)
class DataTypes:
    """Factory of data types.

    Columns of tables hold values of exactly these types. In files and streams, lengths of text and bytes and
    the precision of times are not enforced.
    Mirrors ``org.apache.flink.table.api.DataTypes``.
    """

    @staticmethod
    def NULL() -> AtomicType:
        """Return the type of columns that hold only nulls."""
        return AtomicType("NULL", Types.VOID, is_nullable=True)

    @staticmethod
    def CHAR(length: int, nullable: bool = True) -> AtomicType:
        """Return the type of text of a fixed length."""
        return AtomicType(f"CHAR({length})", Types.STRING, is_nullable=nullable)

    @staticmethod
    def VARCHAR(length: int, nullable: bool = True) -> AtomicType:
        """Return the type of text of a limited length."""
        return AtomicType(f"VARCHAR({length})", Types.STRING, is_nullable=nullable)

    @staticmethod
    def STRING(nullable: bool = True) -> AtomicType:
        """Return the type of text."""
        return AtomicType("STRING", Types.STRING, is_nullable=nullable)

    @staticmethod
    def BOOLEAN(nullable: bool = True) -> AtomicType:
        """Return the type of ``bool``."""
        return AtomicType("BOOLEAN", Types.BOOLEAN, is_nullable=nullable)

    @staticmethod
    def BINARY(length: int, nullable: bool = True) -> AtomicType:
        """Return the type of bytes of a fixed length."""
        return AtomicType(f"BINARY({length})", _BYTES, is_nullable=nullable)

    @staticmethod
    def VARBINARY(length: int, nullable: bool = True) -> AtomicType:
        """Return the type of bytes of a limited length."""
        return AtomicType(f"VARBINARY({length})", _BYTES, is_nullable=nullable)

    @staticmethod
    def BYTES(nullable: bool = True) -> AtomicType:
        """Return the type of bytes."""
        return AtomicType("BYTES", _BYTES, is_nullable=nullable)

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
        if not (1 <= precision <= 38 and 0 <= scale <= precision):
            raise ConfigurationError(
                f"DECIMAL({precision}, {scale}): the precision must be from 1 to 38 and the scale from 0 to "
                "the precision"
            )
        return DecimalType(precision, scale, is_nullable=nullable)

    @staticmethod
    def TINYINT(nullable: bool = True) -> AtomicType:
        """Return the type of 8-bit integers."""
        return AtomicType("TINYINT", Types.BYTE, is_nullable=nullable)

    @staticmethod
    def SMALLINT(nullable: bool = True) -> AtomicType:
        """Return the type of 16-bit integers."""
        return AtomicType("SMALLINT", Types.SHORT, is_nullable=nullable)

    @staticmethod
    def INT(nullable: bool = True) -> AtomicType:
        """Return the type of 32-bit integers."""
        return AtomicType("INT", Types.INT, is_nullable=nullable)

    @staticmethod
    def BIGINT(nullable: bool = True) -> AtomicType:
        """Return the type of 64-bit integers."""
        return AtomicType("BIGINT", Types.LONG, is_nullable=nullable)

    @staticmethod
    def FLOAT(nullable: bool = True) -> AtomicType:
        """Return the type of 32-bit floats."""
        return AtomicType("FLOAT", Types.FLOAT, is_nullable=nullable)

    @staticmethod
    def DOUBLE(nullable: bool = True) -> AtomicType:
        """Return the type of 64-bit floats."""
        return AtomicType("DOUBLE", Types.DOUBLE, is_nullable=nullable)

    @staticmethod
    def DATE(nullable: bool = True) -> AtomicType:
        """Return the type of dates."""
        return AtomicType("DATE", Types.SQL_DATE, is_nullable=nullable)

    @staticmethod
    def TIME(precision: int = 0, nullable: bool = True) -> AtomicType:
        """Return the type of times of day, to the microsecond."""
        return AtomicType(f"TIME({precision})", Types.SQL_TIME, is_nullable=nullable)

    @staticmethod
    def TIMESTAMP(precision: int = 6, nullable: bool = True) -> AtomicType:
        """Return the type of timestamps without a zone, to the microsecond."""
        return AtomicType(f"TIMESTAMP({precision})", Types.SQL_TIMESTAMP, is_nullable=nullable)

    @staticmethod
    def TIMESTAMP_WITH_LOCAL_TIME_ZONE(precision: int = 6, nullable: bool = True) -> AtomicType:
        """Return the type of instants, to the microsecond."""
        return AtomicType(f"TIMESTAMP_LTZ({precision})", Types.INSTANT, is_nullable=nullable)

    @staticmethod
    def TIMESTAMP_LTZ(precision: int = 6, nullable: bool = True) -> AtomicType:
        """Return the type of instants, to the microsecond."""
        return DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(precision, nullable)

    @staticmethod
    def ARRAY(element_type: DataType, nullable: bool = True) -> ArrayType:
        """Return the type of arrays of a type."""
        return ArrayType(_require(element_type, "element_type"), is_nullable=nullable)

    @staticmethod
    def MAP(key_type: DataType, value_type: DataType, nullable: bool = True) -> MapType:
        """Return the type of maps."""
        return MapType(
            _require(key_type, "key_type"), _require(value_type, "value_type"), is_nullable=nullable
        )

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
        return RowType(tuple(row_fields), is_nullable=nullable)


def _require(data_type: object, role: str) -> DataType:
    if isinstance(data_type, DataType):
        return data_type
    raise ConfigurationError(
        f"{role} must be a data type such as DataTypes.INT(), not {short_repr(data_type)}"
    )
