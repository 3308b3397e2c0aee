"""Instances of generic record classes: the arguments of their constructor tell what their parameters are."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Annotated, Any

from pystream.inference.conversions import type_of_value
from pystream.inference.values import Value
from typeinfo.basic import VOID
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.extended import OptionalTypeInfo
from typeinfo.infer import type_of
from typeinfo.info import TypeInformation

__all__ = ["instance_of_generic"]

_Types = list[TypeInformation[Any]]


def instance_of_generic(
    cls: Any, arguments: list[Value], named: dict[str, Value]
) -> RecordTypeInfo[Any] | None:
    """Return the type of an instance of a generic record class, ``None`` if it is none or not known."""
    pattern = _pattern(cls)
    if pattern is None:
        return None
    given = named
    if pattern.kind is not RecordKind.TYPED_DICT:
        try:
            given = inspect.signature(cls).bind_partial(*arguments, **named).arguments
        except (TypeError, ValueError):
            return None
    found: dict[TypeInformation[Any], TypeInformation[Any]] = {}
    for name, t in zip(pattern.field_names, pattern.field_types, strict=True):
        actual = type_of_value(given[name]) if name in given else None
        if isinstance(actual, TypeInformation):
            _solve(t, actual, found)
    parameters = _parameters(cls)
    if not found.keys() >= set(parameters):
        return None
    return _with_arguments(cls, [found[parameter] for parameter in parameters])


def _solve(
    pattern: TypeInformation[Any],
    actual: TypeInformation[Any],
    found: dict[TypeInformation[Any], TypeInformation[Any]],
) -> None:
    """Find what the parameters in a type are where a value has another type."""
    if _is_parameter(pattern):
        found.setdefault(pattern, actual)
    elif isinstance(pattern, OptionalTypeInfo):
        if actual != VOID:
            inner = actual.value_type if isinstance(actual, OptionalTypeInfo) else actual
            _solve(pattern.value_type, inner, found)
    elif type(pattern) is type(actual):
        for one, other in zip(pattern.slots(), actual.slots(), strict=False):
            _solve(one.type, other.type, found)


@lru_cache(maxsize=128)
def _pattern(cls: Any) -> RecordTypeInfo[Any] | None:
    """Return the type of a generic record class with a type that stands for each of its parameters."""
    if not getattr(cls, "__parameters__", ()):
        return None
    return _with_arguments(cls, _parameters(cls))


def _parameters(cls: Any) -> _Types:
    return [RowTypeInfo([VOID], [f"{_PARAMETER}{at}"]) for at in range(len(cls.__parameters__))]


_PARAMETER = "a parameter of a class, "


def _is_parameter(t: TypeInformation[Any]) -> bool:
    return (
        isinstance(t, RowTypeInfo) and t.field_names is not None and t.field_names[0].startswith(_PARAMETER)
    )


def _with_arguments(cls: Any, types: _Types) -> RecordTypeInfo[Any] | None:
    annotations: tuple[Any, ...] = tuple(Annotated[Any, t] for t in types)
    try:
        made = type_of(cls[annotations])
    except (TypeInferenceError, TypeError):
        return None
    return made if isinstance(made, RecordTypeInfo) else None
