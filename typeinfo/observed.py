"""Observe the types of given values, by their classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import chain
from types import NoneType
from typing import Any

from typeinfo.basic import LONG
from typeinfo.collection import ListTypeInfo, MapTypeInfo
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.errors import TypeInferenceError, UnsupportedTypeError
from typeinfo.extended import OptionalTypeInfo, optional_of
from typeinfo.infer import type_of
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled
from typeinfo.row import Row
from typeinfo.scalar import INFERRED

__all__ = ["observed_type"]


def observed_type(values: Iterable[Any]) -> TypeInformation[Any] | None:
    """Return the type that values have in common by their classes, ``None`` if there is none.

    Of objects with fields, only the class is looked at; of containers, also the parts.

    Args:
        values: the values, at least one of them other than ``None``.
    """
    held = list(values)
    classes = set(map(type, held))
    if NoneType in classes:
        inner = observed_type(value for value in held if value is not None)
        return None if inner is None else optional_of(inner)
    if len(classes) != 1:
        return None
    (cls,) = classes
    try:
        return _of_class(cls, held)
    except (TypeInferenceError, UnsupportedTypeError):
        return None


def _of_class(cls: type[Any], values: Sequence[Any]) -> TypeInformation[Any] | None:
    if cls is int:
        return LONG if min(values) >= -(2**63) and max(values) < 2**63 else None
    if cls in INFERRED or cls is bytes or issubclass(cls, Enum):
        return type_of(cls)
    if cls is tuple:
        parts = _of_columns(values)
        return None if parts is None else TupleTypeInfo(parts)
    if cls is list:
        element = observed_type(chain.from_iterable(values))
        return None if element is None else ListTypeInfo(element)
    if cls is dict:
        key = observed_type(chain.from_iterable(values))
        value = observed_type(chain.from_iterable(map(dict.values, values)))
        return None if key is None or value is None else MapTypeInfo(key, _inner(value))
    if issubclass(cls, Row):
        return _of_rows(values)
    found = type_of(cls)
    return None if is_pickled(found) else found


def _of_rows(values: Sequence[Row[Any]]) -> TypeInformation[Any] | None:
    names = {
        None if fields is None else tuple(fields) for fields in (row.get_field_names() for row in values)
    }
    parts = _of_columns(list(map(tuple, values)))
    if parts is None or len(names) != 1:
        return None
    return RowTypeInfo(map(_inner, parts), names.pop())


def _of_columns(rows: Sequence[tuple[Any, ...]]) -> list[TypeInformation[Any]] | None:
    if len(set(map(len, rows))) != 1:
        return None
    found = list(map(observed_type, zip(*rows, strict=True)))
    return None if None in found else [t for t in found if t is not None]


def _inner(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Unwrap an optional type in a place that always admits ``None``."""
    return t.value_type if isinstance(t, OptionalTypeInfo) else t
