"""Infer the result type of a function from its annotations, and find the annotations of its parameters."""

from __future__ import annotations

import collections
import collections.abc
import functools
import inspect
import types
from dataclasses import dataclass
from typing import Any, ForwardRef, NewType, TypeVar, Union, get_args, get_origin

from typing_extensions import TypeAliasType

from typeinfo.annotations import (
    Bound,
    Context,
    class_scope,
    contexts_of,
    describe,
    function_scope,
    module_scope,
    own_annotations,
)
from typeinfo.errors import TypeInferenceError
from typeinfo.infer import infer
from typeinfo.info import TypeInformation

__all__ = [
    "Inferred",
    "base_argument",
    "result_type",
    "written_annotation",
    "written_argument",
]


@dataclass(frozen=True, slots=True)
class Inferred:
    """A type inferred from the annotations of a function.

    Args:
        type: the type, or ``None`` where none could be derived.
        reason: the origin of the type, or the reason why there is none; as the rest of a sentence.
    """

    type: TypeInformation[Any] | None
    reason: str


def result_type(
    func: Any,
    method: str | None = None,
    *,
    base: type[Any] | None = None,
    base_index: int = -1,
    unwrap_iterable: bool = False,
    awaited: bool = False,
) -> Inferred:
    """Return the type of a function's result, if its annotations determine it.

    Understands functions, bound, class and static methods, ``functools.partial``, functions behind
    ``functools.wraps`` or ``lru_cache``, callable objects, classes called as functions, and function objects.

    Args:
        func: the user's function or function object.
        method: the method a function object is called by, e.g. ``map``.
        base: the generic class of function objects, e.g. ``MapFunction``; its argument counts where the
            method has no annotation.
        base_index: position of the result among its type arguments.
        unwrap_iterable: whether each call returns an iterable of results.
        awaited: whether calls of coroutine functions are awaited.

    Returns:
        The type, or the reason why none can be derived; no errors are raised.
    """
    try:
        inferred = _inferred(
            _result(func, method, base, awaited=awaited),
            f"the annotation of {_name(func)}",
            unwrap_iterable=unwrap_iterable,
        )
    except TypeInferenceError as error:
        inferred = Inferred(None, str(error))
    return inferred if inferred.type is not None else _from_base(func, base, base_index) or inferred


def written_annotation(
    func: Any, position: int | None, method: str | None = None, *, base: type[Any] | None = None
) -> Bound | None:
    """Return the unevaluated annotation of a parameter or of the result, possibly a string.

    Args:
        func: the user's function or function object.
        position: of the argument in a call; ``None`` for the result.
        method: the method a function object is called by, e.g. ``map``.
        base: the generic class of function objects.

    Returns:
        the annotation with its context, or ``None`` where there is none.
    """
    try:
        if position is not None:
            return _parameter(_callee(func, method, base), position)
        return _result(func, method, base)
    except (TypeInferenceError, ValueError):  # ValueError: there is no signature
        return None


def written_argument(func: Any, base: type[Any], index: int) -> Bound | None:
    """Return the unevaluated type argument that a function object's class passes to a base class.

    Args:
        func: the user's function or function object.
        base: the generic class of function objects.
        index: position of the argument; negative from the end.

    Returns:
        the annotation with its context, or ``None`` where there is none or ``func`` is not such an object.
    """
    return _argument(_class_of(func), base, index) if isinstance(func, base) else None


def base_argument(cls: Any, base: type[Any], index: int) -> Bound | None:
    """Return the type argument that a class, or a generic class with arguments, passes to a base class.

    Args:
        cls: the class, e.g. ``class Parse(MapFunction[str, int])``.
        base: the generic base it inherits from, directly or through others.
        index: position of the argument; negative from the end.

    Returns:
        the annotation with its context, or ``None`` where nothing is given.
    """
    written = _argument(cls, base, index)
    argument = None if written is None else _followed(written)
    return None if argument is None or isinstance(argument.annotation, TypeVar) else argument


def _argument(cls: Any, base: type[Any], index: int) -> Bound | None:
    inside = contexts_of(cls, Context(class_scope(get_origin(cls) or cls))).get(base)
    if inside is None or not -len(inside.arguments) <= index < len(inside.arguments):
        return None
    return inside.arguments[index]


