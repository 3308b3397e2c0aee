"""Scalar replacement: turn the code of a function of an element into that of a function of its fields.

The function must not let its element escape: it reads fields of it, as ``r.a``, ``r["a"]`` or ``r[0]``, or
unpacks it. Where each of its results is made by a constructor that only stores its arguments, these become
the columns of the results. Everything else stays as it was written, at the same lines of the same file.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Sequence
from types import CodeType, FunctionType, MethodType
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.expressions.field_code import FieldCode
from pystream.lifting.building import argument, constant
from pystream.lifting.frame import Frame
from pystream.lifting.imported import check_function
from pystream.lifting.intrinsics import checked_defaults
from pystream.lifting.kinds import NotExact
from pystream.lifting.lift import NotLifted, attempted
from pystream.lifting.members import attribute, item, unpacked
from pystream.lifting.source import FunctionSource, future_flags, place_of, source_of
from pystream.lifting.values import Static
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = ["replace_element"]

_INTROSPECTION = frozenset({"_getframe", "currentframe", "dir", "eval", "exec", "locals", "super", "vars"})
"""Names of functions that see the variables of their caller."""


def replace_element(
    function: Callable[..., Any],
    element_type: FieldsTypeInfo[Any],
    result_type: TypeInformation[Any] | None,
    can_stay: Callable[[TypeInformation[Any]], bool],
    *,
    many: bool = False,
) -> FieldCode | NotLifted:
    """Replace a function's element by its fields.

    Args:
        function: a function, lambda or bound method of one element; it is never called.
        element_type: the type of the element.
        result_type: the type of its result; ``None`` for a predicate.
        can_stay: whether values of a type cannot change, so that they need not be copied.
        many: whether it returns, or generates, any number of results of this type.

    Returns:
        The code, or the reason why the function needs whole elements.
    """
    return attempted(lambda: _Replacement(function, element_type, result_type, can_stay, many=many).code())


class _Replacement:
    """The replacement of the element of one function."""

    def __init__(
        self,
        function: Callable[..., Any],
        element_type: FieldsTypeInfo[Any],
        result_type: TypeInformation[Any] | None,
        can_stay: Callable[[TypeInformation[Any]], bool],
        *,
        many: bool,
    ) -> None:
        is_bound = isinstance(function, MethodType)
        plain = function.__func__ if isinstance(function, MethodType) else function
        if not isinstance(plain, FunctionType):
            raise NotExact("is not a function written in Python")
        check_function(plain)
        source = source_of(plain)
        if source is None:
            raise NotExact("has no source that is available")
        if plain.__code__.co_flags & inspect.CO_GENERATOR and not many:
            raise NotExact("is a generator function")
        self._function = plain
        self._source: FunctionSource = source
        self._given = int(is_bound)
        self._element_type = element_type
        self._result_type = result_type
        self._can_stay = can_stay
        self._many = many
        self._parameter = self._element_parameter()
        self._frame = Frame(plain.__code__, plain.__globals__, plain.__closure__ or (), {})

    def _element_parameter(self) -> str:
        arguments = self._source.arguments
        positional = [*arguments.posonlyargs, *arguments.args]
        others = len(positional) - self._given - 1
        if others < 0 or others > len(arguments.defaults) or None in arguments.kw_defaults:
            raise NotExact("takes other arguments than one element")
        return positional[self._given].arg

    def code(self) -> FieldCode:
        """Return the code of the function of fields."""
        body = self._source.body
        _check_names(body, self._parameter)
        self._bound = {name for statement in body for node in ast.walk(statement) for name in _bound_by(node)}
        names = _field_names(self._parameter, self._element_type, self._taken_names())
        reads = _FieldReads(self._parameter, self._element_type, names, self._frame.code)
        replaced = [reads.visit(statement) for statement in body]
        results = self._results(replaced, names)
        used = _names_in(replaced)
        read = tuple(position for position, name in enumerate(names) if name in used)
        self._check_fields(read)
        match body:
            case [ast.Return(value=value)]:
                returns_only = not isinstance(value, ast.IfExp)
            case _:
                returns_only = False
        is_called = not (returns_only and results is not None and None not in results)
        if is_called and not read:
            raise NotExact("reads no field of its element")
        compiled = self._compiled(replaced, [names[position] for position in read])
        return FieldCode(compiled, read, self._function.__code__, results, is_called)

    def _check_fields(self, read: Iterable[int]) -> None:
        types = [slot.type for slot in self._element_type.slots()]
        for position in read:
            if not self._can_stay(types[position]):
                name = self._element_type.get_field_names()[position]
                raise NotExact(f"reads {name}, of {types[position]}, whose values can be changed")

    def _taken_names(self) -> set[str]:
        arguments = self._source.arguments
        taken = {node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg)}
        return taken | _names_in(self._source.body) | {*self._frame.code.co_freevars}

    # Results

    def _results(self, body: list[ast.stmt], names: Sequence[str]) -> tuple[int | None, ...] | None:
        """Replace constructors of results by tuples of their arguments; return what each column is."""
        if self._result_type is None:
            return None
        if self._many:
            return self._many_results(body)
        returns = _Returns()
        for statement in body:
            returns.visit(statement)
        rows = self._rows([r.value for r in returns.found if r.value is not None])
        if rows is None:
            return None
        handed_on = self._handed_on(rows, names)
        if not has_columns(self._result_type):
            return handed_on if returns.found == body else (None,)
        for one in returns.found:
            if one.value is not None:
                one.value = self._row_of(one.value, handed_on)
        return handed_on

    def _many_results(self, body: list[ast.stmt]) -> tuple[None, ...] | None:
        """Replace constructors in collections of results, or in what is generated, by tuples."""
        assert self._result_type is not None
        found = _Returns()
        for statement in body:
            found.visit(statement)
        try:
            if found.delegates:
                raise _NotColumnsError
            is_generator = self._frame.code.co_flags & inspect.CO_GENERATOR
            places = found.yields if is_generator else _collections_in(found.found)
            columns = [self._columns(value) for place in places for value in _results_at(place)]
        except _NotColumnsError:
            return None
        nothing: tuple[None, ...] = (None,) * len(columns[0]) if columns else ()
        if has_columns(self._result_type):
            for place in places:
                _replace_results(place, lambda value: self._row_of(value, nothing))
        return nothing or None

    def _rows(self, values: list[ast.expr]) -> list[list[ast.expr]] | None:
        """Return the columns of each result, ``None`` if they are not known."""
        try:
            return [self._columns(value) for whole in values for value in _branches(whole)] or None
        except _NotColumnsError:
            return None

    def _handed_on(self, rows: list[list[ast.expr]], names: Sequence[str]) -> tuple[int | None, ...]:
        own = [slot.type for slot in self._element_type.slots()]
        result_type = self._result_type
        assert result_type is not None
        given = [slot.type for slot in result_type.slots()] if has_columns(result_type) else [result_type]
        positions = []
        for column, column_type in zip(zip(*rows, strict=True), given, strict=True):
            found = {names.index(v.id) if isinstance(v, ast.Name) and v.id in names else None for v in column}
            position = found.pop() if len(found) == 1 else None
            is_same = position is not None and own[position] == column_type and self._can_stay(column_type)
            positions.append(position if is_same else None)
        return tuple(positions)

    def _row_of(self, value: ast.expr, handed_on: tuple[int | None, ...]) -> ast.expr:
        if isinstance(value, ast.IfExp):
            value.body = self._row_of(value.body, handed_on)
            value.orelse = self._row_of(value.orelse, handed_on)
            return value
        columns = self._columns(value)
        computed = [column for column, at in zip(columns, handed_on, strict=True) if at is None]
        return ast.copy_location(ast.Tuple(computed, ast.Load()), value)

    def _columns(self, value: ast.expr) -> list[ast.expr]:
        """Return the columns of a result, in the order of its type, which is that of their evaluation.

        Raises:
            _NotColumnsError: it is not made by a constructor that only stores its arguments.
        """
        t = self._result_type
        assert t is not None
        if not has_columns(t):
            columns = [value]
            types: Sequence[TypeInformation[Any]] = [t]
        else:
            columns = self._fields_of(value, t)
            types = [slot.type for slot in t.slots()]
        if not all(map(self._can_stay, types)):
            raise _NotColumnsError
        return columns

    def _fields_of(self, value: ast.expr, t: FieldsTypeInfo[Any]) -> list[ast.expr]:
        count = len(t.field_types)
        match value:
            case ast.Tuple(elts=parts) if isinstance(t, (TupleTypeInfo, RowTypeInfo)):
                return _all_of(parts, count)
            case ast.Dict(keys=keys, values=values) if _is_plain_dict(t):
                names = [key.value if isinstance(key, ast.Constant) else None for key in keys]
                return _in_order(dict(zip(names, values, strict=True)), t.get_field_names(), len(keys))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self._arguments(self._class_named(name), args, keywords, t)
        raise _NotColumnsError

    def _class_named(self, name: str) -> Any:
        if name in self._bound:
            raise _NotColumnsError
        try:
            found = self._frame.look_up(name)
        except NotExact:
            raise _NotColumnsError from None
        return found.value if isinstance(found, Static) else None

    def _arguments(
        self, cls: Any, args: list[ast.expr], keywords: list[ast.keyword], t: FieldsTypeInfo[Any]
    ) -> list[ast.expr]:
        names = t.get_field_names()
        named = {keyword.arg: keyword.value for keyword in keywords}
        if cls is Row and isinstance(t, RowTypeInfo):
            if not keywords:
                return _all_of(args, len(names))
            if args or t.field_names is None:
                raise _NotColumnsError
            return _in_order(named, names, len(keywords))
        if not isinstance(t, RecordTypeInfo) or cls is not t.record_class or not _only_stores(t):
            raise _NotColumnsError
        if len(args) > len(names):
            raise _NotColumnsError
        positional = dict(zip(names, _all_of(args, len(args)), strict=False))
        return _in_order({**positional, **named}, names, len(args) + len(keywords))

    # Code

    def _compiled(self, body: list[ast.stmt], fields: list[str]) -> CodeType:
        """Compile statements as a function with the outer variables, place and names of the original."""
        code, own = self._frame.code, self._source.arguments
        positional = [*own.posonlyargs, *own.args]
        before, after = positional[: self._given], positional[self._given + 1 :]
        parameters = [*before, *map(ast.arg, fields), *after]
        arguments = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(parameter.arg) for parameter in parameters],
            vararg=_bare(own.vararg),
            kwonlyargs=[ast.arg(parameter.arg) for parameter in own.kwonlyargs],
            kw_defaults=[None] * len(own.kwonlyargs),
            kwarg=_bare(own.kwarg),
            defaults=[],
        )
        inner = ast.FunctionDef("_", arguments, body, [])
        outer = ast.FunctionDef("_outer", _parameters(code.co_freevars), [inner], [])
        module = ast.fix_missing_locations(ast.Module([outer], []))
        ast.increment_lineno(module, self._source.first_line - 1)
        flags = future_flags(code)
        whole = compile(module, code.co_filename, "exec", flags=flags, dont_inherit=True)
        compiled = _inner_code(_inner_code(whole))
        compiled = _qualified(compiled, compiled.co_qualname, code.co_qualname)
        return compiled.replace(co_name=code.co_name, co_firstlineno=code.co_firstlineno)


class _NotColumnsError(Exception):
    """A result is not known to be made of columns."""


class _FieldReads(ast.NodeTransformer):
    """Replaces reads of fields of the element by variables.

    Raises:
        NotExact: the element is used in another way.
    """

    def __init__(self, parameter: str, t: FieldsTypeInfo[Any], names: Sequence[str], code: CodeType) -> None:
        self._parameter = parameter
        self._element = argument(t, 0)
        self._names = names
        self._code = code

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not self._is_element(node.value):
            return self.generic_visit(node)
        return self._variable(node, lambda: attribute(self._element, node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not self._is_element(node.value):
            return self.generic_visit(node)
        try:
            index = ast.literal_eval(node.slice)
        except (TypeError, ValueError):
            raise self._escape(node, "reads a field that depends on a value") from None
        return self._variable(node, lambda: item(self._element, constant(index)))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if not self._is_element(node.value):
            return self.generic_visit(node)
        for target in node.targets:
            if not isinstance(target, (ast.Tuple, ast.List)) or len(target.elts) != len(self._names):
                raise self._escape(node)
        if any(isinstance(part, ast.Starred) for part in ast.walk(node)):
            raise self._escape(node)
        with self._frame_at(node):
            unpacked(self._element, len(self._names))
        parts: list[ast.expr] = [
            ast.copy_location(ast.Name(name, ast.Load()), node.value) for name in self._names
        ]
        node.targets = [self.visit(target) for target in node.targets]
        node.value = ast.copy_location(ast.Tuple(parts, ast.Load()), node.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._is_element(node):
            raise self._escape(node)
        return node

    def _is_element(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self._parameter

    def _variable(self, node: ast.Attribute | ast.Subscript, read: Callable[[], Expression]) -> ast.Name:
        if not isinstance(node.ctx, ast.Load):
            raise self._escape(node, "changes its element")
        with self._frame_at(node):
            found = read()
        if found.op is not Op.FIELD or found.parts != (self._element,):
            raise self._escape(node)
        (position,) = found.data
        assert isinstance(position, int)
        return ast.copy_location(ast.Name(self._names[position], ast.Load()), node)

    def _frame_at(self, node: ast.stmt | ast.expr) -> Any:
        return Frame(self._code, {}, (), {}).at(node)

    def _escape(self, node: ast.stmt | ast.expr, how: str = "uses its element as a whole") -> NotExact:
        return NotExact(how, place_of(self._code, self._code.co_firstlineno + node.lineno - 1))


class _Returns(ast.NodeVisitor):
    """Finds where a function returns or yields, not where functions within it do.

    Attributes:
        found: its return statements.
        yields: its yield expressions.
        delegates: whether it yields from another iterable.
    """

    def __init__(self) -> None:
        self.found: list[ast.Return] = []
        self.yields: list[ast.expr] = []
        self.delegates = False

    def visit_Return(self, node: ast.Return) -> None:
        self.found.append(node)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self.yields.append(node)
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.delegates = True

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Pass over it."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Pass over it."""

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Pass over it."""


def _collections_in(returns: list[ast.Return]) -> list[ast.expr]:
    """Return the collections that a function returns; ``None`` is none.

    Raises:
        _NotColumnsError: one is not written in place.
    """
    values = [value for one in returns if one.value is not None for value in _branches(one.value)]
    found = [value for value in values if not (isinstance(value, ast.Constant) and value.value is None)]
    if not all(isinstance(value, (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)) for value in found):
        raise _NotColumnsError
    return found


def _results_at(place: ast.expr) -> list[ast.expr]:
    """Return the results of a yield expression or of a collection."""
    match place:
        case ast.Yield(value=value):
            return _branches(value or ast.Constant(None))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [value for part in _all_of(parts, len(parts)) for value in _branches(part)]
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
            return _branches(part)
    raise _NotColumnsError


def _replace_results(place: ast.expr, replacement: Callable[[ast.expr], ast.expr]) -> None:
    match place:
        case ast.Yield(value=ast.expr() as value):
            place.value = replacement(value)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            place.elts = list(map(replacement, parts))
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
            place.elt = replacement(part)


def _check_names(body: list[ast.stmt], parameter: str) -> None:
    """Refuse code that binds the name of the element again, or that may see variables by other ways."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.ClassDef):
                raise NotExact("defines a class")
            called = _called_by_name(node)
            if called in _INTROSPECTION:
                raise NotExact(f"calls {called}(), which may see its element")
            if parameter in _bound_by(node):
                raise NotExact(f"binds {parameter} again")


