"""The columns of what a query selects from, and of its results, before expressions have tables and types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp
from sqlglot.optimizer.scope import Scope
from sqlglot.schema import MappingSchema

from pystream.table.columns import unique_name
from pystream.table.sql.dialect import Flink
from pystream.table.sql.naming import with_name

__all__ = ["UNKNOWN", "OutputColumn", "OutputColumns"]

UNKNOWN = "*"
"""The name of columns that are not known."""


class OutputColumn(NamedTuple):
    """A column of the results of a SELECT.

    Attributes:
        name: its name, or `UNKNOWN`.
        item: the name of the item of FROM that it is a column of, if ``*`` stands for it.
        column: the name that it has there.
    """

    name: str
    item: str | None = None
    column: str = ""


class OutputColumns:
    """Finds the columns of items of FROM and of queries.

    Args:
        schema: the columns of tables.
    """

    def __init__(self, schema: MappingSchema) -> None:
        self._schema = schema
        self._known: dict[Scope, Sequence[OutputColumn]] = {}

    def names_in(self, source: exp.Table | Scope) -> Sequence[str]:
        """Return the names of columns of a table or subquery, `UNKNOWN` among them if there may be more."""
        return self.renamed_in(source) or self.own_names_in(source)

    def own_names_in(self, source: exp.Table | Scope) -> Sequence[str]:
        """Return the names that columns of a table or subquery have without a list of names behind it."""
        if isinstance(source, exp.Table):
            names: Sequence[str] = self._schema.column_names(source, dialect=Flink, normalize=False)
            return names
        return [column.name for column in self.results(source)]

    def renamed_in(self, source: exp.Table | Scope) -> Sequence[str]:
        """Return the list of names behind a table or subquery, or before one in WITH, if there is one."""
        if isinstance(source, exp.Table):
            names: Sequence[str] = source.alias_column_names
            return names
        return source.outer_columns if isinstance(source.expression, exp.Query) else ()

    def results(self, scope: Scope) -> Sequence[OutputColumn]:
        """Return the columns of the results of a query; of a UNION, those of its first SELECT."""
        while scope.set_operation_scopes:
            scope = scope.set_operation_scopes[0]
        if scope not in self._known:
            self._known[scope] = [column for part in self._parts(scope) for column in part]
        return self._known[scope]

    def number_stars(self, scope: Scope) -> None:
        """Let a SELECT name the columns of a ``*`` one by one if it gives some of them other names."""
        query, parts = scope.expression, [*self._parts(scope)]
        results = [column for part in parts for column in part]
        if not isinstance(query, exp.Select) or not any(map(_is_renamed, results)):
            return
        expanded: list[exp.Expr] = []
        for selected, part in zip(query.expressions, parts, strict=True):
            expanded += map(_column, part) if _is_expanded(selected, part) else [selected]
        query.set("expressions", expanded)

    def _parts(self, scope: Scope) -> Iterator[Sequence[OutputColumn]]:
        """Yield the columns that each expression of a SELECT gives."""
        query, taken = scope.expression, set[str]()
        for selected in query.selects if isinstance(query, exp.Query) else ():
            part = list[OutputColumn]()
            for column in self._selected(scope, selected):
                # The columns of * are numbered where others have their names; those names stay as they are.
                is_numbered = column.item is not None and column.name != UNKNOWN
                name = unique_name(column.name, taken) if is_numbered else column.name
                taken.add(name)
                part.append(column._replace(name=name))
            yield part

    def _selected(self, scope: Scope, selected: exp.Expr) -> Iterator[OutputColumn]:
        keys: Sequence[str] = ()
        if isinstance(selected, exp.Star):
            items, keys = [*scope.selected_sources], self._joined_by(scope)
        elif isinstance(selected, exp.Column) and _is_star_of_item(selected):
            items = [selected.table]
        else:
            yield OutputColumn(selected.alias_or_name)
            return
        yield from map(OutputColumn, keys)
        for item in items:
            found = scope.selected_sources.get(item)
            for name in (found and self.names_in(found[1])) or [UNKNOWN]:
                if name not in keys:
                    yield OutputColumn(name, item, name)

    def _joined_by(self, scope: Scope) -> Sequence[str]:
        """Return the names of the columns that USING and NATURAL make one of several items of FROM."""
        keys, left = list[str](), set[str]()
        joins = scope.expression.args.get("joins") or ()
        for clause in filter(None, (scope.expression.args.get("from_"), *joins)):
            found = scope.selected_sources.get(clause.alias_or_name)
            own = self.names_in(found[1]) if found else ()
            joined = [key.name for key in clause.args.get("using") or ()]
            if clause.args.get("method") == "NATURAL":
                joined = [name for name in own if name in left]
            keys = [*joined, *(key for key in keys if key not in joined)]
            left.update(own)
        return keys


def _is_star_of_item(selected: exp.Column) -> bool:
    return selected.is_star and not selected.args.get("db")


def _is_renamed(column: OutputColumn) -> bool:
    return column.item is not None and column.name not in (column.column, UNKNOWN)


def _is_expanded(selected: exp.Expr, part: Sequence[OutputColumn]) -> bool:
    is_star_of_item = isinstance(selected, exp.Column) and _is_star_of_item(selected)
    is_star = isinstance(selected, exp.Star) or is_star_of_item
    return is_star and all(column.name != UNKNOWN for column in part)


def _column(column: OutputColumn) -> exp.Expr:
    name = column.column or column.name
    return with_name(exp.column(name, table=column.item, quoted=True), column.name)
