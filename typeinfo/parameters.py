"""Checks of the class of arguments, made from the annotations of parameters.

A check refuses only what cannot be right: it looks at classes and at the elements of lists and dicts, never
at the type arguments of other classes, and takes anything where an annotation does not name a class.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import enum
import linecache
import sys
import textwrap
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import takewhile
from types import FunctionType, NoneType, UnionType
from typing import Any, NamedTuple

from typeinfo.errors import with_article

__all__ = ["ArgumentKind", "parameter_kinds"]


class Scope(NamedTuple):
    """The meaning of names in annotations: of a module, a class, and imports for type checkers."""

    module: str
    names: Mapping[str, Any]


_FOR_CHECKERS = "if TYPE_CHECKING:\n"
_INTEGERS = 2**63  # the ends of a LONG


@dataclass(frozen=True, slots=True)
class ArgumentKind:
    """The arguments that a parameter takes.

    Attributes:
        words: what they are, for messages.
        admits: whether a value is one of them.
        classes: the classes that they are instances of, as far as they are known.
        parts: return the keys of the elements of a container, the elements, and the kind of these.
    """

    words: str
    admits: Callable[[object], bool]
    classes: tuple[type, ...] = ()
    parts: Callable[[Any], Iterable[tuple[object, object, ArgumentKind]]] = lambda _: ()

    def instead_of(self, given: object) -> str:
        """Return the argument to write instead of a class or a name, empty if none is known."""
        if isinstance(given, type):
            if issubclass(given, self.classes):
                return f"{given.__name__}(…)"
            return self._written("_from_class", given.__name__)
        if isinstance(given, str) and given.isidentifier():
            return self._written("_from_name", repr(given))
        return ""

    def _written(self, attribute: str, given: str) -> str:
        forms = (vars(cls).get(attribute) for cls in self.classes)
        return next((form.format(given) for form in forms if isinstance(form, str)), "")


def parameter_kinds(func: FunctionType, owner: type | None) -> dict[str, ArgumentKind]:
    """Return the kinds of the parameters of a function; those that take anything are left out.

    Args:
        func: the function.
        owner: the class that defines it, if it is a method.
    """
    names = {**vars(builtins), **func.__globals__, **({} if owner is None else vars(owner))}
    scope = Scope(func.__module__, names)
    kinds = {}
    receiver = func.__code__.co_varnames[:1] if owner is not None else ()
    for name, annotation in func.__annotations__.items():
        if name == "return" or (name in receiver and name in ("self", "cls")):
            continue
        kind = _written(annotation, scope) if isinstance(annotation, str) else _evaluated(annotation, scope)
        if kind is not None:
            kinds[name] = kind
    return kinds


def _written(annotation: str, scope: Scope) -> ArgumentKind | None:
    return _parsed(ast.parse(annotation.strip(), mode="eval").body, scope)


def _parsed(node: ast.expr, scope: Scope) -> ArgumentKind | None:
    """Return the kind of a written annotation."""
    match node:
        case ast.Constant(value=None):
            return _NONE
        case ast.Constant(value=str(text)):
            return _written(text, scope)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _either([_parsed(left, scope), _parsed(right, scope)])
        case ast.Subscript(value=base, slice=arguments):
            found = _named(base, scope)
            parts = arguments.elts if isinstance(arguments, ast.Tuple) else [arguments]
            if found is typing.Literal:
                return _literal(map(ast.literal_eval, parts))
            if found is typing.Optional:
                return _either([_parsed(parts[0], scope), _NONE])
            if found is typing.Union:
                return _either([_parsed(part, scope) for part in parts])
            if found in _ELEMENTS:
                return _container(found, [_parsed(part, scope) for part in parts])
            return _class(found) if found is not None else _later(base, scope)
        case ast.Name() | ast.Attribute():
            found = _named(node, scope)
            return _evaluated(found, scope) if found is not None else _later(node, scope)
        case _:
            return None


def _named(node: ast.expr, scope: Scope) -> Any:
    try:
        return eval(ast.unparse(node), {}, dict(scope.names))
    except (AttributeError, NameError):
        return getattr(collections.abc, ast.unparse(node), None)


def _evaluated(annotation: Any, scope: Scope) -> ArgumentKind | None:
    """Return the kind of an annotation that is an object, such as a type alias."""
    if annotation is None or annotation is NoneType:
        return _NONE
    if isinstance(annotation, str):
        return _written(annotation, scope)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, UnionType):
        return _either([_evaluated(argument, scope) for argument in arguments])
    if origin is typing.Literal:
        return _literal(arguments)
    if origin in _ELEMENTS:
        return _container(origin, [_evaluated(argument, scope) for argument in arguments])
    return _class(annotation if origin is None else origin)


def _either(kinds: list[ArgumentKind | None]) -> ArgumentKind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None
    tests = tuple(kind.admits for kind in known)
    words = list(dict.fromkeys(kind.words for kind in known if kind is not _NONE))
    words += ["None"] if _NONE in known else []
    classes = tuple(cls for kind in known for cls in kind.classes)
    return ArgumentKind(" or ".join(words), lambda value: any(test(value) for test in tests), classes)


def _literal(values: Iterable[Any]) -> ArgumentKind:
    allowed = tuple(values)
    return ArgumentKind(
        f"one of {', '.join(map(repr, allowed))}",
        lambda value: isinstance(value, tuple(map(type, allowed))) and value in allowed,
    )


def _container(origin: Any, parts: list[ArgumentKind | None]) -> ArgumentKind | None:
    """Return the kind of a list, a dict or their likes.

    A text is not taken for a sequence of texts, nor bytes for one of other numbers than integers.
    """
    kind = _class(origin)
    if kind is None:
        return None
    if issubclass(origin, Mapping):
        entries = [f"each {what} is {part.words}" for what, part in _entries(parts)]
        words = f"{kind.words} in which {' and '.join(entries)}" if entries else kind.words
        return ArgumentKind(words, _mapping_test(origin, parts), parts=partial(_values, parts))
    part = parts[0] if len(parts) == 1 or (len(parts) == 2 and parts[1] is None) else None
    words = kind.words if part is None else f"{kind.words} in which each element is {part.words}"
    return ArgumentKind(words, _elements_test(origin, part), parts=partial(_elements, part))


def _entries(parts: list[ArgumentKind | None]) -> list[tuple[str, ArgumentKind]]:
    return [(what, part) for what, part in zip(("key", "value"), parts, strict=False) if part is not None]


def _values(parts: list[ArgumentKind | None], value: object) -> Iterator[tuple[object, object, ArgumentKind]]:
    kind = parts[-1]
    if kind is not None and isinstance(value, dict):
        yield from ((key, held, kind) for key, held in value.items())


def _elements(part: ArgumentKind | None, value: object) -> Iterator[tuple[object, object, ArgumentKind]]:
    if part is not None and isinstance(value, (list, tuple)):
        yield from ((index, element, part) for index, element in enumerate(value))


def _elements_test(origin: type, part: ArgumentKind | None) -> Callable[[object], bool]:
    def admits(value: object) -> bool:
        if not isinstance(value, origin):
            return False
        match value:
            case _ if part is None:
                return True
            case str():
                return False
            case bytes() | bytearray() | memoryview():
                return part.admits(0) and not part.admits(0.5)
            case list() | tuple() | set() | frozenset():
                return all(map(part.admits, value))
            case _:
                return True

    return admits


def _mapping_test(origin: type, parts: list[ArgumentKind | None]) -> Callable[[object], bool]:
    keys, values = parts if len(parts) == 2 else (None, None)

    def admits(value: object) -> bool:
        if not isinstance(value, origin):
            return False
        if not isinstance(value, dict):
            return True
        return (keys is None or all(map(keys.admits, value))) and (
            values is None or all(map(values.admits, value.values()))
        )

    return admits


def _class(cls: Any) -> ArgumentKind | None:
    if cls in _PLAIN:
        return _PLAIN[cls]
    if typing.is_typeddict(cls):
        return ArgumentKind(with_article(cls.__name__), lambda value: isinstance(value, dict))
    if not isinstance(cls, type) or cls in (object, Any):
        return None
    if getattr(cls, "_is_protocol", False) and not getattr(cls, "_is_runtime_protocol", False):
        return None
    words = with_article(cls.__name__)
    if issubclass(cls, enum.Enum):
        words += f" (one of {', '.join(cls.__members__)})"
    elif isinstance(example := vars(cls).get("_example"), str):
        words += f" such as {example}"
    return ArgumentKind(words, lambda value: isinstance(value, cls), (cls,))


def _later(node: ast.expr, scope: Scope) -> ArgumentKind | None:
    """Return the kind of a class that type checkers import; anything fits before the class is loaded."""
    name = ast.unparse(node)
    module = _imported_for_checkers(scope.module).get(name)
    if module is None:
        return None

    def admits(value: object) -> bool:
        loaded = getattr(sys.modules.get(module), name, None)
        kind = None if loaded is None else _evaluated(loaded, scope)
        return kind is None or kind.admits(value)

    return ArgumentKind(with_article(name), admits)


@cache
def _imported_for_checkers(module: str) -> dict[str, str]:
    """Return the modules of the names that a module imports under ``if TYPE_CHECKING``."""
    namespace = vars(sys.modules[module])
    lines = linecache.getlines(namespace.get("__file__", ""), namespace)
    block = takewhile(lambda line: not line.strip() or line[0].isspace(), _behind(_FOR_CHECKERS, lines))
    return {
        name.asname or name.name: statement.module
        for statement in ast.parse(textwrap.dedent("".join(block))).body
        if isinstance(statement, ast.ImportFrom) and statement.module is not None
        for name in statement.names
    }


def _behind(start: str, lines: list[str]) -> list[str]:
    return lines[lines.index(start) + 1 :] if start in lines else []


def _is_integer(value: object) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool) and -_INTEGERS <= value < _INTEGERS
    return hasattr(type(value), "__index__")


def _is_number(value: object) -> bool:
    return _is_integer(value) or (not isinstance(value, int) and hasattr(type(value), "__float__"))


_NONE = ArgumentKind("None", lambda value: value is None)
_TEXT = ArgumentKind("a str", lambda value: isinstance(value, str))
_PLAIN: Mapping[Any, ArgumentKind] = {
    NoneType: _NONE,
    bool: ArgumentKind("True or False", lambda value: isinstance(value, bool)),
    int: ArgumentKind("an int of 64 bits", _is_integer),
    float: ArgumentKind("a number", _is_number),
    str: _TEXT,
    bytes: ArgumentKind("bytes", lambda value: isinstance(value, (bytes, bytearray, memoryview))),
    type: ArgumentKind("a class", lambda value: isinstance(value, type)),
    collections.abc.Callable: ArgumentKind("a function", callable),
    typing.Callable: ArgumentKind("a function", callable),
}
_ELEMENTS: tuple[Any, ...] = (
    *(list, tuple, set, frozenset, dict),
    *(collections.abc.Iterable, collections.abc.Collection, collections.abc.Sequence),
    *(collections.abc.Mapping, collections.abc.MutableMapping, collections.abc.Set),
)