def _called_by_name(node: ast.AST) -> str | None:
    """Return the name of a function that is used, or called as an attribute of a module."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return None


def _bound_by(node: ast.AST) -> tuple[str | None, ...]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return (name,)
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return (name,)
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return (name,)
        case ast.MatchMapping(rest=name):
            return (name,)
        case ast.alias(name=name, asname=other):
            return ((other or name).partition(".")[0],)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return tuple(names)
    return ()


def _field_names(parameter: str, t: FieldsTypeInfo[Any], taken: set[str]) -> list[str]:
    """Return the names of the variables that hold fields, which the function does not use."""
    names: list[str] = []
    for field in t.get_field_names():
        name = f"{parameter}_{field}"
        if not name.isidentifier():
            name = f"{parameter}_{len(names)}"
        while name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    return names


def _names_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Return all names that occur in code."""
    found: set[str] = set()
    for root in nodes:
        for node in ast.walk(root):
            found.update(name for name in _bound_by(node) if name)
            if isinstance(node, ast.Name):
                found.add(node.id)
    return found


def _branches(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, ast.IfExp):
        return [*_branches(value.body), *_branches(value.orelse)]
    return [value]


def _all_of(parts: list[ast.expr], count: int) -> list[ast.expr]:
    if len(parts) != count or any(isinstance(part, ast.Starred) for part in parts):
        raise _NotColumnsError
    return parts


