"""Statement: what ``execute_sql`` executes; and the results that statements have."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.columns import TableColumn
from pystream.table.printed_rows import raw_lines
from pystream.table.result_kind import ResultKind
from pystream.table.table_result import TableResult, given_rows
from typeinfo.row import Row
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["Pattern", "Statement", "listing", "names_listing", "success", "text_result"]


class Statement(ABC):
    """A statement as it was parsed."""

    @abstractmethod
    def execute(self, environment: TableEnvironment) -> TableResult:
        """Execute the statement.

        Args:
            environment: the environment of the tables.

        Raises:
            SqlError: a query is wrong.
            PlanError: a catalog, database, table, view or function does not exist, or exists already.
            ConfigurationError: an option is wrong.
        """


@dataclass(frozen=True, slots=True)
class Pattern:
    """``[NOT] LIKE 'pattern'`` and ``ILIKE`` of SHOW statements.

    Attributes:
        text: the pattern, in which ``%`` stands for any text and ``_`` for one character.
        is_negated: whether names that match are left out.
        ignores_case: whether upper and lower case are the same.
    """

    text: str
    is_negated: bool = False
    ignores_case: bool = False

    def matches(self, name: str) -> bool:
        """Return whether a name is shown."""
        parts = ({"%": ".*", "_": "."}.get(one, re.escape(one)) for one in self.text)
        flags = re.DOTALL | (re.IGNORECASE if self.ignores_case else re.NOFLAG)
        return (re.fullmatch("".join(parts), name, flags) is not None) is not self.is_negated


def success() -> TableResult:
    """Return the result of a statement without rows."""
    return text_result("OK", ResultKind.SUCCESS)


def text_result(text: str, kind: ResultKind = ResultKind.SUCCESS_WITH_CONTENT) -> TableResult:
    """Return the result of a statement whose only row is a text."""
    column = TableColumn("result", DataTypes.STRING(), Types.STRING(), 0)
    return TableResult([column], lambda: given_rows([Row(text)]), raw_lines, kind=kind)


def listing(names: Sequence[str], rows: Iterable[Sequence[Any]], *others: DataType) -> TableResult:
    """Return the result of a statement that has rows.

    Args:
        names: the names of the columns.
        rows: the rows.
        others: the types of the columns; ``STRING`` unless given.
    """
    types = others or (DataTypes.STRING(),) * len(names)
    columns = [
        TableColumn(name, data_type, data_type.type_info, position)
        for position, (name, data_type) in enumerate(zip(names, types, strict=True))
    ]
    return TableResult(columns, lambda: given_rows([Row(*row) for row in rows]))


def names_listing(title: str, names: Iterable[str], pattern: Pattern | None = None) -> TableResult:
    """Return the result of a statement that shows names.

    Args:
        title: the name of the column.
        names: the names.
        pattern: those that are shown; all unless given.
    """
    return listing([title], [[name] for name in names if pattern is None or pattern.matches(name)])
