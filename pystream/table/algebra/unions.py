"""Union: the rows of two inputs together, in columns of common types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pystream.errors import PlanTypeError
from pystream.table.algebra.common_columns import CommonType, common_column
from pystream.table.algebra.node import BiRel
from pystream.table.columns import TableColumn
from pystream.table.window_columns import WindowColumns

__all__ = ["Union"]


@dataclass(frozen=True, eq=False)
class Union(BiRel):
    """The rows of two inputs, whose columns correspond by position and have the names of the first.

    Columns of different types are converted to their common types. The event time of both, in the same
    column, remains the event time, and so do their windows.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalUnion``.

    Attributes:
        left: the rows of one input.
        right: those of the other one, with as many columns.

    Raises:
        PlanTypeError: two columns have no type in common.
    """

    def __post_init__(self) -> None:
        self.common_types  # noqa: B018  checked at once

    @cached_property
    def common_types(self) -> tuple[CommonType, ...]:
        """The types of the columns."""
        return tuple(map(_common, self.left.columns, self.right.columns))

    def _columns(self) -> tuple[TableColumn, ...]:
        return tuple(
            replace(column, data_type=common.data_type, type_info=common.type_info)
            for column, common in zip(self.left.columns, self.common_types, strict=True)
        )

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return ("all", "true"), ("union", self.names_of(range(len(self.columns))))

    @property
    def time(self) -> int | None:
        left, right = self.left.time, self.right.time
        return left if left == right else None

    @property
    def windows(self) -> WindowColumns | None:
        left, right = self.left.windows, self.right.windows
        return left if left == right and left is not None and left.keys is None else None


def _common(one: TableColumn, other: TableColumn) -> CommonType:
    common = common_column(one, other)
    if common is None:
        raise PlanTypeError(
            f"{one.name} is {one.data_type.nullable()}, and {other.name} is {other.data_type.nullable()}: "
            "CAST one of them"
        )
    return common
