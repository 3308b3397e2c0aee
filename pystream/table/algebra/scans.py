"""The leaves of plans: tables of the program, and constant rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.table.algebra.node import ALL, INSERT_ONLY, UPDATES, RelNode, numbered
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn
from pystream.table.upsert_key import UpsertKey
from pystream.table.window_columns import WindowColumns

if TYPE_CHECKING:
    from pystream.table.table import Table

__all__ = ["Scan", "SparkQuery", "Values"]


@dataclass(frozen=True, eq=False)
class Scan(RelNode):
    """The rows of a table.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalTableSourceScan``.

    Attributes:
        table: the table.
        path: its name in the program.
    """

    table: Table
    path: str

    @property
    def inputs(self) -> tuple[RelNode, ...]:
        return ()

    def _columns(self) -> tuple[TableColumn, ...]:
        return numbered(self.table._columns)

    @property
    def name(self) -> str:
        return "TableSourceScan"

    @property
    def title(self) -> str:
        """The name of the table in plans."""
        connector = self.table._connector
        return self.path if connector is None else connector.table.path

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        connector = self.table._connector
        read = () if connector is None else connector.scan_details
        return ("table", self.title), ("fields", self.names_of(range(len(self.columns)))), *read

    @property
    def time(self) -> int | None:
        time, positions = self.table._time, self._positions
        return positions.index(time.position) if time is not None and time.position in positions else None

    @property
    def proctimes(self) -> frozenset[int]:
        own = self.table._proctimes
        return frozenset(number for number, position in enumerate(self._positions) if position in own)

    @property
    def version_time(self) -> int | None:
        plan = self.table._plan
        return self.time if plan is None else plan.version_time

    @property
    def changelog(self) -> ChangelogMode:
        if not self.table._is_updating:
            return INSERT_ONLY
        key = self.table._upsert_key
        return ALL if key is None or key.has_deletes else UPDATES

    @property
    def upsert_key(self) -> UpsertKey | None:
        key = self.table._upsert_key
        return key and key.chosen(self._positions)

    @property
    def windows(self) -> WindowColumns | None:
        windows = self.table._windows
        return windows and windows.chosen(self._positions)

    @property
    def _positions(self) -> list[int]:
        """The fields of the elements of the table that the columns are."""
        return [column.position for column in self.table._columns]


@dataclass(frozen=True, eq=False)
class SparkQuery(Scan):
    """The rows of a query that Spark computes from its text.

    Attributes:
        table: the results.
        path: the name of the results in the program, for messages.
        text: the text of the query.
        read: the tables that it reads.
    """

    text: str
    read: tuple[RelNode, ...]

    @property
    def inputs(self) -> tuple[RelNode, ...]:
        return self.read

    @property
    def name(self) -> str:
        return type(self).__name__

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return (("query", self.text),)


@dataclass(frozen=True, eq=False)
class Values(RelNode):
    """Constant rows.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalValues``.

    Attributes:
        fields: the columns.
        rows: the rows, as values of the types of the columns in streams.
    """

    fields: tuple[TableColumn, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def inputs(self) -> tuple[RelNode, ...]:
        return ()

    def _columns(self) -> tuple[TableColumn, ...]:
        return numbered(self.fields)

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        return (("tuples", ", ".join(f"({', '.join(map(repr, row))})" for row in self.rows)),)
