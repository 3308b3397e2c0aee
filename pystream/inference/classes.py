"""Instances of classes: of containers, rows, records, and of classes without a type."""

from __future__ import annotations

import inspect
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any, Final

from pystream.inference.conversions import opened, type_of_value, typed
from pystream.inference.expressions import Caller
from pystream.inference.generics import instance_of_generic
from pystream.inference.items import add_entry
from pystream.inference.signatures import value_of
from pystream.inference.unions import element_of, joined, joined_all
from pystream.inference.values import (
    NEVER,
    Bound,
    DictOf,
    Instance,
    ListOf,
    RowOf,
    SetOf,
    Static,
    TupleOf,
    Unknown,
    Value,
)
from typeinfo.basic import LONG
from typeinfo.carried import VariadicTupleTypeInfo
from typeinfo.functions import result_type
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row

__all__ = ["made", "names_of", "row_of"]


def made(caller: Caller, cls: type[Any], arguments: list[Value], named: dict[str, Value]) -> Value:
    """Return an instance of a class."""
    if cls is Row:
        if named:
            return RowOf(tuple(named), tuple(named.values()))
        return RowOf(None, tuple(arguments))
    if cls is tuple and arguments and isinstance(typed(arguments[0]), TupleOf):
        return arguments[0]
    if cls in _CONTAINERS:
        element = element_of(arguments[0]) if arguments else NEVER
        return _CONTAINERS[cls](element)
    if cls is defaultdict:
        made = _dict(arguments[1:], named)
        if isinstance(made, DictOf):
            made.cls = defaultdict
            made.value = joined(made.value, caller.call(arguments[0], [], {}) if arguments else NEVER)
        return made
    if cls is Counter:
        counted = typed(arguments[0]) if arguments else NEVER
        return DictOf(element_of(counted), LONG, cls=Counter)
    if cls in (dict, OrderedDict):
        made = _dict(arguments, named)
        if isinstance(made, DictOf):
            made.cls = cls
        return made
    if cls is type:
        return Unknown("uses the class of a value")
    found = instance_of_generic(cls, arguments, named) or result_type(cls).type
    if found is None or isinstance(found, PickledBytesTypeInfo):
        return _initialized(caller, cls, arguments, named)
    return opened(found)


def _initialized(caller: Caller, cls: type[Any], arguments: list[Value], named: dict[str, Value]) -> Instance:
    """Return an object of a class without a type, with the attributes that its constructor sets."""
    found = Instance(cls)
    init = inspect.getattr_static(cls, "__init__", None)
    if isinstance(init, FunctionType) and init.__module__.partition(".")[0] not in sys.stdlib_module_names:
        caller.call(Bound(found, "__init__", init), arguments, named)
    return found


def _tuple_of_any_length(element: Value) -> Value:
    found = type_of_value(element)
    return VariadicTupleTypeInfo(found) if isinstance(found, TypeInformation) else found


_CONTAINERS: Final[dict[type[Any], Callable[[Value], Value]]] = {
    list: ListOf,
    deque: partial(ListOf, cls=deque),
    set: SetOf,
    frozenset: partial(SetOf, frozen=True),
    tuple: _tuple_of_any_length,
}


def _dict(arguments: list[Value], named: dict[str, Value]) -> Value:
    made = DictOf(value_of(str) if named else NEVER, joined_all(named.values()), dict(named))
    for argument in map(typed, arguments):
        if isinstance(argument, DictOf):
            add_entry(made, argument.key, argument.value)
            continue
        entry = element_of(argument)
        if not isinstance(entry, TupleOf) or len(entry.parts) != 2:
            return Unknown("makes a dict of entries of unknown type")
        add_entry(made, *entry.parts)
    return made


def names_of(parts: Any) -> tuple[str, ...] | None:
    """Return the names that a row holds, ``None`` if it holds anything else."""
    names = tuple(part.value for part in parts if isinstance(part, Static) and type(part.value) is str)
    return names if len(names) == len(parts) else None


def row_of(names: tuple[str, ...] | None, arguments: list[Value]) -> Value:
    """Return the row that a call of a row of names makes."""
    if names is None or len(names) != len(arguments):
        return Unknown("calls a row, whose names are not known")
    return RowOf(names, tuple(arguments))
