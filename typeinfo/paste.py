"""Types and values as Python source that makes them again, to be pasted into a test."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import datetime
import enum
import inspect
import keyword
import math
import pickle
import unicodedata
import uuid
from collections.abc import Iterable
from decimal import Decimal
from functools import partial
from typing import Any

from typeinfo.basic import BasicTypeInfo
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
from typeinfo.types import Types

__all__ = ["Source", "source"]

_CONSTANTS = {t: name for name, t in vars(Types).items() if isinstance(t, TypeInformation)}
_ARRAYS: dict[type[Any], str] = {
    PrimitiveArrayTypeInfo: "PRIMITIVE_ARRAY",
    BasicArrayTypeInfo: "BASIC_ARRAY",
    ObjectArrayTypeInfo: "OBJECT_ARRAY",
    ListTypeInfo: "LIST",
}
_FACADE = {cls.__name__: "typeinfo" for cls in (Types, Row, RowKind, Instant)}


def source(value: Any) -> str:
    """Return an expression that makes a type or a value again.

    Example:
        >>> from typeinfo import Row, Types
        >>> source(Types.ROW_NAMED(["a"], [Types.INT()])), source(Row(1, None))
        ("Types.ROW_NAMED(['a'], [Types.INT()])", 'Row(1, None)')
    """
    return Source().of(value)


class Source:
    """Write expressions, and the imports that all of them need.

    Objects of classes unknown here are written as a call of the class, as ``repr`` does, or as their pickle.
    """

    def __init__(self) -> None:
        self._imports: set[tuple[str, str]] = set()

    def imports(self) -> list[str]:
        """Return the import statements that the expressions written so far need, sorted."""
        modules = sorted(module for module, name in self._imports if not name)
        names: dict[str, list[str]] = {}
        for module, name in sorted(self._imports):
            if name:
                names.setdefault(module, []).append(name)
        return [
            *(f"import {module}" for module in modules),
            *(f"from {module} import {', '.join(found)}" for module, found in names.items()),
        ]

    def name(self, item: Any) -> str:
        """Return the name of a class or function, as its module is imported."""
        module = str(item.__module__)
        first, _, _ = item.__qualname__.partition(".")
        if module != builtins.__name__:
            self._imports.add(
                (_FACADE.get(first, module) if module.startswith("typeinfo.") else module, first)
            )
        return str(item.__qualname__)

    def of(self, value: Any) -> str:
        """Return an expression that makes a value again."""
        if isinstance(value, TypeInformation):
            return self._type(value)
        match value:
            case enum.Enum():
                return f"{self.name(type(value))}.{value.name}" if value.name else repr(value)
            case float():
                return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
            case Row():
                return self._row(value)
            case Instant():
                return self._call(Instant, (value.seconds, value.nanos))
            case Decimal() | uuid.UUID():
                return f"{self.name(type(value))}({str(value)!r})"
            case datetime.date() | datetime.time() | datetime.timedelta() | datetime.tzinfo():
                self._imports.add(("datetime", ""))
                return repr(value)
            case str() if len(value) > 32 and value == value[0] * len(value) and type(value) is str:
                return f"{value[0]!r} * {len(value)}"
            case list():
                return f"[{self._items(value)}]"
            case dict():
                return f"{{{', '.join(f'{self.of(k)}: {self.of(v)}' for k, v in value.items())}}}"
            case tuple() if (names := getattr(value, "_fields", None)) is not None:
                return self._call(type(value), (), zip(names, value, strict=True))
            case tuple():
                return f"({self._items(value)},)" if len(value) == 1 else f"({self._items(value)})"
            case partial():
                return self._call(partial, (value.func, *value.args), value.keywords.items())
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value)
        if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
            return self.name(value)
        return repr(value) if type(value).__module__ == builtins.__name__ else self._object(value)

    def _object(self, value: Any) -> str:
        """Write an object as a call if its class has parameters for its attributes, else as best it can."""
        given = _arguments(value)
        if given:
            return self._call(type(value), (), given)
        written = repr(value)
        try:
            ast.parse(written, mode="eval")
        except SyntaxError:
            self._imports.add(("pickle", ""))
            return f"pickle.loads({pickle.dumps(value)!r})"
        self.name(type(value))
        return written

    def _items(self, values: Iterable[Any]) -> str:
        return ", ".join(map(self.of, values))

    def _call(self, function: Any, args: Iterable[Any], named: Iterable[tuple[str, Any]] = ()) -> str:
        arguments = [*map(self.of, args), *(f"{name}={self.of(value)}" for name, value in named)]
        return f"{self.name(function)}({', '.join(arguments)})"

    def _dataclass(self, value: Any) -> str:
        fields = [field for field in dataclasses.fields(value) if field.init]
        return self._call(type(value), (), [(field.name, getattr(value, field.name)) for field in fields])

    def _row(self, row: Row[Any]) -> str:
        kind, names, values = row.get_row_kind(), row.get_field_names(), list(row)
        if names is not None and not (names and _are_arguments(names, len(values))):
            return self._call(make_row, (values, names) if kind is RowKind.INSERT else (values, names, kind))
        named = [] if names is None else list(zip(names, values, strict=True))
        given = [] if named else values
        if kind is RowKind.INSERT:
            return self._call(Row, given, named)
        self.name(Row)
        return f"Row.of_kind{self._call(Row, [kind, *given], named).removeprefix('Row')}"

    def _type(self, t: TypeInformation[Any]) -> str:
        made = self._factory(t)
        if made is not None:
            self.name(Types)
            return f"Types.{made}"
        match t:
            case OptionalTypeInfo():
                return self._call(OptionalTypeInfo, [t.value_type])
            case EnumTypeInfo():
                return self._call(EnumTypeInfo, [t.enum_class])
            case LiteralTypeInfo():
                return self._call(LiteralTypeInfo, [t.values, t.value_type])
            case CustomTypeInfo():
                functions = [t.custom_class, t.carrier, t.encode, t.decode]
                return self._call(CustomTypeInfo, functions, [("deterministic", t.deterministic)])
            case RecordTypeInfo():
                parts = [t.record_class, t.kind, t.field_names, t.field_types]
                keys = ", ".join(map(repr, sorted(t.optional_keys)))
                made = self._call(RecordTypeInfo, parts)
                return f"{made[:-1]}, frozenset({{{keys}}}))" if keys else made
        return repr(t)

    def _factory(self, t: TypeInformation[Any]) -> str | None:
        """Return how ``Types`` makes a type, where it can."""
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


_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _arguments(value: Any) -> list[tuple[str, Any]]:
    """Return the attributes that are named as the parameters of the class; none if one is missing."""
    try:
        parameters = inspect.signature(type(value)).parameters.values()
        if any(parameter.kind not in _BY_NAME for parameter in parameters):
            return []
        return [(parameter.name, getattr(value, parameter.name)) for parameter in parameters]
    except (TypeError, ValueError, AttributeError):
        return []


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
