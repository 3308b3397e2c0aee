"""Map types to Arrow types and schemas, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

import pyarrow as pa

from typeinfo import basic, temporal
from typeinfo.carried import CarriedTypeInfo
from typeinfo.collection import (
    ArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import FieldsTypeInfo, RowTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.layout import (
    METADATA_KEY,
    CarriedField,
    carried_fields,
    columns_of,
    decimal_type,
    describe,
    erased,
    erased_elements,
    located,
    parse,
)
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.scalar import SCALARS, ScalarTypeInfo

__all__ = [
    "erased",
    "from_arrow",
    "from_arrow_schema",
    "is_bytes",
    "is_list",
    "is_text",
    "spark_layout",
    "to_arrow",
    "to_arrow_schema",
]

_METADATA_KEY = METADATA_KEY.encode()


def to_arrow(t: TypeInformation[Any]) -> pa.DataType:
    """Return the Arrow type for values of a type.

    BIG_INT is decimal(38, 0), BIG_DEC decimal(38, 18), UUID its text, an enum the name of its member, bytes
    and pickled values are binary, a composite is a struct (a boolean, always true, if it has no fields). The
    kind of a row is not carried.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    match t:
        case ScalarTypeInfo():
            name, *arguments = t.traits.arrow
            dt: pa.DataType = getattr(pa, name)(*arguments)
            return dt
        case PickledBytesTypeInfo():
            return pa.binary()
        case OptionalTypeInfo() | LiteralTypeInfo():
            return to_arrow(t.value_type)
        case CustomTypeInfo() | CarriedTypeInfo():
            return to_arrow(t.carrier)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return pa.binary()
        case ArrayTypeInfo():
            (slot,) = t.slots()
            return pa.list_(_field("element", slot.type, nullable=slot.nullable))
        case MapTypeInfo():
            key, value = t.slots()
            return pa.map_(
                pa.field("key", to_arrow(key.type), nullable=False),
                _field("value", value.type, nullable=value.nullable),
            )
        case FieldsTypeInfo():
            return pa.struct(_fields(carried_fields(t))) if t.field_types else pa.bool_()
    raise UnsupportedTypeError(f"{t!r} has no Arrow type")


