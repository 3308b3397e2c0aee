"""CompiledPlan: an INSERT that is kept as text, to be executed later or by another program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pystream.engine.worker import standard_output
from pystream.errors import ArgumentTypeError, ConfigurationError, SqlError, UnsupportedOperationError
from pystream.table.explain_detail import ExplainDetail
from pystream.table.plan_reference import PlanReference
from pystream.table.statements.queries import Insert
from pystream.table.table_result import TableResult
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["CompiledPlan", "loaded_plan", "refused_plan"]

_FLINK_VERSION = "2.3"


@checks_arguments(ArgumentTypeError)
class CompiledPlan:
    """An INSERT in SQL that is kept as JSON; made by ``TableEnvironment.compile_plan_sql``.

    The JSON holds the statement, not operators as in Flink: the names of tables and functions are those of
    the environment that executes it, and the query is planned there.

    Mirrors ``org.apache.flink.table.api.CompiledPlan``.

    Args:
        environment: the environment that executes it.
        statement: the INSERT.

    Raises:
        SqlError: the statement is wrong, or no INSERT.
        PlanError: the table does not exist, is only read, or has other columns.
    """

    def __init__(self, environment: TableEnvironment, statement: str) -> None:
        from pystream.table.sql.masking import quoted
        from pystream.table.sql.statement_parser import parse_statement
        from pystream.table.sql.syntax import refusing_deep_nesting

        with refusing_deep_nesting(statement):
            if not isinstance(parse_statement(statement), Insert):
                raise SqlError(f"compile_plan_sql and load_plan take INSERT INTO, not {quoted(statement)}")
        self._environment = environment
        self._statement = statement
        environment.create_statement_set().add_insert_sql(statement).explain()

    def as_json_string(self) -> str:
        """Return the plan as JSON."""
        return json.dumps({"flinkVersion": self.get_flink_version(), "statement": self._statement}, indent=2)

    def as_smile_bytes(self) -> NoReturn:
        """Refuse the format Smile.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError("as_smile_bytes: plans are kept as JSON; call as_json_string")

    def write_to_file(self, file: str | Path, ignore_if_exists: bool = False) -> None:
        """Write the plan to a file as JSON.

        Args:
            file: the file.
            ignore_if_exists: leave a file alone that exists.

        Raises:
            ConfigurationError: the file exists, or cannot be written.
        """
        path = Path(file)
        if path.exists():
            if not ignore_if_exists:
                raise ConfigurationError(
                    f"write_to_file: {str(path)!r} exists; remove it, or give another name"
                )
            return
        try:
            path.write_text(self.as_json_string(), encoding="utf-8")
        except OSError as error:
            raise ConfigurationError(f"write_to_file: {str(path)!r} cannot be written: {error}") from None

    def get_flink_version(self) -> str:
        """Return the version of Flink whose SQL the statement is."""
        return _FLINK_VERSION

    def print_json_string(self) -> None:
        """Print the plan as JSON."""
        standard_output.write(f"{self.as_json_string()}\n")

    def execute(self) -> TableResult:
        """Start a job that writes the rows, as ``TableEnvironment.execute_sql`` does."""
        return self._environment.execute_sql(self._statement)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the plan by which the rows are computed and written, as text.

        Args:
            extra_details: what else it shows.
        """
        return self._environment.explain_sql(self._statement, *extra_details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print the plan of ``explain``."""
        standard_output.write(f"{self.explain(*extra_details)}\n")

    def __str__(self) -> str:
        return self.explain()


def loaded_plan(environment: TableEnvironment, reference: PlanReference) -> CompiledPlan:
    """Return the plan of a reference.

    Raises:
        ConfigurationError: the file cannot be read, or the text is not a plan.
        SqlError, PlanError: the statement is none for the tables of the environment.
    """
    text = reference._json()
    try:
        statement = json.loads(text)["statement"]
    except (ValueError, KeyError, TypeError):
        statement = None
    if not isinstance(statement, str):
        raise ConfigurationError(
            "load_plan takes a plan that CompiledPlan.write_to_file or as_json_string has made, not "
            f"{str(reference)[:80]!r}"
        )
    return CompiledPlan(environment, statement)


def refused_plan(call: str) -> UnsupportedOperationError:
    """Return the error for tables of the program, which have no text that a plan could keep."""
    return UnsupportedOperationError(
        f"{call}: a plan keeps an INSERT as text, which tables of the program do not have; write it in SQL "
        "for compile_plan_sql"
    )
