"""Values of columns whose elements are records of the program, as the rows that SQL sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from typeinfo.row import Row, make_row

__all__ = ["ListShape", "MapShape", "RowShape", "Shape", "as_rows", "field_at", "rows_at", "rows_of"]


class RowShape(NamedTuple):
    """A row.

    Attributes:
        names: the names of its fields.
        fields: their shapes.
    """

    names: tuple[str, ...]
    fields: tuple[Shape | None, ...]


class ListShape(NamedTuple):
    """An array.

    Attributes:
        element: the shape of its elements.
    """

    element: Shape


class MapShape(NamedTuple):
    """A map.

    Attributes:
        key: the shape of its keys; ``None`` if they contain no rows.
        value: that of its values.
    """

    key: Shape | None
    value: Shape | None


Shape: TypeAlias = RowShape | ListShape | MapShape
"""The places of rows in values of a type."""


def rows_at(shape: Shape, position: int, row: Sequence[Any]) -> Any:
    """Return a field of a row, with rows instead of the records in it."""
    return as_rows(shape, row[position])


def rows_of(shape: Shape, evaluate: Callable[[Sequence[Any]], Any], row: Sequence[Any]) -> Any:
    """Return the value of an expression for a row, with rows instead of the records in it."""
    return as_rows(shape, evaluate(row))


def field_at(shape: RowShape, position: int, number: int, row: Sequence[Any]) -> Any:
    """Return a field of the record that a field of a row is, with rows instead of the records in it.

    Args:
        shape: the shape of the record.
        position: the field of the row.
        number: the field of the record.
        row: the row.
    """
    record = row[position]
    if record is None:
        return None
    name = shape.names[number]
    if isinstance(record, Row | tuple):
        value = record[number]
    elif isinstance(record, dict):  # of a TypedDict, which may lack keys
        value = record.get(name)
    else:
        value = getattr(record, name)
    return as_rows(shape.fields[number], value)


def as_rows(shape: Shape | None, value: Any) -> Any:
    """Return a value with rows instead of the records in it."""
    if value is None or shape is None:
        return value
    match shape:
        case RowShape(names=names, fields=fields):
            values = list(map(as_rows, fields, _fields(names, value)))
            return make_row(values, names)
        case ListShape(element=element):
            return [as_rows(element, one) for one in value]
        case MapShape(key=key, value=of_value):
            return {as_rows(key, name): as_rows(of_value, one) for name, one in value.items()}


def _fields(names: Sequence[str], value: Any) -> Sequence[Any]:
    if isinstance(value, Row | tuple):
        return tuple(value)
    if isinstance(value, dict):  # of a TypedDict, which may lack keys
        return [value.get(name) for name in names]
    return [getattr(value, name) for name in names]
