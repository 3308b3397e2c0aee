"""The data types of values that are made of others: arrays, multisets, maps and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, overload

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.data_type import DataType, made_of
from pystream.sql_types.names import quoted_name
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = [
    "ArrayType",
    "ListViewType",
    "MapType",
    "MapViewType",
    "MultisetType",
    "RowField",
    "RowType",
]


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class ArrayType(DataType):
    """The data type of arrays.

    Attributes:
        element_type: type of the elements.
    """

    element_type: DataType

    def __init__(self, element_type: DataType, nullable: bool = True) -> None:
        made_of(self, is_nullable=nullable, element_type=element_type)

    @property
    def type_info(self) -> TypeInformation[Any]:
        element = self.element_type
        array = Types.OBJECT_ARRAY if element.is_nullable else Types.LIST
        return array(element.type_info)

    def _text(self) -> str:
        return f"ARRAY<{self.element_type}>"

    def _parameters(self) -> tuple[object, ...]:
        return (self.element_type,)


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class MultisetType(DataType):
    """The data type of bags of elements; in a stream they are maps from an element to how often it occurs.

    Attributes:
        element_type: type of the elements.
    """

    element_type: DataType

    def __init__(self, element_type: DataType, nullable: bool = True) -> None:
        made_of(self, is_nullable=nullable, element_type=element_type)

    @property
    def type_info(self) -> TypeInformation[Any]:
        return Types.MAP(self.element_type.type_info, Types.INT())

    def _text(self) -> str:
        return f"MULTISET<{self.element_type}>"

    def _parameters(self) -> tuple[object, ...]:
        return (self.element_type,)


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class MapType(DataType):
    """The data type of maps.

    Attributes:
        key_type: type of the keys.
        value_type: type of the values.
    """

    key_type: DataType
    value_type: DataType

    def __init__(self, key_type: DataType, value_type: DataType, nullable: bool = True) -> None:
        made_of(self, is_nullable=nullable, key_type=key_type, value_type=value_type)

    @property
    def type_info(self) -> TypeInformation[Any]:
        return Types.MAP(self.key_type.type_info, self.value_type.type_info)

    def _text(self) -> str:
        return f"MAP<{self.key_type}, {self.value_type}>"

    def _parameters(self) -> tuple[object, ...]:
        return self.key_type, self.value_type


class ListViewType(ArrayType):
    """The data type of a list in the accumulator of an aggregate function."""

    __slots__ = ()

    def __init__(self, element_type: DataType) -> None:
        ArrayType.__init__(self, element_type)


class MapViewType(MapType):
    """The data type of a map in the accumulator of an aggregate function."""

    __slots__ = ()

    def __init__(self, key_type: DataType, value_type: DataType) -> None:
        MapType.__init__(self, key_type, value_type)


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        return f"RowField({self.name}, {self.data_type!r}, {self.description or '...'})"


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class RowType(DataType):
    """The data type of rows, whose fields are columns; a sequence of these fields.

    Mirrors ``org.apache.flink.table.types.FieldsDataType``.

    Examples:
        >>> from pystream.table import DataTypes
        >>> row_type = DataTypes.ROW().add("id", DataTypes.INT()).add("name", DataTypes.STRING())
        >>> print(row_type)
        ROW<`id` INT, `name` STRING>
        >>> row_type["name"].data_type == row_type[1].data_type == DataTypes.STRING()
        True
    """

    _fields: tuple[RowField, ...]

    def __init__(self, fields: Sequence[RowField] | None = None, nullable: bool = True) -> None:
        made_of(self, is_nullable=nullable, _fields=tuple(fields or ()))

    @property
    def fields(self) -> list[RowField]:
        """The columns in order, as a list of their own."""
        return [*self._fields]

    @property
    def type_info(self) -> TypeInformation[Any]:
        return Types.ROW_NAMED([f.name for f in self._fields], [f.data_type.type_info for f in self._fields])

    def add(self, field: RowField | str, data_type: DataType | None = None) -> RowType:
        """Add a column to this type, and return the type.

        This is the one method that changes a type, as in PyFlink: add all columns before it is used.

        Args:
            field: the column, or its name.
            data_type: the type of its values, if a name is given.

        Raises:
            ConfigurationError: a name is given without a type.
        """
        if isinstance(field, str):
            if not isinstance(data_type, DataType):
                raise ConfigurationError(
                    f"add({field!r}, …) takes a type such as DataTypes.INT(), not {short_repr(data_type)}"
                )
            field = RowField(field, data_type)
        made_of(self, _fields=(*self._fields, field))
        return self

    @property
    def names(self) -> list[str]:
        """The names of the columns in order."""
        return [field.name for field in self._fields]

    def field_names(self) -> list[str]:
        """Return the names of the columns in order."""
        return self.names

    def field_types(self) -> list[DataType]:
        """Return the types of the columns in order."""
        return [field.data_type for field in self._fields]

    def __iter__(self) -> Iterator[RowField]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, key: str | int) -> RowField: ...

    @overload
    def __getitem__(self, key: slice) -> RowType: ...

    def __getitem__(self, key: str | int | slice) -> RowField | RowType:
        if isinstance(key, slice):
            return RowType(self._fields[key])
        if isinstance(key, str):
            for field in self._fields:
                if field.name == key:
                    return field
            raise KeyError(f"there is no field {key!r} among {', '.join(self.names)}")
        return self._fields[key]

    def _text(self) -> str:
        return f"ROW<{', '.join(map(str, self._fields))}>"

    def __repr__(self) -> str:
        return f"RowType({','.join(map(repr, self._fields))})"
