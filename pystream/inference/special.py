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

from pystream.inference.expressions import Caller
from pystream.inference.operations import attribute, binary, class_of, fields_of, item, opaque
from pystream.inference.signatures import RANGE, value_of
from pystream.inference.values import (
    NONE,
    Awaitable,
    Instance,
    Items,
    ListOf,
    Static,
    TupleOf,
    Unknown,
    Value,
    element_of,
    joined,
    joined_all,
    present,
    typed,
)
from typeinfo.basic import LONG
from typeinfo.composite import RecordTypeInfo

__all__ = ["SPECIAL", "gotten"]

Special = Callable[[Caller, list[Value], dict[str, Value]], Value]


def _extreme(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    found = element_of(arguments[0]) if len(arguments) == 1 else joined_all(arguments)
    return joined(found, named["default"]) if "default" in named else found


def _sum(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    element = element_of(arguments[0])
    start = named.get("start", arguments[1] if len(arguments) > 1 else value_of(int))
    return binary(ast.Add, start, element)


def _abs(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return value_of(int) if class_of(arguments[0]) in (int, bool) else present(arguments[0])


def _round(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    cls = class_of(present(arguments[0]))
    if cls in (float, Decimal):
        digits = named.get("ndigits", arguments[1] if len(arguments) > 1 else NONE)
        return value_of(int) if digits == NONE else present(arguments[0])
    return _abs(calls, arguments, named)


def _pow(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return binary(ast.Pow, *arguments[:2]) if len(arguments) > 1 else Unknown("calls pow")


def _divmod(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return TupleOf((binary(ast.FloorDiv, *arguments), binary(ast.Mod, *arguments)))


def _list(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return ListOf(element_of(arguments[0]))


def _items(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(element_of(arguments[0]))


def _enumerate(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(TupleOf((LONG, element_of(arguments[0]))))


def _zip(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(TupleOf(tuple(map(element_of, arguments))))


def _map(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(calls.call(arguments[0], list(map(element_of, arguments[1:])), {}))


def _filter(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    element = element_of(arguments[1])
    return Items(present(element) if arguments[0] == NONE else element)


def _next(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    element = element_of(arguments[0])
    return joined(element, arguments[1]) if len(arguments) > 1 else element


def _range(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return RANGE


def _print(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return NONE


def _same(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return typed(arguments[0])


def _asdict(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    record = present(arguments[0])
    return fields_of(record) if isinstance(record, RecordTypeInfo) else opaque(Static(asdict))


def _reduced(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    function, elements, *start = arguments
    element = element_of(elements)
    first = joined_all(start) if start else element
    return joined(first, calls.call(function, [first, element], {}))


def _slept(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Awaitable(named.get("result", arguments[1] if len(arguments) > 1 else NONE))


def _in_thread(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Awaitable(calls.call(arguments[0], arguments[1:], named))


def _gathered(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    if "return_exceptions" in named:
        return Unknown("may take exceptions as results")
    parts = tuple(
        argument.result if isinstance(argument, Awaitable) else Unknown("awaits a result of unknown type")
        for argument in arguments
    )
    return Awaitable(ListOf(joined_all(parts), parts=parts))


def _event_loop(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Instance(asyncio.AbstractEventLoop)


def _chained(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    return Items(joined_all(map(element_of, arguments)))


def _grouped(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    element = element_of(arguments[0])
    key = named.get("key", arguments[1] if len(arguments) > 1 else NONE)
    return Items(TupleOf((element if key == NONE else calls.call(key, [element], {}), Items(element))))


def _getattr(calls: Caller, arguments: list[Value], named: dict[str, Value]) -> Value:
    if len(arguments) == 2 and isinstance(arguments[1], Static) and type(arguments[1].value) is str:
        return attribute(arguments[0], arguments[1].value)
    return Unknown("reads an attribute whose name depends on a value")


SPECIAL: Final[dict[Any, Special]] = {
    min: _extreme,
    max: _extreme,
    sum: _sum,
    abs: _abs,
    round: _round,
    pow: _pow,
    divmod: _divmod,
    sorted: _list,
    iter: _items,
    reversed: _items,
    enumerate: _enumerate,
    zip: _zip,
    map: _map,
    filter: _filter,
    next: _next,
    range: _range,
    print: _print,
    getattr: _getattr,
    reduce: _reduced,
    replace: _same,
    asdict: _asdict,
    copy.copy: _same,
    copy.deepcopy: _same,
    asyncio.sleep: _slept,
    asyncio.to_thread: _in_thread,
    asyncio.wait_for: _same,
    asyncio.gather: _gathered,
    asyncio.get_event_loop: _event_loop,
    asyncio.get_running_loop: _event_loop,
    itertools.chain: _chained,
    itertools.groupby: _grouped,
    itertools.islice: _items,
}


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
