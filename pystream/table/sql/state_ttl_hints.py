"""The hint ``STATE_TTL``: the time to live of the state of joins and groupings, by the items of FROM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from pystream.errors import SqlError
from pystream.settings.config_values import DURATION
from pystream.table.sql.from_items import items_of
from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.masking import quoted
from pystream.table.sql.syntax import located

__all__ = ["STATE_TTL", "copy_state_ttl", "state_ttl", "with_state_ttls"]

_HINT = "STATE_TTL"
_USAGE = "STATE_TTL takes names of tables and their times, as in STATE_TTL('orders' = '1 d')"
STATE_TTL = "state_ttl"
"""The argument of a SELECT or an item of FROM that holds its time to live."""


def state_ttl(node: exp.Expr) -> int | None:
    """Return the time to live of the state of the groups of a SELECT, or of an item of FROM in a join.

    Args:
        node: the SELECT, or the item.

    Returns:
        The time in milliseconds, 0 for ever; ``None`` if no hint tells it.
    """
    millis: int | None = node.args.get(STATE_TTL)
    return millis


def copy_state_ttl(source: exp.Expr, target: exp.Expr) -> None:
    """Give a SELECT or an item of FROM the time to live of the one that it replaces."""
    target.set(STATE_TTL, state_ttl(source))


def with_state_ttls(text: str, query: exp.Query) -> exp.Query:
    """Return a query, modified: its hints ``STATE_TTL`` are gone, and items of FROM have their times.

    Instead of its only item, a SELECT has the time itself: it is that of its groups.

    Args:
        text: the text of the statement that it is part of.
        query: the query, as it was parsed.

    Raises:
        SqlError: a hint names no item of FROM, or a time is none; the message names the place.
    """
    for select in query.find_all(exp.Select):
        hint = select.args.get("hint")
        if hint is None:
            continue
        for one in reversed(hint.expressions):  # of several, the first decides
            if _is_ttl(one):
                _apply(text, select, one)
        others = [one for one in hint.expressions if not _is_ttl(one)]
        select.set("hint", exp.Hint(expressions=others) if others else None)
    return query


def _is_ttl(hint: exp.Expr | str) -> bool:
    name = hint.partition("(")[0].strip() if isinstance(hint, str) else hint.name
    return name.upper() == _HINT


def _apply(text: str, select: exp.Select, hint: exp.Expr | str) -> None:
    """Give items of FROM the times of a hint."""
    if isinstance(hint, str) or not hint.expressions:
        raise _error(text, hint[: len(_HINT)] if isinstance(hint, str) else hint.name, _USAGE)
    items = [*items_of(select)]
    for option in hint.expressions:
        if not (isinstance(option, exp.EQ) and option.expression.is_string):
            raise _error(text, hint.name, _USAGE)
        parts = option.this.parts if isinstance(option.this, exp.Column) else [option.this]
        name, time = ".".join(part.name for part in parts), option.expression.name
        named = [item for item in items if _is_named(item, name)]
        if not named and not any(_is_named(item, name) for item in _items_of_conditions(select)):
            known = (
                ", ".join(item.alias_or_name for item in items if item.alias_or_name) or "none with a name"
            )
            raise _error(text, name, f"{_HINT}: {name!r} is no table of FROM, which has {known}")
        unkept = [item for item in named if not _is_kept(items, item)]
        if unkept and _keeps_state(select, items):
            complaint = (
                f"{_HINT}: rows of {name!r} are joined only with those that are made of them, without state"
            )
            raise _error(text, name, complaint)
        for item in named:
            (item if len(items) > 1 else select).set(STATE_TTL, _millis(text, time))


def _millis(text: str, time: str) -> int:
    try:
        millis = DURATION.parse(time).to_millis()
    except ValueError:
        millis = -1
    if millis < 0:
        raise _error(text, time, f"{_HINT}: {time!r} is not {DURATION.allowed}")
    return millis


def _error(text: str, fragment: str, complaint: str) -> SqlError:
    """Return an error at a fragment of a hint, whose places the parser drops."""
    for hint in re.finditer(r"/\*\+.*?\*/", text, re.S):
        place = text.find(fragment, hint.start(), hint.end())
        if place >= 0:
            before = text[:place].split("\n")
            return SqlError(located(text, len(before), len(before[-1]) + 1, fragment, complaint))
    return SqlError(f"{quoted(text)}: {complaint}")


def _items_of_conditions(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield the items of FROM of subqueries of WHERE, which a hint may name without effect."""
    where = select.args.get("where")
    for subquery in () if where is None else where.find_all(exp.Select):
        yield from items_of(subquery)


def _is_kept(items: Sequence[exp.Expr], item: exp.Expr) -> bool:
    """Return whether the rows of an item of FROM are kept: in a join, or in groups if it is the only item."""
    if len(items) > 1 and item is items[0]:
        return not _is_made_of_rows(items[1])
    return not _is_made_of_rows(item)


def _keeps_state(select: exp.Select, items: Sequence[exp.Expr]) -> bool:
    """Return whether rows or groups of a SELECT are kept."""
    clauses = (select.args.get("group"), select.args.get("distinct"))
    return (
        any(clauses)
        or any(is_aggregate(node) for field in select.expressions for node in field.walk())
        or any(not _is_made_of_rows(item) for item in items[1:])
    )


def _is_made_of_rows(item: exp.Expr) -> bool:
    """Return whether an item of FROM makes its rows of each row before it."""
    return isinstance(item, exp.Unnest) or (
        isinstance(item, exp.Lateral) and not isinstance(item.this, exp.Subquery)
    )


def _is_named(item: exp.Expr, name: str) -> bool:
    """Return whether a name is that of an item of FROM, whose table may have more or fewer qualifiers."""
    if item.alias or not isinstance(item, exp.Table):
        return item.alias == name
    own, given = [part.name for part in item.parts], name.split(".")
    length = min(len(own), len(given))
    return own[-length:] == given[-length:]
