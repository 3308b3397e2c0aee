"""The layout of schemas in Arrow and Spark: fields of composites as columns, and types as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeGuard

from typeinfo.basic import BIG_DEC, BIG_INT, STRING
from typeinfo.carried import CarriedTypeInfo
from typeinfo.collection import (
    ArrayTypeInfo,
    BasicArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY, PickledBytesTypeInfo
from typeinfo.scalar import SCALARS

__all__ = [
    "METADATA_KEY",
    "VALUE_COLUMN",
    "CarriedField",
    "carried_fields",
    "columns_of",
    "decimal_type",
    "describe",
    "erased",
    "erased_elements",
    "has_columns",
    "located",
    "parse",
]

VALUE_COLUMN = "value"
METADATA_KEY = "typeinfo"


class CarriedField(NamedTuple):
    """A field in the form in which a table carries it.

    Attributes:
        name: the column's name.
        type: the type of the column.
        nullable: whether the column may hold nulls.
        segment: the path of the field, as in ``.name``.
        wrapped: whether the value is wrapped in a 1-tuple, so that a missing key differs from ``None``.
    """

    name: str
    type: TypeInformation[Any]
    nullable: bool
    segment: str
    wrapped: bool = False


def carried_fields(t: FieldsTypeInfo[Any]) -> tuple[CarriedField, ...]:
    """Return the fields of a composite in order.

    An optional key of a TypedDict is null if it is missing; if its type admits ``None``, values are wrapped
    in a 1-tuple.
    """
    optional_keys = t.optional_keys if isinstance(t, RecordTypeInfo) else frozenset()
    fields = []
    for name, slot in zip(t.get_field_names(), t.slots(), strict=True):
        wrapped = name in optional_keys and slot.type.admits_none()
        carried = TupleTypeInfo((slot.type,)) if wrapped else slot.type
        nullable = slot.nullable or slot.type.admits_none() or name in optional_keys
        fields.append(CarriedField(name, carried, nullable, slot.segment, wrapped))
    return tuple(fields)


def has_columns(t: TypeInformation[Any]) -> TypeGuard[FieldsTypeInfo[Any]]:
    """Return whether a table of elements of a type has one column per field."""
    return isinstance(t, FieldsTypeInfo) and bool(t.field_types)


def columns_of(t: TypeInformation[Any]) -> tuple[CarriedField, ...]:
    """Return the columns of a table: a composite's fields, or else one column ``value``.

    A composite without fields is one column ``value`` of booleans, all true, because most table formats lose
    the number of rows of a table without columns.
    """
    if has_columns(t):
        return carried_fields(t)
    return (CarriedField(VALUE_COLUMN, t, t.admits_none(), ""),)


def erased(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type that a schema is read back as: ``t`` itself, unless it contains Python classes.

    Records become ROW_NAMED, enums STRING, literals the type of their values, custom types and all others
    that are carried as another type their carrier.
    No schema ever makes a reader import or unpickle.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    match t:
        case PickledBytesTypeInfo():
            return PICKLED_BYTE_ARRAY
        case OptionalTypeInfo():
            return OptionalTypeInfo(erased(t.value_type))
        case EnumTypeInfo():
            return STRING
        case LiteralTypeInfo():
            return erased(t.value_type)
        case CustomTypeInfo() | CarriedTypeInfo():
            return erased(t.carrier)
        case RecordTypeInfo():
            fields = carried_fields(t)
            return RowTypeInfo([erased(f.type) for f in fields], [f.name for f in fields])
        case RowTypeInfo():
            return RowTypeInfo(map(erased, t.field_types), t.field_names)
        case TupleTypeInfo():
            return TupleTypeInfo(map(erased, t.field_types))
        case ArrayTypeInfo():
            return type(t)(erased(t.element_type))  # type: ignore[call-arg]
        case MapTypeInfo():
            return MapTypeInfo(erased(t.key_type), erased(t.value_type))
        case BigDecimalTypeInfo():
            return t
    if t not in _NAMES:
        raise UnsupportedTypeError(f"{t!r} has no counterpart in a schema")
    return t


def erased_elements(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type that the schema of a table of elements is read back as.

    It is ``erased(t)``, or for a type carried by a composite, which is a single column, a row of it.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    plain = erased(t)
    if not isinstance(t, FieldsTypeInfo) and has_columns(plain):
        return RowTypeInfo([plain], [VALUE_COLUMN])
    return plain


def decimal_type(precision: int, scale: int) -> TypeInformation[Any]:
    """Return the decimal type for a precision and a scale.

    It is BIG_DEC if its columns hold these digits, BIG_INT for larger integers, and else one of these digits.

    Raises:
        UnsupportedTypeError: there are more than 38 digits, of which more than 18 follow the point.
    """
    if scale > 18:
        return BigDecimalTypeInfo(precision, scale)
    return BIG_INT if scale <= 0 and precision - scale > 20 else BIG_DEC


@contextmanager
def located(what: str, path: str) -> Iterator[None]:
    """Name the field in the messages of errors that are raised within the block.

    Args:
        what: the type of the field, e.g. ``Arrow type month_interval``; may be empty.
        path: its path; empty for the schema itself.
    """
    try:
        yield
    except UnsupportedTypeError as error:
        where = f"field {path.lstrip('.')!r}" if path else "the schema"
        found = f" of {what}" if what else ""
        raise UnsupportedTypeError(f"{where}{found} cannot be read: {error}") from None


_CONSTANTS: dict[str, TypeInformation[Any]] = {
    **SCALARS,
    "PICKLED_BYTE_ARRAY": PICKLED_BYTE_ARRAY,
}
_NAMES = {value: name for name, value in _CONSTANTS.items()}
_ARRAYS: dict[str, type[ArrayTypeInfo[Any]]] = {
    "PRIMITIVE_ARRAY": PrimitiveArrayTypeInfo,
    "BASIC_ARRAY": BasicArrayTypeInfo,
    "OBJECT_ARRAY": ObjectArrayTypeInfo,
    "LIST": ListTypeInfo,
}
_ARRAY_NAMES = {cls: name for name, cls in _ARRAYS.items()}


def describe(t: TypeInformation[Any]) -> str:
    """Return ``erased(t)`` as compact JSON, by the names in ``Types``, for a schema's metadata."""
    return json.dumps(_tree(erased(t)), ensure_ascii=False, separators=(",", ":"))


