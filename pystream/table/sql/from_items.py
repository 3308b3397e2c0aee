"""The items of FROM: their names, and the columns that USING joins them by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from pystream.table.sql.syntax import error_at

__all__ = ["check_names", "check_using"]


def check_names(text: str, query: exp.Select) -> None:
    """Refuse two items of FROM with one name.

    Raises:
        SqlError: there are two.
    """
    taken = set[str]()
    for item in _items(query):
        name = item.alias_or_name
        if name in taken:
            complaint = f"FROM has two items of the name {name!r}; give one of them another name by AS"
            raise error_at(text, item.args.get("alias") or item, complaint)
        if name:
            taken.add(name)


def check_using(text: str, query: exp.Select, columns: Mapping[str, Sequence[str]]) -> None:
    """Refuse columns of USING that are not on both sides of the join.

    Args:
        text: the text of the statement.
        query: the query.
        columns: the columns of the items of FROM by their names, none if they are not known.

    Raises:
        SqlError: there is one.
    """
    names = [item.alias_or_name for item in _items(query)]
    joins: Sequence[exp.Join] = query.args.get("joins") or []
    for number, join in enumerate(joins, 1):
        for key in join.args.get("using") or ():
            for side, items in (("left", names[:number]), ("right", names[number : number + 1])):
                known = [columns.get(name, ()) for name in items]
                if all(known) and not any(key.name in one for one in known):
                    complaint = f"USING takes columns of both sides; there is no {key.name!r} on the {side}"
                    raise error_at(text, key, complaint)


def _items(query: exp.Select) -> Iterator[exp.Expr]:
    for clause in (query.args.get("from_"), *(query.args.get("joins") or ())):
        if clause is not None:
            yield clause.this
