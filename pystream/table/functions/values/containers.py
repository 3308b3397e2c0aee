"""The making of arrays, maps and rows, and their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pystream.table.functions.values.calls import Evaluate
from typeinfo.row import Row

__all__ = ["array_of", "element_at", "field_of", "map_of", "row_of", "value_of"]


def element_at(values: Sequence[Any], index: int) -> Any:
    """Return an element, from 1; null if there is none."""
    return values[index - 1] if 1 <= index <= len(values) else None


def value_of(entries: Mapping[Any, Any], key: Any) -> Any:
    """Return the value of a key; null if there is none."""
    return entries.get(key)


def field_of(position: int, row: Sequence[Any]) -> Any:
    """Return a field of a row."""
    return row[position]


def array_of(values: Sequence[Evaluate], row: Sequence[Any]) -> list[Any]:
    """Return an array of some values."""
    return [value(row) for value in values]


def map_of(entries: Sequence[tuple[Evaluate, Evaluate]], row: Sequence[Any]) -> dict[Any, Any]:
    """Return a map of keys to values."""
    return {key(row): value(row) for key, value in entries}


def row_of(names: Sequence[str], values: Sequence[Evaluate], row: Sequence[Any]) -> Row[Any]:
    """Return a row of some values."""
    return Row(**{name: value(row) for name, value in zip(names, values, strict=True)})
