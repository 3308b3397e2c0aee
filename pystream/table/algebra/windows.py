"""Window functions on tables: each row, with the bounds of the windows that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.node import SingleRel, numbered
from pystream.table.columns import TableColumn
from pystream.table.window_call import WindowCall
from pystream.table.window_columns import WindowColumns

__all__ = ["WindowTableFunction", "window_columns"]


def window_columns(first: int, zone: str | None) -> tuple[TableColumn, ...]:
    """Return the columns of the bounds and the time of windows.

    Args:
        first: the position of the first one.
        zone: the time zone of a TIMESTAMP_LTZ; ``None`` for a TIMESTAMP.
    """
    bound = DataTypes.TIMESTAMP(3).not_null()
    time = bound if zone is None else DataTypes.TIMESTAMP_LTZ(3).not_null()
    return (
        TableColumn("window_start", bound, bound.type_info, first),
        TableColumn("window_end", bound, bound.type_info, first + 1),
        TableColumn("window_time", time, time.type_info, first + 2),
    )


@dataclass(frozen=True, eq=False)
class WindowTableFunction(SingleRel):
    """Each row once for each of its windows, with the bounds and the time of the window.

    Rows of sessions are emitted when their session has ended; their event time is then that of the window.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalWindowTableFunction``.

    Attributes:
        rows: the rows, which have event time.
        keys: the number of its columns, from the first one on, that rows of a session have in common.
        call: the window function.
        zone: the time zone of the bounds; ``None`` if the times have none.
    """

    keys: int
    call: WindowCall
    zone: str | None

    def _columns(self) -> tuple[TableColumn, ...]:
        width = len(self.rows.columns)
        return numbered((*self.rows.columns, *window_columns(width, self.zone)))

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        partition = [("partitionBy", self.rows.names_of(range(self.keys)))] if self.keys else []
        return [("window", str(self.call)), *partition]

    @property
    def time(self) -> int | None:
        return len(self.columns) - 1 if self.is_session else self.rows.time

    @property
    def is_session(self) -> bool:
        """Whether it is a session window function."""
        return self.call.function == "SESSION"

    @property
    def windows(self) -> WindowColumns | None:
        first = len(self.rows.columns)
        keys = frozenset(range(self.keys)) if self.is_session else None
        return WindowColumns(first, first + 1, first + 2, self.zone, keys)
