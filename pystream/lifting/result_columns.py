"""Result columns: the columns of the results that a function makes by constructors that only store."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pystream.expressions.expression import Expression
from pystream.lifting.frame import Frame
from pystream.lifting.kinds import NotExact
from pystream.lifting.objects import callee_of
from pystream.lifting.records import checked_defaults, is_replaceable
from pystream.lifting.returns import (
    NotColumnsError,
    all_of,
    branches,
    collections_in,
    replace_results,
    results_at,
    returns_in,
)
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import is_immutable
from typeinfo.formats.layout import has_columns
from typeinfo.info import Slot, TypeInformation
from typeinfo.row import Row

__all__ = ["ResultColumns"]


_Results: TypeAlias = tuple[int | Expression | None, ...]


class ResultColumns:
    """The columns of the results of a function.

    Args:
        frame: the outer variables of the function.
        bound: the names that it binds.
        names: the variables that hold the fields of its element.
        fields: the types of these.
        t: the type of its results.
        elements: the elements that may be results as a whole, by their names, with the variables of each.
        is_state: whether results are elements that the next call takes.
        by_name: whether rows need their names: the call reads fields by name, or the program sees them.
    """

    def __init__(
        self,
        frame: Frame,
        bound: set[str],
        names: Sequence[str],
        fields: Sequence[TypeInformation[Any]],
        t: TypeInformation[Any],
        elements: Mapping[str, Sequence[str]],
        *,
        is_state: bool = False,
        by_name: bool = False,
    ) -> None:
        self._elements = elements
        self._is_state = is_state
        self._by_name = by_name
        self._frame = frame
        self._bound = bound
        self._names = names
        self._fields = fields
        self._type = t
        self._slots = t.slots() if has_columns(t) else (Slot("", t, nullable=False),)
        self._types = [slot.type for slot in self._slots]

    def written_in(self, value: ast.expr | None) -> list[tuple[ast.expr, Slot]]:
        """Return the columns of a result with their types, none if they are not known."""
        try:
            columns = self._columns(value) if isinstance(value, ast.Call | ast.Tuple | ast.Dict) else []
            columns = columns if has_columns(self._type) else []
        except NotColumnsError:
            return []
        return list(zip(columns, self._slots, strict=True)) if columns else []

    def of_one(self, body: list[ast.stmt], pure: Sequence[Expression | None] = ()) -> _Results | None:
        """Replace the constructors of the result of each call by tuples of their arguments.

        Args:
            body: the code of the function.
            pure: for each column the expression that it is, ``None`` for one that calls compute.

        Returns:
            For each column, the position of the field that is handed on, the expression, or ``None`` if it is
            computed; ``None`` if results are not known to be made of columns.
        """
        if not all(map(is_immutable, self._types)):
            return None
        returns = returns_in(body)
        try:
            rows = [
                self._columns(value)
                for one in returns.found
                if one.value is not None
                for value in branches(one.value)
            ]
        except NotColumnsError:
            return None
        if not has_columns(self._type):
            return self._handed_on(rows) if returns.found == body else (None,)
        if not rows:
            return None
        handed_on: _Results = self._handed_on(rows)
        if pure:
            pairs = zip(handed_on, pure, strict=True)
            handed_on = tuple(expression if at is None else at for at, expression in pairs)
        for one in returns.found:
            if one.value is not None:
                one.value = self._row_of(one.value, handed_on)
        return handed_on

    def of_state(self, body: list[ast.stmt]) -> None:
        """Replace the result of each call, an element or a new one, by the list of its fields.

        Raises:
            NotColumnsError: a result is not known to be such an element.
        """
        nothing: _Results = (None,) * len(self._types)
        for one in returns_in(body).found:
            if one.value is None:
                raise NotColumnsError
            one.value = self._row_of(one.value, nothing, ast.List)

    def of_many(self, body: list[ast.stmt]) -> tuple[None, ...] | None:
        """Replace constructors in collections of results, or in what is generated, by tuples.

        Returns:
            For each column ``None``, as it is computed; ``None`` as in `of_one`.
        """
        if not all(map(is_immutable, self._types)):
            return None
        if not has_columns(self._type):
            return (None,)
        found = returns_in(body)
        is_generator = self._frame.code.co_flags & inspect.CO_GENERATOR
        try:
            if found.delegates:
                raise NotColumnsError
            places = found.yields if is_generator else collections_in(found.found)
            results = [self._columns(value) for place in places for value in results_at(place)]
        except NotColumnsError:
            return None
        if not results:
            return None
        nothing: tuple[None, ...] = (None,) * len(self._types)
        for place in places:
            replace_results(place, lambda value: self._row_of(value, nothing))
        return nothing

    def _handed_on(self, rows: list[list[ast.expr]]) -> tuple[int | None, ...]:
        return tuple(map(self._field_of, zip(*rows, strict=True), self._types))

    def _field_of(self, column: tuple[ast.expr, ...], t: TypeInformation[Any]) -> int | None:
        """Return the position of the field that is a column of all results, unchanged."""
        found = {v.id if isinstance(v, ast.Name) else "" for v in column}
        name = found.pop()
        if found or name not in self._names or name in self._bound:
            return None
        position = self._names.index(name)
        return position if self._fields[position] == t else None

    def _row_of(
        self, value: ast.expr, handed_on: _Results, made: type[ast.Tuple | ast.List] = ast.Tuple
    ) -> ast.expr:
        if isinstance(value, ast.IfExp):
            value.body = self._row_of(value.body, handed_on, made)
            value.orelse = self._row_of(value.orelse, handed_on, made)
            return value
        columns = self._columns(value)
        computed = [column for column, at in zip(columns, handed_on, strict=True) if at is None]
        return ast.copy_location(made(computed, ast.Load()), value)

    def _columns(self, value: ast.expr) -> list[ast.expr]:
        """Return the columns of a result, in the order of its type, which is that of their evaluation.

        Raises:
            NotColumnsError: it is not made by a constructor that only stores its arguments.
        """
        if not has_columns(self._type):
            return [value]
        if isinstance(value, ast.Name) and value.id in self._elements:
            return [ast.copy_location(ast.Name(name, ast.Load()), value) for name in self._elements[value.id]]
        return self._fields_of(value, self._type)

    def _fields_of(self, value: ast.expr, t: FieldsTypeInfo[Any]) -> list[ast.expr]:
        count = len(t.field_types)
        match value:
            case ast.Tuple(elts=parts) if isinstance(t, TupleTypeInfo):
                return all_of(parts, count)
            case ast.Tuple(elts=parts) if isinstance(t, RowTypeInfo) and not self._by_name:
                return all_of(parts, count)
            case ast.Dict(keys=keys, values=values) if _is_plain_dict(t):
                names = [key.value if isinstance(key, ast.Constant) else None for key in keys]
                return self._all_in_order(dict(zip(names, values, strict=True)), t, len(keys))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="_replace"), args=[]) if (
                name in self._elements
            ):
                return self._replaced(value, name, RecordKind.NAMED_TUPLE, t)
            case ast.Call(func=callee, args=args, keywords=keywords):
                called = self._called(callee)
                if called is not dataclasses.replace:
                    return self._arguments(called, args, keywords, t)
                if len(args) == 1 and isinstance(args[0], ast.Name) and args[0].id in self._elements:
                    return self._replaced(value, args[0].id, RecordKind.DATACLASS, t)
        raise NotColumnsError

    def _called(self, node: ast.expr) -> Any:
        """Return the class or function that a call names, as ``Order`` or ``model.Order``."""
        try:
            return callee_of(node, self._frame, self._bound)
        except NotExact:
            raise NotColumnsError from None

    def _replaced(
        self, call: ast.Call, element: str, kind: RecordKind, t: FieldsTypeInfo[Any]
    ) -> list[ast.expr]:
        """Return the columns of a copy of an element, some of whose fields are given by name."""
        names = t.get_field_names()
        given: dict[Any, ast.expr] = {keyword.arg: keyword.value for keyword in call.keywords}
        if not isinstance(t, RecordTypeInfo) or t.kind is not kind or not is_replaceable(t):
            raise NotColumnsError
        for name, own in zip(names, self._elements[element], strict=True):
            given.setdefault(name, ast.copy_location(ast.Name(own, ast.Load()), call))
        return self._in_order(given, names)

    def _arguments(
        self, cls: Any, args: list[ast.expr], keywords: list[ast.keyword], t: FieldsTypeInfo[Any]
    ) -> list[ast.expr]:
        names = t.get_field_names()
        named = {keyword.arg: keyword.value for keyword in keywords}
        if cls is Row and isinstance(t, RowTypeInfo):
            if not keywords and not self._by_name:
                return all_of(args, len(names))
            if args or t.field_names is None or (self._is_state and list(named) != [*names]):
                raise NotColumnsError
            return self._all_in_order(named, t, len(keywords))
        if not isinstance(t, RecordTypeInfo) or cls is not t.record_class or not _only_stores(t):
            raise NotColumnsError
        if len(args) > len(names):
            raise NotColumnsError
        positional = dict(zip(names, all_of(args, len(args)), strict=False))
        return self._all_in_order({**positional, **named}, t, len(args) + len(keywords))

    def _all_in_order(self, given: dict[Any, ast.expr], t: FieldsTypeInfo[Any], count: int) -> list[ast.expr]:
        """Return named values in the order of fields, if all are given, each once."""
        names = t.get_field_names()
        if given.keys() != set(names) or len(given) != count:
            raise NotColumnsError
        return self._in_order(given, names)

    def _in_order(self, given: dict[Any, ast.expr], names: Sequence[str]) -> list[ast.expr]:
        """Return named values in the order of fields, if evaluating them in this order changes nothing."""
        if not given.keys() <= set(names):
            raise NotColumnsError
        written = [name for name, value in given.items() if not self._is_fixed(value)]
        if written != [name for name in names if name in written]:
            raise NotColumnsError
        return [given[name] for name in names if name in given]

    def _is_fixed(self, value: ast.expr) -> bool:
        """Return whether a value is the same whenever it is evaluated."""
        if isinstance(value, ast.Name):
            return value.id in self._names and value.id not in self._bound
        return isinstance(value, ast.Constant)


def _is_plain_dict(t: TypeInformation[Any]) -> bool:
    return isinstance(t, RecordTypeInfo) and t.kind is RecordKind.TYPED_DICT and not t.optional_keys


def _only_stores(t: RecordTypeInfo[Any]) -> bool:
    try:
        checked_defaults(t.record_class, t)
    except NotExact:
        return False
    return t.kind is not RecordKind.TYPED_DICT or not t.optional_keys
