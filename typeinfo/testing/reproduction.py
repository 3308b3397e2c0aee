"""Types and values as Python source that makes them again, to be pasted into a test."""

from __future__ import annotations

import dataclasses
import datetime
import keyword
import math
import unicodedata
import uuid
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, cast

from typeinfo.attributes import attributes_of
from typeinfo.basic import BasicTypeInfo
from typeinfo.carried import CarriedTypeInfo
from typeinfo.collection import (
    ArrayTypeInfo,
    BasicArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import PyStreamError
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.row import Row, RowKind, make_row
from typeinfo.testing.object_source import ObjectWriter
from typeinfo.testing.sameness import same
from typeinfo.types import Types

__all__ = ["Source", "source"]

_CONSTANTS = {t: name for name, t in vars(Types).items() if isinstance(t, TypeInformation)}
_ARRAYS: dict[type[Any], str] = {
    PrimitiveArrayTypeInfo: "PRIMITIVE_ARRAY",
    BasicArrayTypeInfo: "BASIC_ARRAY",
    ObjectArrayTypeInfo: "OBJECT_ARRAY",
    ListTypeInfo: "LIST",
}


def source(value: Any) -> str:
    """Return an expression that makes a type or a value again; its repr, if nothing does.

    Example:
        >>> from typeinfo import Row, Types
        >>> source(Types.ROW_NAMED(["a"], [Types.INT()])), source(Row(1, None))
        ("Types.ROW_NAMED(['a'], [Types.INT()])", 'Row(1, None)')
    """
    written = Source()
    return written.scope.with_reprs(written.of(value))


class Source(ObjectWriter):
    """Write expressions, the imports that they need, and notes on objects that cannot be imported."""

    def _known(self, value: Any) -> str | None:
        """Write an object of a known class, without a check of the result; ``None`` for other objects."""
        if isinstance(value, TypeInformation):
            return self._type(value)
        if (simple := _LITERALS.get(type(value))) is not None:
            return simple(value)
        held = type(value)
        if held in (datetime.date, datetime.time, datetime.timedelta, datetime.datetime, datetime.timezone):
            return self._temporal(value)
        if held in (Decimal, uuid.UUID):
            return f"{self.name(held)}({str(value)!r})"
        if held is Row:
            return self._row(value)
        if held is Instant:
            return self.call(Instant, (value.seconds, value.nanos))
        if held is complex:
            return self.call(complex, (value.real, value.imag))
        if held is list:
            return self._long_list(value) or f"[{self._items(value)}]"
        if held is dict and len(value) > _LONG and _is_one(list(value.values())):
            return f"{{key: {self.of(next(iter(value.values())))} for key in {self.of(list(value))}}}"
        if held is dict:
            return f"{{{', '.join(f'{self.of(k)}: {self.of(v)}' for k, v in value.items())}}}"
        if held in (set, frozenset):
            if len(value) > _LONG and {*map(type, value)} == {int} and value == {*range(len(value))}:
                return f"{held.__name__}(range({len(value)}))"
            items = f"{{{', '.join(sorted(map(self.of, value)))}}}" if value else ""
            return items if items and held is set else f"{held.__name__}({items})"
        if held is tuple:
            return f"({self._items(value)},)" if len(value) == 1 else f"({self._items(value)})"
        if held is partial:
            return self.call(partial, (value.func, *value.args), value.keywords.items())
        return self._function(value)

    def _long_list(self, values: list[Any]) -> str | None:
        """Write a list of many equal elements, or of many numbers in order."""
        if len(values) <= _LONG:
            return None
        numbers, first = range(len(values)), values[0]
        if _are(values, numbers):
            return f"list(range({len(values)}))"
        if _are(values, map(str, numbers)):
            return f"list(map(str, range({len(values)})))"
        if not _is_one(values):
            return None
        is_shared = type(first) in _LITERALS and type(first) is not bytearray
        return (
            f"[{self.of(first)}] * {len(values)}"
            if is_shared
            else f"[{self.of(first)} for _ in range({len(values)})]"
        )

    def _function(self, value: Any) -> str | None:
        if isinstance(value, (MethodType, BuiltinMethodType)) and not isinstance(value.__self__, ModuleType):
            return f"{self.of(value.__self__)}.{value.__name__}"
        if isinstance(value, (MethodDescriptorType, WrapperDescriptorType)):
            return f"{self.name(value.__objclass__)}.{value.__name__}"
        is_function = isinstance(value, (type, FunctionType, BuiltinFunctionType))
        if is_function or "__qualname__" in attributes_of(value):  # wrapped, as a cache does
            return self.name(value)
        return None

    def _temporal(self, value: Any) -> str:
        self.scope.module("datetime")
        zone = getattr(value, "tzinfo", None)
        if zone is None or type(zone) is datetime.timezone:
            return repr(value)
        return f"{repr(value.replace(tzinfo=None))[:-1]}, tzinfo={self.of(zone)})"

    def _row(self, row: Row[Any]) -> str:
        kind, names, values = row.get_row_kind(), row.get_field_names(), list(row)
        if names is not None and not (names and _are_arguments(names, len(values))):
            return self.call(make_row, (values, names) if kind is RowKind.INSERT else (values, names, kind))
        named = [] if names is None else list(zip(names, values, strict=True))
        given = [] if named else values
        if kind is RowKind.INSERT:
            return self.call(Row, given, named)
        called = self.name(Row)
        return f"{called}.of_kind{self.call(Row, [kind, *given], named).removeprefix(called)}"

    def _type(self, t: TypeInformation[Any]) -> str:
        made = self._factory(t)
        if made is not None:
            return f"{self.name(Types)}.{made}"
        match t:
            case OptionalTypeInfo():
                return self.call(OptionalTypeInfo, [t.value_type])
            case EnumTypeInfo():
                return self.call(EnumTypeInfo, [t.enum_class])
            case LiteralTypeInfo():
                return self.call(LiteralTypeInfo, [t.values, t.value_type])
            case CarriedTypeInfo():
                return self.call(
                    type(t),
                    [getattr(t, part.name) for part in dataclasses.fields(cast("Any", t)) if part.init],
                )
            case CustomTypeInfo():
                functions = [t.custom_class, t.carrier, t.encode, t.decode]
                homes = [part.__module__ for part in functions if hasattr(part, "__qualname__")]
                return self.scope.kept(t, homes) or self.call(
                    CustomTypeInfo, functions, [("deterministic", t.deterministic)]
                )
            case RecordTypeInfo():
                parts = [t.record_class, t.kind, t.field_names, t.field_types]
                keys = ", ".join(map(repr, sorted(t.optional_keys)))
                made = self.call(RecordTypeInfo, parts)
                return f"{made[:-1]}, frozenset({{{keys}}}))" if keys else made
        return self._object(t)

    def _factory(self, t: TypeInformation[Any]) -> str | None:
        """Return the call of ``Types`` that makes a type, if there is one."""
        if t in _CONSTANTS:
            return f"{_CONSTANTS[t]}()"
        match t:
            case BasicTypeInfo():
                return f"{t.basic_type.name}()"
            case RowTypeInfo(field_names=None):
                return f"ROW([{self._items(t.field_types)}])"
            case RowTypeInfo():
                return f"ROW_NAMED({t.get_field_names()!r}, [{self._items(t.field_types)}])"
            case TupleTypeInfo():
                return f"TUPLE([{self._items(t.field_types)}])"
            case ArrayTypeInfo():
                return f"{_ARRAYS[type(t)]}({self.of(t.element_type)})"
            case MapTypeInfo():
                return f"MAP({self.of(t.key_type)}, {self.of(t.value_type)})"
            case RecordTypeInfo() if _is_of(t.record_class, t):
                return f"of({self.name(t.record_class)})"
            case EnumTypeInfo() if _is_of(t.enum_class, t):
                return f"of({self.name(t.enum_class)})"
            case CustomTypeInfo() if _is_of(t.custom_class, t):
                return f"of({self.name(t.custom_class)})"
        return None


def _is_of(cls: Any, t: TypeInformation[Any]) -> bool:
    try:
        return Types.of(cls) == t
    except PyStreamError:
        return False  # of a generic class, whose arguments the type does not keep


_PARAMETERS = {"self", "row_kind"}


def _is_argument(name: str) -> bool:
    is_kept = unicodedata.normalize("NFKC", name) == name  # as Python does not keep identifiers
    return is_kept and name.isidentifier() and not keyword.iskeyword(name)


def _are_arguments(names: list[str], count: int) -> bool:
    """Tell whether fields can be given to ``Row`` by their names."""
    distinct = set(names)
    return (
        all(map(_is_argument, names))
        and len(distinct) == len(names) == count
        and distinct.isdisjoint(_PARAMETERS)
    )


_LONG = 100


def _are(values: Iterable[Any], others: Iterable[Any]) -> bool:
    return all(type(a) is type(b) and a == b for a, b in zip(values, others, strict=True))


def _is_one(values: list[Any]) -> bool:
    """Tell whether all values are the same."""
    return all(same(value, values[0]) for value in values)


_MOST_BITS = 13_000  # of an int that Python writes with its digits


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f"float({str(value)!r})"


def _int(value: int) -> str:
    return repr(value) if value.bit_length() < _MOST_BITS else hex(value)


def _str(value: str) -> str:
    is_repeated = len(value) > 32 and value == value[0] * len(value)
    return f"{value[0]!r} * {len(value)}" if is_repeated else repr(value)


_LITERALS: dict[type[Any], Callable[[Any], str]] = {
    float: _float,
    int: _int,
    str: _str,
    **dict.fromkeys((bool, bytes, bytearray, range, type(None)), repr),
}
