"""The items of FROM: their names and columns, and those that USING joins them by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from pystream.table.sql.output_columns import UNKNOWN, OutputColumns
from pystream.table.sql.syntax import error_at

__all__ = [
    "check_lists_of_columns",
    "check_names",
    "check_names_of_queries",
    "check_using",
    "items_of",
    "name_items",
    "own_columns",
]


def check_names(text: str, query: exp.Select) -> None:
    """Refuse two items of FROM with one name.

    Raises:
        SqlError: there are two.
    """
    taken = set[str]()
    for item in items_of(query):
        name = item.alias_or_name
        if name in taken:
            complaint = f"FROM has two items of the name {name!r}; give one of them another name by AS"
            raise error_at(text, item.args.get("alias") or item, complaint)
        if name:
            taken.add(name)


def check_names_of_queries(text: str, clause: exp.With) -> None:
    """Refuse two queries of WITH with one name.

    Raises:
        SqlError: there are two.
    """
    taken = set[str]()
    for named in clause.expressions:
        if named.alias in taken:
            complaint = f"WITH has two queries of the name {named.alias!r}; give one of them another name"
            raise error_at(text, named.args["alias"], complaint)
        taken.add(named.alias)


def check_using(text: str, query: exp.Select, columns: Mapping[str, Sequence[str]]) -> None:
    """Refuse columns of USING that are not on both sides of the join.

    Args:
        text: the text of the statement.
        query: the query.
        columns: the columns of the items of FROM by their names, none if they are not known.

    Raises:
        SqlError: there is one.
    """
    names = [item.alias_or_name for item in items_of(query)]
    joins: Sequence[exp.Join] = query.args.get("joins") or []
    for number, join in enumerate(joins, 1):
        for key in join.args.get("using") or ():
            for side, items in (("left", names[:number]), ("right", names[number : number + 1])):
                known = [columns.get(name, ()) for name in items]
                if all(known) and not any(key.name in one for one in known):
                    complaint = f"USING takes columns of both sides; there is no {key.name!r} on the {side}"
                    raise error_at(text, key, complaint)


def check_lists_of_columns(text: str, scope: Scope, columns: OutputColumns) -> None:
    """Refuse lists of names behind items of FROM that name not all of their columns, or two alike.

    Raises:
        SqlError: there is one.
    """
    for node, source in scope.selected_sources.values():
        renamed, own = columns.renamed_in(source), columns.own_names_in(source)
        if not renamed or not own or UNKNOWN in own:
            continue
        if len(renamed) != len(own):
            count = f"{len(own)} column{'s' * (len(own) != 1)}: {', '.join(own)}"
            names = f"{len(renamed)} name{'s' * (len(renamed) != 1)}"
            raise error_at(text, node, f"the list has {names}, and the table {count}; name each column")
        for name in renamed:
            if list(renamed).count(name) > 1:
                raise error_at(text, node, f"the list names two columns {name!r}")


def name_items(query: exp.Select) -> None:
    """Give the subqueries in FROM that have no name one, by which columns can be theirs."""
    for number, item in enumerate(items_of(query)):
        if isinstance(item, exp.Subquery) and not item.alias:
            alias = item.args.get("alias") or exp.TableAlias()
            alias.set("this", exp.to_identifier(f"_pystream_item_{number}", quoted=True))
            item.set("alias", alias)


def own_columns(query: exp.Select) -> Iterator[exp.Column]:
    """Yield the columns in a query that are not those of a query in it."""
    for node in query.walk(prune=lambda node: isinstance(node, exp.Query) and node is not query):
        if isinstance(node, exp.Column):
            yield node


def items_of(query: exp.Select) -> Iterator[exp.Expr]:
    """Yield the items of FROM, in order."""
    for clause in (query.args.get("from_"), *(query.args.get("joins") or ())):
        if clause is not None:
            yield clause.this
