"""Types and values as Python source, and programs that reproduce a violation, on Hypothesis' printer."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import re
import sys
import unicodedata
from enum import Enum
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from hypothesis.vendor.pretty import RepresentationPrinter, pprint_fields

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
from typeinfo.extended import EnumTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.records import attributes_of
from typeinfo.row import Row, RowKind
from typeinfo.serde import TypeSerializer, serializer_for
from typeinfo.testing.sameness import same
from typeinfo.types import Types

__all__ = ["print_own", "reproduction", "source"]

_CONSTANTS = {t: name for name, t in vars(Types).items() if isinstance(t, TypeInformation)}
_ARRAYS: dict[type[Any], str] = {
    PrimitiveArrayTypeInfo: "PRIMITIVE_ARRAY",
    BasicArrayTypeInfo: "BASIC_ARRAY",
    ObjectArrayTypeInfo: "OBJECT_ARRAY",
    ListTypeInfo: "LIST",
}
_LONG = 100
_NO_REPRS = {"object.__repr__", "TypeSerializer.__repr__"}
_ALIASES = {"np": "numpy", "pd": "pandas", "pa": "pyarrow"}


def source(value: Any) -> str:
    """Return the source of a type or value, with the reprs of objects that have none.

    Example:
        >>> from typeinfo import Row, Types
        >>> source(Types.ROW_NAMED(["a"], [Types.INT()])), source(Row(1, None))
        ("Types.ROW_NAMED(['a'], [Types.INT()])", 'Row(1, None)')
    """
    return _SourcePrinter().written(value)


def reproduction(function: str, *arguments: Any, context: str = "") -> str:
    """Return a program that calls a function of ``typeinfo.testing.laws``.

    What it cannot import or write down, it names in a comment.

    Args:
        function: the name of the function.
        arguments: its arguments.
        context: the source of further arguments.
    """
    printer = _SourcePrinter(stands_in=True)
    call = f"{function}({', '.join([printer.written(arguments)[1:-1].rstrip(',')])}{context})"
    nodes = list(ast.walk(ast.parse(call, mode="eval")))
    modules = {
        node.value.id
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    names = {node.id for node in nodes if isinstance(node, ast.Name)} - {"_"}
    lines = {_import_of(name, name in modules, printer) for name in names if not hasattr(builtins, name)}
    return "\n".join([*sorted(lines, key=lambda line: (line[0] != "#", line[0] == "f", line)), "", call])


def _import_of(name: str, is_module: bool, printer: _SourcePrinter) -> str:
    """Return the statement that imports a name, or a comment if none does."""
    if name in printer.stand_ins:
        return f"# {name} is {printer.stand_ins[name]}, which cannot be written as source: define it here"
    module = _ALIASES.get(name, name)
    if is_module and (module in sys.stdlib_module_names or name in _ALIASES):
        return f"import {module}" if module == name else f"import {module} as {name}"
    for home in ("typeinfo", "typeinfo.testing.laws", *printer.homes, "typeinfo.row", "math"):
        if home != "__main__" and hasattr(sys.modules.get(home), name):
            return f"from {home} import {name}"
    script = getattr(sys.modules["__main__"], "__file__", None)
    if "__main__" in printer.homes and script:
        return f"# {name} is defined in the script {PurePath(script).name}: paste this program there"
    return f"# {name} cannot be imported: define it here"


class _SourcePrinter(RepresentationPrinter):
    """Print on one line and in full, and note the modules of the classes and functions that are named.

    Args:
        stands_in: whether objects whose repr is not an expression are replaced by a name.
    """

    def __init__(self, *, stands_in: bool = False) -> None:
        super().__init__()
        self.max_width = self.max_seq_length = sys.maxsize
        self.homes: dict[str, None] = {}
        self.stand_ins: dict[str, str] = {}
        self._stands_in = stands_in
        functions = (FunctionType, BuiltinFunctionType, MethodType)
        self.type_pprinters |= {type: _print_name, **dict.fromkeys(functions, _print_name)}
        self.type_pprinters |= {str: _print_text, list: _print_list, object: _print_instance}
        self._print_usual_list = RepresentationPrinter().type_pprinters[list]

    def written(self, value: Any) -> str:
        """Return the source of a value."""
        self.pretty(value)
        return re.sub(r"(?<![\w.])[\w.<>]+\.<locals>\.", "", self.getvalue())

    def pretty(self, obj: object, *, cycle: bool = False) -> None:
        """Print an object, and note where it is imported from."""
        for item in (obj, type(obj)):
            if isinstance(home := getattr(item, "__module__", None), str):
                self.homes[home] = None
        if isinstance(obj, (TypeInformation, Row, Instant)):
            print_own(obj, self, cycle)
        elif isinstance(obj, tuple) and hasattr(obj, "_fields"):
            names: Any = obj._fields  # pyright: ignore[reportAttributeAccessIssue]
            named = dict(zip(names, obj, strict=True))
            self.repr_call(type(obj).__qualname__, (), named, force_split=False)
        elif isinstance(obj, Enum):
            self.text(f"{type(obj).__qualname__}")
            self.text(f".{obj.name}" if (obj.name or "").isidentifier() else f"({obj.value!r})")
        elif type(obj) is set and len(obj) > _LONG and {*map(type, obj)} == {int}:
            self.repr_call("set", [sorted(obj)], {}, force_split=False)
        elif type(obj) is dict and len(obj) > _LONG and {*map(repr, obj.values())} in ({"0"}, {"None"}):
            self.repr_call("dict.fromkeys", [list(obj), next(iter(obj.values()))], {}, force_split=False)
        else:
            super().pretty(obj, cycle=cycle)

    def stand_in(self, text: str) -> str:
        """Return a name for an object that has no source."""
        if not self._stands_in:
            return text
        name = f"value_{len(self.stand_ins) + 1}"
        self.stand_ins[name] = text
        return name

    def usual_list(self, values: list[Any], cycle: bool) -> None:
        """Print a list element by element."""
        self._print_usual_list(values, self, cycle)


def print_own(value: Any, printer: RepresentationPrinter, cycle: bool) -> None:
    """Print a type, row or instant as the call that makes it."""
    if isinstance(value, Row):
        _print_row(value, printer)
    elif isinstance(value, Instant):
        printer.repr_call("Instant", (value.seconds, value.nanos), {}, force_split=False)
    elif (made := _factory(value)) is not None:
        printer.repr_call(f"Types.{made[0]}", made[1:], {}, force_split=False)
    else:
        pprint_fields(value, printer, cycle, list(inspect.signature(type(value)).parameters))


def _print_row(row: Row[Any], printer: RepresentationPrinter) -> None:
    kind, names, values = row.get_row_kind(), row.get_field_names(), list(row)
    is_insert = kind is RowKind.INSERT
    if names is not None and not (names and all(map(_is_argument, names))):
        printer.repr_call("make_row", [values, names, *([] if is_insert else [kind])], {}, force_split=False)
        return
    named = {} if names is None else dict(zip(names, values, strict=True))
    given = [] if named else values
    name, given = ("Row", given) if is_insert else ("Row.of_kind", [kind, *given])
    printer.repr_call(name, given, named, force_split=False)


def _is_argument(name: str) -> bool:
    is_kept = unicodedata.normalize("NFKC", name) == name  # as Python does not keep identifiers
    is_free = name not in ("self", "row_kind") and not keyword.iskeyword(name)
    return is_kept and is_free and name.isidentifier()


def _factory(t: TypeInformation[Any]) -> tuple[Any, ...] | None:
    """Return the function of ``Types`` that makes a type, with its arguments, if there is one."""
    if t in _CONSTANTS:
        return (_CONSTANTS[t],)
    if (cls := _class_of(t)) is not None and _is_known(cls, t):
        return "of", cls
    match t:
        case BasicTypeInfo():
            return (t.basic_type.name,)
        case RowTypeInfo(field_names=None):
            return "ROW", list(t.field_types)
        case RowTypeInfo():
            return "ROW_NAMED", t.get_field_names(), list(t.field_types)
        case TupleTypeInfo():
            return "TUPLE", list(t.field_types)
        case ArrayTypeInfo():
            return _ARRAYS[type(t)], t.element_type
        case MapTypeInfo():
            return "MAP", t.key_type, t.value_type
    return None


def _class_of(t: TypeInformation[Any]) -> type[Any] | None:
    """Return the class of the values of a type, if it is a class of the user."""
    match t:
        case RecordTypeInfo():
            return t.record_class
        case EnumTypeInfo():
            return t.enum_class
        case CustomTypeInfo():
            return t.custom_class
    return None


def _is_known(cls: type[Any], t: TypeInformation[Any]) -> bool:
    try:
        return Types.of(cls) == t
    except PyStreamError:
        return False  # of a generic class, whose arguments the type does not keep


def _print_name(item: Any, printer: Any, cycle: bool) -> None:
    owner = getattr(item, "__self__", None)
    if isinstance(item, MethodType) and not isinstance(owner, type):
        printer.pretty(owner)
        printer.text(f".{item.__name__}")
    elif "<lambda>" in item.__qualname__:
        printer.text(
            printer.stand_in(f"a function of {item.__module__}, line {item.__code__.co_firstlineno}")
        )
    else:
        printer.text(item.__qualname__)


def _print_text(value: str, printer: Any, cycle: bool) -> None:
    is_repeated = len(value) > 32 and value == value[0] * len(value)
    printer.text(f"{value[0]!r} * {len(value)}" if is_repeated else repr(value))


def _print_list(values: list[Any], printer: Any, cycle: bool) -> None:
    """Print a list, in short if it is long and holds one value many times or numbers in order."""
    if len(values) <= _LONG or type(values) is not list:
        printer.usual_list(values, cycle)
    elif same(values, list(range(len(values)))):
        printer.text(f"list(range({len(values)}))")
    elif same(values, list(map(str, range(len(values))))):
        printer.text(f"list(map(str, range({len(values)})))")
    elif all(same(value, values[0]) for value in values):
        printer.text("[")
        printer.pretty(values[0])
        printer.text(f" for _ in range({len(values)})]")
    else:
        printer.usual_list(values, cycle)


def _print_instance(value: Any, printer: Any, cycle: bool) -> None:
    """Print an instance as its repr, or as a call of its class if the class defines none."""
    text = " ".join(repr(value).split())
    has_repr = getattr(type(value).__repr__, "__qualname__", "") not in _NO_REPRS
    arguments = None if has_repr or cycle else _arguments_of(value)
    if isinstance(value, TypeSerializer) and serializer_for(value.type) is value:
        printer.homes["typeinfo.serde"] = None
        printer.repr_call("serializer_for", [value.type], {}, force_split=False)
    elif arguments is not None:
        count = int(isinstance(value, TypeSerializer))  # of arguments printed by position
        given, named = list(arguments.values())[:count], dict(list(arguments.items())[count:])
        printer.repr_call(type(value).__qualname__, given, named, force_split=False)
    else:
        printer.text(text if _is_expression(text) else printer.stand_in(text))


def _arguments_of(value: Any) -> dict[str, Any] | None:
    """Return the arguments of a class from attributes of the same names, with or without a leading ``_``."""
    held = {name.removeprefix("_"): part for name, part in attributes_of(value).items()}
    try:
        names = list(inspect.signature(type(value)).parameters)
    except (TypeError, ValueError):
        return None
    if isinstance(value, TypeSerializer) and names and names[0] not in held:
        held[names[0]] = value.type
    return {name: held[name] for name in names} if held.keys() >= {*names} else None


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