def to_arrow_schema(t: TypeInformation[Any]) -> pa.Schema:
    """Return the schema of a table with elements of a type.

    A composite has one column per field, any other type (and a composite without fields) one named ``value``.
    The metadata holds the type itself, as ``erased_elements(t)``.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    return pa.schema(_fields(columns_of(t)), metadata={METADATA_KEY: describe(erased_elements(t))})


def spark_layout(schema: pa.Schema) -> pa.Schema:
    """Return a schema in Spark's layout: times of day in nanoseconds, all else unchanged.

    Cast batches to it before passing them to Spark: ``batch.cast(spark_layout(batch.schema))``.
    """
    return pa.schema(
        [f.with_type(_spark_layout(f.type)) for f in schema], metadata=dict(schema.metadata or {})
    )


def _spark_layout(dt: pa.DataType) -> pa.DataType:
    if pa.types.is_time(dt):
        return pa.time64("ns")
    if pa.types.is_list(dt):
        return pa.list_(dt.value_field.with_type(_spark_layout(dt.value_type)))
    if pa.types.is_map(dt):
        return pa.map_(
            dt.key_field.with_type(_spark_layout(dt.key_type)),
            dt.item_field.with_type(_spark_layout(dt.item_type)),
        )
    if pa.types.is_struct(dt):
        return pa.struct([f.with_type(_spark_layout(f.type)) for f in dt])
    return dt


def _fields(fields: Iterable[CarriedField]) -> list[pa.Field]:
    return [_field(f.name, f.type, nullable=f.nullable) for f in fields]


def _field(name: str, t: TypeInformation[Any], *, nullable: bool) -> pa.Field:
    return pa.field(name, to_arrow(t), nullable=nullable or t.admits_none())


def from_arrow(dt: pa.DataType) -> TypeInformation[Any]:
    """Return the type for values of an Arrow type.

    Unsigned integers and half floats are widened, and encodings (dictionary, run-end, large, view)
    ignored. A struct is a ROW_NAMED, a list a LIST, or an OBJECT_ARRAY if its elements may be null.
    Timestamps finer than a microsecond are accepted; a value that does not fit is an error when it is read.
    So are decimals of more than 20 integer digits, which are an error when they become a column.

    Raises:
        UnsupportedTypeError: intervals of months, unions, decimals of more than 38 digits, of which more than
            18 follow the point, maps whose keys Python cannot hash; the message names the field.
    """
    return _from(dt, "")


def from_arrow_schema(schema: pa.Schema) -> TypeInformation[Any]:
    """Return the row type of a table.

    The inverse of ``to_arrow_schema``, except that a type with Python classes comes back erased. The metadata
    is used only if the columns still agree with it; any other schema is a ROW_NAMED of its
    columns. Reading data declared PICKLED_BYTE_ARRAY unpickles it, so read such files only from those you
    trust.

    Raises:
        UnsupportedTypeError: a column has no corresponding type, or names repeat; the message names it.
    """
    described = (schema.metadata or {}).get(_METADATA_KEY)
    declared = None if described is None else parse(described)
    if declared is not None and _same_columns(to_arrow_schema(declared), schema):
        return declared
    return _row(schema, "")


def _plain_type(dt: pa.DataType) -> pa.DataType:
    """Return the type of an array without dictionary, run-end and extension encodings."""
    if pa.types.is_dictionary(dt) or pa.types.is_run_end_encoded(dt):
        return _plain_type(dt.value_type)
    if isinstance(dt, pa.BaseExtensionType):
        return _plain_type(dt.storage_type)
    return dt


def is_text(dt: pa.DataType) -> bool:
    """Return whether an Arrow type holds strings, in any layout."""
    return pa.types.is_string(dt) or pa.types.is_large_string(dt) or pa.types.is_string_view(dt)


def is_bytes(dt: pa.DataType) -> bool:
    """Return whether an Arrow type holds bytes, in any layout."""
    types = pa.types
    return (
        types.is_binary(dt)
        or types.is_large_binary(dt)
        or types.is_binary_view(dt)
        or types.is_fixed_size_binary(dt)
    )


def is_list(dt: pa.DataType) -> TypeGuard[pa.ListType]:
    """Return whether an Arrow type holds lists, in any layout."""
    types = pa.types
    return (
        types.is_list(dt)
        or types.is_large_list(dt)
        or types.is_fixed_size_list(dt)
        or types.is_list_view(dt)
        or types.is_large_list_view(dt)
    )


_SCALARS: list[tuple[Callable[[pa.DataType], bool], TypeInformation[Any]]] = [
    (getattr(pa.types, name), t) for t in SCALARS.values() for name in t.traits.from_arrow
]
_PANDAS = {
    "pandas.period": "its storage is a bare count; convert it with .dt.to_timestamp() or .astype(str)",
    "pandas.interval": "Python has no corresponding type; give its ends as two columns",
}


def _from(dt: pa.DataType, path: str) -> TypeInformation[Any]:
    if isinstance(dt, pa.UuidType):
        return basic.UUID
    if isinstance(dt, pa.BaseExtensionType) and dt.extension_name in _PANDAS:
        with located(f"pandas type {dt.extension_name}", path):
            raise UnsupportedTypeError(_PANDAS[dt.extension_name])
    dt = _plain_type(dt)
    for matches, t in _SCALARS:
        if matches(dt):
            return t
    if is_bytes(dt):
        return PrimitiveArrayTypeInfo(basic.BYTE)
    if pa.types.is_timestamp(dt):
        return temporal.SQL_TIMESTAMP if dt.tz is None else temporal.INSTANT
    if is_list(dt):
        element = _from(dt.value_type, f"{path}[]")
        nullable = dt.value_field.nullable and not element.admits_none()
        return ObjectArrayTypeInfo(element) if nullable else ListTypeInfo(element)
    if pa.types.is_struct(dt):
        return _row(dt, path)
    if pa.types.is_map(dt):
        key, value = _from(dt.key_type, f"{path}{{}}"), _from(dt.item_type, f"{path}[]")
        with located(f"Arrow type {dt}", path):
            return MapTypeInfo(key, value)
    with located(f"Arrow type {dt}", path):
        if pa.types.is_decimal(dt):
            return decimal_type(dt.precision, dt.scale)
        raise UnsupportedTypeError("Python has no corresponding type")


def _row(fields: Iterable[pa.Field], path: str) -> TypeInformation[Any]:
    types, names = [], []
    for field in fields:
        types.append(_from(field.type, f"{path}.{field.name}"))
        names.append(field.name)
    with located(f"Arrow type {fields}" if isinstance(fields, pa.DataType) else "", path):
        return RowTypeInfo(types, names)


def _same_columns(declared: Iterable[pa.Field], found: Iterable[pa.Field]) -> bool:
    declared, found = list(declared), list(found)
    return len(declared) == len(found) and all(
        a.name == b.name and _same_values(a.type, b.type) for a, b in zip(declared, found, strict=True)
    )


def _same_values(declared: pa.DataType, found: pa.DataType) -> bool:
    """Return whether two types have the same values, regardless of layout, unit and nullability."""
    found = _plain_type(found)
    if declared == found:
        return True
    types = pa.types
    if types.is_struct(declared):
        return types.is_struct(found) and _same_columns(declared, found)
    if types.is_map(declared):
        return (
            types.is_map(found)
            and _same_values(declared.key_type, found.key_type)
            and _same_values(declared.item_type, found.item_type)
        )
    if types.is_list(declared):
        return is_list(found) and _same_values(declared.value_type, found.value_type)
    if types.is_timestamp(declared):
        return types.is_timestamp(found) and (declared.tz is None) == (found.tz is None)
    same_family = (is_text, is_bytes, types.is_time, types.is_duration)
    return any(family(declared) and family(found) for family in same_family)
