"""Values as inference follows them: types, known objects, and containers of such values."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from types import FunctionType
from typing import Any, Final, TypeAlias

from typeinfo.basic import BIG_INT, LONG, STRING, VOID
from typeinfo.carried import SetTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, ListTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.errors import TypeInferenceError, UnsupportedTypeError, short_repr
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo, optional_of
from typeinfo.inferred import expected_type
from typeinfo.info import TypeInformation
from typeinfo.observed import observed_type
from typeinfo.pickled import PickledBytesTypeInfo, is_pickled
from typeinfo.scalar import INFERRED, ScalarTypeInfo

__all__ = [
    "NEVER",
    "NONE",
    "Awaitable",
    "Bound",
    "Closure",
    "DictOf",
    "Emitted",
    "Instance",
    "Items",
    "ListOf",
    "Maybe",
    "Never",
    "Provided",
    "RowOf",
    "SetOf",
    "StateOf",
    "Static",
    "TupleOf",
    "Unknown",
    "Value",
    "element_of",
    "emitted",
    "joined",
    "joined_all",
    "maybe",
    "opened",
    "present",
    "type_of_value",
    "typed",
]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value of unknown type.

    Attributes:
        reason: a phrase that follows "it".
        place: the place in the user's source.
    """

    reason: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.reason} ({self.place})" if self.place else self.reason


class Never:
    """The value where there is none: the element of an empty list."""


NEVER: Final = Never()


@dataclass(frozen=True, slots=True)
class Static:
    """An object that is known: a constant, function, class or module."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


NONE: Final = Static(None)


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or ``None``."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """An object of a class, of which no type is known.

    Attributes:
        cls: the class.
        attributes: those that are assigned to it.
    """

    cls: type[Any]
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bound:
    """A method of a value.

    Attributes:
        owner: the value.
        name: the method's name.
        function: its function, if it is written in Python.
    """

    owner: Value
    name: str
    function: FunctionType | None = None


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of a known number of values."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class RowOf:
    """A row made with or without names."""

    names: tuple[str, ...] | None
    parts: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class ListOf:
    """A list.

    Attributes:
        element: any of its elements so far.
        own_type: the type it has as long as it is not changed.
        parts: its elements, if their number is known.
        cls: its class.
    """

    element: Value
    own_type: TypeInformation[Any] | None = field(default=None)
    parts: tuple[Value, ...] | None = field(default=None)
    cls: type[Any] = list

    def add(self, element: Value) -> None:
        """Add an element."""
        self.element, self.own_type, self.parts = joined(self.element, element), None, None

    def set(self, index: Value, element: Value) -> None:
        """Replace an element."""
        parts, at = self.parts, index.value if isinstance(index, Static) else None
        self.add(element)
        if parts is not None and type(at) is int and -len(parts) <= at < len(parts):
            at %= len(parts)
            self.parts = (*parts[:at], joined(parts[at], element), *parts[at + 1 :])


@dataclass(slots=True, eq=False)
class SetOf:
    """A set or frozenset.

    Attributes:
        element: any of its elements so far.
        frozen: whether it is a frozenset.
    """

    element: Value
    frozen: bool = False


@dataclass(slots=True, eq=False)
class DictOf:
    """A dict.

    Attributes:
        key: any of its keys so far.
        value: any of its values so far.
        items: its values by key, if its keys are known.
        cls: its class.
    """

    key: Value
    value: Value
    items: dict[str, Value] | None = None
    cls: type[Any] = dict


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function defined within the function that is followed.

    Attributes:
        code: the function that contains it.
        parameters: its parameters.
        body: its statements, or the expression of a lambda.
        names: the variables around it.
        is_async: whether a call returns a coroutine.
    """

    code: Any
    parameters: ast.arguments
    body: list[ast.stmt]
    names: dict[str, Value]
    is_async: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """An iterator or view: it can be iterated over."""

    element: Value


@dataclass(frozen=True, slots=True)
class Awaitable:
    """A coroutine or future: it can be awaited."""

    result: Value


@dataclass(frozen=True, slots=True)
class Emitted:
    """One of several results, some of which are for side outputs.

    Attributes:
        main: any of those for the main output.
        sides: any of those for each side output, by the id of its tag.
    """

    main: Value
    sides: Mapping[str, Value]


