"""Planning: the tables of a query, how its expressions are evaluated, and its errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.errors import ConfigurationError, SqlError, UnsupportedOperationError
from pystream.settings.modes import Runner
from pystream.sql_types.data_types import DataType
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.scalar import Scalar
from pystream.table.algebra.scans import Scan
from pystream.table.columns import TableColumn
from pystream.table.evaluation import Evaluation, NotEvaluatedError, WrongExpressionError, evaluated
from pystream.table.planner.trees import is_proctime, text_of
from pystream.table.planner.watermark_calls import watermark_calls
from pystream.table.planner.window_items import calls_window_function
from pystream.table.session_zone import local_zone, session_zone
from pystream.table.spark_tables import is_unbounded
from pystream.table.sql.analysis import AnalysedQuery, name_of_table
from pystream.table.sql.queries import translate_query
from pystream.table.sql.state_ttl_hints import state_ttl
from pystream.table.sql.syntax import error_at
from pystream.table.streaming.expiry import ttl_millis
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.lowering import Lowering
from pystream.table.table import ANONYMOUS, Table
from pystream.zones import zone_of_machine
from typeinfo.types import Types

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
        is_in_process: whether all its tables are bounded, and it runs in this process.
        lowering: makes operators of streams of its parts.

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
        self.is_in_process: bool = self.is_bounded and not self.is_on_spark
        self.lowering: Lowering = Lowering(environment)
        self._nodes: dict[str, tuple[str, RelNode]] = {
            name_of_table(number): (path, Scan(table, path))
            for number, (path, table) in enumerate(zip(analysed.paths, tables, strict=True))
        }
        zone = session_zone(environment.get_config().get_configuration())
        self._evaluated = partial(evaluated, functions=analysed.functions, zone=zone)

    def node(self, name: str) -> RelNode:
        """Return the rows of a table by its name in the query."""
        return self._nodes[name][1]

    def path(self, name: str) -> str:
        """Return the name that a table has in the program."""
        return self._nodes[name][0]

    def tables_of(self, tree: exp.Expr) -> list[str]:
        """Return the names of the tables that a part of the query reads."""
        return list(dict.fromkeys(t.name for t in tree.find_all(exp.Table) if t.name in self._nodes))

    def added(self, node: RelNode, path: str) -> str:
        """Add rows to the tables of the query, and return their name.

        Args:
            node: the rows.
            path: the names of the tables that they are made of, for messages.
        """
        name = name_of_table(len(self._nodes))
        self._nodes[name] = path, node
        return name

    def has_windows(self, tree: exp.Expr) -> bool:
        """Return whether an item of FROM, or a query, reads rows with windows."""
        nodes = map(self.node, self.tables_of(tree))
        return calls_window_function(tree) or any(node.windows is not None for node in nodes)

    def zone_of(self, column: TableColumn) -> str | None:
        """Return the time zone of windows by a column of event time; ``None`` if its times have none."""
        if column.type_info != Types.INSTANT:
            return None
        zone = local_zone(self.environment.get_config().get_configuration())
        name = zone_of_machine() if zone is None else str(zone)
        try:
            LocalTime(name)
        except ValueError as error:
            raise ConfigurationError(
                f"the time zone of this machine: {error}; set table.local-time-zone"
            ) from None
        return name

    def ttl(self, node: exp.Expr | None = None) -> int:
        """Return the time to live of state.

        Args:
            node: the SELECT whose groups are kept, or the item of FROM whose rows are; ``None`` for others.

        Returns:
            The time in milliseconds, 0 for ever.
        """
        hinted = None if node is None else state_ttl(node)
        return ttl_millis(self.environment) if hinted is None else hinted

    def scalar(
        self,
        tree: exp.Expr,
        number_of: Callable[[exp.Column], int],
        columns: Sequence[TableColumn] | None = None,
    ) -> Scalar:
        """Return an expression of the columns of rows.

        Args:
            tree: the expression.
            number_of: returns the number of a column.
            columns: the columns, whose types may be NOT NULL where those in the tree are not.

        Raises:
            NotEvaluatedError: Python cannot evaluate it.
        """
        if columns is None:
            return Scalar(self.evaluate(tree, number_of), text_of(tree))
        if isinstance(tree, exp.Column):
            column = columns[number_of(tree)]
            return Scalar(
                Evaluation(itemgetter(column.position), column.data_type), column.name, column.position
            )

        def column_of(node: exp.Column) -> TableColumn:
            return columns[number_of(node)]

        evaluation = self.evaluate(tree, number_of, lambda node: column_of(node).data_type)
        text = text_of(tree, lambda node: column_of(node).name)
        return Scalar(evaluation, text, is_proctime=is_proctime(tree))

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
        call = None if self.is_bounded else next(iter(watermark_calls(tree)), None)
        if call is not None:
            raise self.refusal(call, "CURRENT_WATERMARK outside of SELECT and WHERE")
        return self._evaluated(tree, position_of, type_of=type_of)

    def not_evaluated(self, error: NotEvaluatedError) -> UnsupportedOperationError | SqlError:
        """Return the error that Python cannot evaluate an expression, or that it is wrong."""
        if isinstance(error, WrongExpressionError):
            return self.error(error.node, str(error))
        remedy = "compute it by a function of the program (udf), or in map()"
        if self.is_on_spark:
            message = f"{error}; Python evaluates expressions of rows that an operator has combined: {remedy}"
        elif not self._is_for_spark():
            message = f"{error}; {remedy}"
        else:
            remedy = f"set pystream.runner to spark, or {remedy}"
            message = f"{error}; Python evaluates expressions on the local host: {remedy}"
        return UnsupportedOperationError(str(self.error(error.node, message)))

    def error(self, node: exp.Expr, complaint: str) -> SqlError:
        """Return the error that a part of the query is wrong."""
        return error_at(self.analysed.text, node, complaint)

    def refusal(self, node: exp.Expr, clause: str) -> UnsupportedOperationError:
        """Return the error that a clause is not supported."""
        named = [repr(path) for path in dict.fromkeys(self.analysed.paths) if path != ANONYMOUS]
        examples = f" such as {' and '.join(named)}" if named else ""
        message = (
            f"{clause} is not supported yet for unbounded tables{examples}: convert the table by "
            "to_data_stream(), and use the operators of streams"
        )
        if self.is_bounded and self.is_on_spark:
            message = (
                f"{clause} is not supported in a query with table or aggregate functions of the program, "
                "FOR SYSTEM_TIME AS OF, MATCH_RECOGNIZE or OVER PROCTIME(): make a view of their results, "
                "and query that"
            )
        elif self.is_bounded and not self._is_for_spark():
            message = f"{clause} is not supported"
        elif self.is_bounded:
            message = f"{clause} is not supported on the local host: set pystream.runner to spark"
        return UnsupportedOperationError(str(self.error(node, message)))

    def _is_for_spark(self) -> bool:
        """Return whether Spark has the functions and operators of the query."""
        try:
            translate_query(self.analysed)
        except SqlError:
            return False
        return True
