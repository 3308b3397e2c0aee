"""Validation of single values of state.

Serializers validate whole columns, which takes several microseconds for a single value. Most values can be
validated by their class alone; only the others are passed to the serializer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import getattr_static
from operator import call
from typing import Any

from pystream.engine.state.slots import Check
from typeinfo.basic import BOOLEAN, DOUBLE, STRING
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import row_class
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["check_of"]


def check_of(type_info: TypeInformation[Any]) -> Check:
    """Return a function that validates values of a type."""
    from typeinfo.serde import serializer_for

    if isinstance(type_info, PickledBytesTypeInfo):
        return _as_it_is
    conform, fits = serializer_for(type_info).conform, _surely_fits(type_info)
    return partial(_conformed, conform) if fits is None else partial(_conformed_unless, fits, conform)


def _as_it_is(value: Any) -> Any:
    return value


def _conformed(conform: Callable[[list[Any]], list[Any]], value: Any) -> Any:
    return conform([value])[0]


def _conformed_unless(fits: Callable[[Any], bool], conform: Callable[[list[Any]], Any], value: Any) -> Any:
    return value if fits(value) else conform([value])[0]


def _surely_fits(type_info: TypeInformation[Any]) -> Callable[[Any], bool] | None:
    """Return a fast predicate for values that certainly fit a type unchanged, ``None`` if there is none."""
    if type(type_info) is TupleTypeInfo:
        parts = [fits for part in type_info.field_types if (fits := _surely_fits(part)) is not None]
        return partial(_is_tuple_of, parts, len(parts)) if len(parts) == len(type_info.field_types) else None
    if isinstance(type_info, RowTypeInfo | RecordTypeInfo):
        return _fields_fit(type_info)
    if not isinstance(type_info, ScalarTypeInfo):
        return None
    bounds = type_info.traits.bounds
    return _EXACT.get(type_info) if bounds is None else partial(_is_integer_from, *bounds)


def _fields_fit(type_info: RowTypeInfo | RecordTypeInfo[Any]) -> Callable[[Any], bool] | None:
    """Return a fast predicate for named rows, named tuples and dataclasses that store their fields."""
    parts: list[Callable[[Any], bool]] = []
    for slot in type_info.slots():
        inner, nullable = slot.type, slot.nullable
        if isinstance(inner, OptionalTypeInfo):
            inner, nullable = inner.value_type, True
        fits = _surely_fits(inner)
        if fits is None:
            return None
        parts.append(partial(_is_none_or, fits) if nullable else fits)
    if isinstance(type_info, RowTypeInfo):
        if type_info.field_names is None:
            return None
        return partial(_is_row_of, row_class(tuple(type_info.field_names)), parts, len(parts))
    cls: Any = type_info.record_class
    names = tuple(type_info.field_names)
    if type_info.kind is RecordKind.NAMED_TUPLE:
        return partial(_is_named_tuple_of, cls, parts, len(parts))
    if type_info.kind is not RecordKind.DATACLASS or cls.__getattribute__ is not object.__getattribute__:
        return None
    if not cls.__dictoffset__ or any(
        hasattr(type(getattr_static(cls, name, None)), "__set__") for name in names
    ):
        return None
    return partial(_is_object_of, cls, names, parts)


def _is_none_or(fits: Callable[[Any], bool], value: Any) -> bool:
    return value is None or fits(value)


def _is_row_of(cls: type[Any], parts: list[Callable[[Any], bool]], count: int, value: Any) -> bool:
    return type(value) is cls and len(value) == count and all(map(call, parts, value))  # pyright: ignore[reportArgumentType]


def _is_named_tuple_of(cls: type[Any], parts: list[Callable[[Any], bool]], count: int, value: Any) -> bool:
    if type(value) is not cls or tuple.__len__(value) != count:
        return False
    return all(map(call, parts, tuple.__iter__(value)))  # pyright: ignore[reportArgumentType]


def _is_object_of(
    cls: type[Any], names: tuple[str, ...], parts: list[Callable[[Any], bool]], value: Any
) -> bool:
    if type(value) is not cls:
        return False
    held = value.__dict__
    if len(held) != len(names) or not all(map(held.__contains__, names)):
        return False
    return all(map(call, parts, map(held.__getitem__, names)))  # pyright: ignore[reportArgumentType]


def _is_integer_from(low: int, high: int, value: Any) -> bool:
    return type(value) is int and low <= value <= high


def _is_tuple_of(parts: list[Callable[[Any], bool]], count: int, value: Any) -> bool:
    if type(value) is not tuple or len(value) != count:
        return False
    return all(map(call, parts, value))  # pyright: ignore[reportArgumentType]  # it loses call's parameters


def _is_bool(value: Any) -> bool:
    return type(value) is bool


def _is_float(value: Any) -> bool:
    return type(value) is float


def _is_ascii(value: Any) -> bool:
    return type(value) is str and value.isascii()


_EXACT: dict[TypeInformation[Any], Callable[[Any], bool]] = {
    BOOLEAN: _is_bool,
    DOUBLE: _is_float,
    STRING: _is_ascii,
}
