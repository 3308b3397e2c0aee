"""Element calls: follow the calls by which a function hands its element to other functions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Sequence
from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

from pystream.expressions.field_code import HelperCode
from pystream.lifting.bindings import bound_in, check_is_not_seen, is_set_elsewhere, names_in
from pystream.lifting.field_reads import FieldReads, field_names
from pystream.lifting.frame import Frame
from pystream.lifting.imported import check_function
from pystream.lifting.inlining import MAX_DEPTH, bound_arguments
from pystream.lifting.kinds import NotExact
from pystream.lifting.objects import callee_of, own_method, path_of
from pystream.lifting.recompiling import recompiled
from pystream.lifting.source import FunctionSource, source_of
from pystream.lifting.values import Static
from typeinfo.composite import FieldsTypeInfo

__all__ = ["ElementCalls", "function_to_replace", "taken_names"]


class ElementCalls:
    """The calls by which a function hands on its element.

    Args:
        function: the function.
        source: its source.
        t: the type of the element.
        taken: the names that are taken in its code; those of variables for helpers are added.
        owner: the object that it is a method of, ``None`` if it is a function.
        callers: the functions that the element has come through, this one included.
    """

    def __init__(
        self,
        function: FunctionType,
        source: FunctionSource,
        t: FieldsTypeInfo[Any],
        taken: set[str],
        owner: object = None,
        callers: tuple[FunctionType, ...] = (),
    ) -> None:
        self._frame = Frame.of(function, {})
        self._bound = bound_in(source.body)
        self._owner = owner
        self._own_name = function.__code__.co_varnames[0] if owner is not None else None
        self._type = t
        self._taken = taken
        self._callers = callers or (function,)
        self._helpers: dict[tuple[tuple[str, ...], str], _Helper] = {}

    @property
    def helpers(self) -> tuple[HelperCode, ...]:
        """The functions of fields that the calls followed lead to."""
        return tuple(helper.code for helper in self._helpers.values())

    def followed(self, call: ast.Call, element: ast.expr, fields: Sequence[str]) -> ast.Call | None:
        """Return a call with fields in place of the element.

        Args:
            call: a call of a function.
            element: the argument that is the element.
            fields: the variables that hold the fields of the element.

        Returns:
            The call, ``None`` if it does not certainly call a function written in Python.

        Raises:
            NotExact: the function called needs the whole element.
        """
        try:
            found = self._callee(call.func)
        except NotExact:
            return None
        function = found.__func__ if isinstance(found, MethodType) else found
        if not isinstance(function, FunctionType):
            return None
        path = path_of(call.func)
        if any(is_set_elsewhere(path, one) for one in self._setters(path)):
            raise NotExact(
                f"hands its element to {'.'.join(path)}(), which functions of the program set again"
            )
        if isinstance(found, MethodType):
            assert isinstance(call.func, ast.Attribute)
            call = ast.copy_location(ast.Call(call.func, [call.func.value, *call.args], call.keywords), call)
        parameter = _parameter_of(function, call, element)
        helper = self._helpers.get((path, parameter))
        if helper is None:
            owner = found.__self__ if isinstance(found, MethodType) else None
            try:
                helper = self._helper(function, path, parameter, owner)
            except NotExact as error:
                reason = f"hands its element to {function.__name__}(), which {error}"
                raise NotExact(reason, error.place) from None
            self._helpers[path, parameter] = helper
        given = {name: fields[position] for position, name in helper.fields.items()}
        return _with_fields(call, element, helper.code.variable, given)

    def _callee(self, node: ast.expr) -> Any:
        """Return the function, class or method of the same object that a call names."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if self._is_own(name):
                found = own_method(self._owner, attr)
                if isinstance(found, staticmethod):
                    return found.__func__
                return MethodType(found, self._owner)
        return callee_of(node, self._frame, self._bound)

    def _is_own(self, name: str) -> bool:
        return self._owner is not None and name == self._own_name and name not in self._bound

    def _setters(self, path: tuple[str, ...]) -> Iterable[FunctionType]:
        """Return a function of each file in which functions may set the one at a path again."""
        if not self._is_own(path[0]):
            return [self._callers[-1]]
        members = [member for cls in type(self._owner).__mro__ for member in vars(cls).values()]
        functions = [member for member in members if isinstance(member, FunctionType)]
        return {function.__code__.co_filename: function for function in functions}.values()

    def _helper(
        self, function: FunctionType, path: tuple[str, ...], parameter: str, owner: object
    ) -> _Helper:
        if any(function is caller for caller in self._callers):
            raise NotExact("calls itself with it")
        if len(self._callers) > MAX_DEPTH:
            raise NotExact(f"is called {MAX_DEPTH} deep")
        source, code = _source_to_replace(function), function.__code__
        at = code.co_varnames.index(parameter)
        if at >= code.co_argcount - len(function.__defaults__ or ()):
            raise NotExact(f"takes it as {parameter}, which may be left out or is named in each call")
        check_is_not_seen(source.body)
        if parameter in bound_in(source.body):
            raise NotExact(f"binds {parameter} again")
        taken = taken_names(code, source)
        names = field_names(parameter, self._type, taken)
        calls = ElementCalls(function, source, self._type, taken, owner, (*self._callers, function))
        reads = FieldReads(parameter, self._type, names, code, calls.followed)
        body = [reads.visit(statement) for statement in source.body]
        if reads.whole is not None:
            raise reads.whole
        used = names_in(body)
        fields = {position: name for position, name in enumerate(names) if name in used}
        helpers = calls.helpers
        others = [helper.variable for helper in helpers]
        compiled = recompiled(code, source, {at: [*fields.values()]}, body, others)
        return _Helper(HelperCode(self._variable(path), path, compiled, code, helpers), fields)

    def _variable(self, path: tuple[str, ...]) -> str:
        """Return the name of a variable for a function of fields, which is then taken."""
        name = "_".join(path) + "__"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


