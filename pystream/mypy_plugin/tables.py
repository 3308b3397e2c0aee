"""Check the columns of tables in mypy: their names, and the types of those that are selected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mypy.errorcodes import ATTR_DEFINED, MISC
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    OpExpr,
    RefExpr,
    StrExpr,
    TypeInfo,
    UnaryExpr,
)
from mypy.plugin import AttributeContext, MethodContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    NoneType,
    Type,
    TypedDictType,
    TypeOfAny,
    TypeType,
    UnionType,
    get_proper_type,
)

from pystream.mypy_plugin.assignments import is_assigned_again
from pystream.mypy_plugin.streams import StreamHooks
from typeinfo.mypy_plugin.lookups import ROW, arguments

__all__ = ["TableHooks"]

TABLE = "pystream.table.table.Table"
EXPRESSION = "pystream.table.expression.expression.Expression"
STREAM_TABLE_ENVIRONMENT = "pystream.table.stream_table_environment.StreamTableEnvironment"
COL = "pystream.table.expressions.col"
CHECKED = ("filter", "where", "order_by", "group_by", "add_columns", "rename_columns")


class TableHooks(StreamHooks):
    """Checks columns of tables against the fields of what their rows were made of."""

    def _table_hook(self, class_name: str, method: str) -> Callable[[MethodContext], Type] | None:
        """Return the hook of a method of tables and of their environment, also for subclasses."""
        for owner, hooks in TABLE_METHODS.items():
            if method in hooks and self._is_a(class_name, owner):
                return partial(hooks[method], self)
        return None

    def _column_hook(self, class_name: str, name: str) -> Callable[[AttributeContext], Type] | None:
        """Return the hook of an attribute of a table that is a column."""
        if not self._is_a(class_name, TABLE) or self._class(class_name).get(name) is not None:
            return None
        return partial(self._column_attribute, name)

    def _is_a(self, class_name: str, base: str) -> bool:
        symbol = self.lookup_fully_qualified(class_name)
        return symbol is not None and isinstance(symbol.node, TypeInfo) and symbol.node.has_base(base)

    def _column_attribute(self, name: str, ctx: AttributeContext) -> Type:
        columns = self._own_columns(ctx)
        if columns is not None and name not in columns:
            ctx.api.fail(_no_column(name, columns), ctx.context, code=ATTR_DEFINED)
        return ctx.default_attr_type

    def _table_of_checked(self, ctx: MethodContext) -> Type:
        """Check the names of the columns that the arguments of a method use."""
        columns = self._own_columns(ctx)
        if columns is not None:
            self._check_names(ctx, columns)
        return ctx.default_return_type

    def _table_of_selected(self, ctx: MethodContext) -> Type:
        """Return a table of the columns that are selected."""
        columns = self._own_columns(ctx)
        if columns is None or not self._check_names(ctx, columns):
            return ctx.default_return_type
        chosen: dict[str, Type] = {}
        for argument in arguments(ctx):
            field = self._field_of_table(ctx, argument, columns)
            if field is None:
                return ctx.default_return_type
            name, type_ = field
            chosen[name] = type_
        return self._table_of(ctx, chosen)

    def _table_of_others(self, ctx: MethodContext) -> Type:
        """Return a table without the columns that are dropped."""
        columns = self._own_columns(ctx)
        if columns is None or not self._check_names(ctx, columns):
            return ctx.default_return_type
        dropped = [_column_name(argument) for argument in arguments(ctx)]
        if None in dropped:
            return ctx.default_return_type
        return self._table_of(ctx, {name: one for name, one in columns.items() if name not in dropped})

    def _table_of_renamed(self, ctx: MethodContext) -> Type:
        """Return a table with other names for its first columns."""
        columns = self._own_columns(ctx)
        names = [one.value for one in arguments(ctx) if isinstance(one, StrExpr)]
        if columns is None or len(names) != len(arguments(ctx)):
            return ctx.default_return_type
        if len(names) > len(columns):
            ctx.api.fail(f"There are {len(names)} names for {len(columns)} columns", ctx.context, code=MISC)
            return ctx.default_return_type
        kept = [*names, *list(columns)[len(names) :]]
        return self._table_of(ctx, dict(zip(kept, columns.values(), strict=True)))

    def _stream_of_table(self, ctx: MethodContext) -> Type:
        """Return the stream of the rows of a table, and check the names of a class that they become."""
        columns = self._columns_of(ctx, ctx.args[0][0], ctx.arg_types[0][0]) if ctx.args[0] else None
        stream = get_proper_type(ctx.default_return_type)
        if columns is None or not isinstance(stream, Instance):
            return stream
        if len(ctx.args) < 2 or not ctx.args[1]:
            return stream.copy_modified(args=[self._row_of(columns)])
        given = get_proper_type(ctx.arg_types[1][0])
        is_class = isinstance(given, TypeType) or (isinstance(given, FunctionLike) and given.is_type_obj())
        target = self._fields_of(stream.args[0]) if is_class else None
        if target is not None and {*target} != {*columns}:
            fields, known = ", ".join(target), ", ".join(columns)
            ctx.api.fail(f"The class has the fields {fields}, the table {known}", ctx.args[1][0], code=MISC)
        elif target is not None:
            self._compare_types(ctx, columns, target)
        return stream

    def _compare_types(
        self, ctx: MethodContext, columns: Mapping[str, Type], fields: Mapping[str, Type]
    ) -> None:
        """Report fields of plain values whose types no column of that name becomes."""
        for name, field in fields.items():
            column, own = _plain(columns[name]), _plain(field)
            if column is None or own is None or is_subtype(column, own) or is_subtype(own, column):
                continue
            what = f'The column "{name}" is'
            self._fail_types(what, columns[name], "the field is", field, ctx, ctx.args[1][0])

    def _own_columns(self, ctx: MethodContext | AttributeContext) -> dict[str, Type] | None:
        """Return the columns of the table of a method or attribute, ``None`` if they are not known."""
        node = ctx.context.callee if isinstance(ctx.context, CallExpr) else ctx.context
        return self._columns_of(ctx, node.expr, ctx.type) if isinstance(node, MemberExpr) else None

    def _columns_of(
        self, ctx: MethodContext | AttributeContext, table: Expression, type_: Type
    ) -> dict[str, Type] | None:
        """Return the columns of a table in order, ``None`` if they are not known.

        A variable keeps the type of its first table when mypy sees another one assigned, so nothing is known
        of variables that are assigned again.
        """
        rows = self._argument_of(type_, TABLE, 0)
        if rows is None or isinstance(rows, AnyType) or is_assigned_again(ctx.api, table):
            return None
        return self._fields_of(rows)

    def _row_of(self, columns: Mapping[str, Type]) -> Instance:
        fields = TypedDictType(dict(columns), {*columns}, set(), self._instance("typing._TypedDict"))
        return self._instance(ROW, fields)

    def _table_of(self, ctx: MethodContext, columns: Mapping[str, Type]) -> Type:
        table = get_proper_type(ctx.default_return_type)
        return table.copy_modified(args=[self._row_of(columns)]) if isinstance(table, Instance) else table

    def _field_of_table(
        self, ctx: MethodContext, argument: Expression, columns: Mapping[str, Type]
    ) -> tuple[str, Type] | None:
        """Return the name and the type of a result, ``None`` if they are not known."""
        plain, alias = argument, None
        if isinstance(argument, CallExpr) and isinstance(argument.callee, MemberExpr):
            is_alias = argument.callee.name == "alias" and len(argument.args) == 1
            if is_alias and isinstance(name := argument.args[0], StrExpr):
                plain, alias = argument.callee.expr, name.value
        column = _column_name(plain)
        if column is not None:
            return (alias or column, columns[column]) if column in columns else None
        value = self._argument_of(ctx.api.get_expression_type(plain), EXPRESSION, 0)
        return None if alias is None else (alias, value or AnyType(TypeOfAny.special_form))

    def _check_names(self, ctx: MethodContext, columns: Mapping[str, Type]) -> bool:
        """Check the names of the columns that arguments use, and return whether all exist."""
        unknown = [
            (call, name)
            for argument in arguments(ctx)
            for call, name in self._columns_in(argument)
            if name not in columns and name != "*"
        ]
        for call, name in unknown:
            ctx.api.fail(_no_column(name, columns), call, code=MISC)
        return not unknown

    def _columns_in(self, node: Expression) -> Iterator[tuple[Expression, str]]:
        """Yield the calls of ``col`` in an expression, with their names, save those of another table."""
        name = _column_name(node)
        if name is not None and isinstance(node, CallExpr):
            yield node, name
            return
        match node:
            case CallExpr():
                if isinstance(node.callee, MemberExpr) and self._is_of_table(node.callee.name):
                    return
                parts = [node.callee, *node.args]
            case MemberExpr():
                parts = [node.expr]
            case OpExpr():
                parts = [node.left, node.right]
            case ComparisonExpr():
                parts = [*node.operands]
            case UnaryExpr():
                parts = [node.expr]
            case IndexExpr():
                parts = [node.base, node.index]
            case _:
                parts = []
        for part in parts:
            yield from self._columns_in(part)

    def _is_of_table(self, method: str) -> bool:
        return self._class(TABLE).get(method) is not None and self._class(EXPRESSION).get(method) is None


def _column_name(node: Expression) -> str | None:
    """Return the name of a column that is written as ``col("a")``."""
    if not (isinstance(node, CallExpr) and isinstance(node.callee, RefExpr) and node.callee.fullname == COL):
        return None
    return node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], StrExpr) else None


def _plain(type_: Type) -> Instance | None:
    """Return a type without ``None``, if its values are such as numbers, text and times."""
    type_ = get_proper_type(type_)
    if isinstance(type_, UnionType):
        present = [item for item in map(get_proper_type, type_.items) if not isinstance(item, NoneType)]
        return _plain(present[0]) if len(present) == 1 else None
    if not isinstance(type_, Instance) or type_.args:
        return None
    return type_ if type_.type.module_name in ("builtins", "datetime", "decimal") else None


def _no_column(name: str, columns: Mapping[str, Type]) -> str:
    return f'There is no column "{name}": the table has {", ".join(columns)}'


TABLE_METHODS: dict[str, dict[str, Callable[[TableHooks, MethodContext], Type]]] = {
    TABLE: {
        "select": TableHooks._table_of_selected,
        "drop_columns": TableHooks._table_of_others,
        "alias": TableHooks._table_of_renamed,
        **dict.fromkeys(CHECKED, TableHooks._table_of_checked),
    },
    STREAM_TABLE_ENVIRONMENT: {"to_data_stream": TableHooks._stream_of_table},
}
