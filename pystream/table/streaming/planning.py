"""Planning: what the planners of a query share: its tables, how expressions are evaluated, and its errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.errors import SqlError, UnsupportedOperationError
from pystream.settings.modes import Runner
from pystream.sql_types.data_types import DataType
from pystream.table.evaluation import Evaluation, NotEvaluatedError, evaluated
from pystream.table.spark_tables import is_unbounded
from pystream.table.sql.analysis import AnalysedQuery, name_of_table
from pystream.table.sql.syntax import error_at
from pystream.table.streaming.local_time import session_zone
from pystream.table.streaming.window_items import calls_window_function
from pystream.table.table import Table

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["Planning"]


class Planning:
    """A query that is planned.

    Attributes:
        environment: the environment of the tables.
        analysed: the query.
        is_bounded: whether all its tables are bounded.
        is_on_spark: whether it runs on Spark.

    Args:
        environment: the environment of the tables.
        analysed: the query.
        tables: the tables that it reads, in order.
    """

    def __init__(
        self, environment: TableEnvironment, analysed: AnalysedQuery, tables: Sequence[Table]
    ) -> None:
        self.environment = environment
        self.analysed = analysed
        self.is_bounded: bool = not is_unbounded(tables)
        self.is_on_spark: bool = environment._streams._host().runner is Runner.SPARK
        self._tables: dict[str, tuple[str, Table]] = {
            name_of_table(number): (analysed.paths[number], table) for number, table in enumerate(tables)
        }
        zone = session_zone(environment.get_config().get_configuration())
        self._evaluated = partial(evaluated, functions=analysed.functions, zone=zone)

    def table(self, name: str) -> Table:
        """Return a table by its name in the query."""
        return self._tables[name][1]

    def path(self, name: str) -> str:
        """Return the name that a table has in the program."""
        return self._tables[name][0]

    def tables_of(self, node: exp.Expr) -> list[str]:
        """Return the names of the tables that a part of the query reads."""
        return list(dict.fromkeys(t.name for t in node.find_all(exp.Table) if t.name in self._tables))

    def added(self, table: Table, path: str) -> str:
        """Add a table to those of the query, and return its name.

        Args:
            table: the table.
            path: the names of the tables that it is made of, for messages.
        """
        name = name_of_table(len(self._tables))
        self._tables[name] = path, table
        return name

    def has_windows(self, node: exp.Expr) -> bool:
        """Return whether an item of FROM, or a query, reads rows with windows."""
        tables = map(self.table, self.tables_of(node))
        return calls_window_function(node) or any(table._windows is not None for table in tables)

    def evaluate(
        self,
        tree: exp.Expr,
        position_of: Callable[[exp.Column], int],
        type_of: Callable[[exp.Column], DataType] | None = None,
    ) -> Evaluation:
        """Return an expression as a function of rows.

        Args:
            tree: the expression.
            position_of: returns the position of a column in the rows.
            type_of: returns the type of a column; that in the tree unless given.

        Raises:
            NotEvaluatedError: Python cannot evaluate it.
        """
        return self._evaluated(tree, position_of, type_of=type_of)

    def not_evaluated(self, error: NotEvaluatedError) -> UnsupportedOperationError:
        """Return the error that Python cannot evaluate an expression."""
        remedy = "compute it by a function of the program (udf), or in map()"
        if self.is_on_spark:
            message = f"{error}; Python evaluates expressions of rows that an operator has combined: {remedy}"
        else:
            remedy = f"set pystream.runner to spark, or {remedy}"
            message = f"{error}; Python evaluates expressions on the local host: {remedy}"
        return UnsupportedOperationError(str(self.error(error.node, message)))

    def error(self, node: exp.Expr, complaint: str) -> SqlError:
        """Return the error that a part of the query is wrong."""
        return error_at(self.analysed.text, node, complaint)

    def refusal(self, node: exp.Expr, clause: str) -> UnsupportedOperationError:
        """Return the error that a clause is not supported."""
        names = " and ".join(map(repr, self.analysed.paths))
        message = (
            f"{clause} is not supported yet for unbounded tables such as {names}: convert the table by "
            "to_data_stream(), and use the operators of streams"
        )
        if self.is_bounded:
            message = f"{clause} is not supported on the local host: set pystream.runner to spark"
        return UnsupportedOperationError(str(self.error(node, message)))
