"""Map types to Spark types and schemas, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import types as spark

from typeinfo.basic import BYTE
from typeinfo.carried import CarriedTypeInfo
from typeinfo.collection import (
    ArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import FieldsTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.layout import (
    METADATA_KEY,
    VALUE_COLUMN,
    CarriedField,
    carried_fields,
    columns_of,
    decimal_type,
    describe,
    erased_elements,
    located,
    parse,
)
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.scalar import SCALARS, ScalarTypeInfo

__all__ = ["from_spark", "from_spark_schema", "to_spark", "to_spark_schema"]


def to_spark(t: TypeInformation[Any]) -> spark.DataType:
    """Return the Spark type for values of a type, in the layout of ``to_arrow``.

    SQL_TIME is TimeType(6), which Spark cannot read from Arrow in microseconds (see ``spark_layout``), and
    writes to files only with ``spark.sql.timeType.enabled``. DURATION is a day-time interval. The fields of a
    struct are always nullable, because Spark 4.3 fails to return a null struct whose fields
    are not. A composite without fields is a boolean, always true, because Spark loses rows without columns
    and writes no empty struct to Parquet.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    match t:
        case ScalarTypeInfo():
            name, *arguments = t.traits.spark
            dt: spark.DataType = getattr(spark, name)(*arguments)
            return dt
        case PickledBytesTypeInfo():
            return spark.BinaryType()
        case OptionalTypeInfo() | LiteralTypeInfo():
            return to_spark(t.value_type)
        case CustomTypeInfo() | CarriedTypeInfo():
            return to_spark(t.carrier)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return spark.BinaryType()
        case ArrayTypeInfo():
            (slot,) = t.slots()
            return spark.ArrayType(to_spark(slot.type), slot.nullable or slot.type.admits_none())
        case MapTypeInfo():
            key, value = t.slots()
            nullable = value.nullable or value.type.admits_none()
            return spark.MapType(to_spark(key.type), to_spark(value.type), nullable)
        case FieldsTypeInfo():
            fields = [spark.StructField(f.name, to_spark(f.type), True) for f in carried_fields(t)]
            return spark.StructType(fields) if fields else spark.BooleanType()
    raise UnsupportedTypeError(f"{t!r} has no Spark type")


def to_spark_schema(t: TypeInformation[Any]) -> spark.StructType:
    """Return the schema of a data frame with elements of a type, with columns as in ``to_arrow_schema``.

    The metadata of each column holds the class of the composite and the (erased) type of the column, so that
    columns keep their types when others are added, dropped or renamed.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    owner = _owner(t)
    return spark.StructType([_column(field, owner) for field in columns_of(t)])


def _owner(t: TypeInformation[Any]) -> str:
    match erased_elements(t):
        case FieldsTypeInfo(field_types=()):
            return "VALUE"
        case TupleTypeInfo():
            return "TUPLE"
        case RowTypeInfo(field_names=None):
            return "ROW"
        case RowTypeInfo():
            return "ROW_NAMED"
    return "VALUE"


def _column(field: CarriedField, owner: str) -> spark.StructField:
    metadata = {METADATA_KEY: {"of": owner, "type": describe(field.type)}}
    return spark.StructField(field.name, to_spark(field.type), field.nullable, metadata)


def from_spark(dt: spark.DataType) -> TypeInformation[Any]:
    """Return the type for values of a Spark type.

    A struct is a ROW_NAMED, an array a LIST, or an OBJECT_ARRAY if its elements may be null. A user-defined
    type is the type it is stored as.

    Raises:
        UnsupportedTypeError: intervals of months, variants, geometries, maps whose keys Python cannot hash;
            the message names the field.
    """
    return _from(dt, "", decimal_type)


def from_spark_schema(
    schema: spark.StructType, decimals: Callable[[int, int], TypeInformation[Any]] = decimal_type
) -> TypeInformation[Any]:
    """Return the row type of a data frame.

    The inverse of ``to_spark_schema``, except that a type with Python classes comes back erased. A column's
    metadata is used only if its Spark type agrees; columns without metadata make a ROW_NAMED.
    Reading data declared PICKLED_BYTE_ARRAY unpickles it, so read such files only from those you trust.

    Args:
        schema: the columns of the data frame.
        decimals: returns the type of decimals of a precision and scale; ``decimal_type`` unless given.

    Raises:
        UnsupportedTypeError: a column has no corresponding type, or names repeat; the message names it.
    """
    owners = {_note(field).get("of") for field in schema}
    types = [_declared(field) or _from(field.dataType, f".{field.name}", decimals) for field in schema]
    names = list(schema.names)
    if owners == {"VALUE"} and names == [VALUE_COLUMN]:
        return types[0]
    if names == [f"f{i}" for i in range(len(names))]:
        if owners == {"TUPLE"}:
            return TupleTypeInfo(types)
        if owners == {"ROW"}:
            return RowTypeInfo(types)
    return RowTypeInfo(types, names)


def _note(field: spark.StructField) -> dict[str, Any]:
    note = (field.metadata or {}).get(METADATA_KEY)
    return note if isinstance(note, dict) else {}


def _declared(field: spark.StructField) -> TypeInformation[Any] | None:
    text = _note(field).get("type")
    declared = parse(text) if isinstance(text, str) else None
    return declared if declared is not None and _same(to_spark(declared), field.dataType) else None


def _same(declared: spark.DataType, found: spark.DataType) -> bool:
    """Return whether two types are equal except for nullability, which Spark often drops."""
    match declared, found:
        case spark.ArrayType(), spark.ArrayType():
            return _same(declared.elementType, found.elementType)
        case spark.MapType(), spark.MapType():
            return _same(declared.keyType, found.keyType) and _same(declared.valueType, found.valueType)
        case spark.StructType(), spark.StructType():
            return declared.names == found.names and all(
                _same(a.dataType, b.dataType) for a, b in zip(declared, found, strict=True)
            )
    return declared == found


_SCALARS: dict[type[spark.DataType], TypeInformation[Any]] = {
    getattr(spark, name): t for t in SCALARS.values() for name in t.traits.from_spark
}


def _from(
    dt: spark.DataType, path: str, decimals: Callable[[int, int], TypeInformation[Any]]
) -> TypeInformation[Any]:
    if type(dt) in _SCALARS:
        return _SCALARS[type(dt)]
    match dt:
        case spark.ArrayType():
            element = _from(dt.elementType, f"{path}[]", decimals)
            nullable = dt.containsNull and not element.admits_none()
            return ObjectArrayTypeInfo(element) if nullable else ListTypeInfo(element)
        case spark.StructType():
            types = [_from(field.dataType, f"{path}.{field.name}", decimals) for field in dt]
            with located(f"Spark type {dt.simpleString()}", path):
                return RowTypeInfo(types, dt.names)
        case spark.MapType():
            key = _from(dt.keyType, f"{path}{{}}", decimals)
            value = _from(dt.valueType, f"{path}[]", decimals)
            with located(f"Spark type {dt.simpleString()}", path):
                return MapTypeInfo(key, value)
        case spark.BinaryType():
            return PrimitiveArrayTypeInfo(BYTE)
        case spark.UserDefinedType():
            return _from(dt.sqlType(), path, decimals)
    with located(f"Spark type {dt.simpleString()}", path):
        if isinstance(dt, spark.DecimalType):
            return decimals(dt.precision, dt.scale)
        raise UnsupportedTypeError("Python has no corresponding type")
