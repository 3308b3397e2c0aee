"""Resolve annotations: look up names in strings, and follow type variables through base classes."""

from __future__ import annotations

import builtins
import sys
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType, FunctionType, UnionType
from typing import Annotated, Any, ForwardRef, Generic, Literal, Protocol, Union, get_args, get_origin

from typing_extensions import Format, get_annotations, get_original_bases

from typeinfo.errors import TypeInferenceError

__all__ = [
    "Bound",
    "Context",
    "Scope",
    "alias_context",
    "caller_scope",
    "class_scope",
    "contexts_of",
    "describe",
    "function_scope",
    "module_scope",
    "own_annotations",
]

Names = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope in which the names of string annotations are looked up.

    Args:
        place: name of the scope for messages, e.g. ``module shop``.
        layers: yields the name tables from the innermost outwards; called only when a string is met.
    """

    place: str
    layers: Callable[[], Iterator[Names]]

    def evaluate(self, reference: str | ForwardRef) -> Any:
        """Evaluate a string annotation.

        Raises:
            TypeInferenceError: a name is unknown, or the string is not an expression.
        """
        tables = list(self.layers())
        if isinstance(reference, ForwardRef):
            module = getattr(reference, "__forward_module__", None)
            if module is not None:
                tables.append(_module_names(module if isinstance(module, str) else module.__name__))
            text = reference.__forward_arg__
        else:
            text = reference
        names = ChainMap(*map(dict, (*tables, vars(builtins))))
        try:
            return eval(text, {}, names)
        except NameError as error:
            raise TypeInferenceError(
                f"the name {error.name!r} in {text!r} is not known in {self.place}; import it at run time "
                f"(not under TYPE_CHECKING only), define it at module level, or name the class without quotes"
            ) from None
        except Exception as error:  # the text is the user's, and may raise any error
            raise TypeInferenceError(
                f"{text!r} cannot be evaluated: {type(error).__name__}: {error}"
            ) from error


@dataclass(frozen=True, slots=True)
class Bound:
    """A type argument: an annotation with the context it was written in."""

    annotation: Any
    context: Context


@dataclass(frozen=True, slots=True)
class Context:
    """The context in which an annotation is evaluated.

    Args:
        scope: the scope of names in its strings.
        variables: the bindings of its type variables.
        arguments: the type arguments of the context's class, in order.
        entered: the enclosing classes and aliases, outermost first, to detect cycles.
        declared: whether optional annotations are distinguished even where types always admit None.
    """

    scope: Scope
    variables: Mapping[Any, Bound] = field(default_factory=dict)
    arguments: tuple[Bound, ...] = ()
    entered: tuple[Any, ...] = ()
    declared: bool = False


def contexts_of(annotation: Any, context: Context) -> dict[Any, Context]:
    """Return the context of a class and of each class it inherits from.

    Args:
        annotation: a class, or a generic class with its arguments.
        context: the context of the annotation.
    """
    found: dict[Any, Context] = {}
    entered = (*context.entered, get_origin(annotation) or annotation)
    pending = [(annotation, context)]
    while pending:
        written, outer = pending.pop(0)
        cls = get_origin(written) or written
        arguments = tuple(Bound(argument, outer) for argument in get_args(written))
        known = found.get(cls)
        if known is not None and (known.arguments or not arguments):
            continue
        variables = dict(zip(_parameters(cls), arguments, strict=False))
        inner = Context(class_scope(cls), variables, arguments, entered, context.declared)
        found[cls] = inner
        pending += [(base, inner) for base in get_original_bases(cls) if _is_ordinary(base)]
    return found


def alias_context(annotation: Any, context: Context) -> Context:
    """Return the context of a type alias, which may have type arguments.

    Args:
        annotation: the alias, or a generic alias with its arguments.
        context: the context of the annotation.
    """
    alias = get_origin(annotation) or annotation
    arguments = (Bound(argument, context) for argument in get_args(annotation))
    variables = dict(zip(alias.__type_params__, arguments, strict=False))
    entered = (*context.entered, alias)
    scope = module_scope(alias.__module__ or "")
    return Context(scope, variables, entered=entered, declared=context.declared)


def _parameters(cls: Any) -> Iterable[Any]:
    """Return a class's type variables, including those of a class generic only by ``collections.abc``."""
    if hasattr(cls, "__parameters__"):
        return tuple(cls.__parameters__)
    bases = get_original_bases(cls)
    return dict.fromkeys(variable for base in bases for variable in getattr(base, "__parameters__", ()))


