"""TablePipeline: an INSERT that has not been started yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pystream.engine.worker import standard_output
from pystream.errors import ArgumentTypeError
from pystream.lazy import re_exports
from pystream.table.catalog.paths import ObjectIdentifier
from pystream.table.compiled_plan import refused_plan
from pystream.table.explain_detail import ExplainDetail
from pystream.table.inserts import Target, plan_of_inserts, start_inserts
from pystream.table.table import Table
from pystream.table.table_result import TableResult
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.compiled_plan import CompiledPlan as CompiledPlan
    from pystream.table.table_environment import TableEnvironment
else:
    __getattr__ = re_exports(__name__)

__all__ = ["TablePipeline"]


@checks_arguments(ArgumentTypeError)
class TablePipeline:
    """An INSERT that has not been started yet; made by ``Table.insert_into``.

    Mirrors ``org.apache.flink.table.api.TablePipeline``.

    Args:
        environment: the environment of both tables.
        insert: the table to write to, the rows, and whether they replace its own.
    """

    def __init__(self, environment: TableEnvironment, insert: tuple[Target, Table, bool]) -> None:
        self._environment = environment
        self._insert = insert

    def execute(self) -> TableResult:
        """Start a job that writes the rows, as ``Table.execute_insert`` does.

        Raises:
            PlanError: the other table does not exist, is only read, or has other columns.
        """
        return start_inserts(self._environment, [self._insert])

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the plan by which the rows are computed and written, as text.

        Args:
            extra_details: what else it shows.
        """
        return plan_of_inserts(self._environment, [self._insert], extra_details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print the plan of ``explain``."""
        standard_output.write(f"{self.explain(*extra_details)}\n")

    def compile_plan(self) -> NoReturn:
        """Refuse to keep the INSERT: only those in SQL can be kept.

        Raises:
            UnsupportedOperationError: always.
        """
        raise refused_plan("compile_plan")

    def get_sink_identifier(self) -> ObjectIdentifier | None:
        """Return the full name of the table that is written to, ``None`` if it has none."""
        target = self._insert[0]
        return self._environment._catalogs.identify(target) if isinstance(target, str) else None
