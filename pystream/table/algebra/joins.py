"""Joins of two inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pystream.table.algebra.common_columns import CommonType
from pystream.table.algebra.node import ALL, INSERT_ONLY, BiRel, RelNode, distinct
from pystream.table.algebra.scalar import Scalar
from pystream.table.algebra.state_ttl import ttl_details
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn
from pystream.table.window_columns import WindowColumns

__all__ = ["FinalJoin", "IntervalJoin", "Join", "JoinKey", "WindowJoin", "joins_windows"]


@dataclass(frozen=True, slots=True)
class JoinKey:
    """A pair of columns that are equal in the rows of a join.

    Attributes:
        left: the number of the column of the left side.
        right: that of the right side.
        common: the type that they have in common.
        admits_null: whether null equals null.
    """

    left: int
    right: int
    common: CommonType
    admits_null: bool = False


@dataclass(frozen=True, eq=False)
class Join(BiRel):
    """The pairs of rows of two inputs; columns are those of both sides.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalJoin``.

    Attributes:
        left: the rows of one side.
        right: those of the other side.
        keys: the columns that are equal; if there are none, one subtask joins all rows.
        is_left_outer: whether left rows without a partner are results.
        is_right_outer: whether right rows without a partner are.
        condition: a further condition on the columns of both sides; ``None`` if there is none.
        ttls: the milliseconds after which rows of each side are forgotten, 0 for never; other joins forget
            them by their times.
    """

    keys: tuple[JoinKey, ...]
    is_left_outer: bool = False
    is_right_outer: bool = False
    condition: Scalar | None = None
    ttls: tuple[int, int] = (0, 0)

    def _columns(self) -> tuple[TableColumn, ...]:
        lefts = [_nullable(column) if self.is_right_outer else column for column in self.left.columns]
        rights = [_nullable(column) if self.is_left_outer else column for column in self.right.columns]
        return distinct([*lefts, *rights])

    @property
    def sides(self) -> tuple[RelNode, RelNode, tuple[JoinKey, ...], bool, bool, Scalar | None]:
        """All that it has in common with other joins of the same rows."""
        return self.left, self.right, self.keys, self.is_left_outer, self.is_right_outer, self.condition

    @property
    def join_type(self) -> str:
        """The name of the kind of the join in plans."""
        names = {(False, False): "Inner", (True, False): "Left", (False, True): "Right", (True, True): "Full"}
        return f"{names[self.is_left_outer, self.is_right_outer]}{'Outer' if self.is_outer else ''}Join"

    @property
    def is_outer(self) -> bool:
        """Whether rows without a partner are results."""
        return self.is_left_outer or self.is_right_outer

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        width = len(self.left.columns)
        pairs = [(self.columns[key.left], self.columns[width + key.right]) for key in self.keys]
        conditions = [f"{left.name} = {right.name}" for left, right in pairs]
        if self.condition is not None:
            conditions.append(str(self.condition))
        where = " AND ".join(conditions) or "true"
        return ("joinType", self.join_type), ("where", where), *ttl_details(*self.ttls)

    @property
    def changelog(self) -> ChangelogMode:
        return ALL if self.is_outer else super().changelog


def _nullable(column: TableColumn) -> TableColumn:
    return replace(column, data_type=column.data_type.nullable())


@dataclass(frozen=True, eq=False)
class FinalJoin(Join):
    """The pairs of rows of two bounded inputs, at their end; they are never updated.

    Mirrors ``…table.planner.plan.nodes.physical.batch.BatchPhysicalHashJoin``.
    """

    @property
    def name(self) -> str:
        return "HashJoin"

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY


@dataclass(frozen=True, eq=False)
class IntervalJoin(Join):
    """The pairs of rows of two inputs whose times lie close together; they are never updated.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalIntervalJoin``.

    Attributes:
        interval: the least and the greatest time of a right row minus that of a left one, in milliseconds.
        result_time: the column of the results that is their event time, which is never null; ``None`` if they
            need none.
    """

    interval: tuple[int, int] = field(kw_only=True)
    result_time: int | None = field(kw_only=True)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        lower, upper = self.interval
        return *super().details, ("windowBounds", f"{lower} ms to {upper} ms")

    @property
    def time(self) -> int | None:
        return self.result_time

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY


@dataclass(frozen=True, eq=False)
class WindowJoin(Join):
    """The pairs of rows of an inner join in the same window, when the window has ended.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalWindowJoin``.
    """

    @property
    def time(self) -> int | None:
        left, right = self.left.windows, self.right.windows
        assert left is not None
        assert right is not None
        if left.time >= 0:
            return left.time
        return len(self.left.columns) + right.time if right.time >= 0 else None

    @property
    def windows(self) -> WindowColumns | None:
        windows, time = self.left.windows, self.time
        return windows and WindowColumns(
            windows.start, windows.end, -1 if time is None else time, windows.zone
        )


def joins_windows(join: Join) -> bool:
    """Return whether both bounds of the windows of rows are equal in an inner join."""
    left, right = join.left.windows, join.right.windows
    if left is None or right is None or join.is_outer:
        return False
    if any(key.admits_null or any(key.common.conversions) for key in join.keys):
        return False
    pairs = {(key.left, key.right) for key in join.keys}
    return {(left.start, right.start), (left.end, right.end)} <= pairs
