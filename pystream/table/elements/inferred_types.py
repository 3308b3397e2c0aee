"""The data types of values of the program, which ``from_elements`` infers as PyFlink does."""

from __future__ import annotations

import datetime
from array import array
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import reduce
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

from pystream.errors import PlanError, PlanTypeError
from pystream.sql_types.composite_types import MultisetType
from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType, RowField, RowType
from pystream.sql_types.user_defined_type import UserDefinedType
from pystream.table.expression.base import ExpressionTree
from typeinfo.errors import short_repr
from typeinfo.instant import Instant
from typeinfo.row import Row

__all__ = ["element_fields", "merged_type", "schema_of_elements"]

_NULL = DataTypes.NULL()

_SCALARS: Mapping[type[Any], DataType] = MappingProxyType(
    {
        type(None): _NULL,
        bool: DataTypes.BOOLEAN(),
        int: DataTypes.BIGINT(),
        float: DataTypes.DOUBLE(),
        str: DataTypes.STRING(),
        bytes: DataTypes.BYTES(),
        bytearray: DataTypes.BYTES(),
        Decimal: DataTypes.DECIMAL(38, 18),
        datetime.date: DataTypes.DATE(),
        datetime.time: DataTypes.TIME(),
        datetime.datetime: DataTypes.TIMESTAMP_LTZ(6),
        Instant: DataTypes.TIMESTAMP_LTZ(6),
    }
)

_SIGNED = {1: DataTypes.TINYINT(), 2: DataTypes.SMALLINT(), 4: DataTypes.INT(), 8: DataTypes.BIGINT()}
"""The types of integers by their bytes."""

_OF_ARRAYS: Mapping[str, DataType] = MappingProxyType(
    {
        "f": DataTypes.FLOAT(),
        "d": DataTypes.DOUBLE(),
        **{code: _SIGNED[array(code).itemsize] for code in "bhilq"},
        **{code: _SIGNED[2 * array(code).itemsize] for code in "BHI"},
    }
)
"""The types of the elements of an ``array`` by its code; one without a sign needs a bit more."""


class _Outside(NamedTuple):
    """The values that a value is part of, by their identity, and the fields on the way to it."""

    values: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    def field(self, name: str) -> _Outside:
        """Return what the value of a field is in."""
        return self._replace(names=(name, *self.names))

    def entered(self, value: object) -> _Outside:
        """Return what the parts of a value are in.

        Raises:
            PlanTypeError: the value contains itself.
        """
        if id(value) in self.values:
            place = " of ".join(f"field {name!r}" for name in self.names)
            raise PlanTypeError(
                f"{place} contains itself ({type(value).__name__}), so that its type has no end; leave out "
                "the part that refers back, or give a schema without it"
            )
        return self._replace(values=(id(value), *self.values))


def _inferred(value: object, outside: _Outside) -> DataType:
    """Return the data type of a value; that of its first element or entry for a list or dict.

    Raises:
        PlanTypeError: there is none for its class, or the value contains itself.
    """
    found = _SCALARS.get(type(value))
    if found is not None:
        return found
    declared = getattr(value, "__UDT__", None)
    if isinstance(declared, UserDefinedType):
        return declared
    inside = outside.entered(value)
    match value:
        case dict():
            entries = ((key, item) for key, item in value.items() if key is not None and item is not None)
            for key, item in entries:
                return MapType(_inferred(key, inside).not_null(), _inferred(item, inside))
            return MapType(_NULL, _NULL)
        case list():
            return ArrayType(next((_inferred(item, inside) for item in value if item is not None), _NULL))
        case array() if value.typecode in _OF_ARRAYS:
            return ArrayType(_OF_ARRAYS[value.typecode].not_null())
        case ExpressionTree():
            raise PlanTypeError(f"{value!r} is part of an element; make the whole one an expression: row(…)")
    fields = element_fields(value)
    if fields is None:
        raise PlanTypeError(
            f"there is no data type for {short_repr(value)} ({type(value).__name__}); give a schema such as "
            "DataTypes.ROW([DataTypes.FIELD('a', DataTypes.INT())]), or convert the value"
        )
    return _row_type(fields, inside)


def element_fields(element: object, names: Sequence[str] | None = None) -> Sequence[tuple[str, Any]] | None:
    """Return the fields of an element by their names; ``None`` if it has none.

    They are those of a Row or named tuple; the items of a dict and the attributes of an object, sorted; and
    the parts of another tuple, list or Row, which are called ``_1``, ``_2`` and so on. Members of an Enum,
    classes and modules have none.

    Args:
        element: the element.
        names: the names for the first parts of a tuple, list or Row without names.
    """
    match element:
        case dict():
            return sorted(element.items())
        case Row() if (own := element.get_field_names()) is not None:
            return list(zip(own, element, strict=True))
        case tuple() if (own := getattr(element, "_fields", None)) is not None:
            return list(zip(own, element, strict=True))
        case tuple() | list() | Row():
            given = list(names or ())[: len(element)]
            added = [f"_{number}" for number in range(len(given) + 1, len(element) + 1)]
            return list(zip((*given, *added), element, strict=True))
        case Enum() | type() | ModuleType():
            return None
    attributes = getattr(element, "__dict__", None)
    return None if attributes is None else sorted(attributes.items())