@dataclass(frozen=True, slots=True)
class _Callee:
    """The Python function that is eventually called.

    Args:
        function: the function.
        context: the context of its annotations.
        given: number of positional arguments that precede those of the call.
        named: the arguments bound by name in a partial.
    """

    function: Any
    context: Context
    given: int = 0
    named: frozenset[str] = frozenset()


def _result(func: Any, method: str | None, base: type[Any] | None, *, awaited: bool = False) -> Bound:
    made = _instance_class(func)
    if made is not None:
        return made
    callee = _callee(func, method, base, "return")
    function = callee.function
    is_coroutine = inspect.iscoroutinefunction(function) and not awaited
    if is_coroutine or inspect.isasyncgenfunction(function):
        raise TypeInferenceError(f"{_name(func)} is asynchronous, so a call returns a coroutine")
    annotations = own_annotations(function)
    if "return" not in annotations:
        raise TypeInferenceError(_unannotated(function))
    return Bound(annotations["return"], callee.context)


def _instance_class(func: Any) -> Bound | None:
    """Return the class whose instances are created by a call, if ``func`` is a class."""
    while isinstance(func, functools.partial):
        func = func.func
    if func is object:
        raise TypeInferenceError("object makes no values of a known class")
    if isinstance(func, NewType):
        return Bound(func, Context(module_scope(func.__module__ or "")))
    cls = get_origin(func) or func
    return Bound(func, Context(class_scope(cls))) if isinstance(cls, type) else None


def _parameter(callee: _Callee, position: int) -> Bound | None:
    function = callee.function
    parameters = list(inspect.signature(function).parameters.values())
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    free = [p for p in positional[callee.given :] if p.name not in callee.named]
    free += [p for p in parameters if p.kind is p.VAR_POSITIONAL] * (position + 1)
    annotations = own_annotations(function)
    if position >= len(free) or free[position].name not in annotations:
        return None
    return Bound(annotations[free[position].name], callee.context)


def _callee(func: Any, method: str | None, base: type[Any] | None, part: str | None = None) -> _Callee:
    given, named = 0, frozenset[str]()
    while True:
        if isinstance(func, functools.partial):
            given, named, func = given + len(func.args), named | func.keywords.keys(), func.func
        elif inspect.ismethod(func):
            return _of_method(func.__self__, func.__func__.__name__, func, given, named)
        elif _attribute(func, "registry") is not None and _attribute(func, "dispatch") is not None:
            func = _agreed(func, part)
        elif _attribute(func, "__wrapped__") is not None:
            func = _unwrapped(func)
        elif inspect.isfunction(func):
            return _Callee(func, Context(function_scope(func)), given, named)
        elif inspect.isroutine(func) or isinstance(func, type):
            raise TypeInferenceError(f"{_name(func)} is built in or a class, whose annotations are unknown")
        else:
            name = _called_by(func, method, base)
            called = None if _attribute(func, name) is None else getattr(func, name)
            return _of_method(func, name, called, given, named)


def _attribute(obj: Any, name: str) -> Any:
    """Return an attribute by name, without running code of the object."""
    return inspect.getattr_static(obj, name, None)


def _agreed(func: Any, part: str | None) -> Any:
    """Return one of the functions of a ``singledispatch``, if their annotations agree.

    Args:
        func: the function that chooses.
        part: the annotation in which they must agree; ``None`` for all.
    """
    chosen = [_unwrapped(function) for function in func.registry.values()]
    written = [own_annotations(function) for function in chosen]
    asked = written if part is None else [annotations.get(part) for annotations in written]
    if any(annotation != asked[0] for annotation in asked):
        raise TypeInferenceError(
            f"{_name(func)} dispatches to {len(chosen)} functions with different annotations"
        )
    return chosen[0]


def _unwrapped(function: Any) -> Any:
    try:
        return inspect.unwrap(function)
    except ValueError as error:
        raise TypeInferenceError(f"{_name(function)} cannot be inspected: {error}") from None


def _called_by(func: Any, method: str | None, base: type[Any] | None) -> str:
    """Return the name of the method that is called on a function object."""
    plain = callable(func) and base is not None and not isinstance(func, base)
    has_method = method is not None and _attribute(func, method) is not None
    return method if method is not None and has_method and not plain else "__call__"


