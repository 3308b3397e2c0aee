"""Conditions on the rows of a subquery, as those that the subquery can test itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from sqlglot import exp

from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.match_calls import match_call
from pystream.table.sql.windows import WINDOW_COLUMNS, window_call

__all__ = ["conditions_within"]

InnerCondition: TypeAlias = tuple[exp.Select, exp.Expr]
"""A SELECT, and a condition on the rows that it selects from."""

_PLAIN = (exp.Column, exp.Identifier, exp.Literal, exp.Paren, exp.Cast, exp.DataType, exp.Neg)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)

_LIMITS = ("limit", "offset")

_UNSTABLE = (
    *(exp.Anonymous, exp.Rand, exp.Uuid),
    *(exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.Localtime, exp.Localtimestamp),
)
"""Calls whose results may depend on where they are made, or that are functions of the program."""


def conditions_within(item: exp.Expr, condition: exp.Expr) -> list[InnerCondition] | None:
    """Return the conditions by which a subquery has those rows only for which a condition is true.

    Args:
        item: the item of FROM.
        condition: the condition, on its columns only.

    Returns:
        A condition for each SELECT of the subquery; ``None`` if there are none that leave the same rows.
    """
    is_special = window_call(item) is not None or match_call(item) is not None or item.alias_column_names
    is_query = isinstance(item, exp.Subquery) and isinstance(item.this, exp.Query)
    if is_special or not is_query or condition.find(*_UNSTABLE):
        return None
    found = list(_within(item.this, item.this.named_selects, condition))
    return None if any(one is None for one in found) else [one for one in found if one is not None]


def _within(query: exp.Expr, names: Sequence[str], condition: exp.Expr) -> Iterator[InnerCondition | None]:
    """Yield the conditions by which a query has fewer rows, ``None`` where there is none.

    Args:
        query: the query.
        names: the names of its results in the condition.
        condition: the condition.
    """
    match query:
        case exp.Subquery() if not any(query.args.get(one) for one in _LIMITS):
            yield from _within(query.this, names, condition)
        case exp.Union() if not any(query.args.get(one) for one in ("distinct", "order", *_LIMITS)):
            yield from _within(query.left, names, condition)
            yield from _within(query.right, names, condition)
        case exp.Select() if len(query.selects) == len(names):
            values = dict(zip(names, (field.unalias() for field in query.selects), strict=True))
            read = [(column, values[column.name]) for column in condition.find_all(exp.Column)]
            is_known = all(_is_plain(value) and value.type == column.type for column, value in read)
            yield (
                (query, _replaced(condition, values))
                if is_known and _admits(query, [value for _, value in read])
                else None
            )
        case _:
            yield None


def _is_plain(value: exp.Expr) -> bool:
    """Return whether an expression costs little, and always has the same value for the same row."""
    return all(isinstance(part, (*_PLAIN, *_ARITHMETIC)) for part in value.walk())


def _admits(query: exp.Select, read: Sequence[exp.Expr]) -> bool:
    """Return whether a query may test a condition on some of its results before it combines rows."""
    computes_over = any(field.find(exp.Window) for field in query.selects)
    if computes_over or any(query.args.get(clause) for clause in (*_LIMITS, "qualify")):
        return False
    group = query.args.get("group")
    if group is not None:
        keys = group.expressions
        return all(value in keys and value.name not in WINDOW_COLUMNS for value in read)
    has_groups = query.args.get("having") is not None
    return not (has_groups or any(is_aggregate(node) for field in query.selects for node in field.walk()))


def _replaced(condition: exp.Expr, values: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return a condition in which columns are the expressions that they are computed by."""

    def value(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        own = values[node.name]
        if isinstance(own, exp.Column | exp.Literal | exp.Paren | exp.Cast):
            return own.copy()
        inner = exp.Paren(this=own.copy())
        inner.type = own.type
        return inner

    replaced: exp.Expr = condition.copy().transform(value, copy=False)
    return replaced
