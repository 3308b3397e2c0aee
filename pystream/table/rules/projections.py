"""Push projections down: leave out the columns of subqueries and tables that a query does not need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from sqlglot import exp

from pystream.table.column_paths import ColumnPath
from pystream.table.sql.conditions import conjuncts
from pystream.table.sql.from_items import items_of, own_columns
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.match_calls import match_call
from pystream.table.sql.temporal_tables import system_time
from pystream.table.sql.windows import bound_of, window_call

__all__ = ["NeededColumns", "selects_rows", "with_needed_columns"]

Needed: TypeAlias = dict[int, set[ColumnPath]]
"""For the number of each column of a query that is needed, the paths of fields in it; all of it is ``()``."""

_WHOLE: ColumnPath = ()

_COMBINING = ("distinct", "group", "having", "order", "limit", "offset", "qualify")


class NeededColumns(NamedTuple):
    """A query without the columns of subqueries that it does not need.

    Attributes:
        tree: the query.
        paths: for each table by its name, the columns, and fields of rows in them, that it needs.
        whole: the names of tables of which it needs all columns.
    """

    tree: exp.Query
    paths: Mapping[str, Collection[ColumnPath]]
    whole: Collection[str]


def with_needed_columns(
    tree: exp.Query,
    read: Collection[ColumnPath] | None = None,
    keys: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> NeededColumns:
    """Return a query without the columns of subqueries that it does not need.

    Conditions, keys of groups and orders need columns, also where no result does; so do ``DISTINCT`` and
    operations of sets, which compare whole rows. Rows that are ranked keep their upsert keys, by which they
    are updated fast. A query keeps one column at least.

    Args:
        tree: the query, whose columns have tables.
        read: the columns of its results, and fields of rows in them, that are read; ``None`` for all.
        keys: for tables by their names, the columns of their upsert keys.
    """
    tree = tree.copy()
    projections = _Projections(tree, keys)
    projections.reduce(tree, _all(tree) if read is None else _named(tree, read))
    return NeededColumns(tree, projections.paths, projections.whole)


def selects_rows(query: exp.Expr) -> bool:
    """Return whether a query selects single rows or pairs of them, of which some columns cost less than all.

    Results that combine rows are better computed once for all queries that read them.
    """
    match query:
        case exp.Subquery():
            return selects_rows(query.this)
        case exp.Union() if not any(query.args.get(clause) for clause in _COMBINING):
            return selects_rows(query.left) and selects_rows(query.right)
        case exp.Select() if not any(query.args.get(clause) for clause in _COMBINING):
            return not any(map(_aggregates, query.selects))
    return False


class _Projections:
    """Leaves out columns, from the outermost query inwards, and collects those that tables need.

    Args:
        tree: the query.
        keys: for tables by their names, the columns of their upsert keys.
    """

    def __init__(self, tree: exp.Query, keys: Mapping[str, Collection[str]]) -> None:
        self._keys = keys
        self._named = {one.alias: one.this for one in tree.find_all(exp.CTE)}
        self.paths: dict[str, set[ColumnPath]] = defaultdict(set)
        self.whole: set[str] = set()

    def reduce(self, query: exp.Expr, needed: Needed) -> None:
        """Reduce a query to the columns that are needed of it."""
        needed = self._closed(query, needed)
        match query:
            case exp.Subquery():
                self.reduce(query.this, needed)
            case exp.SetOperation():
                is_by_position = _are_equally_wide(query)
                for side in (query.left, query.right):
                    self.reduce(side, needed if is_by_position else _all(side))
            case exp.Select():
                self._reduce_select(query, needed)
        for named in reversed(query.args["with_"].expressions if query.args.get("with_") else ()):
            whole = named.alias in self.whole or named.alias_column_names
            read = _all(named.this) if whole else _named(named.this, self.paths.pop(named.alias, ()))
            self.reduce(named.this, read)

    def _reduce_select(self, query: exp.Select, needed: Needed) -> None:
        passed_on = {id(query.selects[number].unalias()): paths for number, paths in needed.items()}
        query.set("expressions", [field for n, field in enumerate(query.selects) if n in needed])
        for item, keeps_all in _items(query):
            paths = {path for column in _columns_of(query, item) for path in _paths(column, passed_on)}
            self._reduce_item(item, paths, keeps_all=keeps_all)
        for subquery in _subqueries(query):
            is_tested = isinstance(subquery.parent, exp.Exists)
            self.reduce(subquery, {} if is_tested else _all(subquery))

    def _reduce_item(self, item: exp.Expr, paths: set[ColumnPath], *, keeps_all: bool) -> None:
        keeps_all = keeps_all or bool(item.alias_column_names)
        match item:
            case FunctionTable():
                return
            case exp.Table() if keeps_all:
                self.whole.add(item.name)
            case exp.Table():
                self.paths[item.name] |= paths
            case exp.Subquery(this=exp.Query() as query):
                keeps_all = keeps_all or match_call(item) is not None
                needed = _all(query) if keeps_all else _named(query, paths) | _windows(item)
                self.reduce(query, needed)
            case _:
                self.whole.update(table.name for table in item.find_all(exp.Table))

    def _closed(self, query: exp.Expr, needed: Needed) -> Needed:
        """Return the columns that a query has to have where some are needed."""
        match query:
            case exp.Subquery(this=exp.Query() as inner) if not query.args.get("order"):
                return self._closed(inner, needed)
            case exp.Union() if _is_by_rows(query):
                while True:
                    whole: Needed = {number: {_WHOLE} for number in needed}
                    needed = self._closed(query.left, whole) | self._closed(query.right, whole)
                    if needed == whole:
                        return needed
            case exp.Select() if not (query.is_star or query.args.get("distinct") or _has_ordinals(query)):
                own = {column.name for column in own_columns(query) if not column.table}
                if any(field.find(exp.Window) for field in query.selects):
                    own |= self._key(query)
                whole = {n: {_WHOLE} for n, field in enumerate(query.selects) if field.alias_or_name in own}
                if not (needed or whole):
                    whole[0] = {_WHOLE}
                aggregates = [n for n, field in enumerate(query.selects) if _aggregates(field)]
                if aggregates and not query.args.get("group") and not {*aggregates} & {*needed, *whole}:
                    whole[aggregates[0]] = {_WHOLE}
                return needed | whole
            case exp.Query():
                return _all(query)
        return needed

    def _key(self, node: exp.Expr | None) -> set[str]:
        """Return the columns of an item of FROM, or of the results of a query, that are of its upsert key."""
        match node:
            case exp.Table():
                return {*self._keys.get(node.name, ()), *self._key(self._named.get(node.name))}
            case exp.Subquery():
                return self._key(node.this)
            case exp.Select() if node.args.get("group"):
                group = node.args["group"].expressions
                return {field.alias_or_name for field in node.selects if field.unalias() in group}
            case exp.Select():
                keys = {(item.alias_or_name, name) for item in items_of(node) for name in self._key(item)}
                return {
                    field.alias_or_name
                    for field in node.selects
                    for column in [field.unalias()]
                    if isinstance(column, exp.Column) and (column.table, column.name) in keys
                }
        return set()


def _all(query: exp.Query) -> Needed:
    return {number: {_WHOLE} for number in range(len(query.named_selects))}


def _named(query: exp.Query, paths: Iterable[ColumnPath]) -> Needed:
    """Return the columns of a query by their names."""
    found: Needed = defaultdict(set)
    for number, name in enumerate(query.named_selects):
        for path in paths:
            if path[0] == name:
                found[number].add(path[1:])
    return dict(found)


def _windows(item: exp.Subquery) -> Needed:
    """Return the bounds and the keys of windows, which say what the rows of a window function are."""
    call = window_call(item)
    fields = [] if call is None else item.this.selects
    return {
        number: {_WHOLE}
        for number, field in enumerate(fields)
        if bound_of(field.unalias()) is not None or (call and field.unalias().name in call.keys)
    }


def _is_by_rows(query: exp.Union) -> bool:
    """Return whether a UNION neither compares nor sorts rows."""
    return _are_equally_wide(query) and not (query.args.get("distinct") or query.args.get("order"))


def _are_equally_wide(query: exp.SetOperation) -> bool:
    return len(query.left.named_selects) == len(query.right.named_selects)


def _has_ordinals(query: exp.Select) -> bool:
    """Return whether a query names columns of its results by their numbers."""
    clauses = [query.args.get("group"), query.args.get("order")]
    keys = [key.this if isinstance(key, exp.Ordered) else key for one in clauses if one for key in one]
    return any(isinstance(key, exp.Literal) for key in keys)


def _aggregates(field: exp.Expr) -> bool:
    """Return whether an expression aggregates groups of rows."""
    nodes = field.walk(prune=lambda node: isinstance(node, exp.Window | exp.Query))
    return any(is_aggregate(node) for node in nodes if not isinstance(node, exp.Window | exp.Query))


def _items(query: exp.Select) -> Iterator[tuple[exp.Expr, bool]]:
    """Yield the items of FROM, and whether all columns of one are needed."""
    start = query.args.get("from_")
    if start is not None:
        yield start.this, False
    for join in query.args.get("joins") or ():
        joins_versions = any(system_time(one) is not None for one in conjuncts(join.args.get("on")))
        yield join.this, joins_versions and not isinstance(join.this, exp.Table)


def _subqueries(query: exp.Select) -> list[exp.Query]:
    """Return the queries in the expressions and conditions of a query."""
    nodes = query.walk(prune=lambda node: isinstance(node, exp.Query) and node is not query)
    holders = (exp.From, exp.Join, exp.CTE)
    return [
        node
        for node in nodes
        if isinstance(node, exp.Query) and node is not query and not isinstance(node.parent, holders)
    ]


def _columns_of(query: exp.Select, item: exp.Expr) -> Iterator[exp.Column]:
    """Yield the columns in a query, and in those in it, that are of an item of FROM."""
    name = item.alias_or_name

    def hides(node: exp.Expr) -> bool:
        if not isinstance(node, exp.Select) or node is query:
            return False
        return any(own.alias_or_name == name for own in items_of(node))

    for node in query.walk(prune=hides):
        if isinstance(node, exp.Column) and node.table == name:
            yield node


def _paths(column: exp.Column, passed_on: Mapping[int, set[ColumnPath]]) -> Iterator[ColumnPath]:
    """Yield what is needed of a column: all of it, or fields of the rows in it.

    Args:
        column: a place where a query has the column.
        passed_on: what is needed of the columns that are results of the query.
    """
    if id(column) in passed_on:
        yield from ((column.name, *path) for path in passed_on[id(column)])
        return
    path, node = [column.name], column.parent
    while isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        path.append(node.expression.name)
        node = node.parent
    yield tuple(path)
