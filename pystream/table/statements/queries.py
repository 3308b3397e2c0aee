"""Queries, INSERTs, and statements around them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pystream.table.catalog.paths import HintedPath
from pystream.table.explain_detail import ExplainDetail
from pystream.table.inserts import insert_of, plan_of_inserts, start_inserts
from pystream.table.query_tables import table_of_query
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.statements.base import Statement, text_result
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["Explain", "Insert", "InsertSet", "Query"]


@dataclass(frozen=True, slots=True)
class Query(Statement):
    """A query.

    Attributes:
        query: the query.
    """

    query: ParsedQuery

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the rows of the query, which are computed when they are read."""
        return table_of_query(environment, self.query).execute()

    def explain(self, environment: TableEnvironment, details: Collection[ExplainDetail] = ()) -> str:
        """Return the plan of the query as text."""
        return table_of_query(environment, self.query).explain(*details)


@dataclass(frozen=True, slots=True)
class Insert(Statement):
    """``INSERT INTO target [PARTITION (…)] query``.

    Attributes:
        target: the name of the table to write to, with the options of a hint if there is one.
        names: the columns that are written, in the order of those of the query; all unless given.
        query: the query.
        overwrite: whether it replaces the content of the target.
        partition: the names of columns, and for each the literal that all rows have in it, as SQL.
    """

    target: str | HintedPath
    names: tuple[str, ...]
    query: ParsedQuery
    overwrite: bool
    partition: tuple[tuple[str, str], ...] = ()

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Start a job that writes the rows."""
        return start_inserts(environment, [insert_of(environment, self)])

    def explain(self, environment: TableEnvironment, details: Collection[ExplainDetail] = ()) -> str:
        """Return the plan of the INSERT as text."""
        return plan_of_inserts(environment, [insert_of(environment, self)], details)


@dataclass(frozen=True, slots=True)
class InsertSet(Statement):
    """``EXECUTE STATEMENT SET BEGIN …; END``.

    Attributes:
        inserts: the INSERTs.
    """

    inserts: tuple[Insert, ...]

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Start one job that writes the rows of all INSERTs."""
        return start_inserts(environment, [insert_of(environment, one) for one in self.inserts])

    def explain(self, environment: TableEnvironment, details: Collection[ExplainDetail] = ()) -> str:
        """Return the plan of all INSERTs as text."""
        return plan_of_inserts(environment, [insert_of(environment, one) for one in self.inserts], details)


@dataclass(frozen=True, slots=True)
class Explain(Statement):
    """``EXPLAIN`` of a query, an INSERT or a statement set.

    Attributes:
        statement: the statement.
    """

    statement: Query | Insert | InsertSet

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the plan as text."""
        return text_result(self.statement.explain(environment))