def _of_method(obj: Any, name: str, function: Any, given: int, named: frozenset[str]) -> _Callee:
    if inspect.ismethod(function):
        function, given = function.__func__, given + 1
    if _attribute(function, "register") is not None:
        raise TypeInferenceError(f"{name} of {_name(obj)} dispatches to one of several methods")
    function = _unwrapped(function)
    if not inspect.isfunction(function):
        raise TypeInferenceError(f"{name} of {_name(obj)} has no annotations")
    written = _class_of(obj)
    cls = get_origin(written) or written
    owner = next((base for base in cls.__mro__ if name in vars(base)), cls)
    inside = contexts_of(written, Context(class_scope(cls))).get(owner)
    context = Context(function_scope(function, owner), inside.variables if inside else {})
    return _Callee(function, context, given, named)


def _class_of(obj: Any) -> Any:
    """Return the class of a function object, with type arguments as in ``Parse[int]()``."""
    if isinstance(obj, type):
        return obj
    written = _attribute(obj, "__orig_class__")
    return written if get_origin(written) is type(obj) else type(obj)


def _from_base(func: Any, base: type[Any] | None, index: int) -> Inferred | None:
    if base is None or not isinstance(func, base):
        return None
    argument = base_argument(_class_of(func), base, index)
    return (
        None if argument is None else _inferred(argument, f"the argument of {base.__name__} in {_name(func)}")
    )


def _inferred(declared: Bound, place: str, *, unwrap_iterable: bool = False) -> Inferred:
    try:
        declared = _followed(declared)
        found = _elements(declared) if unwrap_iterable else [declared]
        return Inferred(_common_type(found, describe(declared.annotation)), place)
    except TypeInferenceError as error:
        return Inferred(None, f"no type for {place}: {error}")


_ITERABLES = {
    list,
    set,
    frozenset,
    collections.deque,
    collections.abc.Iterable,
    collections.abc.Iterator,
    collections.abc.Generator,
    collections.abc.Reversible,
    collections.abc.Collection,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Set,
    collections.abc.MutableSet,
}
"""Generic classes whose first argument is the type of their items."""


def _elements(iterable: Bound) -> list[Bound]:
    """Return the element types of an iterable annotation; several for unions and tuples."""
    iterable = _followed(iterable)
    annotation, context = iterable.annotation, iterable.context
    origin = get_origin(annotation)
    if annotation is None or annotation is type(None):
        return []
    if origin in (Union, types.UnionType):
        return [element for member in get_args(annotation) for element in _elements(Bound(member, context))]
    if origin is tuple:
        return [Bound(argument, context) for argument in get_args(annotation) if argument is not Ellipsis]
    cls = origin or annotation
    if isinstance(cls, type):
        for base, inside in contexts_of(annotation, context).items():
            if base in _ITERABLES and inside.arguments:
                return [_followed(inside.arguments[0])]
    raise TypeInferenceError(
        f"{describe(annotation)} does not state the type of its elements: write Iterator[…] or list[…]"
    )


def _followed(bound: Bound) -> Bound:
    """Resolve an annotation: evaluate strings, type variables and aliases."""
    annotation, context = bound.annotation, bound.context
    if isinstance(annotation, (str, ForwardRef)):
        return _followed(Bound(context.scope.evaluate(annotation), context))
    if isinstance(annotation, TypeVar) and annotation in context.variables:
        return _followed(context.variables[annotation])
    if isinstance(annotation, TypeAliasType):
        return _followed(Bound(annotation.__value__, Context(module_scope(annotation.__module__ or ""))))
    return bound


def _common_type(found: list[Bound], path: str) -> TypeInformation[Any]:
    kinds = list(dict.fromkeys(infer(bound.annotation, bound.context, path) for bound in found))
    if len(kinds) == 1:
        return kinds[0]
    if not kinds:
        raise TypeInferenceError(f"{path} has no elements")
    raise TypeInferenceError(f"{path} has elements of more than one type: {', '.join(map(str, kinds))}")


def _unannotated(function: Any) -> str:
    if function.__name__ == "<lambda>":
        return "a lambda has no annotations"
    return f"{_name(function)} has no annotation for its result"


def _name(func: Any) -> str:
    while isinstance(func, functools.partial):
        func = func.func
    func = get_origin(func) or func
    has_name = inspect.isroutine(func) or _attribute(func, "__qualname__") is not None
    named: Any = func if has_name else type(func)
    name = str(named.__qualname__).rpartition("<locals>.")[2]
    return "the lambda" if name == "<lambda>" else name
