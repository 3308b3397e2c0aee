"""RelNode: a relational operator, and the rows that it makes of those of its inputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pystream.table.changelog_mode import ChangelogMode
from pystream.table.columns import TableColumn, distinct_names
from pystream.table.upsert_key import UpsertKey
from pystream.table.window_columns import WindowColumns
from typeinfo.row import RowKind

__all__ = [
    "ALL",
    "INSERT_ONLY",
    "UPDATES",
    "BiRel",
    "ExtendingRel",
    "RelNode",
    "SingleRel",
    "distinct",
    "numbered",
    "walk",
]


INSERT_ONLY = ChangelogMode.insert_only()
UPDATES = ChangelogMode(frozenset(RowKind) - {RowKind.DELETE})
ALL = ChangelogMode.all()


class RelNode(ABC):
    """A relational operator, which never changes.

    Columns are named by their numbers, from 0 on; the position of each column is its number. Nodes are equal
    only to themselves, so that one that is read twice is computed once.

    Mirrors ``org.apache.calcite.rel.RelNode``.
    """

    @property
    @abstractmethod
    def inputs(self) -> tuple[RelNode, ...]:
        """The operators whose rows it reads."""

    def with_inputs(self, *inputs: RelNode) -> RelNode:
        """Return the operator on other inputs, which have the same columns."""
        return self

    @cached_property
    def columns(self) -> tuple[TableColumn, ...]:
        """The columns of its rows."""
        return self._columns()

    @abstractmethod
    def _columns(self) -> tuple[TableColumn, ...]:
        """Return the columns of its rows."""

    @property
    def name(self) -> str:
        """The name of the operator in plans."""
        return type(self).__name__

    @property
    @abstractmethod
    def details(self) -> Sequence[tuple[str, str]]:
        """Its arguments in plans: their names and texts."""

    @property
    def time(self) -> int | None:
        """The column that is the event time of the rows."""
        return None

    @property
    def proctimes(self) -> frozenset[int]:
        """The columns that are ``PROCTIME()``, the time at which a row is processed."""
        return frozenset()

    @property
    def version_time(self) -> int | None:
        """The column of event time from which on a row replaces earlier ones of its upsert key."""
        return self.time

    @property
    def changelog(self) -> ChangelogMode:
        """The kinds of the rows."""
        is_updating = any(node.is_updating for node in self.inputs)
        return ALL if is_updating else INSERT_ONLY

    @property
    def is_updating(self) -> bool:
        """Whether rows may be retracted or updated later."""
        return self.changelog != INSERT_ONLY

    @property
    def upsert_key(self) -> UpsertKey | None:
        """The columns by which updates replace rows, if they are known."""
        return None

    @property
    def windows(self) -> WindowColumns | None:
        """The columns of the windows that the rows belong to, if there are both bounds."""
        return None

    def names_of(self, numbers: Sequence[int]) -> str:
        """Return the names of columns, for plans."""
        return ", ".join(self.columns[number].name for number in numbers)


@dataclass(frozen=True, eq=False)
class SingleRel(RelNode):
    """An operator on the rows of one input, which has their columns and changes unless it says otherwise.

    Mirrors ``org.apache.calcite.rel.SingleRel``.

    Attributes:
        rows: the rows of the input.
    """

    rows: RelNode

    @property
    def inputs(self) -> tuple[RelNode, ...]:
        return (self.rows,)

    def with_inputs(self, *inputs: RelNode) -> RelNode:
        (rows,) = inputs
        return replace(self, rows=rows)

    def _columns(self) -> tuple[TableColumn, ...]:
        return self.rows.columns

    @property
    def changelog(self) -> ChangelogMode:
        return self.rows.changelog


class ExtendingRel(SingleRel):
    """An operator that adds columns to the rows of one input, after their own."""

    @property
    def time(self) -> int | None:
        return self.rows.time

    @property
    def proctimes(self) -> frozenset[int]:
        return self.rows.proctimes

    @property
    def windows(self) -> WindowColumns | None:
        return self.rows.windows


@dataclass(frozen=True, eq=False)
class BiRel(RelNode):
    """An operator on the rows of two inputs.

    Mirrors ``org.apache.calcite.rel.BiRel``.

    Attributes:
        left: the rows of the first input.
        right: those of the second one.
    """

    left: RelNode
    right: RelNode

    @property
    def inputs(self) -> tuple[RelNode, ...]:
        return self.left, self.right

    def with_inputs(self, *inputs: RelNode) -> RelNode:
        left, right = inputs
        return replace(self, left=left, right=right)


def numbered(columns: Sequence[TableColumn]) -> tuple[TableColumn, ...]:
    """Return columns whose positions are their numbers."""
    return tuple(replace(column, position=number) for number, column in enumerate(columns))


def distinct(columns: Sequence[TableColumn]) -> tuple[TableColumn, ...]:
    """Return columns whose positions are their numbers, with other names where an earlier one has theirs."""
    names = distinct_names([column.name for column in columns])
    pairs = enumerate(zip(columns, names, strict=True))
    return tuple(replace(column, name=name, position=number) for number, (column, name) in pairs)


def walk(root: RelNode) -> Iterator[RelNode]:
    """Yield each operator of a plan once, those that are read after those that read them."""
    seen: set[RelNode] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting.extend(reversed(node.inputs))
