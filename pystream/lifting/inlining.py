"""Calls: inlining of functions that have source, and dispatch to intrinsics."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any

from pystream.expressions.expression import Expression
from pystream.lifting.building import negation, not_null
from pystream.lifting.comparing import truth
from pystream.lifting.composites import struct
from pystream.lifting.constants import fold_constants
from pystream.lifting.desugaring import as_generator
from pystream.lifting.evaluator import Evaluator
from pystream.lifting.frame import Frame
from pystream.lifting.generators import GeneratorExecutor, emits_many
from pystream.lifting.imported import check_function
from pystream.lifting.intrinsics import INTRINSICS, apply, call_method
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.members import attribute, item, slice_of
from pystream.lifting.objects import own_attribute, own_method
from pystream.lifting.operators import BINARY, COMPARISONS, UNARY, binary, compare, unary
from pystream.lifting.records import dataclass_replaced, has_plain_replace, record_of, tuple_replaced
from pystream.lifting.results import PLAIN, ReturnConversion, ReturnEvaluator
from pystream.lifting.source import source_of
from pystream.lifting.statements import StatementExecutor
from pystream.lifting.values import Generator, Static, Value, as_expression, constant, consumed
from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.row import Row

__all__ = ["MAX_DEPTH", "Inliner", "bound_arguments"]

MAX_DEPTH = 8


_OPERATORS: dict[Any, Callable[..., Value]] = {
    **{operation: functools.partial(binary, operation) for operation in BINARY},
    **{operation: functools.partial(unary, operation) for operation in UNARY},
    **{operation: functools.partial(compare, operation) for operation in COMPARISONS},
    operator.getitem: lambda owner, key: item(as_expression(owner), as_expression(key)),
    operator.not_: lambda value: negation(truth(as_expression(value))),
    operator.truth: lambda value: truth(as_expression(value)),
}

_GETTERS = operator.itemgetter, operator.attrgetter, operator.methodcaller

_FOLDED: tuple[Any, ...] = (*(INTRINSICS.keys() - {list, range, enumerate, Row}), frozenset)
"""Functions evaluated at build time if their arguments are constants."""

_CONSUMERS: tuple[Any, ...] = (list, tuple, sum, min, max, enumerate)
"""Functions that consume their only argument at once; ``enumerate`` if it is itself consumed at once."""


class Inliner:
    """Evaluates calls: inlines functions that have source, and dispatches others to intrinsics.

    Args:
        conversion: conversion of the results of the outermost function.
    """

    def __init__(self, conversion: ReturnConversion = PLAIN) -> None:
        self._conversion = conversion
        self._evaluator = Evaluator(self)
        self._depth = 0
        self._source = functools.cache(source_of)

    def call(self, callee: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of calling a known function or class.

        Raises:
            NotExact: it is not known to be pure, or not lifted with these arguments.
        """
        if callee is dataclasses.replace:
            if len(arguments) != 1:
                raise NotExact("calls replace() with other arguments than a record and its fields")
            changes = {name: as_expression(value) for name, value in named.items()}
            return dataclass_replaced(as_expression(arguments[0]), changes)
        if isinstance(callee, FunctionType):
            return self._inline(callee, arguments, named)
        if isinstance(callee, MethodType) and isinstance(callee.__func__, FunctionType) and not self._depth:
            owner = Static(callee.__self__, is_self=True)
            return self._inline(callee.__func__, [owner, *arguments], named)
        if isinstance(callee, functools.partial):
            bound = {name: Static(value) for name, value in callee.keywords.items()}
            return self.call(callee.func, [*map(Static, callee.args), *arguments], {**bound, **named})
        values = [*arguments, *named.values()]
        if not named and all(isinstance(v, Static) for v in values) and _is_one_of(callee, _FOLDED):
            return fold_constants(callee, *(v.value for v in values if isinstance(v, Static)))
        consumes = len(arguments) == 1 and _is_one_of(callee, _CONSUMERS)
        plain = [(consumed if consumes else as_expression)(argument) for argument in arguments]
        plain_named = {name: as_expression(value) for name, value in named.items()}
        intrinsic = _handler(INTRINSICS, callee)
        if intrinsic is not None:
            result = apply(intrinsic, f"{callee.__name__}()", plain, plain_named)
            return Generator(result) if callee is enumerate else result
        if isinstance(callee, type):
            return record_of(callee, plain, plain_named)
        if isinstance(callee, _GETTERS) and not named:
            (subject,) = plain
            return self._call_getter(callee, subject)
        operation = _handler(_OPERATORS, callee)
        if operation is not None and not named:
            return as_expression(operation(*arguments))
        name = getattr(callee, "__qualname__", type(callee).__name__)
        if isinstance(callee, MethodType):
            raise NotExact(f"calls the method {name}() of an object, which may change")
        raise NotExact(f"calls {name}(), which is not known to be pure")

    def _inline(self, function: FunctionType, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a Python function; of a generator function called by another, a generator."""
        check_function(function)
        source = self._source(function)
        if source is None:
            raise NotExact(f"calls {function.__name__}(), whose source is not available")
        code = function.__code__
        if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
            raise NotExact(f"calls {function.__name__}(), which is asynchronous")
        if self._depth >= MAX_DEPTH:
            raise NotExact(f"calls functions {MAX_DEPTH} deep")
        names = bound_arguments(function, arguments, named)
        frame = Frame.of(function, names)
        for value in names.values():
            frame.evaluated(value)
        yields = emits_many(frame, source.body)
        desugared = None if yields else as_generator(source.body)
        is_outermost, many = not self._depth, self._conversion.many
        if yields and is_outermost and not many:
            raise NotExact("returns a generator, which is not a value")
        conversion = self._conversion if is_outermost and (desugared is None or many) else PLAIN
        returns = ReturnEvaluator(self._evaluator, conversion)
        self._depth += 1
        try:
            if yields or desugared is not None:
                executor = GeneratorExecutor(self._evaluator, returns)
                result = executor.generated(frame, source.body if desugared is None else desugared)
            else:
                result = StatementExecutor(self._evaluator, returns).returned(frame, source.body)
        except NotExact as error:
            if is_outermost:
                raise
            raise NotExact(f"calls {function.__name__}(), which {error}", error.place) from None
        finally:
            self._depth -= 1
        if result is None:
            raise NotExact(f"calls {function.__name__}(), which always raises an error")
        return Generator(result) if yields and not is_outermost else result

    def call_own_method(
        self, owner: Static, name: str, arguments: list[Value], named: dict[str, Value]
    ) -> Value:
        """Return the result of a method that another method of the same object calls, or of a function in it.

        Raises:
            NotExact: the result is not exactly an expression.
        """
        if inspect.getattr_static(type(owner.value), name, None) is None:
            return self.call(own_attribute(owner.value, name).value, arguments, named)
        found = own_method(owner.value, name)
        if isinstance(found, staticmethod):
            return self.call(found.__func__, arguments, named)
        return self._inline(found, [owner, *arguments], named)

    def call_method(
        self, owner: Expression, name: str, arguments: list[Value], named: dict[str, Value]
    ) -> Value:
        """Return the result of a method of a value: one of a record's class, or a known one.

        Raises:
            NotExact: the result is not exactly an expression.
        """
        t = owner.type
        if isinstance(t, RecordTypeInfo) and t.kind is not RecordKind.TYPED_DICT:
            if name == "_replace" and has_plain_replace(t) and not arguments:
                return tuple_replaced(owner, {key: as_expression(value) for key, value in named.items()})
            found = getattr(t.record_class, name, None)
            if isinstance(found, FunctionType) and found is vars(t.record_class).get(name):
                return self._inline(found, [not_null(owner), *arguments], named)
        taken = consumed if kind_of(owner) is Kind.STR and name == "join" else as_expression
        plain = {key: as_expression(value) for key, value in named.items()}
        return call_method(owner, name, [taken(argument) for argument in arguments], plain)

    def _call_getter(self, getter: Any, subject: Expression) -> Value:
        """Return the result of ``itemgetter``, ``attrgetter`` or ``methodcaller``."""
        _, parts = getter.__reduce__()[:2]
        if isinstance(getter, operator.itemgetter):
            taken = [_item(subject, key) for key in parts]
        elif isinstance(getter, operator.attrgetter):
            taken = [functools.reduce(attribute, path.split("."), subject) for path in parts]
        else:
            if not isinstance(parts[0], str):
                raise NotExact("uses methodcaller() with named arguments, which is not lifted")
            return self.call_method(subject, parts[0], [Static(part) for part in parts[1:]], {})
        return taken[0] if len(taken) == 1 else struct(taken)


def _is_one_of(callee: object, functions: Iterable[object]) -> bool:
    return any(callee is function for function in functions)


def _handler(handlers: Mapping[Any, Callable[..., Any]], callee: object) -> Callable[..., Any] | None:
    """Return the handler of a function, which is looked up by identity: objects may not have a hash."""
    return next((handler for function, handler in handlers.items() if function is callee), None)


def bound_arguments(
    function: FunctionType, arguments: Sequence[Value], named: dict[str, Value]
) -> dict[str, Value]:
    """Return the arguments of a call, keyed by parameter.

    Raises:
        NotExact: the function takes others, or any number of them.
    """
    code = function.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise NotExact(f"calls {function.__name__}(), which takes any number of arguments")
    count = code.co_argcount
    names = code.co_varnames[: count + code.co_kwonlyargcount]
    values = dict(zip(names[:count], arguments, strict=False))
    unknown = [name for name in named if name not in names[code.co_posonlyargcount :] or name in values]
    if len(arguments) > count or unknown:
        raise NotExact(f"calls {function.__name__}() with arguments it does not take")
    values |= named
    defaults = function.__defaults__ or ()
    for name, default in zip(names[count - len(defaults) : count], defaults, strict=True):
        values.setdefault(name, Static(default))
    for name, default in (function.__kwdefaults__ or {}).items():
        values.setdefault(name, Static(default))
    missing = [name for name in names if name not in values]
    if missing:
        raise NotExact(f"calls {function.__name__}() without {missing[0]}")
    return values


def _item(subject: Expression, key: Any) -> Expression:
    if isinstance(key, slice):
        return slice_of(subject, constant(key.start), constant(key.stop), constant(key.step))
    return item(subject, constant(key))
