"""The first rows of groups in an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.node import ALL, INSERT_ONLY, UPDATES, RelNode, SingleRel, numbered
from pystream.table.algebra.sorts import SortField, order_text
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn
from pystream.table.upsert_key import UpsertKey
from pystream.table.window_columns import WindowColumns

__all__ = ["Deduplicate", "FinalRank", "Rank", "RankRange", "WindowRank"]


class RankRange(NamedTuple):
    """The ranks of the rows that are results.

    Attributes:
        first: the least rank, from 1 on.
        last: the greatest.
        has_number: whether the rank is the last field of a result.
    """

    first: int
    last: int
    has_number: bool = False

    @property
    def is_by_rank(self) -> bool:
        """Whether each rank has a result of its own, which changes when rows before it do."""
        return self.last > 1 and (self.has_number or self.first > 1)


def _partition_text(rows: RelNode, keys: Sequence[int]) -> Sequence[tuple[str, str]]:
    """Return the columns that the rows of a group have in common, for plans; nothing if there are none."""
    return [("partitionBy", rows.names_of(keys))] if keys else []


def _ranked_columns(rows: RelNode, has_number: bool) -> tuple[TableColumn, ...]:
    """Return the columns of rows, and that of their ranks if they have any."""
    number = DataTypes.BIGINT().not_null()
    last = [TableColumn("ROW_NUMBER()", number, number.type_info, len(rows.columns))] if has_number else []
    return numbered((*rows.columns, *last))


@dataclass(frozen=True, eq=False)
class _Ranked(SingleRel):
    keys: tuple[int, ...]
    order: tuple[SortField, ...]
    ranks: RankRange

    def _columns(self) -> tuple[TableColumn, ...]:
        return _ranked_columns(self.rows, self.ranks.has_number)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return [
            ("rankRange", f"rankStart={self.ranks.first}, rankEnd={self.ranks.last}"),
            *_partition_text(self.rows, self.keys),
            ("orderBy", order_text(self.rows, self.order)),
        ]


@dataclass(frozen=True, eq=False)
class Rank(_Ranked):
    """The rows of some ranks in each group of rows, and their ranks in the last column if asked for.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalRank``.

    Attributes:
        keys: the columns that the rows of a group have in common; none for one group.
        order: the order of the rows of a group; none for the order of arrival.
        ranks: the ranks.
    """

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return [("strategy", self.strategy), *super().details]

    @property
    def time(self) -> int | None:
        return None if self.is_updating else self.rows.time

    @property
    def changelog(self) -> ChangelogMode:
        return ALL if self.rows.is_updating or self.order else INSERT_ONLY

    @property
    def strategy(self) -> str:
        """Flink's name of the strategy by which the state of groups is kept."""
        if not self.rows.is_updating:
            return "AppendFastStrategy"
        return "RetractStrategy" if self.identity is None else "UpdateFastStrategy"

    @property
    def identity(self) -> list[int] | None:
        """The columns that tell rows apart, if no update moves a row backwards or to another group."""
        key = self.rows.upsert_key
        if key is None or key.has_deletes or not key.is_complete:
            return None
        if not self.order or not {*self.keys} <= {*key.positions}:
            return None
        for field in self.order:
            moves_forwards = field.position in (key.growing if field.is_descending else key.falling)
            is_fixed = field.position in key.positions
            if not is_fixed and (not moves_forwards or field.nulls_first == field.is_descending):
                return None
        return [*key.positions]


@dataclass(frozen=True, eq=False)
class FinalRank(_Ranked):
    """The rows of some ranks in each group of bounded rows, at their end.

    Mirrors ``…table.planner.plan.nodes.physical.batch.BatchPhysicalRank``.

    Attributes:
        rows: the rows, which are not updated.
        keys: the columns that the rows of a group have in common; none for one group.
        order: the order of the rows of a group; none for the order of arrival.
        ranks: the ranks.
        latest_first: whether of rows that are equal in the order, the one that came last is the first.
    """

    latest_first: bool = False

    @property
    def name(self) -> str:
        return "Rank"

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return [("rankType", "ROW_NUMBER"), *super().details]

    @property
    def changelog(self) -> ChangelogMode:
        return INSERT_ONLY


@dataclass(frozen=True, eq=False)
class WindowRank(_Ranked):
    """The rows of some ranks in each group of rows of a window, at the end of the window.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalWindowRank``, and of the first or last
    row by event time ``StreamPhysicalWindowDeduplicate``.

    Attributes:
        rows: the rows, which are not updated and have the bounds of their windows.
        keys: the columns that the rows of a group have in common, among them the bounds.
        order: the order of the rows of a group.
        ranks: the ranks.
    """

    @property
    def name(self) -> str:
        return "WindowDeduplicate" if self._is_of_one else "WindowRank"

    @property
    def keeps_last(self) -> bool:
        """Whether it is the last row by event time; of those of one time, the one that came last."""
        return self._is_of_one and self.order[0].is_descending

    @property
    def _is_of_one(self) -> bool:
        is_by_time = len(self.order) == 1 and self.order[0].position == self.rows.time
        return is_by_time and (self.ranks.first, self.ranks.last) == (1, 1)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        partition = ("partitionKeys", self.rows.names_of(self.keys))
        if self._is_of_one:
            return [("keep", "LastRow" if self.keeps_last else "FirstRow"), partition, ("order", "ROWTIME")]
        ranks = f"rankStart={self.ranks.first}, rankEnd={self.ranks.last}"
        return [("rankRange", ranks), partition, ("orderBy", order_text(self.rows, self.order))]

    @property
    def time(self) -> int | None:
        windows = self.rows.windows
        return windows.time if windows is not None and windows.time >= 0 else None

    @property
    def windows(self) -> WindowColumns | None:
        return self.rows.windows


@dataclass(frozen=True, eq=False)
class Deduplicate(SingleRel):
    """The first or the last row of each group.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalDeduplicate``.

    Attributes:
        rows: the rows, which are not updated.
        keys: the columns that the rows of a group have in common; none for one group.
        keeps_last: whether later rows replace earlier ones.
        is_by_arrival: whether the last row is the one that came last; else the order is that of event time.
        has_number: whether the last column is the number of the row, which is 1.
    """

    keys: tuple[int, ...]
    keeps_last: bool
    is_by_arrival: bool
    has_number: bool

    def _columns(self) -> tuple[TableColumn, ...]:
        return _ranked_columns(self.rows, self.has_number)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        order = "PROCTIME" if self.is_by_arrival else "ROWTIME"
        return [
            ("keep", "LastRow" if self.keeps_last else "FirstRow"),
            ("order", order),
            *_partition_text(self.rows, self.keys),
        ]

    @property
    def time(self) -> int | None:
        return None if self.keeps_last else self.rows.time

    @property
    def version_time(self) -> int | None:
        return None if self.is_by_arrival else self.rows.time

    @property
    def upsert_key(self) -> UpsertKey | None:
        return UpsertKey(self.keys, frozenset(), frozenset()) if self.keys else None

    @property
    def changelog(self) -> ChangelogMode:
        return UPDATES if self.keeps_last else INSERT_ONLY