def parse(text: str | bytes) -> TypeInformation[Any] | None:
    """Parse a type written by ``describe``; ``None`` for any other text."""
    try:
        return _type(json.loads(text))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


def _tree(t: TypeInformation[Any]) -> Any:
    match t:
        case OptionalTypeInfo():
            return ["OPTIONAL", _tree(t.value_type)]
        case RowTypeInfo(field_names=None):
            return ["ROW", *map(_tree, t.field_types)]
        case RowTypeInfo():
            return ["ROW_NAMED", t.get_field_names(), *map(_tree, t.field_types)]
        case TupleTypeInfo():
            return ["TUPLE", *map(_tree, t.field_types)]
        case ArrayTypeInfo():
            return [_ARRAY_NAMES[type(t)], _tree(t.element_type)]
        case MapTypeInfo():
            return ["MAP", _tree(t.key_type), _tree(t.value_type)]
        case BigDecimalTypeInfo():
            return ["DECIMAL", t.precision, t.scale]
    return _NAMES[t]


def _type(tree: Any) -> TypeInformation[Any]:
    if isinstance(tree, str):
        return _CONSTANTS[tree]
    kind, *parts = tree
    if kind == "ROW_NAMED":
        names, *parts = parts
        return RowTypeInfo(map(_type, parts), names)
    if kind == "DECIMAL":
        return BigDecimalTypeInfo(*parts)
    types = [_type(part) for part in parts]
    match kind:
        case "ROW":
            return RowTypeInfo(types)
        case "TUPLE":
            return TupleTypeInfo(types)
        case "MAP":
            return MapTypeInfo(*types)
        case "OPTIONAL":
            return OptionalTypeInfo(*types)
    return _ARRAYS[kind](*types)
