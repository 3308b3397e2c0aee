"""Rebuilding of objects from source, and the check that the result is the same object."""

from __future__ import annotations

import ast
import builtins
import inspect
import pickle
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from enum import IntEnum
from types import ModuleType
from typing import Any, TypeVar

from typeinfo.attributes import attributes_of, is_plain
from typeinfo.testing.callable_parts import callable_parts
from typeinfo.testing.sameness import same
from typeinfo.testing.source_names import Scope, Unwritable

__all__ = [
    "Likeness",
    "arguments_of",
    "likeness",
    "repr_of",
    "restored",
]

C = TypeVar("C")


def restored(cls: type[C], /, **attributes: Any) -> C:
    """Return an instance of a class with these attributes, without a call of its constructor.

    Example:
        >>> from fractions import Fraction
        >>> restored(Fraction, _numerator=1, _denominator=2)
        Fraction(1, 2)
    """
    made = object.__new__(cls)
    for name, value in attributes.items():
        object.__setattr__(made, name, value)
    return made


class Likeness(IntEnum):
    """Degree of likeness between two objects."""

    NONE = 0
    EQUAL = 1
    """Equal by ``==``, or by ``typeinfo.testing.sameness``."""
    FULL = 2
    """All attributes are alike too, those that ``==`` leaves out included."""


def likeness(found: Any, value: Any) -> Likeness:
    """Return the likeness of an object to the one that it was written from."""
    with suppress(Exception):  # a user's == may raise anything
        if _Comparison().alike(found, value):
            return Likeness.FULL
    return Likeness.EQUAL if _same(found, value) else Likeness.NONE


class _Comparison:
    """Compares two objects part by part, and takes those that contain themselves for alike meanwhile."""

    def __init__(self) -> None:
        self._seen: set[tuple[int, int]] = set()

    def alike(self, a: Any, b: Any) -> bool:
        if a is b or (id(a), id(b)) in self._seen:
            return True
        if type(a) is not type(b):
            return False
        self._seen.add((id(a), id(b)))
        if (parts := callable_parts(a)) is not None:
            return self._all_alike(parts, callable_parts(b) or ())
        if isinstance(a, (list, tuple, dict)) and not self._all_alike(a, b):
            return False
        if isinstance(a, dict) and not self._all_alike(a.values(), b.values()):
            return False
        is_compared = isinstance(a, (list, tuple, dict)) or is_plain(type(a))
        if not isinstance(a, (list, tuple, dict)) and _has_no_truth(a, b):
            if callable(equals := getattr(a, "equals", None)):  # as tables have
                return bool(equals(b))
            if not is_compared:
                return _pickles_alike(a, b)
        left, right = attributes_of(a), attributes_of(b)
        if left.keys() != right.keys() or not self._all_alike(left.values(), map(right.get, left)):
            return False
        return is_compared or _same(a, b) or _pickles_alike(a, b)

    def _all_alike(self, a: Iterable[Any], b: Iterable[Any]) -> bool:
        left, right = list(a), list(b)
        return len(left) == len(right) and all(map(self.alike, left, right))


def _same(a: Any, b: Any) -> bool:
    with suppress(Exception):
        return same(a, b)
    return False


def _has_no_truth(a: Any, b: Any) -> bool:
    """Tell whether ``==`` compares element by element, as that of arrays and tables."""
    try:
        return not isinstance(a == b, bool)
    except Exception:  # noqa: BLE001 - a user's == may raise anything
        return True


def _pickles_alike(a: Any, b: Any) -> bool:
    with suppress(Exception):
        return pickle.dumps(a) == pickle.dumps(b)
    return False


_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def arguments_of(value: Any, missing: Any = None) -> list[tuple[str, Any]]:
    """Return the attributes that are named as the parameters of the class, or so with a ``_`` in front.

    Args:
        value: an instance.
        missing: the argument for a parameter without an attribute.

    Raises:
        Unwritable: one is missing.
    """
    try:
        parameters = inspect.signature(type(value)).parameters.values()
    except (TypeError, ValueError) as error:
        raise Unwritable("there is no signature") from error
    held = attributes_of(value)
    given: list[tuple[str, Any]] = []
    for parameter in parameters:
        name = parameter.name
        if parameter.kind in _BY_NAME and (f"_{name}" in held or hasattr(value, name)):
            given.append((name, held[f"_{name}"] if f"_{name}" in held else getattr(value, name)))
        elif parameter.default is parameter.empty:
            if missing is None or parameter.kind not in _BY_NAME:
                raise Unwritable(f"{parameter.name} is not kept")
            given.append((parameter.name, missing))
    return given


_ALIASES = {"np": "numpy", "pd": "pandas", "pa": "pyarrow", "dt": "datetime"}
_HARMLESS = (
    *(ast.Expression, ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Load, ast.Constant, ast.UnaryOp),
    *(
        ast.USub,
        ast.UAdd,
        ast.BinOp,
        ast.BitOr,
        ast.Add,
        ast.Sub,
        ast.List,
        ast.Tuple,
        ast.Set,
        ast.Dict,
        ast.Subscript,
    ),
)


def repr_of(value: Any, scope: Scope) -> str:
    """Return the repr of an object if it is an expression of names that are known, which are imported.

    It may name builtin classes, and what the modules of the object's class or its parts know by that name; so
    that nothing is called that happens to be written like code.

    Raises:
        Unwritable: it is something else.
    """
    with _in_full():
        written = repr(value)
    try:
        tree = ast.parse(written, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unwritable("it is not an expression") from error
    nodes = list(ast.walk(tree))
    if not all(isinstance(node, _HARMLESS) for node in nodes):
        raise Unwritable("it does something")
    for name in dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name)):
        if not isinstance(getattr(builtins, name, None), type) and not _is_found(name, value, scope):
            raise Unwritable(f"{name} is not known")
    return ast.unparse(tree) if "\n" in written else written  # on one line


def _in_full() -> AbstractContextManager[Any]:
    """Let arrays be written with all elements and digits."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is None:
        return nullcontext()
    options: AbstractContextManager[Any] = numpy.printoptions(
        floatmode="unique", threshold=sys.maxsize, linewidth=sys.maxsize
    )
    return options


def _is_found(name: str, value: Any, scope: Scope) -> bool:
    module = _ALIASES.get(name, name)
    homes = [type(value).__module__, *dict.fromkeys(type(part).__module__ for part in _held(value))]
    if module in {home.partition(".")[0] for home in homes} and module in sys.modules:
        return bool(scope.module(module, name if name != module else ""))
    for cls in (*type(value).__mro__, *map(type, _held(value))):
        if cls.__name__ == name and not isinstance(value, ModuleType):
            return scope.name(cls) == name
    for home in homes:
        known = getattr(sys.modules.get(home), name, None)
        if isinstance(known, type) or (callable(known) and getattr(known, "__name__", "") == name):
            return scope.name(known) == name
        if isinstance(known, float):  # numpy has nan
            return scope.imported(home, name, known) == name
    return False


def _held(value: Any) -> Iterator[Any]:
    yield from attributes_of(value).values()
    if isinstance(value, dict):
        yield from value.values()
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        yield from value
