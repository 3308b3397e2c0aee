"""INTERSECT and EXCEPT: rows of two inputs, counted per input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import sub
from typing import Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.calc import Calc, project, reference
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.replicate import Replicate
from pystream.table.algebra.scalar import Field, Scalar
from pystream.table.algebra.unions import Union
from pystream.table.evaluation import Evaluation
from pystream.table.functions.values.calls import of_constant
from pystream.table.planner.group_planner import grouped
from pystream.table.planner.planning import Planning

__all__ = ["set_operation"]

_MARK = DataTypes.BOOLEAN()


def _is_in_both(left: int, right: int) -> bool:
    return left > 0 and right > 0


def _is_only_in_left(left: int, right: int) -> bool:
    return left > 0 and right == 0


_CONDITIONS: Mapping[str, tuple[Callable[[int, int], bool], str]] = {
    "INTERSECT": (_is_in_both, "{0} > 0 AND {1} > 0"),
    "EXCEPT": (_is_only_in_left, "{0} > 0 AND {1} = 0"),
}
_COUNTS: Mapping[str, tuple[Callable[[int, int], int], str]] = {
    "INTERSECT": (min, "LEAST({0}, {1})"),
    "EXCEPT": (sub, "{0} - {1}"),
}


def set_operation(
    planning: Planning, operation: str, left: RelNode, right: RelNode, *, is_distinct: bool
) -> RelNode:
    """Return the rows that are in both inputs, or only in the first one; nulls are equal.

    Args:
        planning: the query.
        operation: ``INTERSECT`` or ``EXCEPT``.
        left: the rows of the first input.
        right: those of the second one, with as many columns.
        is_distinct: whether each row is returned once; else as often as the numbers of both inputs say.

    Raises:
        PlanTypeError: two columns have no type in common.
    """
    width = len(left.columns)
    rows = Union(_marked(left, 0), _marked(right, 1))
    counts = tuple(AggregateCall("COUNT", (width + side,), False, DataTypes.BIGINT()) for side in (0, 1))
    groups = grouped(planning, None, rows, width, counts)
    names = [column.name for column in left.columns]
    if is_distinct:
        condition = _of_counts(groups, *_CONDITIONS[operation], DataTypes.BOOLEAN())
        fields = [reference(groups, number, name) for number, name in enumerate(names)]
        return Calc(groups, tuple(fields), (condition,))
    count = _of_counts(groups, *_COUNTS[operation], DataTypes.BIGINT())
    return project(Replicate(groups, count), range(width), names)


def _marked(rows: RelNode, side: int) -> RelNode:
    """Return rows followed by a mark in the column of their side, and null in that of the other one."""
    own = [reference(rows, number, f"f{number}") for number in range(len(rows.columns))]
    marks = [
        Field(name, Scalar(Evaluation(partial(of_constant, number == side or None), _MARK), text))
        for number, name in enumerate(("$left", "$right"))
        for text in ("TRUE" if number == side else "NULL",)
    ]
    return Calc(rows, (*own, *marks))


def _of_counts(
    groups: RelNode, function: Callable[[int, int], Any], text: str, data_type: DataType
) -> Scalar:
    """Return a function of the last two columns of rows."""
    names = [column.name for column in groups.columns[-2:]]
    return Scalar(Evaluation(partial(_last_two, function), data_type.not_null()), text.format(*names))


def _last_two(function: Callable[[int, int], Any], row: Sequence[Any]) -> Any:
    return function(row[-2], row[-1])
