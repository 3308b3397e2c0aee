"""Calls that stand for what expressions of ``MATCH_RECOGNIZE`` have of the rows that are matched."""

from __future__ import annotations

from typing import NamedTuple

from sqlglot import exp

from pystream.table.algebra.patterns import PatternVariable, SkipStrategy

__all__ = [
    "ALL_VARIABLES",
    "MATCH_CLAUSE",
    "MATCH_PARTS",
    "MATCH_TIME",
    "MATCH_VALUE",
    "VARIABLE_AGGREGATE",
    "MatchCall",
    "has_matches",
    "match_call",
    "offset_of",
    "variable_of",
]

MATCH_CLAUSE = "match"
"""The argument of a subquery that is its ``MATCH_RECOGNIZE``."""

ALL_VARIABLES = -1
"""Stands for the rows of all variables."""

MATCH_VALUE = "$MATCH_VALUE"
"""The name of a value of a row of a variable: the variable, the offset of the row, and the value."""

VARIABLE_AGGREGATE = "$VARIABLE_AGGREGATE"
"""The name of an aggregate of the rows of a variable: the variable, and the aggregate."""

MATCH_TIME = "$MATCH_TIME"
"""The name of the time at which a match is known: the column of its type."""

MATCH_PARTS = frozenset({MATCH_VALUE, VARIABLE_AGGREGATE, MATCH_TIME})
"""The calls that stand for what expressions have of mapped rows, with the type of the last argument."""


class MatchCall(NamedTuple):
    """A ``MATCH_RECOGNIZE``, whose expressions are the columns of a query of the rows that are matched.

    Attributes:
        keys: the number of the columns of ``PARTITION BY``, which are the first ones.
        order: of each column of ``ORDER BY`` after them, whether it is descending, and nulls come first.
        measures: the number of measures after them.
        pattern: the variables.
        skip: where the next match may begin.
        defined: the numbers of the variables whose conditions are the columns after them; conditions of
            variables outside of the pattern, which are not tested, come last.
        within: the time within which matches end, in milliseconds; ``None`` for any time.
    """

    keys: int
    order: tuple[tuple[bool, bool], ...]
    measures: int
    pattern: tuple[PatternVariable, ...]
    skip: SkipStrategy
    defined: tuple[int, ...]
    within: int | None


def match_call(item: exp.Expr) -> MatchCall | None:
    """Return the ``MATCH_RECOGNIZE`` whose expressions a subquery has, ``None`` for others."""
    call = item.args.get(MATCH_CLAUSE)
    return call if isinstance(call, MatchCall) else None


def has_matches(tree: exp.Query) -> bool:
    """Return whether a query has ``MATCH_RECOGNIZE``."""
    return any(item.args.get(MATCH_CLAUSE) for item in tree.find_all(exp.Subquery))


def variable_of(call: exp.Anonymous) -> int | None:
    """Return the variable of a call of `MATCH_PARTS`, ``None`` for all variables."""
    number = int(call.expressions[0].name)
    return None if number == ALL_VARIABLES else number


def offset_of(call: exp.Anonymous) -> int:
    """Return how many rows of a variable are before that of a value; if it is negative, -1 is the last."""
    return int(call.expressions[1].name)