def _row_type(fields: Iterable[tuple[str, Any]], inside: _Outside) -> RowType:
    return RowType([RowField(name, _inferred(value, inside.field(name))) for name, value in fields])


def merged_type(one: DataType, other: DataType, place: str = "") -> DataType:
    """Return the data type of values of two types: that of both, where one knows more parts of it.

    Args:
        one: the first type; it decides between types of one class.
        other: the second type.
        place: the field, for messages.

    Raises:
        PlanTypeError: the types are of different classes.
    """
    if _NULL in (one, other):
        return other if one == _NULL else one
    if type(one) is not type(other):
        raise PlanTypeError(
            f"{place or 'the values'}: there are values of {one} and of {other}; convert them to one type, "
            "or give a schema"
        )
    match one, other:
        case RowType(fields=fields), RowType(fields=others):
            return RowType(_merged_fields(fields, others, place))
        case ArrayType(element), ArrayType(another):
            return ArrayType(merged_type(element, another, f"an element of {place or 'the array'}"))
        case MultisetType(element), MultisetType(another):
            return MultisetType(merged_type(element, another, f"an element of {place or 'the multiset'}"))
        case MapType(key, value), MapType(another_key, another_value):
            return MapType(
                merged_type(key, another_key, f"a key of {place or 'the map'}"),
                merged_type(value, another_value, f"a value of {place or 'the map'}"),
            )
    return one


def _merged_fields(fields: Sequence[RowField], others: Sequence[RowField], place: str) -> list[RowField]:
    """Return the fields of two rows; one that only one of them has is null in the other."""
    counterparts = {field.name: field.data_type for field in others}
    within = f" of {place}" if place else ""
    merged = [
        RowField(
            field.name,
            merged_type(
                field.data_type, counterparts.pop(field.name, _NULL), f"field {field.name!r}{within}"
            ),
        )
        for field in fields
    ]
    return [*merged, *(RowField(name, data_type) for name, data_type in counterparts.items())]


def schema_of_elements(elements: Sequence[object], names: Sequence[str] | None = None) -> RowType:
    """Return the columns of rows, tuples, lists, dicts or objects.

    Args:
        elements: the elements.
        names: the names for the first parts of tuples, lists and rows without names.

    Raises:
        PlanError: there are no elements, or a column has only nulls or empty collections.
        PlanTypeError: an element has no fields, a value has no type or contains itself, or a column has
            values of several types.
    """
    if not elements:
        raise PlanError("the types of columns cannot be inferred from no elements; give a schema")
    types = []
    for number, element in enumerate(elements):
        fields = element_fields(element, names)
        if fields is None:
            raise PlanTypeError(
                f"element {number} has no fields: {short_repr(element)} ({type(element).__name__}); put it "
                "into a tuple, as in [(1,), (2,)], or give the data type of the elements as schema"
            )
        types.append(_row_type(fields, _Outside((id(element),))))
    schema = reduce(_merged_rows, types)
    for field in schema.fields:
        if _is_unknown(field.data_type):
            place, given = f"the type of column {field.name!r}", _emptiness(field.data_type)
            raise PlanError(f"{place} cannot be inferred from its {given}; give a schema")
    return schema


def _emptiness(data_type: DataType) -> str:
    """Return what values of a type that is not known wholly are, for messages."""
    match data_type:
        case ArrayType(element_type) if element_type == _NULL:
            return "lists, which have no values in them"
        case MapType(_, value_type) if value_type == _NULL:
            return "dicts, which have no values in them"
    return "nulls" if data_type == _NULL else "values, parts of which are always null or empty"


def _merged_rows(one: RowType, other: RowType) -> RowType:
    return one if one == other else RowType(_merged_fields(one.fields, other.fields, ""))


def _is_unknown(data_type: DataType) -> bool:
    """Return whether a type, or one that it contains, is that of nulls."""
    match data_type:
        case RowType(fields=fields):
            return any(_is_unknown(field.data_type) for field in fields)
        case ArrayType(element_type) | MultisetType(element_type):
            return _is_unknown(element_type)
        case MapType(key_type, value_type):
            return _is_unknown(key_type) or _is_unknown(value_type)
    return data_type == _NULL
