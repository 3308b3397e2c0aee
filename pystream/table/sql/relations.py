"""Relations: trees of queries over tables, which the relational methods of a table build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlglot import exp

from pystream.errors import PlanError
from pystream.table.column_paths import ColumnPath
from pystream.table.expression.base import ExpressionTree
from pystream.table.expression.times import WINDOW_PROPERTIES
from pystream.table.sql.analysis import base_tables, rename_table
from pystream.table.sql.column_choices import has_choices
from pystream.table.sql.expression_trees import column_tree, ordered_tree
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.naming import TABLE_NAME, with_name
from pystream.table.sql.operations import OPERATION
from pystream.table.sql.syntax import path_of
from pystream.table.sql.type_trees import data_type_of_sql

if TYPE_CHECKING:
    from pystream.table.table import Table

__all__ = ["Relation", "output_names"]

_numbers = count()

_FUNCTION = "function"

_OPERATIONS: Mapping[str, type[exp.SetOperation]] = {
    "UNION": exp.Union,
    "INTERSECT": exp.Intersect,
    "EXCEPT": exp.Except,
}

Fields: TypeAlias = "Sequence[ExpressionTree[Any]]"


@dataclass(frozen=True, slots=True)
class Relation:
    """A query over tables.

    Attributes:
        query: its tree, in which each table has a name of its own.
        tables: the tables by these names.
        columns: the names of the columns of its results.
        read: the columns, and fields of rows in them, that are read of its results; ``None`` for all.
    """

    query: exp.Query
    tables: Mapping[str, Table]
    columns: tuple[str, ...]
    read: frozenset[ColumnPath] | None = None

    @staticmethod
    def of_table(table: Table, columns: Sequence[str]) -> Relation:
        """Return all rows of a table."""
        name = f"{TABLE_NAME}{next(_numbers)}"
        source = exp.Table(this=exp.to_identifier(name, quoted=True))
        return Relation(exp.select("*").from_(source), {name: table}, tuple(columns))

    @staticmethod
    def of_query(query: exp.Query, tables: Mapping[str, Table], columns: Sequence[str]) -> Relation:
        """Return a query over tables by their names in the program."""
        named = query.copy()
        for node in named.walk():  # places in the text of the query are none in that of a method
            node.meta.clear()
        names = {path: f"{TABLE_NAME}{next(_numbers)}" for path in tables}
        found = {id(table): (table, path_of(table)) for table in base_tables(named)}
        for table, path in found.values():
            rename_table(table, names[path])
        return Relation(named, {names[path]: table for path, table in tables.items()}, tuple(columns))

    def selected(self, call: str, fields: Fields, keys: Fields | None = None) -> Relation:
        """Return the values of expressions of each row, or of each group.

        Args:
            call: the name of the method, for messages.
            fields: the expressions.
            keys: the expressions that rows of a group have in common; none make all rows one group.

        Raises:
            PlanError: a column does not exist, or two results have the same name.
        """
        source = self
        if keys:
            source, keys = self.with_named_keys(keys)
        trees = list(source._checked(call, fields))
        named = list(output_names(trees))
        selected = [_named(tree, name) for tree, name in named]
        columns = tuple(column for _, name in named for column in ([name] if name else source.columns))
        _require_distinct(call, columns)
        query = source._from().select(*selected)
        if keys:
            query = query.group_by(*(_as_key(key._tree.copy()) for key in keys))
        return source._over(query, fields, columns)

    def with_named_keys(self, keys: Fields) -> tuple[Relation, Fields]:
        """Return a relation in which keys with names are columns, and the keys.

        Raises:
            PlanError: a column does not exist, or two have the same name.
        """
        trees = list(self._checked("group_by", keys))
        named = [key for key, tree in zip(keys, trees, strict=True) if isinstance(tree, exp.Alias)]
        if not named:
            return self, keys
        columns = (*self.columns, *(key._tree.alias for key in named))
        _require_distinct("group_by", columns)
        query = self._from().select("*", *(key._tree.copy() for key in named))
        return self._over(query, keys, columns), [
            _column(key._tree.alias) if isinstance(key._tree, exp.Alias) else key for key in keys
        ]

    def filtered(self, call: str, predicate: ExpressionTree[Any]) -> Relation:
        """Return the rows for which a condition is true.

        Raises:
            PlanError: a column does not exist.
        """
        (condition,) = self._checked(call, [predicate])
        query = self._from().select("*").where(condition.unalias(), copy=False)
        return self._over(query, [predicate], self.columns)

    def ordered(self, fields: Fields) -> Relation:
        """Return the rows in an order.

        Raises:
            PlanError: a column does not exist.
        """
        keys = [
            tree if isinstance(tree, exp.Ordered) else ordered_tree(_as_key(tree), is_descending=False)
            for tree in self._checked("order_by", fields, may_order=True)
        ]
        return self._over(self._from().select("*").order_by(*keys), fields, self.columns)

    def part(self, *, offset: int = 0, fetch: int | None = None) -> Relation:
        """Return the rows from the one of a number on, or a number of rows at most."""
        query = self.query.copy()
        is_cut = query.args.get("limit") is not None or (offset and query.args.get("offset") is not None)
        if is_cut or not isinstance(query, exp.Select):
            query = self._from().select("*")
        if offset:
            query = query.offset(offset)
        return replace(self, query=query if fetch is None else query.limit(fetch))

    def distinct(self) -> Relation:
        """Return rows without those that equal others."""
        return replace(self, query=self._from().select("*").distinct())

    def joined(
        self, call: str, right: Relation, side: str, predicate: ExpressionTree[Any] | None
    ) -> Relation:
        """Return the pairs of rows of two relations for which a condition is true.

        Args:
            call: the name of the method, for messages.
            right: the other relation.
            side: ``LEFT``, ``RIGHT`` or ``FULL`` if rows without a partner stay, ``INNER`` otherwise.
            predicate: the condition; all pairs unless given.

        Raises:
            PlanError: both have a column of the same name, or a column does not exist.
        """
        common = [name for name in self.columns if name in right.columns]
        if common:
            raise PlanError(
                f"{call}: both tables have the column {', '.join(map(repr, common))}; rename it in one of "
                f"them, such as by rename_columns(col({common[0]!r}).alias(…))"
            )
        both = replace(self, tables={**self.tables, **right.tables}, columns=(*self.columns, *right.columns))
        condition: exp.Expr = exp.true()
        if predicate is not None:
            (tree,) = both._checked(call, [predicate])
            condition = tree.unalias()
        source = exp.Subquery(this=right.query.copy(), alias=_alias("right"))
        query = self._from().select("*").join(source, on=condition, join_type=side, copy=False)
        return both._over(query, () if predicate is None else [predicate], both.columns)

    def correlated(
        self,
        call: str,
        function: ExpressionTree[Any],
        names: Sequence[str],
        side: str,
        predicate: ExpressionTree[Any] | None,
    ) -> Relation:
        """Return rows, each with the rows that a table function makes of it.

        Args:
            call: the name of the method, for messages.
            function: the call of the function.
            names: the names of the columns of its rows.
            side: ``LEFT`` if rows without one of the function stay, ``INNER`` otherwise.
            predicate: the condition; all pairs unless given.

        Raises:
            PlanError: the rows of the function have a column of the name of another, or a column does not
                exist.
        """
        common = [name for name in names if name in self.columns]
        if common:
            raise PlanError(
                f"{call}: the table has the column {', '.join(map(repr, common))} already; name those of the "
                "function by alias"
            )
        both = replace(self, columns=(*self.columns, *names))
        condition: exp.Expr = exp.true()
        if predicate is not None:
            (tree,) = both._checked(call, [predicate])
            condition = tree.unalias()
        item = self._function_item(call, function, names)
        query = self._from().select("*").join(item, on=condition, join_type=side, copy=False)
        return both._over(query, [function, *([] if predicate is None else [predicate])], both.columns)

    def flat_mapped(self, call: str, function: ExpressionTree[Any], names: Sequence[str]) -> Relation:
        """Return the rows that a table function makes of each row.

        Args:
            call: the name of the method, for messages.
            function: the call of the function.
            names: the names of the columns of its rows.

        Raises:
            PlanError: a column does not exist.
        """
        item = self._function_item(call, function, names)
        fields = [exp.column(name, table=f"_{_FUNCTION}", quoted=True) for name in names]
        query = self._from().select(*fields).join(item, on=exp.true(), copy=False)
        return self._over(query, [function], tuple(names))

    def _function_item(self, call: str, function: ExpressionTree[Any], names: Sequence[str]) -> exp.Lateral:
        """Return the rows of a table function as an item of FROM."""
        tree = function._tree
        plain = tree.this if isinstance(tree, exp.Aliases) else tree.unalias()
        (called,) = self._checked(call, [ExpressionTree(lambda: plain)])
        alias = _alias(_FUNCTION)
        alias.set("columns", [exp.to_identifier(name, quoted=True) for name in names])
        return exp.Lateral(this=exp.Anonymous(this="TABLE", expressions=[called]), alias=alias)

    def combined(self, right: Relation, operation: str, *, is_distinct: bool) -> Relation:
        """Return the ``UNION``, ``INTERSECT`` or ``EXCEPT`` of the rows of two relations."""
        left, other = (relation._from().select("*") for relation in (self, right))
        query = _OPERATIONS[operation](this=left, expression=other, distinct=is_distinct)
        return replace(self, query=query, tables={**self.tables, **right.tables})

    def extended(self, call: str, fields: Fields, *, replaces: bool = False) -> Relation:
        """Return the rows with further columns.

        Args:
            call: the name of the method, for messages.
            fields: the columns.
            replaces: whether a column takes the place of one of its name.

        Raises:
            PlanError: a column that is used does not exist, or two results have the same name.
        """
        added = {field._tree.alias_or_name: field for field in fields} if replaces else {}
        kept = [added[name] if name in added else _column(name) for name in self.columns]
        new = [field for field in fields if not replaces or field._tree.alias_or_name not in self.columns]
        return self.selected(call, [*kept, *new])

    def chosen(self, names: Sequence[str], renamed: Sequence[str]) -> Relation:
        """Return columns by their names, with other names."""
        selected = [with_name(column_tree(name), new) for name, new in zip(names, renamed, strict=True)]
        return replace(self, query=self._from().select(*selected), columns=tuple(renamed))

    def _from(self) -> exp.Select:
        """Return a query of these rows without what it selects."""
        match self.query:
            case exp.Select(expressions=[exp.Star()]) if set(_given(self.query)) == {"expressions", "from_"}:
                return exp.Select(from_=self.query.args["from_"].copy())
        return exp.Select().from_(exp.Subquery(this=self.query.copy(), alias=_alias("left")))

    def _over(self, query: exp.Query, fields: Fields, columns: tuple[str, ...]) -> Relation:
        """Return the relation of a query over this one and the subqueries of expressions."""
        tables = dict(self.tables)
        for field in fields:
            for subquery in field._subqueries:
                tables |= subquery._as_relation().tables
        return Relation(query, tables, columns)

    def _checked(self, call: str, fields: Fields, *, may_order: bool = False) -> Iterator[exp.Expr]:
        """Yield the trees of expressions.

        Raises:
            PlanError: a column does not exist, or an order is given where none belongs.
        """
        for field in fields:
            tree = field._tree.copy()
            if isinstance(tree, exp.Ordered) and not may_order:
                raise PlanError(f"{call}: an order such as {field} belongs in order_by")
            if has_choices(tree):
                raise PlanError(f"{call}: {field} stands for several columns; name them one by one")
            if isinstance(tree, exp.Aliases):
                raise PlanError(f"{call}: {field} is one column, which takes one name")
            for column in _own_columns(tree):
                name = column.parts[0].name
                if name not in self.columns:
                    raise PlanError(
                        f"{call}: there is no column {name!r} among {', '.join(self.columns)}, in {field}"
                    )
            if any(node.name in WINDOW_PROPERTIES for node in tree.find_all(exp.Anonymous)):
                raise PlanError(
                    f"{call}: {field} is a property of a window, which is given by its name in Table.window"
                )
            yield tree


def _given(query: exp.Expr) -> Iterator[str]:
    return (key for key, value in query.args.items() if value)


def _alias(name: str) -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier(f"_{name}", quoted=True))


def _own_columns(tree: exp.Expr) -> Iterable[exp.Column]:
    """Yield the columns in a tree that are not those of a subquery."""
    nodes = tree.walk(prune=lambda node: isinstance(node, exp.Query))
    return (node for node in nodes if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star))


def _as_key(tree: exp.Expr) -> exp.Expr:
    """Return a tree as a key of groups or an order, where a bare number would be that of a result."""
    return exp.cast(tree, exp.DType.INT) if isinstance(tree, exp.Literal) and tree.is_number else tree


def _column(name: str) -> ExpressionTree[Any]:
    return ExpressionTree(lambda: column_tree(name))


def output_names(trees: Sequence[exp.Expr]) -> Iterator[tuple[exp.Expr, str]]:
    """Yield trees with the names of their results, as Flink gives them; that of all columns is empty."""
    aggregations = dict.fromkeys(node for tree in trees for node in tree.walk(bfs=False) if _aggregates(node))
    numbers = {aggregation: number for number, aggregation in enumerate(aggregations)}
    for position, tree in enumerate(trees):
        match tree:
            case exp.Star():
                yield tree, ""
            case exp.Alias() | exp.Column():
                yield tree, tree.alias_or_name
            case exp.Cast(this=exp.Column() as column):
                yield tree, f"{column.name}-{data_type_of_sql(tree.to)}"
            case exp.Dot() if (name := _field_name(tree, numbers)) is not None:
                yield tree, name
            case _ if tree in numbers:
                yield tree, f"EXPR${numbers[tree]}"
            case _:
                yield tree, f"_c{position}"


def _field_name(field: exp.Dot, numbers: Mapping[exp.Expr, int]) -> str | None:
    """Return the name of a field of a row, ``None`` if the row has none."""
    row = field.this
    match row:
        case exp.Dot():
            owner = _field_name(row, numbers)
        case exp.Column():
            owner = row.name
        case _:
            owner = f"EXPR${numbers[row]}" if row in numbers else None
    own = field.expression
    return owner and f"{owner}${'_' if isinstance(own, exp.Literal) else ''}{own.name}"


def _aggregates(node: exp.Expr) -> bool:
    """Return whether a node is an aggregation or property of a window, and no part of another."""
    if node.meta.get(OPERATION) == "sum0":
        return True
    if isinstance(node, exp.Anonymous) and node.name in WINDOW_PROPERTIES:
        return True
    return is_aggregate(node) and not (node.parent is not None and _aggregates(node.parent))


def _named(tree: exp.Expr, name: str) -> exp.Expr:
    if not name or isinstance(tree, exp.Alias) or tree.alias_or_name == name:
        return tree
    return with_name(tree, name)


def _require_distinct(call: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise PlanError(
                f"{call}: there are two columns of the name {name!r}; give one of them another name by alias"
            )
