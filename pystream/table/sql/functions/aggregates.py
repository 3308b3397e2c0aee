"""Functions of groups of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.functions.building import as_type, call, text

__all__ = ["AGGREGATES", "NAMED_AGGREGATES", "is_aggregate"]

_TYPED = (
    *(exp.Sum, exp.Avg, exp.StddevPop, exp.StddevSamp, exp.Stddev, exp.Variance, exp.VariancePop),
    *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile),
)


def _typed(node: Any) -> exp.Expr:
    """Give the result of a function the type that it has in Flink, around its clauses such as OVER."""
    function = node
    while isinstance(function, exp.Window | exp.Filter):
        function = function.this
    is_whole = not (isinstance(node.parent, exp.Window | exp.Filter) and node.parent.this is node)
    return as_type(node, function.type) if is_whole and isinstance(function, _TYPED) else node


def _grouping(node: exp.Grouping | exp.GroupingId) -> exp.Expr:
    """Compose the bits of several keys, of which Spark's functions take one or all."""
    first, *others = [exp.Grouping(expressions=[key.copy()]) for key in node.expressions]
    number: exp.Expr = first
    for bit in others:
        number = exp.Add(
            this=exp.Mul(this=exp.paren(number), expression=exp.Literal.number(2)), expression=bit
        )
    return as_type(number, node.type)


def _array_agg(node: exp.Anonymous) -> exp.Expr:
    """Collect nulls, too."""
    wrapped = call("COLLECT_LIST", call("NAMED_STRUCT", text("value"), *node.expressions))
    element = exp.to_identifier("element")
    value = exp.Dot(this=element.copy(), expression=exp.to_identifier("value"))
    return exp.Anonymous(
        this="TRANSFORM", expressions=[wrapped, exp.Lambda(this=value, expressions=[element])]
    )


def _not_null(node: exp.FirstValue | exp.LastValue) -> exp.Expr:
    """Return the first or last value that is not null."""
    return call("FIRST_VALUE" if isinstance(node, exp.FirstValue) else "LAST_VALUE", node.this, exp.true())


AGGREGATES: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    **dict.fromkeys((*_TYPED, exp.Window, exp.Filter), _typed),
    exp.Grouping: _grouping,
    exp.GroupingId: _grouping,
    exp.FirstValue: _not_null,
    exp.LastValue: _not_null,
}
"""The rules for what the parser knows."""

NAMED_AGGREGATES: Mapping[str, Callable[[Any], exp.Expr]] = {"ARRAY_AGG": _array_agg}
"""The rules for other functions, by name."""


def is_aggregate(node: exp.Expr) -> bool:
    """Return whether a node is the call of an aggregate function."""
    is_named = isinstance(node, exp.Anonymous) and node.name.upper() in NAMED_AGGREGATES
    return is_named or isinstance(node, exp.AggFunc)
