"""Values as inference follows them: types, known objects, and containers of such values."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final, TypeAlias

from typeinfo.info import TypeInformation

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
    "maybe",
    "present",
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
    own_type: TypeInformation[Any] | None = None
    parts: tuple[Value, ...] | None = None
    cls: type[Any] = list


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


def maybe(value: Value) -> Value:
    """Return a value, or ``None``."""
    return value if value == NONE or isinstance(value, (Maybe, Unknown, Never)) else Maybe(value)


def present(value: Value) -> Value:
    """Return a value that is not ``None``."""
    return value.value if isinstance(value, Maybe) else value
