"""Instants as the datetimes that functions of the program get."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import tzinfo
from functools import partial
from typing import Any, TypeAlias

from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row, make_row
from typeinfo.types import Types

__all__ = ["InZone", "in_zone"]

InZone: TypeAlias = Callable[[tzinfo, Any], Any]
"""Returns a value with datetimes of a time zone in place of the instants in it; null stays null."""


def in_zone(t: TypeInformation[Any]) -> InZone | None:
    """Return the function that replaces the instants in values of a type, ``None`` if there are none."""
    if t == Types.INSTANT():
        return _datetime
    match t:
        case RowTypeInfo():
            fields = [in_zone(field) for field in t.field_types]
            return partial(_row, tuple(t.get_field_names()), fields) if any(fields) else None
        case ArrayTypeInfo():
            element = in_zone(t.elem_type)
            return None if element is None else partial(_list, element)
        case MapTypeInfo():
            key, value = in_zone(t.key_type), in_zone(t.value_type)
            return None if key is None and value is None else partial(_dict, key or _same, value or _same)
    return None


def _datetime(zone: tzinfo, value: Any) -> Any:
    return None if value is None else value.to_datetime().astimezone(zone)


def _row(names: tuple[str, ...], fields: Sequence[InZone | None], zone: tzinfo, value: Any) -> Any:
    if value is None:
        return None
    values = [
        part if change is None else change(zone, part) for change, part in zip(fields, value, strict=True)
    ]
    return make_row(values, names, value.get_row_kind()) if isinstance(value, Row) else tuple(values)


def _list(element: InZone, zone: tzinfo, value: Any) -> Any:
    return None if value is None else [element(zone, part) for part in value]


def _dict(key: InZone, item: InZone, zone: tzinfo, value: Any) -> Any:
    return None if value is None else {key(zone, k): item(zone, v) for k, v in value.items()}


def _same(zone: tzinfo, value: Any) -> Any:
    return value