class _Helper(NamedTuple):
    """A function that takes fields in place of the element.

    Attributes:
        code: its code.
        fields: its parameters for fields, keyed by the positions of these.
    """

    code: HelperCode
    fields: dict[int, str]


def function_to_replace(
    function: Callable[..., Any], *, many: bool = False
) -> tuple[FunctionType, FunctionSource]:
    """Return a function whose element is to be replaced, that of a bound method for one, and its source.

    Args:
        function: a function, lambda or bound method.
        many: whether it may be a generator function.

    Raises:
        NotExact: it is another callable, or its source is not to be had.
    """
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType):
        raise NotExact("is not a function written in Python")
    source = _source_to_replace(plain)
    if plain.__code__.co_flags & inspect.CO_GENERATOR and not many:
        raise NotExact("is a generator function")
    return plain, source


def _source_to_replace(function: FunctionType) -> FunctionSource:
    """Return the source of a function whose element is to be replaced.

    Raises:
        NotExact: there is none, the function is asynchronous, or workers may import another one.
    """
    check_function(function)
    source = source_of(function)
    if source is None:
        raise NotExact("has no source that is available")
    if function.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise NotExact("is asynchronous")
    return source


def taken_names(code: CodeType, source: FunctionSource) -> set[str]:
    """Return the names that a function uses or binds."""
    parameters = {node.arg for node in ast.walk(source.arguments) if isinstance(node, ast.arg)}
    return parameters | names_in(source.body) | {*code.co_freevars}


def _parameter_of(function: FunctionType, call: ast.Call, element: ast.expr) -> str:
    """Return the parameter of a function that takes the element in a call.

    Raises:
        NotExact: the call does not say it, or fails.
    """
    named = {keyword.arg: Static(keyword.value) for keyword in call.keywords if keyword.arg}
    if len(named) < len(call.keywords) or any(isinstance(value, ast.Starred) for value in call.args):
        raise NotExact(f"calls {function.__name__}() with its element and any number of arguments")
    values = bound_arguments(function, [Static(value) for value in call.args], {**named})
    return next(n for n, value in values.items() if isinstance(value, Static) and value.value is element)


def _with_fields(call: ast.Call, element: ast.expr, variable: str, given: dict[str, str]) -> ast.Call:
    """Return the call of a variable with fields, keyed by parameter, in place of the element."""
    read = {
        parameter: ast.copy_location(ast.Name(field, ast.Load()), element)
        for parameter, field in given.items()
    }
    args: list[ast.expr] = []
    for value in call.args:
        args.extend(read.values() if value is element else [value])
    keywords: list[ast.keyword] = []
    for keyword in call.keywords:
        fields = [ast.copy_location(ast.keyword(*one), keyword) for one in read.items()]
        keywords.extend(fields if keyword.value is element else [keyword])
    callee = ast.copy_location(ast.Name(variable, ast.Load()), call.func)
    return ast.copy_location(ast.Call(callee, args, keywords), call)