def _in_order(given: dict[Any, ast.expr], names: Sequence[str], count: int) -> list[ast.expr]:
    """Return named values in the order of fields, if they are evaluated in this order."""
    if list(given) != list(names) or len(given) != count:
        raise _NotColumnsError
    return list(given.values())


def _is_plain_dict(t: TypeInformation[Any]) -> bool:
    return isinstance(t, RecordTypeInfo) and t.kind is RecordKind.TYPED_DICT and not t.optional_keys


def _only_stores(t: RecordTypeInfo[Any]) -> bool:
    try:
        checked_defaults(t.record_class, t)
    except NotExact:
        return False
    return t.kind is not RecordKind.TYPED_DICT or not t.optional_keys


def _parameters(names: Iterable[str]) -> ast.arguments:
    return ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[]
    )


def _qualified(code: CodeType, prefix: str, name: str) -> CodeType:
    """Return code, and that of functions within, with another beginning of its qualified name."""
    constants = tuple(
        _qualified(one, prefix, name) if isinstance(one, CodeType) else one for one in code.co_consts
    )
    return code.replace(co_qualname=name + code.co_qualname.removeprefix(prefix), co_consts=constants)


def _bare(parameter: ast.arg | None) -> ast.arg | None:
    return None if parameter is None else ast.arg(parameter.arg)


def _inner_code(code: CodeType) -> CodeType:
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))
