"""Conversions between types and values: the values that types have, and the types that values have."""

from __future__ import annotations

from typing import Any, Final

from pystream.inference.values import (
    NEVER,
    NONE,
    Awaitable,
    DictOf,
    Emitted,
    Instance,
    Items,
    ListOf,
    Maybe,
    Never,
    Provided,
    RowOf,
    SetOf,
    StateOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    maybe,
)
from typeinfo.basic import VOID
from typeinfo.carried import SetTypeInfo
from typeinfo.collection import ArrayTypeInfo, ListTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.errors import TypeInferenceError, UnsupportedTypeError, short_repr
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo, optional_of
from typeinfo.inferred import expected_type
from typeinfo.info import TypeInformation
from typeinfo.observed import observed_type
from typeinfo.pickled import PickledBytesTypeInfo, is_pickled
from typeinfo.row import Row

__all__ = ["class_of", "name_of", "opened", "type_of_value", "typed"]

_NO_TYPE = Unknown("takes values of unknown type")


def opened(t: TypeInformation[Any]) -> Value:
    """Return a value of a type, with the parts of tuples, lists, sets and dicts apart."""
    match expected_type(t):
        case PickledBytesTypeInfo():
            return _NO_TYPE
        case OptionalTypeInfo(value_type=inner):
            return maybe(opened(inner))
        case LiteralTypeInfo(value_type=inner):
            return opened(inner)
        case TupleTypeInfo(field_types=types):
            return TupleOf(tuple(map(opened, types)))
        case PrimitiveArrayTypeInfo() as array if array.is_bytes:
            return array
        case ArrayTypeInfo() as array:
            (slot,) = array.slots()
            element = opened(slot.type)
            return ListOf(maybe(element) if slot.nullable else element, array)
        case MapTypeInfo(key_type=key, value_type=value):
            return DictOf(opened(key), opened(value))
        case SetTypeInfo(element_type=element, frozen=frozen):
            return SetOf(opened(element), frozen)
        case other:
            return NONE if other == VOID else other


def typed(value: Value) -> Value:
    """Return a known constant as a value of its type, with its parts apart; others unchanged."""
    if not isinstance(value, Static) or value.value is None:
        return value
    constant = value.value
    if type(constant) is tuple:
        return TupleOf(tuple(map(Static, constant)))
    if type(constant) in (list, dict, set, frozenset) and not constant:
        empty: dict[type, Value] = {list: ListOf(NEVER), dict: DictOf(NEVER, NEVER)}
        return empty.get(type(constant)) or SetOf(NEVER, type(constant) is frozenset)
    found = observed_type([constant])
    return value if found is None else opened(found)


def class_of(value: Value) -> type[Any] | None:
    """Return the class of a value, if it is known."""
    match typed(value):
        case TypeInformation() as t:
            return t.value_class
        case TupleOf():
            return tuple
        case ListOf(cls=cls) | DictOf(cls=cls):
            return cls
        case SetOf(frozen=frozen):
            return frozenset if frozen else set
        case RowOf():
            return Row
        case Instance(cls=cls):
            return cls
        case Static(value=constant):
            return type(constant)
    return None


def name_of(value: Value) -> str:
    """Return the class of a value, for messages."""
    cls = class_of(value)
    return "an unknown value" if cls is None else cls.__qualname__


def type_of_value(value: Value) -> TypeInformation[Any] | Unknown:
    """Return the type of a value, or the reason why it has none."""
    try:
        return _type_of(value)
    except _NoTypeError as error:
        return error.unknown
    except (TypeInferenceError, UnsupportedTypeError) as error:
        return Unknown(f"returns values without a type: {error}")


class _NoTypeError(Exception):
    """A value has no type, for a reason."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(reason)
        self.unknown = Unknown(reason, place)


_NO_VALUES: Final[dict[type[Any], str]] = {
    Never: "returns an empty collection, whose elements have no type",
    Items: "returns an iterator, which is not a value",
    Awaitable: "returns a coroutine, which is not a value",
    StateOf: "returns a state, which is not a value",
}


def _type_of(value: Value) -> TypeInformation[Any]:
    match value:
        case TypeInformation():
            if is_pickled(value):
                raise _NoTypeError(f"returns {value}, part of which has no type")
            return value
        case Unknown(reason=reason, place=place):
            raise _NoTypeError(reason, place)
        case Static(value=constant):
            found = VOID if constant is None else observed_type([constant])
            if found is None:
                raise _NoTypeError(f"returns {short_repr(constant)}, which has no type")
            return found
        case Maybe(value=inner):
            return optional_of(_type_of(inner))
        case TupleOf(parts=parts):
            return TupleTypeInfo(list(map(_type_of, parts)))
        case RowOf(names=names, parts=parts):
            return RowTypeInfo([_inner(_type_of(part)) for part in parts], names)
        case ListOf(cls=cls) | DictOf(cls=cls) if cls not in (list, dict):
            raise _NoTypeError(f"returns a {cls.__qualname__}, which has no type")
        case ListOf(own_type=own, element=element):
            return own or ListTypeInfo(_type_of(element))
        case SetOf(element=element, frozen=frozen):
            return SetTypeInfo(_type_of(element), frozen)
        case DictOf(key=key, value=held):
            return MapTypeInfo(_type_of(key), _inner(_type_of(held)))
        case Instance(cls=cls):
            raise _NoTypeError(f"returns an object of class {cls.__qualname__}, which has no type")
        case Emitted(main=main):
            return _type_of(main)
        case Provided(name=name):
            raise _NoTypeError(f"returns the {name}, which is not a value")
    raise _NoTypeError(_NO_VALUES.get(type(value), "returns a function, which is not a value"))


def _inner(t: TypeInformation[Any]) -> TypeInformation[Any]:
    return t.value_type if isinstance(t, OptionalTypeInfo) else t
