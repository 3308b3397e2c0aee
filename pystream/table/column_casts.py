"""Casts of the values of columns, to the types that they are declared with, and to those of other columns.

The type of a stream has no precision, scale or length, but a column holds values of its declared type on
every edge of a table. What does not fit is treated as by CAST: decimals are rounded and times cut to their
digits, text and bytes are cut to their length, and filled up if it is fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from functools import partial
from typing import Any, NamedTuple

from pystream.engine.formats.fields import Declaration, maker_of, opener_of
from pystream.errors import PlanTypeError
from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType, RowType
from pystream.table.columns import TableColumn, row_type
from pystream.table.conversions import Converter, ElementConversion
from pystream.table.functions.conversion import ANY_DECIMAL, TIME_OF_PROGRAM, conversion
from pystream.table.functions.kinds import NUMBERS, Kind, kind_of, length_of
from pystream.table.functions.values.cast_call import CastCall
from pystream.table.functions.values.composites import converted_fields
from pystream.table.functions.values.conversions import converted_entries, converted_items, or_null, same
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation

__all__ = ["ColumnCast", "Typed", "declarations", "declared_casts", "implicit_casts", "row_conversion"]

_UNLIMITED: Mapping[Kind | None, DataType] = {
    Kind.DECIMAL: ANY_DECIMAL,
    Kind.TEXT: DataTypes.STRING(),
    Kind.BYTES: DataTypes.BYTES(),
    Kind.TIME: DataTypes.TIME(6),
    Kind.TIMESTAMP: DataTypes.TIMESTAMP(9),
    Kind.TIMESTAMP_LTZ: DataTypes.TIMESTAMP_LTZ(9),
}
"""The types of all values that a stream may hold for columns of a kind."""

_WIDER: Mapping[Kind, Sequence[Kind]] = {
    **{kind: NUMBERS[number:] for number, kind in enumerate(NUMBERS)},
    Kind.DECIMAL: (Kind.DECIMAL, Kind.FLOAT, Kind.DOUBLE),
    Kind.FLOAT: (Kind.FLOAT, Kind.DOUBLE, Kind.DECIMAL),
    Kind.DOUBLE: (Kind.DOUBLE, Kind.DECIMAL),
    Kind.TIMESTAMP: (Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ, Kind.DATE, Kind.TIME),
    Kind.TIMESTAMP_LTZ: (Kind.TIMESTAMP_LTZ, Kind.TIMESTAMP),
}
"""The kinds to which Flink casts implicitly; other kinds only to themselves."""


class Typed(NamedTuple):
    """The types of some values.

    Attributes:
        data_type: the type in SQL.
        type_info: the type in a stream.
    """

    data_type: DataType
    type_info: TypeInformation[Any]


class ColumnCast(NamedTuple):
    """A cast of the values of a column.

    Attributes:
        place: the column, for messages.
        source: the types of the values.
        target: the types of the results.
        zone: the time zone of TIMESTAMP_LTZ, ``None`` if the cast does not need it.
        is_declaration: whether ``target`` declares the type of values that have no precision, scale or length
            so far; otherwise ``source`` has them.
        is_lenient: whether a value that does not fit becomes null where its type allows it.
        is_of_program: whether the program gives the values.
    """

    place: str
    source: Typed
    target: Typed
    zone: tzinfo | None = None
    is_declaration: bool = False
    is_lenient: bool = False
    is_of_program: bool = False

    def converter(self) -> Converter | None:
        """Return the function that casts a value that is not null, ``None`` if all stay the same.

        Raises:
            PlanTypeError: Flink does not cast the one type to the other implicitly.
        """
        convert = self.conversion()
        return None if convert is None else CastCall(convert, self.place)

    def conversion(self) -> Converter | None:
        """Return the function of `converter`, whose errors do not name the place."""
        return self._of(self.source, self.target, self.place)

    def _of(self, source: Typed, target: Typed, path: str) -> Converter | None:
        old, new = _plain(source.type_info), _plain(target.type_info)
        match source.data_type, target.data_type:
            case RowType(fields=own), RowType(fields=wanted) if len(own) == len(wanted):
                assert isinstance(old, FieldsTypeInfo)
                assert isinstance(new, FieldsTypeInfo)
                parts = [
                    self._of(Typed(one.data_type, t), Typed(other.data_type, u), f"{path}.{other.name}")
                    for one, t, other, u in zip(own, old.field_types, wanted, new.field_types, strict=True)
                ]
                if old == new and not any(parts):
                    return None
                fields = [(position, part or same) for position, part in enumerate(parts)]
                return partial(converted_fields, opener_of(old), fields, maker_of(new))
            case ArrayType(own), ArrayType(wanted):
                assert isinstance(old, ArrayTypeInfo)
                assert isinstance(new, ArrayTypeInfo)
                part = self._of(Typed(own, old.element_type), Typed(wanted, new.element_type), f"{path}[]")
                return part and partial(converted_items, part)
            case MapType(key, value), MapType(wanted_key, wanted_value):
                assert isinstance(old, MapTypeInfo)
                assert isinstance(new, MapTypeInfo)
                keys = self._of(Typed(key, old.key_type), Typed(wanted_key, new.key_type), f"{path}.keys()")
                values = self._of(
                    Typed(value, old.value_type), Typed(wanted_value, new.value_type), f"{path}.values()"
                )
                return partial(converted_entries, keys or same, values or same) if keys or values else None
        convert = self._of_scalars(source.data_type, target.data_type)
        if convert is None:
            wanted = target.data_type
            complaint = (
                f"not {wanted}" if self.is_declaration else f"not cast to {wanted} implicitly; CAST it"
            )
            raise PlanTypeError(f"{path} is {source.data_type}, which is {complaint}")
        if convert is same:
            return None
        return partial(or_null, convert) if self.is_lenient and target.data_type.is_nullable else convert

    def _of_scalars(self, source: DataType, target: DataType) -> Converter | None:
        kind, wanted = kind_of(source), kind_of(target)
        if kind is None or wanted is None:
            return same if source.nullable() == target.nullable() else None
        if self.is_declaration:
            if self.is_of_program and kind == wanted == Kind.TIME:
                return conversion(TIME_OF_PROGRAM, target)
            if kind == wanted:
                return conversion(_UNLIMITED.get(wanted, target), target)
            return same if conversion(source, target) is same else None
        if wanted not in _WIDER.get(kind, (kind,)) or (_is_fixed(target) and not _is_fixed(source)):
            return None
        return conversion(source, target, self.zone)


def _is_fixed(data_type: DataType) -> bool:
    """Return whether a type of text or bytes has a fixed length."""
    return kind_of(data_type) in (Kind.TEXT, Kind.BYTES) and length_of(data_type)[1]


def _plain(t: TypeInformation[Any]) -> TypeInformation[Any]:
    return t.value_type if isinstance(t, OptionalTypeInfo) else t


class _FieldCast(NamedTuple):
    """The cast of a column as readers of messages and files make it, whose errors name the field."""

    cast: ColumnCast

    def converter(self) -> Converter | None:
        convert = self.cast.conversion()
        return None if convert is None else CastCall(convert)


def declarations(columns: Sequence[TableColumn], *, is_lenient: bool = False) -> tuple[Declaration, ...]:
    """Return what columns declare of the values in messages and files.

    Args:
        columns: the columns.
        is_lenient: whether a value that does not fit becomes null where its type allows it.
    """
    casts = declared_casts(columns, columns)
    return tuple(
        Declaration(column.data_type.is_nullable, _FieldCast(cast._replace(is_lenient=is_lenient)))
        for column, cast in zip(columns, casts, strict=True)
    )


def declared_casts(
    columns: Sequence[TableColumn], declared: Sequence[TableColumn], owner: str = ""
) -> list[ColumnCast]:
    """Return the casts by which columns of a stream get the types that they are declared with.

    Args:
        columns: the columns as the stream has them.
        declared: the same columns as they are declared.
        owner: what they belong to, as the end of a phrase, for messages.
    """
    return [
        ColumnCast(
            f"column {wanted.name!r}{owner}",
            Typed(column.data_type, column.type_info),
            Typed(wanted.data_type, wanted.type_info),
            is_declaration=True,
        )
        for column, wanted in zip(columns, declared, strict=True)
    ]


def implicit_casts(
    columns: Sequence[TableColumn], wanted: Sequence[TableColumn], zone: tzinfo
) -> list[ColumnCast]:
    """Return the casts that INSERT makes, as Flink does.

    Args:
        columns: the columns of the rows.
        wanted: those of the table that they are written to.
        zone: the time zone of TIMESTAMP_LTZ.
    """
    return [
        ColumnCast(
            f"column {other.name!r}"
            if column.name == other.name
            else f"column {column.name!r} into {other.name!r}",
            Typed(column.data_type, column.type_info),
            Typed(other.data_type, other.type_info),
            zone,
        )
        for column, other in zip(columns, wanted, strict=True)
    ]


def row_conversion(
    source: TypeInformation[Any],
    positions: Sequence[int],
    columns: Sequence[TableColumn],
    casts: Sequence[ColumnCast],
) -> ElementConversion | None:
    """Return the function that makes rows of cast values, ``None`` if the elements are these rows already.

    Args:
        source: the type of the elements.
        positions: the field of the elements for each column.
        columns: the columns of the rows.
        casts: the casts of their values.

    Raises:
        PlanTypeError: values are not cast from one type to another.
    """
    target = row_type(columns)
    converters = [cast.converter() for cast in casts]
    if source == target and list(positions) == list(range(len(columns))) and not any(converters):
        return None
    return ElementConversion(source, positions, target, casts)
