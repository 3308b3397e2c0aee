"""Which functions have nowhere to keep what they were given, or gave, once a call has ended."""

from __future__ import annotations

import builtins
import dis
import inspect
from collections import ChainMap
from collections.abc import Iterator
from datetime import datetime, time, timezone
from types import CodeType, FunctionType
from typing import Any

from typeinfo.basic import BasicTypeInfo, ByteTypeInfo
from typeinfo.collection import (
    BasicArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.immutable import IMMUTABLE
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.temporal import InstantTypeInfo, LocalTimeTypeInfo, SqlTimeTypeInfo

__all__ = ["has_no_methods_of_users", "keeps_nothing"]

_WITHOUT_USERS_CLASSES = frozenset(
    {
        *(BasicTypeInfo, ByteTypeInfo, InstantTypeInfo, LocalTimeTypeInfo, SqlTimeTypeInfo),
        *(BasicArrayTypeInfo, ListTypeInfo, MapTypeInfo, ObjectArrayTypeInfo, PrimitiveArrayTypeInfo),
        *(OptionalTypeInfo, RowTypeInfo, TupleTypeInfo),
    }
)
_HARMLESS: tuple[object, ...] = (
    *(Row, bool, bytearray, bytes, complex, dict, float, frozenset, int, list, range, set, slice, str),
    *(tuple, abs, all, any, ascii, bin, chr, divmod, enumerate, filter, format, hash, hex, isinstance),
    *(iter, len, map, max, min, next, oct, ord, pow, print, repr, reversed, round, sorted, sum, zip),
    *(ArithmeticError, AttributeError, Exception, IndexError, KeyError, LookupError, OverflowError),
    *(TypeError, UnicodeError, ValueError, ZeroDivisionError),
)
_STORES = frozenset({"STORE_SUBSCR", "STORE_SLICE", "DELETE_SUBSCR"})
_UNKNOWN = frozenset({"LOAD_BUILD_CLASS", "MATCH_CLASS"})
_OF_FRAMES = ("_", "ag_", "cr_", "f_", "gi_", "tb_")  # attributes that lead to the names of a module
_GOES_ON = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def has_no_methods_of_users(t: TypeInformation[Any]) -> bool:
    """Tell whether values of a type, and all parts of them, are of classes of Python or of this library."""
    return type(t) in _WITHOUT_USERS_CLASSES and all(has_no_methods_of_users(slot.type) for slot in t.slots())


def keeps_nothing(function: object) -> bool:
    """Tell whether a function, given values without methods of users, keeps nothing from call to call.

    Such a function cannot change what it gave for other elements, if elements share nothing. ``False`` stands
    for all that is not certain: what is no plain function, goes on after it returned, refers to something
    that can be changed, or stores attributes or global names. Global names are taken for what they stand for
    now; ``None`` may have been put there to be replaced.
    """
    try:
        return (
            type(function) is FunctionType
            and not function.__code__.co_flags & _GOES_ON
            and _refers_to_nothing_that_keeps(function, [])
        )
    except RecursionError:
        return False


def _refers_to_nothing_that_keeps(function: FunctionType, seen: list[FunctionType]) -> bool:
    if any(function is known for known in seen):
        return True
    seen.append(function)
    if vars(function):
        return False
    code = function.__code__
    try:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:  # a variable without a value yet
        return False
    held = [*cells, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    outer = ChainMap(function.__globals__, builtins.__dict__)
    for instruction in _instructions(code):
        name, operation = instruction.argval, instruction.opname
        if operation == "LOAD_GLOBAL":
            if outer.get(name) is None:
                return False
            held.append(outer[name])
        elif operation.startswith(("LOAD_ATTR", "LOAD_METHOD")):
            if name.startswith(_OF_FRAMES):
                return False
        elif operation.endswith("_DEREF") and not operation.startswith("LOAD"):
            if name in code.co_freevars:
                return False
        elif not _is_harmless_operation(operation):
            return False
    return all(_is_harmless(value, seen) for value in held)


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """Yield the instructions of a function and of those within it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _instructions(constant)


def _is_harmless_operation(operation: str) -> bool:
    """Tell whether an instruction stores nothing outside local variables, lists and dicts."""
    if operation.startswith(("STORE_FAST", "DELETE_FAST")) or operation in _STORES:
        return True
    return not operation.startswith(("STORE_", "DELETE_", "IMPORT_")) and operation not in _UNKNOWN


def _is_harmless(value: Any, seen: list[FunctionType]) -> bool:
    """Tell whether a value that a function refers to can keep nothing."""
    kind = type(value)
    if kind is tuple or kind is frozenset:
        return all(_is_harmless(part, seen) for part in value)
    if kind is FunctionType:
        return _refers_to_nothing_that_keeps(value, seen)
    if kind is datetime or kind is time:
        return value.tzinfo is None or type(value.tzinfo) is timezone
    # By identity, as any class may define what it is equal to.
    return any(kind is known for known in IMMUTABLE) or any(value is known for known in _HARMLESS)
