"""Functions of groups of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlglot import exp

from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.sql.functions.building import as_type, call, text

__all__ = ["AGGREGATES", "NAMED_AGGREGATES", "CalledAggregate", "called_aggregate", "is_aggregate"]

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

_NAMES: Mapping[str, str] = {
    "APPROX_DISTINCT": "APPROX_COUNT_DISTINCT",
    "GROUP_CONCAT": "LISTAGG",
    "J_S_O_N_ARRAY_AGG": "JSON_ARRAYAGG",
    "J_S_O_N_OBJECT_AGG": "JSON_OBJECTAGG",
    "STDDEV": "STDDEV_SAMP",
    "VARIANCE": "VAR_SAMP",
    "VARIANCE_POP": "VAR_POP",
}
"""Flink's names of functions, by those of the parser where they differ."""


class CalledAggregate(NamedTuple):
    """A call of an aggregate function, as it is written.

    Attributes:
        name: its name.
        arguments: its arguments.
        is_distinct: whether equal ones are aggregated once.
        skips_nulls: whether it is said that nulls are skipped; ``None`` if nothing is said.
    """

    name: str
    arguments: tuple[exp.Expr, ...]
    is_distinct: bool
    skips_nulls: bool | None


def called_aggregate(node: exp.Expr) -> CalledAggregate | None:
    """Return the call of an aggregate function that a node is, ``None`` if it is none that is declared."""
    if isinstance(node, exp.Anonymous):
        name = node.name.upper()
    else:
        name = node.sql_names()[0] if isinstance(node, exp.AggFunc) else ""
        name = _NAMES.get(name, name)
    if name not in AGGREGATE_FUNCTIONS:
        return None
    skips_nulls: bool | None = None
    handling = str(node.args.get("null_handling") or "")
    if handling:
        skips_nulls = handling.startswith("ABSENT")
    match node:
        case exp.JSONObjectAgg(expressions=[pair]):
            return CalledAggregate(name, (pair.this, pair.expression), False, skips_nulls)
        case exp.Anonymous():
            given = [*node.expressions]
        case exp.GroupConcat():
            separator = node.args.get("separator")
            given = [node.this] if separator is None else [node.this, separator]
        case _:
            given = [node.this, *node.expressions]
    if given and isinstance(given[0], exp.IgnoreNulls | exp.RespectNulls):
        skips_nulls = isinstance(given[0], exp.IgnoreNulls)
        given[0] = given[0].this
    is_distinct = bool(given) and isinstance(given[0], exp.Distinct)
    if is_distinct:
        given = [*given[0].expressions, *given[1:]]
    if given and isinstance(given[0], exp.IgnoreNulls | exp.RespectNulls):
        skips_nulls = isinstance(given[0], exp.IgnoreNulls)
        given[0] = given[0].this
    is_of_rows = name == "COUNT" and not is_distinct and isinstance(given[0], exp.Star | exp.Literal)
    return CalledAggregate(name, () if is_of_rows else tuple(given), is_distinct, skips_nulls)


def is_aggregate(node: exp.Expr) -> bool:
    """Return whether a node is the call of an aggregate function."""
    is_named = isinstance(node, exp.Anonymous) and node.name.upper() in AGGREGATE_FUNCTIONS
    return is_named or isinstance(node, exp.AggFunc)
