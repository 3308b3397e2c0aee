"""Data types as trees of the parser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from pystream.errors import ConfigurationError
from pystream.sql_types.composite_types import MultisetType
from pystream.sql_types.data_types import (
    ArrayType,
    AtomicType,
    DataType,
    DataTypes,
    MapType,
    RowField,
    RowType,
)

__all__ = ["cast_type", "data_type_of_sql", "declared_type", "is_multiset", "sql_of_data_type"]

_DType = exp.DType

# The parameters of a type, where they are left out, are Flink's.
_SIMPLE: dict[Any, Callable[..., DataType]] = {
    _DType.BOOLEAN: DataTypes.BOOLEAN,
    _DType.TINYINT: DataTypes.TINYINT,
    _DType.SMALLINT: DataTypes.SMALLINT,
    _DType.INT: DataTypes.INT,
    _DType.BIGINT: DataTypes.BIGINT,
    _DType.FLOAT: DataTypes.FLOAT,
    _DType.DOUBLE: DataTypes.DOUBLE,
    _DType.DATE: DataTypes.DATE,
    _DType.TEXT: DataTypes.STRING,
}
_MEASURED: dict[Any, Callable[..., DataType]] = {
    _DType.CHAR: lambda length=1: DataTypes.CHAR(length),
    _DType.VARCHAR: lambda length=None: DataTypes.VARCHAR(length) if length else DataTypes.STRING(),
    _DType.BINARY: lambda length=1: DataTypes.BINARY(length),
    _DType.VARBINARY: lambda length=None: DataTypes.VARBINARY(length) if length else DataTypes.BYTES(),
    _DType.DECIMAL: lambda precision=10, scale=0: DataTypes.DECIMAL(precision, scale),
    _DType.TIME: DataTypes.TIME,
    _DType.TIMESTAMPNTZ: DataTypes.TIMESTAMP,
    _DType.TIMESTAMPLTZ: DataTypes.TIMESTAMP_LTZ,
}


_KINDS: dict[str, Any] = {
    "BYTES": _DType.VARBINARY,
    "STRING": _DType.TEXT,
    "TIMESTAMP": _DType.TIMESTAMPNTZ,
    "TIMESTAMP_LTZ": _DType.TIMESTAMPLTZ,
}
"""The parser's kinds of types that have another name there."""


_MULTISET = "MULTISET"


def is_multiset(tree: exp.Expr | None) -> bool:
    """Return whether a type is that of multisets, which are maps to the parser."""
    kind = tree.args.get("kind") if isinstance(tree, exp.DataType) else None
    return isinstance(kind, exp.Var) and kind.name == _MULTISET


def data_type_of_sql(tree: exp.Expr | None) -> DataType:
    """Return the data type that an expression of the parser stands for.

    Raises:
        ConfigurationError: there is no such type, or its parameters are out of range.
    """
    data_type = _nullable_type(tree)
    assert tree is not None
    return data_type if tree.args.get("nullable") is not False else data_type.not_null()


def _nullable_type(tree: exp.Expr | None) -> DataType:
    if not isinstance(tree, exp.DataType):
        raise ConfigurationError("a column needs a type, such as INT or STRING")
    parts = tree.expressions
    match tree.this:
        case _DType.ARRAY if len(parts) == 1:
            return DataTypes.ARRAY(data_type_of_sql(parts[0]))
        case _DType.MAP if len(parts) == 2:
            return DataTypes.MAP(data_type_of_sql(parts[0]), data_type_of_sql(parts[1]))
        case _DType.STRUCT if parts:
            return DataTypes.ROW([_field(part) for part in parts])
        case kind if kind in _SIMPLE and not parts:
            return _SIMPLE[kind]()
        case kind if kind in _MEASURED and all(part.name.isdigit() for part in parts):
            return _MEASURED[kind](*(int(part.name) for part in parts))
    raise ConfigurationError(f"the type {tree.sql()} is not supported")


def _field(tree: exp.Expr) -> RowField:
    if not isinstance(tree, exp.ColumnDef):
        raise ConfigurationError("a field of a ROW needs a name and a type, such as ROW<id INT>")
    return DataTypes.FIELD(tree.name, data_type_of_sql(tree.args.get("kind")))


def sql_of_data_type(data_type: DataType) -> exp.DataType:
    """Return the parser's expression of a data type; one that SQL does not know, such as RAW, is unknown."""
    match data_type:
        case ArrayType(element_type):
            return _nested(_DType.ARRAY, [sql_of_data_type(element_type)])
        case MultisetType(element_type):
            counts = _nested(_DType.MAP, [sql_of_data_type(element_type), sql_of_data_type(DataTypes.INT())])
            counts.set("kind", exp.Var(this=_MULTISET))
            return counts
        case MapType(key_type, value_type):
            return _nested(_DType.MAP, [sql_of_data_type(key_type), sql_of_data_type(value_type)])
        case RowType(fields=fields):
            return _nested(_DType.STRUCT, [_sql_of_field(field) for field in fields])
        case AtomicType():
            base, _, digits = str(data_type.nullable()).rstrip(")").partition("(")
            return _measured(_KINDS.get(base) or getattr(_DType, base), digits.split(", ") if digits else [])
    return exp.DataType(this=_DType.UNKNOWN)


def _measured(kind: Any, digits: list[str]) -> exp.DataType:
    return exp.DataType(
        this=kind, expressions=[exp.DataTypeParam(this=exp.Literal.number(one)) for one in digits]
    )


def _nested(kind: Any, parts: list[Any]) -> exp.DataType:
    return exp.DataType(this=kind, expressions=parts, nested=True)


def _sql_of_field(field: RowField) -> exp.ColumnDef:
    name = exp.to_identifier(field.name, quoted=True)
    return exp.ColumnDef(this=name, kind=sql_of_data_type(field.data_type))


def cast_type(data_type: DataType) -> exp.DataType | None:
    """Return the type to which Spark casts values of a data type, ``None`` if it has no name for it."""
    tree = sql_of_data_type(data_type)
    return None if any(part.this == _DType.UNKNOWN for part in tree.find_all(exp.DataType)) else tree


def declared_type(node: exp.Expr) -> DataType | None:
    """Return the type that an expression states itself, as literals and casts do; ``None`` for others."""
    if isinstance(node, exp.Literal) and node.is_string:
        return DataTypes.CHAR(len(node.name))
    if isinstance(node, exp.HexString):
        return DataTypes.BINARY(len(node.name) // 2)
    if not isinstance(node, exp.Cast):
        return None
    try:
        return data_type_of_sql(node.to)
    except ConfigurationError:
        return None