@dataclass(frozen=True, slots=True, eq=False)
class Provided:
    """An object that operators give to functions, such as a context.

    Attributes:
        name: its name, for messages.
        attributes: its attributes.
        results: the results of its methods.
        states: its methods that take the descriptor of a state and return the state.
    """

    name: str
    attributes: Mapping[str, Value] = field(default_factory=dict)
    results: Mapping[str, Value] = field(default_factory=dict)
    states: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class StateOf:
    """A state.

    Attributes:
        content: what it holds: a list, a dict, or any other value.
        is_declared: whether the descriptor tells the type of its content.
    """

    content: Value
    is_declared: bool


Value: TypeAlias = (
    TypeInformation[Any]
    | Unknown
    | Never
    | Static
    | Maybe
    | Instance
    | Bound
    | TupleOf
    | RowOf
    | ListOf
    | SetOf
    | DictOf
    | Items
    | Awaitable
    | Emitted
    | Provided
    | StateOf
    | Closure
)

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
            return ListOf(_in_slot(slot.type, nullable=slot.nullable), array)
        case MapTypeInfo(key_type=key, value_type=value):
            return DictOf(opened(key), opened(value))
        case SetTypeInfo(element_type=element, frozen=frozen):
            return SetOf(opened(element), frozen)
        case other:
            return NONE if other == VOID else other


def _in_slot(t: TypeInformation[Any], *, nullable: bool) -> Value:
    value = opened(t)
    return maybe(value) if nullable else value


def maybe(value: Value) -> Value:
    """Return a value, or ``None``."""
    return value if value == NONE or isinstance(value, (Maybe, Unknown, Never)) else Maybe(value)


def present(value: Value) -> Value:
    """Return a value that is not ``None``."""
    return value.value if isinstance(value, Maybe) else value


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


def type_of_value(value: Value) -> TypeInformation[Any] | Unknown:
    """Return the type of a value, or the reason why it has none."""
    try:
        return _type_of(value)
    except _NoTypeError as error:
        return error.unknown
    except (TypeInferenceError, UnsupportedTypeError) as error:
        return Unknown(f"returns values without a type: {error}")


class _NoTypeError(Exception):
    def __init__(self, unknown: Unknown) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown


def _type_of(value: Value) -> TypeInformation[Any]:
    match value:
        case TypeInformation():
            if is_pickled(value):
                raise _NoTypeError(Unknown(f"returns a value of {value}, a part of which has no type"))
            return value
        case Unknown():
            raise _NoTypeError(value)
        case Static(value=constant):
            found = VOID if constant is None else observed_type([constant])
            if found is None:
                raise _NoTypeError(Unknown(f"returns {short_repr(constant)}, which has no type"))
            return found
        case Maybe(value=inner):
            return optional_of(_type_of(inner))
        case TupleOf(parts=parts):
            return TupleTypeInfo(list(map(_type_of, parts)))
        case RowOf(names=names, parts=parts):
            return RowTypeInfo([_inner(_type_of(part)) for part in parts], names)
        case ListOf(cls=cls) | DictOf(cls=cls) if cls not in (list, dict):
            raise _NoTypeError(Unknown(f"returns a {cls.__qualname__}, which has no type"))
        case ListOf(own_type=own, element=element):
            return own or ListTypeInfo(_type_of(element))
        case SetOf(element=element, frozen=frozen):
            return SetTypeInfo(_type_of(element), frozen)
        case DictOf(key=key, value=held):
            return MapTypeInfo(_type_of(key), _inner(_type_of(held)))
        case Instance(cls=cls):
            raise _NoTypeError(Unknown(f"returns an object of class {cls.__qualname__}, which has no type"))
        case Never():
            raise _NoTypeError(Unknown("returns an empty collection, whose elements have no type"))
        case Items():
            raise _NoTypeError(Unknown("returns an iterator, which is not a value"))
        case Awaitable():
            raise _NoTypeError(Unknown("returns a coroutine, which is not a value"))
        case Emitted(main=main):
            return _type_of(main)
        case Provided(name=name):
            raise _NoTypeError(Unknown(f"returns the {name}, which is not a value"))
        case StateOf():
            raise _NoTypeError(Unknown("returns a state, which is not a value"))
    raise _NoTypeError(Unknown("returns a function, which is not a value"))


def _inner(t: TypeInformation[Any]) -> TypeInformation[Any]:
    return t.value_type if isinstance(t, OptionalTypeInfo) else t


