"""checks_arguments: check the arguments of a public class or function against its annotations."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, TypeVar

from typeinfo.errors import PyStreamError, short_repr, with_article
from typeinfo.parameters import ArgumentKind, parameter_kinds

__all__ = ["checks_arguments"]

C = TypeVar("C", bound=Callable[..., Any])

_REST = 0x04
"""The flag of code that takes further positional arguments."""

_SECRETS = ("password", "secret", "token", "authentication")


def checks_arguments(error: type[PyStreamError], *, methods: bool = True) -> Callable[[C], C]:
    """Return a decorator that refuses arguments which do not fit the annotations of their parameters.

    They are refused before the call, so that it has no effects. A class is decorated for its constructor, its
    static and class methods and its other public methods, as far as it defines them itself.

    Args:
        error: the class of the error for an argument of another class.
        methods: whether the methods of instances are checked; not for those that run once an element.
    """

    def decorate(decorated: C) -> C:
        if isinstance(decorated, FunctionType):
            checked_function: C = _checked(decorated, None, error)
            return checked_function
        _check_members(decorated, error, methods=methods)
        return decorated

    return decorate


def _check_members(cls: Any, error: type[PyStreamError], *, methods: bool) -> None:
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, (staticmethod, classmethod)):
            if isinstance(member.__func__, FunctionType):
                setattr(cls, name, type(member)(_checked(member.__func__, cls, error)))
        elif isinstance(member, FunctionType) and (methods or name == "__init__"):
            setattr(cls, name, _checked(member, cls, error))


class _Parameters:
    """The parameters of a function; their kinds are read when it is first called."""

    def __init__(self, func: FunctionType, owner: type | None) -> None:
        code = func.__code__
        self._positional = code.co_varnames[: code.co_argcount]
        self._rest = (
            code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & _REST else ""
        )
        self._kinds = parameter_kinds(func, owner)

    def misfit(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, ArgumentKind, Any] | None:
        """Return the name of the first parameter whose argument does not fit, with the kind it takes."""
        if self._kinds:
            for name, argument in self._given(args, kwargs):
                kind = self._kinds.get(name)
                if kind is not None and not kind.admits(argument):
                    return name, kind, argument
        return None

    def _given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        yield from zip(self._positional, args, strict=False)
        for argument in args[len(self._positional) :]:
            yield self._rest, argument
        yield from kwargs.items()


def _checked(func: Any, owner: type | None, error: type[PyStreamError]) -> Any:
    written = inspect.unwrap(func)
    parameters: _Parameters | None = None
    package = written.__module__.partition(".")[0]

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        nonlocal parameters
        if parameters is None:
            parameters = _Parameters(written, owner)
        found = parameters.misfit(args, kwargs)
        if found is not None:
            raise error(_message(_call(written, owner, args), *found))
        try:
            return func(*args, **kwargs)
        except RecursionError:
            if sys._getframe(1).f_globals.get("__name__", "").partition(".")[0] == package:
                raise  # to the call of the program
            call = _call(written, owner, args)
            raise error(f"{call}: an argument is nested too deeply; use smaller parts") from None

    return checked


def _call(func: FunctionType, owner: type | None, args: tuple[Any, ...]) -> str:
    """Return the name of a call; that of a method has the class that the program knows."""
    first = args[0] if args else None
    cls = first if isinstance(first, type) else type(first)
    if owner is None or not issubclass(cls, owner):
        return func.__qualname__.removesuffix(".__init__")
    return cls.__qualname__ if func.__name__ == "__init__" else f"{cls.__qualname__}.{func.__name__}"


def _message(call: str, name: str, kind: ArgumentKind, argument: object) -> str:
    for key, part, part_kind in kind.parts(argument):
        if not part_kind.admits(part):
            return _message(call, f"{name}[{short_repr(key)}]", part_kind, part)
    written = kind.instead_of(argument)
    instead = f"; write {written}" if written else ""
    if any(secret in f"{call} {name}".lower() for secret in _SECRETS):
        given, instead = with_article(type(argument).__qualname__), ""
    elif isinstance(argument, type):
        given = f"the class {argument.__qualname__}"
    else:
        given = short_repr(argument) + ("" if argument is None else f" ({type(argument).__qualname__})")
    return f"{call} takes {kind.words}, not {given}, as {name}{instead}"