def _is_ordinary(base: Any) -> bool:
    origin = get_origin(base) or base
    return isinstance(origin, type) and origin not in (object, Generic, Protocol)


def own_annotations(owner: Any) -> dict[str, Any]:
    """Return the annotations of a class or function itself, without evaluating strings."""
    return dict(get_annotations(owner, format=Format.FORWARDREF))


def class_scope(cls: type[Any]) -> Scope:
    """Return the scope of a class body: nested classes, enclosing functions still running, module."""

    def layers() -> Iterator[Names]:
        nested = (
            (name, value)
            for name, value in vars(cls).items()
            if isinstance(value, type) and value.__qualname__ == f"{cls.__qualname__}.{name}"
        )
        yield {cls.__name__: cls, **_parameter_names(cls), **dict(nested)}
        yield from _enclosing_locals(cls.__qualname__, cls.__module__)
        yield _module_names(cls.__module__)
        # Last, as a field often has the name of its class (``date: date = …``).
        yield vars(cls)

    return Scope(_place(cls.__qualname__, cls.__module__), layers)


def function_scope(function: FunctionType, owner: type[Any] | None = None) -> Scope:
    """Return the scope of a function's annotations: closure, class, enclosing functions and module."""

    def layers() -> Iterator[Names]:
        yield _parameter_names(function)
        yield dict(_filled_cells(function))
        yield from _enclosing_locals(function.__qualname__, function.__module__)
        yield function.__globals__
        if owner is not None:
            yield from class_scope(owner).layers()

    return Scope(_place(function.__qualname__, function.__module__), layers)


def module_scope(module: str) -> Scope:
    """Return the scope of a module."""

    def layers() -> Iterator[Names]:
        yield _module_names(module)

    return Scope(f"module {module}", layers)


def caller_scope() -> Scope:
    """Return the scope of the code that called into this package; valid while the call lasts."""

    def layers() -> Iterator[Names]:
        package = __name__.partition(".")[0]
        for frame in _frames():
            if _module_of(frame).partition(".")[0] != package:
                yield frame.f_locals
                yield frame.f_globals
                return

    return Scope("the calling code", layers)


def _place(qualname: str, module: str) -> str:
    if "<locals>" in qualname:
        return f"{qualname} of module {module} (its enclosing function is looked into only while it runs)"
    return f"module {module}"


def _module_names(module: str) -> Names:
    return vars(sys.modules[module]) if module in sys.modules else {}


def _parameter_names(owner: Any) -> Names:
    return {parameter.__name__: parameter for parameter in getattr(owner, "__type_params__", ())}


def _filled_cells(function: FunctionType) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue  # the variable is assigned further down in the enclosing function


def _enclosing_locals(qualname: str, module: str) -> Iterator[Names]:
    """Yield the locals of the running functions in which ``qualname`` was defined, innermost first."""
    enclosing, inside, _ = qualname.rpartition(".<locals>.")
    while inside:
        for frame in _frames():
            if frame.f_code.co_qualname == enclosing and _module_of(frame) == module:
                yield frame.f_locals
                break
        enclosing, inside, _ = enclosing.rpartition(".<locals>.")


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def describe(annotation: Any) -> str:
    """Format an annotation as in source code, without the modules of its names."""
    if annotation is type(None):
        return "None"
    if annotation is Ellipsis:
        return "..."
    if isinstance(annotation, list):
        return f"[{', '.join(map(describe, annotation))}]"
    if isinstance(annotation, ForwardRef):
        return repr(annotation.__forward_arg__)
    origin = get_origin(annotation)
    arguments = list(map(describe, get_args(annotation)))
    if origin in (Union, UnionType):
        return " | ".join(arguments)
    if arguments and origin is not Literal:
        name = "Annotated" if origin is Annotated else describe(origin)
        return f"{name}[{', '.join(arguments)}]"
    if isinstance(annotation, type) and origin is None:
        return annotation.__qualname__.rpartition("<locals>.")[2]
    return repr(annotation).removeprefix("typing.").removeprefix("typing_extensions.").removeprefix("~")