def element_of(value: Value) -> Value:
    """Return any element of a value that is iterated over."""
    match typed(value):
        case Unknown() | Never() as same:
            return same
        case TupleOf(parts=parts):
            return joined_all(parts)
        case ListOf(element=element) | SetOf(element=element) | Items(element=element):
            return element
        case DictOf(key=key):
            return key
        case VariadicTupleTypeInfo(element_type=element):
            return opened(element)
        case RecordTypeInfo(kind=RecordKind.NAMED_TUPLE) as record:
            return joined_all(map(opened, record.field_types))
        case RowTypeInfo() as row:
            return joined_all([maybe(opened(part)) for part in row.field_types])
        case RowOf(parts=parts):
            return joined_all(parts)
        case StateOf(content=content):
            return element_of(content)
        case PrimitiveArrayTypeInfo():
            return LONG
        case ScalarTypeInfo() as scalar if scalar.value_class is str:
            return STRING
        case Static(value=range()):
            return LONG
    return Unknown("loops over values of unknown type")


def _tag_of(value: Value) -> str | None:
    """Return the id of the output tag, if a value is a pair of one and a result for that side output."""
    match value:
        case TupleOf(parts=(Static(value=tag), _)):
            found = None if isinstance(tag, type) else inspect.getattr_static(tag, "tag_id", None)
            return None if found is None else str(tag.tag_id)
    return None


def emitted(value: Value) -> Emitted:
    """Return a result as one of an output: a pair with an output tag is of that side output."""
    match value:
        case Emitted():
            return value
        case TupleOf(parts=(_, result)) if (tag := _tag_of(value)) is not None:
            return Emitted(NEVER, {tag: result})
    return Emitted(value, {})


def joined_all(values: Iterable[Value]) -> Value:
    """Return a value that is one of several."""
    start: Value = NEVER
    return reduce(joined, values, start)


def joined(a: Value, b: Value) -> Value:
    """Return a value that is one of two, which have a common type or none."""
    if a is b or a == b or isinstance(b, Never):
        return a
    if isinstance(a, Never):
        return b
    if _is_emitted(a) or _is_emitted(b):
        one, two = emitted(a), emitted(b)
        tags = {**one.sides, **two.sides}
        sides = {tag: joined(one.sides.get(tag, NEVER), two.sides.get(tag, NEVER)) for tag in tags}
        return Emitted(joined(one.main, two.main), sides)
    if isinstance(a, Unknown):
        return a
    if isinstance(b, Unknown):
        return b
    if NONE in (a, b):
        return maybe(b if a == NONE else a)
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        return maybe(joined(present(a), present(b)))
    return _joined(typed(a), typed(b))


def _is_emitted(value: Value) -> bool:
    return isinstance(value, Emitted) or _tag_of(value) is not None


def _joined(a: Value, b: Value) -> Value:
    if a == b:
        return a
    match a, b:
        case (TupleOf(parts=one), TupleOf(parts=two)) if len(one) == len(two):
            return TupleOf(tuple(map(joined, one, two)))
        case (RowOf(), RowOf()) if a.names == b.names and len(a.parts) == len(b.parts):
            return RowOf(a.names, tuple(map(joined, a.parts, b.parts)))
        case (ListOf(), ListOf()) if a.cls is b.cls:
            own_type = a.own_type if a.own_type == b.own_type else None
            return ListOf(joined(a.element, b.element), own_type, cls=a.cls)
        case (SetOf(), SetOf()) if a.frozen == b.frozen:
            return SetOf(joined(a.element, b.element), a.frozen)
        case (DictOf(), DictOf()) if a.cls is b.cls:
            return DictOf(joined(a.key, b.key), joined(a.value, b.value), cls=a.cls)
        case (Instance(), Instance()) if a.cls is b.cls:
            return a
        case (Items(element=one), Items(element=two)):
            return Items(joined(one, two))
        case (Awaitable(result=one), Awaitable(result=two)):
            return Awaitable(joined(one, two))
        case (ScalarTypeInfo(), ScalarTypeInfo()) if a.value_class is b.value_class:
            return _wider(a, b)
    left, right = type_of_value(a), type_of_value(b)
    if isinstance(left, Unknown):
        return left
    if isinstance(right, Unknown):
        return right
    if left == right:
        return left
    return Unknown(f"has values of two types, {left} and {right}")


def _wider(a: ScalarTypeInfo[Any], b: ScalarTypeInfo[Any]) -> Value:
    """Return the type of all values of a class, of which two types hold some."""
    return BIG_INT if BIG_INT in (a, b) else INFERRED.get(a.value_class, a)
