"""Expand: rows, each once for every grouping set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.node import SingleRel, numbered
from pystream.table.columns import TableColumn
from pystream.table.window_columns import WindowColumns

__all__ = ["EXPAND_ID", "Expand", "expand_ids"]

EXPAND_ID = "$e"
"""The name of the column that tells grouping sets apart."""


def expand_ids(keys: int, sets: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Return the numbers of grouping sets: a bit for each key, 1 if the set does not have it.

    The first key has the highest bit. A set that occurs again has further bits, above those of the keys.

    Args:
        keys: the number of the keys.
        sets: the keys in each set.
    """
    bits = [sum(1 << (keys - 1 - key) for key in range(keys) if key not in one) for one in sets]
    return tuple(number | bits[:n].count(number) << keys for n, number in enumerate(bits))


@dataclass(frozen=True, eq=False)
class Expand(SingleRel):
    """Rows, each once for every grouping set, with nulls in the keys that the set does not have.

    The column after the keys is the number of the set.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalExpand``.

    Attributes:
        rows: the rows.
        keys: the number of their columns, from the first one on, that are keys.
        sets: the keys in each grouping set.
    """

    keys: int
    sets: tuple[frozenset[int], ...]

    def _columns(self) -> tuple[TableColumn, ...]:
        columns, data_type = self.rows.columns, DataTypes.BIGINT().not_null()
        keys = [
            column if number in self._common else replace(column, data_type=column.data_type.nullable())
            for number, column in enumerate(columns[: self.keys])
        ]
        number = TableColumn(EXPAND_ID, data_type, data_type.type_info, self.keys)
        return numbered((*keys, number, *columns[self.keys :]))

    @property
    def ids(self) -> tuple[int, ...]:
        """The numbers of the sets."""
        return expand_ids(self.keys, self.sets)

    @property
    def _common(self) -> frozenset[int]:
        return frozenset.intersection(*self.sets)

    @property
    def _unchanged(self) -> list[int]:
        """The columns of the input that the columns are; -1 for the others."""
        keys = [key if key in self._common else -1 for key in range(self.keys)]
        return [*keys, -1, *range(self.keys, len(self.rows.columns))]

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        names = [column.name for column in self.rows.columns]
        projects = []
        for one, number in zip(self.sets, self.ids, strict=True):
            keys = [name if n in one else f"null AS {name}" for n, name in enumerate(names[: self.keys])]
            values = [*keys, f"{number} AS {EXPAND_ID}", *names[self.keys :]]
            projects.append(f"{{{', '.join(values)}}}")
        return (("projects", ", ".join(projects)),)

    @property
    def time(self) -> int | None:
        time, unchanged = self.rows.time, self._unchanged
        return None if time is None or time not in unchanged else unchanged.index(time)

    @property
    def windows(self) -> WindowColumns | None:
        windows = self.rows.windows
        return windows and windows.chosen(self._unchanged)
