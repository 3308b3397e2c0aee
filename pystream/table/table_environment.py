"""TableEnvironment: tables and views by name, and the statements on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require, require_int
from pystream.common.job_execution_result import JobExecutionResult
from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.errors import ArgumentTypeError, SqlError, UnsupportedOperationError
from pystream.lazy import re_exports
from pystream.settings.configuration import Configuration
from pystream.settings.options import BUILTIN_CATALOG, BUILTIN_DATABASE
from pystream.table.catalog_manager import CatalogManager
from pystream.table.catalog_methods import CatalogMethods
from pystream.table.catalog_tables import Views, connector_of_descriptor, table_of_path, table_with_options
from pystream.table.compiled_plan import CompiledPlan, loaded_plan
from pystream.table.connector_tables import table_of_connector
from pystream.table.created_tables import create_table, drop_entry
from pystream.table.environment_settings import EnvironmentSettings
from pystream.table.function_methods import FunctionMethods
from pystream.table.inserts import Target, start_inserts
from pystream.table.java_refusals import JavaRefusals
from pystream.table.model_methods import ModelMethods
from pystream.table.module import Modules
from pystream.table.module_methods import ModuleMethods
from pystream.table.named_functions import NamedFunctions
from pystream.table.named_models import NamedModels
from pystream.table.plan_reference import PlanReference
from pystream.table.python_dependencies import PythonDependencies
from pystream.table.query_tables import table_in_zone_of_now, table_of_plan, table_of_query, table_of_relation
from pystream.table.statement_set import StatementSet
from pystream.table.statements.queries import Insert, InsertSet, Query
from pystream.table.table import ANONYMOUS, Table, require_table
from pystream.table.table_config import TableConfig
from pystream.table.table_descriptor import TableDescriptor, catalog_table
from pystream.table.table_pipeline import TablePipeline
from pystream.table.table_result import TableResult
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    import pandas as pd

    from pystream.common.typeinfo import TypeInformation as TypeInformation
    from pystream.datastream.data_stream import DataStream as DataStream
    from pystream.serializers import PickleSerializer as PickleSerializer
    from pystream.table.algebra.node import RelNode
    from pystream.table.catalog import Catalog as Catalog
    from pystream.table.catalog import CatalogDescriptor as CatalogDescriptor
    from pystream.table.catalog.paths import HintedPath
    from pystream.table.changelog_mode import ChangelogMode as ChangelogMode
    from pystream.table.connectors.base import Connector
    from pystream.table.explain_detail import ExplainDetail as ExplainDetail
    from pystream.table.expression import Expression as Expression
    from pystream.table.model_descriptor import ModelDescriptor as ModelDescriptor
    from pystream.table.module import Module as Module
    from pystream.table.module import ModuleEntry as ModuleEntry
    from pystream.table.schema import Schema as Schema
    from pystream.table.sql.relations import Relation
    from pystream.table.stream_table_environment import StreamTableEnvironment as StreamTableEnvironment
    from pystream.table.types import DataType as DataType
    from pystream.table.types import RowField as RowField
    from pystream.table.types import RowType as RowType
    from pystream.table.types import create_arrow_schema as create_arrow_schema
    from pystream.table.types import from_arrow_type as from_arrow_type
    from pystream.table.udf import AggregateFunction as AggregateFunction
    from pystream.table.udf import TableAggregateFunction as TableAggregateFunction
    from pystream.table.udf import udaf as udaf
    from pystream.table.udf import udtaf as udtaf
    from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper as UserDefinedFunctionWrapper
else:
    __getattr__ = re_exports(__name__)

__all__ = ["TableEnvironment"]

T = TypeVar("T")


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class TableEnvironment(
    PythonDependencies, CatalogMethods, FunctionMethods, ModuleMethods, ModelMethods, JavaRefusals
):
    """Tables and views by name, and the statements on them.

    Mirrors ``org.apache.flink.table.api.TableEnvironment``.

    Args:
        stream_execution_environment: the environment whose programs read and write the tables.
    """

    def __init__(self, stream_execution_environment: StreamExecutionEnvironment) -> None:
        super().__init__(stream_execution_environment)
        self._streams = stream_execution_environment._sink_driven()
        configuration = stream_execution_environment.get_configuration()
        self._catalogs = CatalogManager(
            configuration.get(BUILTIN_CATALOG), configuration.get(BUILTIN_DATABASE)
        )
        self._views = Views(self)
        self._config = TableConfig(stream_execution_environment)
        self._functions = NamedFunctions(self._catalogs)
        self._models = NamedModels(self._catalogs)
        self._modules = Modules()
        self._settings_before: dict[str, str | None] = {}  # of those that SET has changed
        self._started: list[TableResult] = []

    @staticmethod
    def create(environment_settings: EnvironmentSettings | Configuration) -> TableEnvironment:
        """Return a new environment without tables, which makes its own environment of streams.

        Args:
            environment_settings: its settings; they take precedence over those of ``$FLINK_CONF_DIR``, and
                the command line over them.

        Raises:
            PlanTypeError: they are neither settings nor a configuration.

        Mirrors ``TableEnvironment.create``.

        Examples:
            >>> from pystream.table import EnvironmentSettings, TableEnvironment
            >>> TableEnvironment.create(EnvironmentSettings.in_batch_mode()).list_tables()
            []
        """
        settings = environment_settings
        if isinstance(settings, Configuration):
            settings = EnvironmentSettings(settings)
        require(settings, EnvironmentSettings, "create", "EnvironmentSettings or a Configuration")
        configuration = settings.get_configuration()
        return TableEnvironment(StreamExecutionEnvironment.get_execution_environment(configuration))

    def get_config(self) -> TableConfig:
        """Return the settings as a live view: changes apply to what is executed from now on."""
        return self._config

    def create_temporary_view(self, view_path: str, table_or_data_stream: Table) -> None:
        """Give a name to a table.

        Args:
            view_path: the name.
            table_or_data_stream: the table; streams are for a StreamTableEnvironment.

        Raises:
            PlanTypeError: it is not a table.
            PlanError: the name is taken.

        Mirrors ``TableEnvironment.createTemporaryView``.
        """
        require_table(table_or_data_stream, "create_temporary_view")
        self._catalogs.create(view_path, table_or_data_stream, is_temporary=True)
        if table_or_data_stream._path == ANONYMOUS:
            table_or_data_stream._path = view_path

    def from_path(self, path: str) -> Table:
        """Return a table or view by its name.

        Raises:
            PlanError: there is none of that name, or it is only written to.

        Mirrors ``TableEnvironment.from``.
        """
        return table_of_path(self, path)

    def from_elements(
        self,
        elements: Iterable[Any],
        schema: DataType | Sequence[str] | None = None,
        verify_schema: bool = True,
    ) -> Table:
        """Return a table of elements that the program has.

        Rows, tuples, lists, dicts and objects are rows; the fields of dicts and objects are columns by name,
        null where they are missing. Without a schema, columns have the types that PyFlink infers: BIGINT for
        an int, DOUBLE for a float, STRING, BOOLEAN, BYTES, DECIMAL(38, 18), DATE, TIME(0), TIMESTAMP_LTZ(6)
        for a datetime, ARRAY for a list, MAP for a dict, and ROW for a nested tuple, Row or object. Their
        names are those of the fields, sorted for dicts and objects; else ``_1``, ``_2`` and so on.

        Args:
            elements: the elements; or expressions of constants such as ``row(1, "a")`` and ``lit(1)``.
            schema: the columns, as ``DataTypes.ROW([DataTypes.FIELD(…), …])``; the type of elements that are
                no rows, whose column is called ``value``; or names for the fields of tuples, lists and rows
                without names.
            verify_schema: whether a value of another class than its type takes is refused. If not, all values
                have a text, integers lose their upper bits, and others become null.

        Raises:
            PlanError: there is nothing to infer a type from; or a value is null, out of range or too long for
                its type, or a row has too many or too few fields.
            PlanTypeError: values of a column are of several classes, or of another one than its type takes.
            SqlError: an expression is no constant, or cannot be cast to its type.

        Mirrors ``TableEnvironment.fromValues``.

        Examples:
            >>> from pystream.table import DataTypes, StreamTableEnvironment
            >>> t_env = StreamTableEnvironment.create(env)
            >>> t_env.from_elements([(1, "a"), (2, "b")], ["id", "name"])
            Table(`id` BIGINT, `name` STRING)
            >>> t_env.from_elements([1, 2], DataTypes.INT()).to_pandas()
               value
            0      1
            1      2
        """
        from pystream.table.elements.tables import table_of_elements

        return table_of_elements(self, elements, schema, verifies=verify_schema)

    def from_pandas(
        self,
        pdf: pd.DataFrame,
        schema: RowType | Sequence[str] | Sequence[DataType] | None = None,
        splits_num: int = 1,
    ) -> Table:
        """Return a table of the rows of a pandas DataFrame, without its index.

        Without types, columns have those of Arrow: BIGINT for ``int64``, STRING for text, TIMESTAMP(6) for
        times. Times with a zone become UTC in a TIMESTAMP, those without one are times of the session in a
        TIMESTAMP_LTZ. Missing values are null, and times are cut to microseconds.

        Args:
            pdf: the DataFrame.
            schema: names and types of the first columns, ``DataTypes.ROW([DataTypes.FIELD(…), …])``; or only
                their names, or only their types.
            splits_num: into how many parts Flink cuts the rows; here it has no effect.

        Raises:
            PlanError: the schema has more columns or none, two columns have the same name, or there are nulls
                where a type has none.
            PlanTypeError: a value is not one of the type, or out of its range.
            UnsupportedTypeError: a column has no type.

        Mirrors PyFlink's ``TableEnvironment.from_pandas``.

        Examples:
            >>> import pandas as pd
            >>> from pystream.table import StreamTableEnvironment
            >>> t_env = StreamTableEnvironment.create(env)
            >>> t_env.from_pandas(pd.DataFrame({"id": [1, 2], "name": ["a", None]}))
            Table(`id` BIGINT, `name` STRING)
        """
        import pandas as pd

        from pystream.table.elements.frames import table_of_frame

        require(pdf, pd.DataFrame, "from_pandas", "a pandas DataFrame")
        require_int(splits_num, "splits_num", 1)
        return table_of_frame(self, pdf, schema)

    def execute_sql(self, stmt: str) -> TableResult:
        """Execute a statement.

        It is a query, ``INSERT``, ``CREATE``, ``ALTER``, ``DROP``, ``SHOW``, ``DESCRIBE``, ``USE``, ``SET``,
        ``RESET``, ``LOAD``, ``UNLOAD``, ``EXECUTE`` or ``EXPLAIN``, as ``docs/sql.md`` lists them. An INSERT
        starts a job and does not wait for it; the results of a query are computed when they are read.

        Raises:
            SqlError: the statement is wrong or not supported; the message names the place.
            PlanError: a table does not exist, or exists already.
            ConfigurationError: an option of a connector is wrong.

        Examples:
            >>> from pystream.table import StreamTableEnvironment
            >>> t_env = StreamTableEnvironment.create(env)
            >>> t_env.execute_sql("CREATE TABLE words (word STRING) WITH ('connector' = 'print')").print()
            OK
            >>> t_env.execute_sql("SHOW TABLES").print()
            +------------+
            | table name |
            +------------+
            |      words |
            +------------+
            1 row in set
        """
        from pystream.table.sql.statement_parser import parse_statement
        from pystream.table.sql.syntax import refusing_deep_nesting

        with refusing_deep_nesting(stmt):
            return parse_statement(stmt).execute(self)

    def sql_query(self, query: str) -> Table:
        """Return the table of the results of a query; Spark computes them when the program is executed.

        Names are those of tables and views. The types of the results are known at once, for which Spark is
        started. Over bounded tables, the results are complete, as in Flink's batch mode; over an unbounded
        one, a query computes and filters single rows.

        Args:
            query: ``SELECT …``, ``VALUES …`` or another query, in Flink's SQL.

        Raises:
            SqlError: the query is wrong; the message names the place.
            PlanError: a table does not exist.
            UnsupportedOperationError: a table is unbounded, and the query combines several rows; or the
                program runs on the local host.

        Mirrors ``TableEnvironment.sqlQuery``.
        """
        from pystream.table.sql.parser import parse_query
        from pystream.table.sql.syntax import refusing_deep_nesting

        with refusing_deep_nesting(query):
            return table_of_query(self, parse_query(query))

    def explain_sql(self, stmt: str, *extra_details: ExplainDetail) -> str:
        """Return the plan of a query or an INSERT as text, as ``EXPLAIN`` does.

        Args:
            stmt: the statement.
            extra_details: what else it shows.

        Raises:
            SqlError: the statement is wrong, or neither a query nor an INSERT.

        Mirrors ``TableEnvironment.explainSql``.
        """
        from pystream.table.sql.masking import quoted
        from pystream.table.sql.statement_parser import parse_statement
        from pystream.table.sql.syntax import refusing_deep_nesting

        with refusing_deep_nesting(stmt):
            statement = parse_statement(stmt)
            if not isinstance(statement, Query | Insert | InsertSet):
                raise SqlError(f"explain_sql takes a query or INSERT INTO, not {quoted(stmt)}")
            return statement.explain(self, extra_details)

    def compile_plan_sql(self, stmt: str) -> CompiledPlan:
        """Keep an INSERT, to be executed later or by another program.

        Args:
            stmt: the statement, ``INSERT INTO …``.

        Raises:
            SqlError: the statement is wrong, or another one.
            PlanError: the table does not exist, is only read, or has other columns.

        Mirrors ``TableEnvironment.compilePlanSql``.
        """
        return CompiledPlan(self, stmt)

    def load_plan(self, plan_reference: PlanReference) -> CompiledPlan:
        """Return the plan of a reference, for the tables and functions of this environment.

        Raises:
            ConfigurationError: the file cannot be read, or what it holds is not a plan.
            UnsupportedOperationError: the plan is in Smile.
            PlanError: the table that it writes to is not there.

        Mirrors ``TableEnvironment.loadPlan``.
        """
        return loaded_plan(self, plan_reference)

    def execute_plan(self, plan_reference: PlanReference) -> TableResult:
        """Start the job of the plan of a reference.

        Raises:
            ConfigurationError: the file cannot be read, or what it holds is not a plan.
            UnsupportedOperationError: the plan is in Smile.
            PlanError: the table that it writes to is not there.

        Mirrors ``TableEnvironment.executePlan``.
        """
        return self.load_plan(plan_reference).execute()

    def create_statement_set(self) -> StatementSet:
        """Return an empty set of INSERTs."""
        return StatementSet(self)

    def list_tables(self) -> list[str]:
        """Return the names of the tables and views of the current database, temporary ones too, sorted."""
        return self._catalogs.names()

    def list_views(self) -> list[str]:
        """Return the names of the views of the current database, temporary ones too, sorted."""
        return self._catalogs.names(views=True)

    def drop_temporary_view(self, view_path: str) -> bool:
        """Remove a temporary view, and return whether there was one of that name."""
        return self._catalogs.drop_temporary(view_path, views=True)

    def drop_temporary_table(self, table_path: str) -> bool:
        """Remove a temporary table, and return whether there was one of that name; what it holds stays."""
        return self._catalogs.drop_temporary(table_path, views=False)

    def create_view(self, view_path: str, table: Table, ignore_if_exists: bool | None = False) -> NoReturn:
        """Refuse a view of a table in a catalog, which keeps views as SQL.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(
            f"create_view: {view_path!r} is to be a view of a table of the program, but catalogs keep views "
            "as SQL; write it as CREATE VIEW … AS SELECT …, or name it by create_temporary_view"
        )

    def drop_view(self, view_path: str, ignore_if_not_exists: bool | None = True) -> bool:
        """Remove a view of a catalog, and return whether there was one of that name.

        Args:
            view_path: its name.
            ignore_if_not_exists: whether it may be missing.

        Raises:
            PlanError: it is missing, or hidden by a temporary view.

        Mirrors ``TableEnvironment.dropView``.
        """
        return drop_entry(self._catalogs, view_path, views=True, if_exists=bool(ignore_if_not_exists))

    def drop_table(self, table_path: str, ignore_if_not_exists: bool | None = True) -> bool:
        """Remove a table of a catalog, and return whether there was one of that name; what it holds stays.

        Args:
            table_path: its name.
            ignore_if_not_exists: whether it may be missing.

        Raises:
            PlanError: it is missing, or hidden by a temporary table.

        Mirrors ``TableEnvironment.dropTable``.
        """
        return drop_entry(self._catalogs, table_path, views=False, if_exists=bool(ignore_if_not_exists))

    def create_temporary_table(
        self,
        path: str,
        descriptor: TableDescriptor,
        ignoreIfExists: bool | None = False,  # noqa: N803
    ) -> None:
        """Add a table of a connector, which ends with the program and hides one of its name in the catalog.

        Args:
            path: its name.
            descriptor: describes it.
            ignoreIfExists: whether there may be a temporary table of that name, which then stays.

        Raises:
            PlanError: there is one of that name, or the descriptor has no schema.
            ConfigurationError: there is no such connector, or one of its options is wrong.

        Mirrors ``TableEnvironment.createTemporaryTable``.
        """
        self._create_described("create_temporary_table", path, descriptor, ignoreIfExists, True)

    def create_table(
        self,
        path: str,
        descriptor: TableDescriptor,
        ignoreIfExists: bool | None = False,  # noqa: N803
    ) -> bool:
        """Add a table of a connector to its catalog, and return whether it is new.

        Args:
            path: its name.
            descriptor: describes it.
            ignoreIfExists: whether there may be a table of that name, which then stays.

        Raises:
            PlanError: there is one of that name, or the descriptor has no schema.
            ConfigurationError: there is no such connector, or one of its options is wrong.

        Mirrors ``TableEnvironment.createTable``.
        """
        return self._create_described("create_table", path, descriptor, ignoreIfExists, False)

    def _create_described(
        self, call: str, path: str, descriptor: TableDescriptor, ignore: bool | None, is_temporary: bool
    ) -> bool:
        require(descriptor, TableDescriptor, call, "a TableDescriptor")
        table = catalog_table(descriptor, call)
        return create_table(self, path, table, is_temporary=is_temporary, if_not_exists=bool(ignore))

    def from_descriptor(self, descriptor: TableDescriptor) -> Table:
        """Return the table that a connector reads, without a name.

        Raises:
            PlanError: the descriptor has no schema.
            ConfigurationError: there is no such connector, or one of its options is wrong.

        Mirrors ``TableEnvironment.from`` of a descriptor.
        """
        require(descriptor, TableDescriptor, "from_descriptor", "a TableDescriptor")
        return table_of_connector(self, connector_of_descriptor(descriptor, "from_descriptor"))

    def execute(self, job_name: str | None = None) -> JobExecutionResult:
        """Run the operators and sinks of the stream environment; wait for them and for all started INSERTs.

        Args:
            job_name: display name of the job.

        Returns:
            The result of the job of the operators and sinks, or else of the last INSERT.

        Raises:
            PlanError: there is neither an operator, a sink nor an INSERT.
            JobExecutionError: a job failed.

        Mirrors ``TableEnvironment.execute`` of Flink 1.
        """
        started, self._started = self._started, []
        result = None
        if self._streams._builder.pending or not started:
            result = self._streams.execute(job_name)
        for insert in started:
            insert.wait()
            client = insert.get_job_client()
            assert client is not None
            result = result or client.get_job_execution_result().result()
        assert result is not None
        return result

    # Streams are part of the program as the user has it, tables of a view on it that only sinks drive.

    def _entering(self, stream: DataStream[T]) -> DataStream[T]:
        """Return a stream of the program for use in tables."""
        inside = copy(stream)
        inside._environment = self._streams
        return inside

    def _leaving(self, stream: DataStream[T]) -> DataStream[T]:
        """Return the stream of a table for the program, which runs it as it does other operators."""
        outside = copy(stream)
        outside._environment = self._program
        self._program._schedule_operator(stream._node_id)
        return outside

    # The modules of queries and INSERTs import that of tables, which reaches them through these methods.

    def _relation_table(self, call: str, relation: Relation) -> Table:
        """Return the table of what a relational method of a table builds."""
        return table_of_relation(self, call, relation)

    def _narrowed_table(self, table: Table, names: Sequence[str]) -> Table:
        """Return a table of files without columns that are not needed."""
        from pystream.table.planner.pruning import narrowed_table

        return narrowed_table(table, {(name,) for name in names})

    def _in_zone_of_now(self, table: Table) -> Table:
        """Return a table in the time zone that the session has now."""
        return table_in_zone_of_now(table)

    def _plan_table(self, plan: RelNode, table: Table) -> Table:
        """Return the table of the rows of a plan that reads another table."""
        return table_of_plan(self, plan, table)

    def _final_table(self, table: Table) -> Table:
        """Return the rows of a bounded table that remain at its end."""
        from pystream.table.streaming.lowering import final_table

        return final_table(table)

    def _table_of_connector(self, connector: Connector) -> Table:
        """Return the table that a connector reads."""
        return table_of_connector(self, connector)

    def _table_with_options(self, path: HintedPath) -> Table:
        """Return a table with the options of a hint."""
        return table_with_options(self, path)

    def _insert(self, table: Table, target: Target, overwrite: bool) -> TableResult:
        """Start a job that writes a table to another one."""
        return start_inserts(self, [(target, table, overwrite)])

    def _pipeline(self, table: Table, target: Target, overwrite: bool) -> TablePipeline:
        """Return the way of a table to another one."""
        return TablePipeline(self, (target, table, overwrite))
