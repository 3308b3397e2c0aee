"""Python's own functions whose results depend on their arguments."""

from __future__ import annotations

import ast
import asyncio
import copy
import itertools
import operator
from collections.abc import Callable
from dataclasses import asdict, replace
from decimal import Decimal
from functools import reduce
from typing import Any, Final

from pystream.inference.attributes import attribute, opaque
from pystream.inference.conversions import class_of, typed
from pystream.inference.expressions import Caller
from pystream.inference.items import fields_of, item
from pystream.inference.operators import binary
from pystream.inference.signatures import value_of
from pystream.inference.unions import element_of, joined, joined_all
from pystream.inference.values import (
    NEVER,
    NONE,
    Awaitable,
    Instance,
    Items,
    ListOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    present,
)
from typeinfo.basic import LONG
from typeinfo.composite import RecordTypeInfo

__all__ = ["SPECIAL", "gotten"]

Special = Callable[..., Value]


def _extreme(
    calls: Caller, values: Value, *others: Value, default: Value = NEVER, key: Value = NONE
) -> Value:
    return joined(joined_all((values, *others)) if others else element_of(values), default)


def _sum(calls: Caller, values: Value, start: Value = LONG) -> Value:
    return binary(ast.Add, start, element_of(values))


def _abs(calls: Caller, value: Value) -> Value:
    return value_of(int) if class_of(value) in (int, bool) else present(value)


def _round(calls: Caller, number: Value, ndigits: Value = NONE) -> Value:
    if class_of(present(number)) in (float, Decimal):
        return value_of(int) if ndigits == NONE else present(number)
    return _abs(calls, number)


def _pow(calls: Caller, base: Value, exp: Value, mod: Value = NONE) -> Value:
    return binary(ast.Pow, base, exp)


def _divmod(calls: Caller, a: Value, b: Value) -> Value:
    return TupleOf((binary(ast.FloorDiv, a, b), binary(ast.Mod, a, b)))


def _map(calls: Caller, function: Value, *iterables: Value) -> Value:
    return Items(calls.call(function, list(map(element_of, iterables)), {}))


def _filter(calls: Caller, function: Value, iterable: Value) -> Value:
    element = element_of(iterable)
    return Items(present(element) if function == NONE else element)


def _asdict(calls: Caller, record: Value, dict_factory: Value = NONE) -> Value:
    record = present(record)
    return fields_of(record) if isinstance(record, RecordTypeInfo) else opaque(Static(asdict))


def _reduced(calls: Caller, function: Value, iterable: Value, *initial: Value) -> Value:
    element = element_of(iterable)
    first = joined_all(initial) if initial else element
    return joined(first, calls.call(function, [first, element], {}))


def _in_thread(calls: Caller, function: Value, *arguments: Value, **named: Value) -> Value:
    return Awaitable(calls.call(function, list(arguments), named))


def _gathered(calls: Caller, *awaitables: Value, return_exceptions: Value | None = None) -> Value:
    if return_exceptions is not None:
        return Unknown("may take exceptions as results")
    parts = tuple(
        one.result if isinstance(one, Awaitable) else Unknown("awaits a result of unknown type")
        for one in awaitables
    )
    return Awaitable(ListOf(joined_all(parts), parts=parts))


def _grouped(calls: Caller, iterable: Value, key: Value = NONE) -> Value:
    element = element_of(iterable)
    return Items(TupleOf((element if key == NONE else calls.call(key, [element], {}), Items(element))))


def _getattr(calls: Caller, owner: Value, name: Value) -> Value:
    if isinstance(name, Static) and type(name.value) is str:
        return attribute(owner, name.value)
    return Unknown("reads an attribute whose name depends on a value")


SPECIAL: Final[dict[Any, Special]] = {
    min: _extreme,
    max: _extreme,
    sum: _sum,
    abs: _abs,
    round: _round,
    pow: _pow,
    divmod: _divmod,
    sorted: lambda calls, iterable, **named: ListOf(element_of(iterable)),
    iter: lambda calls, iterable: Items(element_of(iterable)),
    reversed: lambda calls, sequence: Items(element_of(sequence)),
    enumerate: lambda calls, iterable, start=NONE: Items(TupleOf((LONG, element_of(iterable)))),
    zip: lambda calls, *iterables, **named: Items(TupleOf(tuple(map(element_of, iterables)))),
    map: _map,
    filter: _filter,
    next: lambda calls, iterator, default=NEVER: joined(element_of(iterator), default),
    range: lambda calls, *bounds: Items(LONG),
    print: lambda calls, *values, **named: NONE,
    getattr: _getattr,
    reduce: _reduced,
    replace: lambda calls, record, /, **changes: typed(record),
    asdict: _asdict,
    copy.copy: lambda calls, x: typed(x),
    copy.deepcopy: lambda calls, x, memo=NONE: typed(x),
    asyncio.sleep: lambda calls, delay, result=NONE: Awaitable(result),
    asyncio.to_thread: _in_thread,
    asyncio.wait_for: lambda calls, awaitable, timeout: typed(awaitable),
    asyncio.gather: _gathered,
    asyncio.get_event_loop: lambda calls: Instance(asyncio.AbstractEventLoop),
    asyncio.get_running_loop: lambda calls: Instance(asyncio.AbstractEventLoop),
    itertools.chain: lambda calls, *iterables: Items(joined_all(map(element_of, iterables))),
    itertools.groupby: _grouped,
    itertools.islice: lambda calls, iterable, *bounds: Items(element_of(iterable)),
}
"""For each function one with its parameters, which takes values and returns that of the result."""


def gotten(getter: Any, value: Value) -> Value:
    """Return the result of an ``itemgetter`` or ``attrgetter``."""
    _, wanted = getter.__reduce__()
    if isinstance(getter, operator.itemgetter):
        parts = [item(value, Static(one)) for one in wanted]
    else:
        parts = []
        for path in wanted:
            part = value
            for name in path.split("."):
                part = attribute(part, name)
            parts.append(part)
    return parts[0] if len(parts) == 1 else TupleOf(tuple(parts))
