"""Checks that names of modules, which workers import for themselves, mean the same there."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import resolve_name
from types import FunctionType, ModuleType
from typing import Any

import cloudpickle

from pystream.lifting.bindings import bound_in_scope
from pystream.lifting.constants import BINARY_FUNCTIONS
from pystream.lifting.kinds import NotExact

__all__ = ["check_function", "check_global", "check_member"]

_OWN = ("pystream", "typeinfo", "pyflink")

_Bindings = Mapping[str, ast.AST | None]
"""The statement or expression that binds each name of a scope; ``None`` if there may be several."""


def check_global(names: Mapping[str, Any], name: str, value: object) -> None:
    """Refuse a global name that workers may find bound to something else.

    Args:
        names: the global names of a function.
        name: the one it uses.
        value: its present value.

    Raises:
        NotExact: the function belongs to a module that workers import, and the name is not certain to mean
            the same there.
    """
    module = sys.modules.get(str(names.get("__name__")))
    if module is not None and vars(module) is names:
        check_member(module, name, value)


def check_member(owner: ModuleType | type[Any], name: str, value: object) -> None:
    """Refuse an attribute of a module or class that workers may find to be something else.

    Raises:
        NotExact: they import the module, and the attribute is not certain to be the same there.
    """
    module = _imported(owner)
    is_used = callable(value) or isinstance(value, ModuleType) or _is_constant(value)
    if module is not None and is_used and not _is_settled(owner, module, name, value):
        raise NotExact(
            f"uses {name} of the module {module.__name__!r}, which workers import for themselves: only "
            "functions, classes and constants that one statement of it sets are certain to be the same"
        )


def check_function(function: FunctionType) -> None:
    """Refuse a function that workers import, and may find to be another.

    Raises:
        NotExact: it is not certain to be the same there.
    """
    module = sys.modules.get(function.__module__)
    owner: Any = module
    *path, name = function.__qualname__.split(".")
    for part in path:
        owner = getattr(owner, part, None)
    if isinstance(owner, (ModuleType, type)):
        found = vars(owner).get(name)
        if function is (found.__func__ if isinstance(found, staticmethod) else found):
            check_member(owner, name, function)


def _imported(owner: ModuleType | type[Any]) -> ModuleType | None:
    """Return the module that workers import for an object, ``None`` if it is sent or never changed."""
    module = owner if isinstance(owner, ModuleType) else sys.modules.get(owner.__module__)
    if module is None or sys.modules.get(module.__name__) is not module or module.__name__ == "__main__":
        return None
    parts = module.__name__.split(".")
    if parts[0] in sys.stdlib_module_names or parts[0] in _OWN:
        return None
    by_value = cloudpickle.list_registry_pickle_by_value()
    if any(".".join(parts[:count]) in by_value for count in range(1, len(parts) + 1)):
        return None
    if isinstance(owner, type):
        found: Any = module
        for part in owner.__qualname__.split("."):
            found = getattr(found, part, None)
        return module if found is owner else None
    return module


def _is_settled(owner: ModuleType | type[Any], module: ModuleType, name: str, value: object) -> bool:
    """Return whether importing a module certainly sets an attribute to its present value."""
    if isinstance(owner, type):
        owner = next((cls for cls in owner.__mro__ if name in vars(cls)), owner)
        if _imported(owner) is not module:
            return _imported(owner) is None  # a class of another module settles it by itself
    bindings = _bindings_of(owner, module)
    node = bindings.get(name)
    match node:
        case None:
            return False
        case _ if isinstance(value, type):
            is_own = value.__module__ == module.__name__ and value.__name__ == name
            return is_own or _is_imported_as(module, node, name, value)
        case ast.FunctionDef():
            return _is_defined_by(node, bindings, value)
        case ast.Import() | ast.ImportFrom():
            return _is_imported_as(module, node, name, value)
        case ast.expr():
            try:
                return _same(_evaluated(node, bindings), value)
            except _NOT_EVALUATED:
                return False
    return False


def _bindings_of(owner: ModuleType | type[Any], module: ModuleType) -> _Bindings:
    lines = linecache.getlines(getattr(module, "__file__", None) or "", vars(module))
    found = _bindings("".join(lines))
    if isinstance(owner, ModuleType):
        return found
    for part in owner.__qualname__.split("."):
        node = found.get(part)
        if not isinstance(node, ast.ClassDef):
            return {}
        found = _bound_by(node.body)
    return found


@lru_cache(maxsize=32)
def _bindings(source: str) -> _Bindings:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return {}
    found = _bound_by(tree.body)
    changed = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    return {name: None if name in changed else node for name, node in found.items()}


def _bound_by(body: list[ast.stmt]) -> dict[str, ast.AST | None]:
    found: dict[str, ast.AST | None] = {}
    for statement in body:
        for name, node in _names_bound(statement):
            found[name] = None if name in found else node
    return found


def _names_bound(statement: ast.stmt) -> Iterator[tuple[str, ast.AST | None]]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, statement
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(), value=None):
            pass
        case ast.Import(names=names):
            yield from ((alias.asname or alias.name.split(".")[0], statement) for alias in names)
        case ast.ImportFrom(names=names):
            yield from ((alias.asname or alias.name, statement) for alias in names)
        case _:
            yield from ((name, None) for name in bound_in_scope(statement))


def _is_defined_by(node: ast.FunctionDef, bindings: _Bindings, value: object) -> bool:
    if isinstance(value, staticmethod):
        value = value.__func__
    plain = all(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in node.decorator_list)
    first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
    if not isinstance(value, FunctionType) or not plain or value.__code__.co_firstlineno != first:
        return False
    nodes = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    values = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    try:
        return len(nodes) == len(values) and all(
            _same(_evaluated(default, bindings), given) for default, given in zip(nodes, values, strict=True)
        )
    except _NOT_EVALUATED:
        return False


def _is_imported_as(module: ModuleType, node: ast.AST, name: str, value: object) -> bool:
    match node:
        case ast.Import(names=names):
            (alias,) = [a for a in names if name == (a.asname or a.name.split(".")[0])]
            return value is sys.modules.get(alias.name if alias.asname else name)
        case ast.ImportFrom(names=names):
            (alias,) = [a for a in names if name == (a.asname or a.name)]
            origin = resolve_name("." * node.level + (node.module or ""), module.__package__)
            source = sys.modules.get(origin)
            if isinstance(value, ModuleType):
                return value is sys.modules.get(f"{origin}.{alias.name}")
            if source is None or getattr(source, alias.name, None) is not value:
                return False
            return _imported(source) is None or _is_settled(source, source, alias.name, value)
    return False


class _Unknown(Exception):  # noqa: N818 - not an error
    """The value of an expression is not known."""


_NOT_EVALUATED = (_Unknown, ArithmeticError, TypeError, ValueError, RecursionError)


def _evaluated(node: ast.AST | None, bindings: _Bindings) -> Any:
    """Return the value of a constant expression of a module."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in bindings:
            return _evaluated(bindings[name], bindings)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand, bindings)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY_FUNCTIONS:
            operands = _evaluated(left, bindings), _evaluated(right, bindings)
            if all(isinstance(one, (int, float)) for one in operands) or isinstance(op, ast.Add):
                return BINARY_FUNCTIONS[type(op)](*operands)
        case ast.Tuple(elts=parts):
            return tuple(_evaluated(part, bindings) for part in parts)
        case ast.Call(
            func=ast.Name(id="frozenset"), args=[ast.Set() | ast.Tuple() | ast.List() as parts]
        ) if "frozenset" not in bindings and not node.keywords:
            return frozenset(_evaluated(part, bindings) for part in parts.elts)
    raise _Unknown


def _is_constant(value: object) -> bool:
    plain = isinstance(value, (int, float, str, bytes, tuple, frozenset, type(None)))
    return plain or type(value).__module__ == "datetime"


def _same(a: object, b: object) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return repr(a) == repr(b) or (isinstance(a, frozenset) and a == b)
