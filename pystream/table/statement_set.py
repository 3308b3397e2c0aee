"""StatementSet: INSERTs that run as one job."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.engine.worker import standard_output
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError, SqlError
from pystream.lazy import re_exports
from pystream.table.compiled_plan import refused_plan
from pystream.table.explain_detail import ExplainDetail
from pystream.table.inserts import Target, add_sink, insert_of, plan_of_inserts, start_inserts
from pystream.table.statements.queries import Insert
from pystream.table.table import Table, require_table
from pystream.table.table_descriptor import TableDescriptor
from pystream.table.table_pipeline import TablePipeline
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.compiled_plan import CompiledPlan as CompiledPlan
    from pystream.table.table_environment import TableEnvironment
    from pystream.table.table_result import TableResult as TableResult
else:
    __getattr__ = re_exports(__name__)

__all__ = ["StatementSet"]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class StatementSet:
    """INSERTs that run as one job; made by ``create_statement_set``.

    What several of them read is read once. Mirrors ``org.apache.flink.table.api.StatementSet``.

    Args:
        environment: the environment that it belongs to.
    """

    def __init__(self, environment: TableEnvironment) -> None:
        self._environment = environment
        self._inserts: list[tuple[Target, Table, bool]] = []

    def add(self, table_pipeline: TablePipeline) -> StatementSet:
        """Add the rows of a table that ``Table.insert_into`` leads to another one; return this set."""
        self._inserts.append(table_pipeline._insert)
        return self

    def add_insert(
        self, target_path_or_descriptor: str | TableDescriptor, table: Table, overwrite: bool = False
    ) -> StatementSet:
        """Add the rows of a table, to be written to another one; return this set.

        Args:
            target_path_or_descriptor: the name of the other table, or a descriptor of it.
            table: the table.
            overwrite: as in ``Table.execute_insert``.
        """
        if not target_path_or_descriptor:
            raise ConfigurationError("add_insert: the name of the table is empty")
        require_table(table, "add_insert")
        self._inserts.append((target_path_or_descriptor, table, overwrite))
        return self

    def add_insert_sql(self, stmt: str) -> StatementSet:
        """Add an ``INSERT INTO`` statement; return this set.

        Raises:
            SqlError: it is another statement, or wrong.
        """
        from pystream.table.sql.masking import quoted
        from pystream.table.sql.statement_parser import parse_statement
        from pystream.table.sql.syntax import refusing_deep_nesting

        with refusing_deep_nesting(stmt):
            statement = parse_statement(stmt)
            if not isinstance(statement, Insert):
                raise SqlError(f"add_insert_sql takes INSERT INTO, not {quoted(stmt)}")
            self._inserts.append(insert_of(self._environment, statement))
        return self

    def attach_as_datastream(self) -> None:
        """Leave the INSERTs to ``StreamExecutionEnvironment.execute``, and clear the set."""
        for insert in self._taken():
            add_sink(self._environment, *insert)

    def compile_plan(self) -> NoReturn:
        """Refuse to keep the INSERTs: only a single one in SQL can be kept.

        Raises:
            UnsupportedOperationError: always.
        """
        raise refused_plan("compile_plan")

    def execute(self) -> TableResult:
        """Start a job of all INSERTs, and clear the set.

        Raises:
            PlanError: the set is empty, or an INSERT is wrong.
        """
        return start_inserts(self._environment, self._taken())

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the plan of a job of all INSERTs as text, none of an empty set; the set stays as it is.

        Args:
            extra_details: what else it shows.

        Raises:
            PlanError: an INSERT is wrong.

        Mirrors ``StatementSet.explain``.
        """
        if not self._inserts:
            return ""
        return plan_of_inserts(self._environment, self._inserts, extra_details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print the plan of ``explain``.

        Raises:
            PlanError: an INSERT is wrong.
        """
        standard_output.write(f"{self.explain(*extra_details)}\n")

    def _taken(self) -> list[tuple[Target, Table, bool]]:
        if not self._inserts:
            raise PlanError("the statement set is empty; call add_insert or add_insert_sql first")
        inserts, self._inserts = self._inserts, []
        return inserts
