"""Grouping sets: GROUPING SETS, ROLLUP and CUBE of GROUP BY, and the functions that tell their rows apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, product
from typing import TypeAlias

from sqlglot import exp

from pystream.table.algebra.expand import EXPAND_ID, expand_ids

__all__ = ["GroupingSet", "grouping_number", "grouping_sets", "is_grouping_function"]

GroupingSet: TypeAlias = tuple[exp.Expr, ...]
"""The expressions that the rows of a group have in common."""

_BIGINT = exp.DataType.build("BIGINT")
_GROUP_ID = "GROUP_ID"


def grouping_sets(group: exp.Group) -> list[GroupingSet]:
    """Return the grouping sets of a GROUP BY: all combinations of those of its elements."""
    sets = [tuple(chain(*one)) for one in product(*map(_sets, group.expressions))]
    return sets if group.args.get("all") is not False else [*dict.fromkeys(sets)]


def _sets(element: exp.Expr) -> list[GroupingSet]:
    match element:
        case exp.GroupingSets():
            return [one for part in element.expressions for one in _sets(part)]
        case exp.Rollup():
            parts = [*map(_parts, element.expressions)]
            return [tuple(chain(*parts[:count])) for count in range(len(parts), -1, -1)]
        case exp.Cube():
            parts = [*map(_parts, element.expressions)]
            counts = range(len(parts), -1, -1)
            return [tuple(chain(*one)) for count in counts for one in combinations(parts, count)]
    return [_parts(element)]


def _parts(element: exp.Expr) -> GroupingSet:
    return tuple(element.expressions) if isinstance(element, exp.Tuple) else (element.unnest(),)


def is_grouping_function(node: exp.Expr) -> bool:
    """Return whether an expression calls ``GROUPING``, ``GROUPING_ID`` or ``GROUP_ID``."""
    is_named = isinstance(node, exp.Anonymous) and node.name.upper() == _GROUP_ID
    return is_named or isinstance(node, exp.Grouping | exp.GroupingId)


def grouping_number(
    node: exp.Expr, keys: Sequence[exp.Expr], sets: Sequence[frozenset[int]], groups: str
) -> exp.Expr:
    """Return a function of the grouping set of a row as an expression over the table of groups.

    Args:
        node: the call; its arguments are keys, or in all sets.
        keys: the keys.
        sets: the keys in each grouping set.
        groups: the name of the table of groups, which has the number of the set.
    """
    ids = expand_ids(len(keys), sets)
    if isinstance(node, exp.Anonymous):
        numbers = [number >> len(keys) for number in ids]
    else:
        given = [keys.index(argument) if argument in keys else None for argument in node.expressions]
        lacks = [[key is not None and key not in one for key in given] for one in sets]
        numbers = [sum(lack << n for n, lack in enumerate(reversed(of_set))) for of_set in lacks]
    if len({*numbers}) == 1:
        return _number(numbers[0])
    column = exp.column(EXPAND_ID, table=groups, quoted=True)
    column.type = _BIGINT
    *others, last = zip(ids, numbers, strict=True)
    branches = [exp.If(this=_number(one), true=_number(number)) for one, number in others]
    choice = exp.Case(this=column, ifs=branches, default=_number(last[1]))
    choice.type = _BIGINT
    return choice


def _number(value: int) -> exp.Expr:
    number = exp.Cast(this=exp.Literal.number(value), to=_BIGINT.copy())
    number.this.type = number.type = _BIGINT
    return number
