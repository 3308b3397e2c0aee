"""StreamTableEnvironment: tables of streams and of connectors, and the statements on them."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.common.job_execution_result import JobExecutionResult
from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.stream_ends import DataStreamSink
from pystream.errors import PlanError, PlanTypeError, SqlError, UnsupportedOperationError
from pystream.settings.configuration import Configuration
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.changelogs import of_mode
from pystream.table.columns import (
    TableColumn,
    columns_of_schema,
    columns_of_stream,
    named_columns,
    row_type,
)
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.registry import connector_of
from pystream.table.declarations import with_declarations
from pystream.table.environment_settings import EnvironmentSettings
from pystream.table.expression.expression import Expression
from pystream.table.fields import expressed_columns
from pystream.table.function_definition import FunctionDefinition
from pystream.table.named_functions import NamedFunctions
from pystream.table.named_tables import NamedTables
from pystream.table.not_null import without_nulls
from pystream.table.printed_rows import raw_lines, table_lines
from pystream.table.result_kind import ResultKind
from pystream.table.schema import PhysicalColumn, Schema
from pystream.table.sql.statements import (
    CreateTable,
    CreateView,
    DescribeTable,
    DropTable,
    Explain,
    Insert,
    ParsedQuery,
    ShowTables,
)
from pystream.table.statement_set import StatementSet
from pystream.table.table import Table, require_table
from pystream.table.table_config import TableConfig, local_zone
from pystream.table.table_result import TableResult, given_rows
from pystream.table.udf import UserDefinedScalarFunction
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.table.sql.relations import Relation

__all__ = ["StreamTableEnvironment", "TableEnvironment"]

T = TypeVar("T")

_NO_TABLES: Mapping[str, Table] = MappingProxyType({})


class TableEnvironment:
    """Tables and views by name, and the statements on them.

    Mirrors ``org.apache.flink.table.api.TableEnvironment``.

    Args:
        stream_execution_environment: the environment whose programs read and write the tables.
    """

    def __init__(self, stream_execution_environment: StreamExecutionEnvironment) -> None:
        self._streams = stream_execution_environment
        self._tables = NamedTables()
        self._config = TableConfig(stream_execution_environment)
        self._functions = NamedFunctions()
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

    def from_path(self, path: str) -> Table:
        """Return a table or view by its name.

        Raises:
            PlanError: there is none of that name, or it is only written to.

        Mirrors ``TableEnvironment.from``.
        """
        found = self._tables.get(path)
        if isinstance(found, Table):
            return found
        table = Table(self, found.read(self._streams), found.table.columns)
        return with_declarations(table, found.table.schema)

    def execute_sql(self, stmt: str) -> TableResult:
        """Execute a statement.

        Queries, ``INSERT INTO``, ``CREATE TABLE``, ``CREATE VIEW``, ``DROP TABLE``, ``DROP VIEW``,
        ``SHOW TABLES``, ``SHOW VIEWS``, ``DESCRIBE`` and ``EXPLAIN`` are supported. An INSERT starts a job
        and does not wait for it; the results of a query are computed when they are read.

        Raises:
            SqlError: the statement is wrong or not supported; the message names the place.
            PlanError: a table does not exist, or exists already.
            ConfigurationError: an option of a connector is wrong.

        Examples:
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
        from pystream.table.sql.parser import parse_statement

        match parse_statement(stmt):
            case CreateTable() as statement:
                return self._create_table(statement)
            case CreateView() as statement:
                return self._create_view(statement)
            case DropTable() as statement:
                return self._drop(statement)
            case ShowTables(only_views):
                title, names = (
                    ("view name", self.list_views()) if only_views else ("table name", self.list_tables())
                )
                return _listing([title], [[name] for name in names])
            case DescribeTable(path):
                return self._describe(path)
            case Insert() as statement:
                return self._insert([self._insert_of(statement)])
            case Explain(statement):
                return _text(self._explained(statement))
            case ParsedQuery() as query:
                return self._table_of(query).execute()

    def sql_query(self, query: str) -> Table:
        """Return the table of the results of a query; Spark computes them when the program is executed.

        Names are those of tables and views. The types of the results are known at once, for which Spark is
        started. All inputs must be bounded, and the results are complete, as in Flink's batch mode.

        Args:
            query: ``SELECT …``, ``VALUES …`` or another query, in Flink's SQL.

        Raises:
            SqlError: the query is wrong; the message names the place.
            PlanError: a table does not exist.
            UnsupportedOperationError: a table is unbounded.

        Mirrors ``TableEnvironment.sqlQuery``.
        """
        from pystream.table.sql.parser import parse_query

        return self._table_of(parse_query(query))

    def explain_sql(self, stmt: str) -> str:
        """Return the plan of a query or an INSERT as text, as ``EXPLAIN`` does.

        Raises:
            SqlError: the statement is wrong, or neither a query nor an INSERT.

        Mirrors ``TableEnvironment.explainSql``.
        """
        from pystream.table.sql.parser import parse_statement

        statement = parse_statement(stmt)
        if not isinstance(statement, ParsedQuery | Insert):
            raise SqlError(f"explain_sql takes a query or INSERT INTO, not {stmt!r}")
        return self._explained(statement)

    def create_statement_set(self) -> StatementSet:
        """Return an empty set of INSERTs."""
        return StatementSet(self)

    def list_tables(self) -> list[str]:
        """Return the names of all tables and views, sorted."""
        return self._tables.names()

    def list_views(self) -> list[str]:
        """Return the names of all views, sorted."""
        return self._tables.names(Table)

    def drop_temporary_view(self, view_path: str) -> bool:
        """Remove a view, and return whether there was one of that name."""
        return self._tables.remove(view_path, Table)

    def drop_temporary_table(self, table_path: str) -> bool:
        """Remove a table, and return whether there was one of that name; what it holds stays."""
        return self._tables.remove(table_path, Connector)

    def create_temporary_function(self, path: str, function: UserDefinedScalarFunction[..., Any]) -> None:
        """Give a function of the program a name in SQL; later changes to the function have no effect.

        Args:
            path: the name, in any case of letters.
            function: a function made by ``udf``.

        Raises:
            PlanTypeError: it is another object.
            PlanError: the name is taken, or that of a function of SQL itself.
            FunctionPicklingError: the function cannot be sent to the workers.

        Mirrors ``TableEnvironment.createTemporaryFunction``.
        """
        self._functions.add(path, _definition(path, function, "create_temporary_function"))

    def create_temporary_system_function(
        self, name: str, function: UserDefinedScalarFunction[..., Any]
    ) -> None:
        """Give a function of the program a name in SQL that hides functions of ``create_temporary_function``.

        Args:
            name: the name, in any case of letters.
            function: a function made by ``udf``.

        Raises:
            PlanTypeError: it is another object.
            PlanError: the name is taken, or that of a function of SQL itself.
            FunctionPicklingError: the function cannot be sent to the workers.

        Mirrors ``TableEnvironment.createTemporarySystemFunction``.
        """
        definition = _definition(name, function, "create_temporary_system_function")
        self._functions.add_system(name, definition)

    def drop_temporary_function(self, path: str) -> bool:
        """Remove a function, and return whether there was one of that name; queries made before keep it."""
        return self._functions.remove(path)

    def drop_temporary_system_function(self, name: str) -> bool:
        """Remove a system function, and return whether there was one; queries made before keep it."""
        return self._functions.remove_system(name)

    def list_user_defined_functions(self) -> list[str]:
        """Return the names of all functions of the program, in lower case and sorted."""
        return self._functions.names()

    def execute(self, job_name: str | None = None) -> JobExecutionResult:
        """Run all sinks of the stream environment, and wait for them and the INSERTs that have been started.

        Args:
            job_name: display name of the job.

        Returns:
            The result of the job of the sinks, or else of the last INSERT.

        Raises:
            PlanError: there is neither a sink nor an INSERT.
            JobExecutionError: a job failed.

        Mirrors ``TableEnvironment.execute`` of Flink 1.
        """
        started, self._started = self._started, []
        result = None
        if self._streams._sinks or not started:
            result = self._streams.execute(job_name)
        for insert in started:
            insert.wait()
            client = insert.get_job_client()
            assert client is not None
            result = result or client.get_job_execution_result().result()
        assert result is not None
        return result

    def _create_table(self, statement: CreateTable) -> TableResult:
        if statement.path in self._tables and statement.if_not_exists:
            return _success()
        owner = f"table {statement.path!r}"
        columns = columns_of_schema(statement.schema, owner)
        definition = TableDefinition(statement.path, columns, statement.schema, statement.options)
        self._tables.add(statement.path, connector_of(definition))
        return _success()

    def _drop(self, statement: DropTable) -> TableResult:
        kind: type[Any] = Table if statement.is_view else Connector
        if not self._tables.remove(statement.path, kind) and not statement.if_exists:
            names = ", ".join(self._tables.names(kind)) or "none"
            what = "view" if statement.is_view else "table"
            raise PlanError(f"there is no {what} of the name {statement.path!r}; there are: {names}")
        return _success()

    def _describe(self, path: str) -> TableResult:
        entry = self._tables.get(path)
        if isinstance(entry, Connector) and len(entry.table.schema.columns) > len(entry.table.columns):
            entry = self.from_path(path)  # the types of computed columns are those of a query
        columns = entry._columns if isinstance(entry, Table) else entry.table.columns
        rows = [
            [column.name, str(column.data_type.nullable()), str(column.data_type.is_nullable).upper()]
            for column in columns
        ]
        return _listing(["name", "type", "null"], rows)

    def _query_result(self, table: Table) -> TableResult:
        """Return the rows of a table as the result of a statement."""
        rows = table._rows()
        shows_kinds = not self._streams._is_batch([rows._node_id])
        zone = local_zone(self._config.get_configuration())
        lines = partial(table_lines, shows_kinds=shows_kinds, zone=zone)
        return TableResult(table._columns, rows.execute_and_collect, lines)

    def _table_of(self, query: ParsedQuery, given: Mapping[str, Table] = _NO_TABLES) -> Table:
        """Return the table of a query.

        Args:
            query: the query.
            given: tables that it reads by name, before those of the environment.
        """
        from pystream.table.query_tables import query_table
        from pystream.table.sql.queries import translate_query
        from pystream.table.sql.relations import Relation

        if query.path is not None:
            return self.from_path(query.path)
        tables: dict[str, Table] = {}

        def columns_of(path: str) -> list[tuple[str, DataType]]:
            tables[path] = given[path] if path in given else self.from_path(path)
            return [(column.name, column.data_type) for column in tables[path]._columns]

        translated = translate_query(query, columns_of, self._functions.find)
        relation = Relation.of_query(query.tree, tables, translated.names)
        return query_table(self, translated, [tables[path] for path in translated.paths], relation)

    def _relation_table(self, call: str, relation: Relation) -> Table:
        """Return the table of what a relational method builds.

        Raises:
            SqlError: Spark cannot resolve the query; the message names the method.
        """
        from pystream.table.query_tables import query_table
        from pystream.table.sql.queries import translate_query

        def columns_of(name: str) -> list[tuple[str, DataType]]:
            return [(column.name, column.data_type) for column in relation.tables[name]._columns]

        try:
            query = ParsedQuery(call, relation.query)
            translated = translate_query(query, columns_of, self._functions.find)
            tables = [relation.tables[name] for name in translated.paths]
            return query_table(self, replace(translated, paths=(call,) * len(tables)), tables, relation)
        except SqlError as error:
            raise SqlError(f"{call}: {error}") from None

    def _create_view(self, statement: CreateView) -> TableResult:
        exists = statement.path in self._tables
        if exists and statement.if_not_exists:
            return _success()
        table = self._table_of(statement.query)
        if statement.names:
            if len(statement.names) != len(table._columns):
                raise PlanError(
                    f"view {statement.path!r} has {len(statement.names)} names for "
                    f"{len(table._columns)} columns"
                )
            table = table.alias(*statement.names)
        if exists and statement.replaces:
            self._tables.remove(statement.path, Table)
        self._tables.add(statement.path, table)
        return _success()

    def _explained(self, statement: ParsedQuery | Insert) -> str:
        query = statement if isinstance(statement, ParsedQuery) else statement.query
        return self._table_of(query).explain()

    def _insert_of(self, statement: Insert) -> tuple[str, Table, bool]:
        """Return the target, the rows and the mode of an INSERT."""
        table = self._table_of(statement.query)
        if statement.names:
            table = self._in_order_of(statement, table)
        return statement.target, table, statement.overwrite

    def _in_order_of(self, statement: Insert, table: Table) -> Table:
        """Return the rows of an INSERT with their columns in the order of those of its target."""
        target = self._tables.get(statement.target)
        own = [column.name for column in target.table.columns] if isinstance(target, Connector) else []
        if sorted(own) != sorted(statement.names):
            raise PlanError(
                f"INSERT INTO {statement.target} must give all columns, which are {', '.join(own)}, not "
                f"{', '.join(statement.names)}"
            )
        if len(table._columns) != len(own):
            raise PlanError(
                f"INSERT INTO {statement.target}: there are {len(table._columns)} columns of rows"
            )
        columns = dict(zip(statement.names, table._columns, strict=True))
        return Table(self, table._stream, [columns[name] for name in own])

    def _insert(self, inserts: Sequence[tuple[str, Table, bool]]) -> TableResult:
        """Start a job that writes tables to others."""
        sinks = [self._write(*insert) for insert in inserts]
        paths = [NamedTables.full_name(path) for path, _, _ in inserts]
        job = self._streams._start_sinks(sinks, f"insert-into_{','.join(paths)}")

        def counts() -> Generator[Row[Any]]:
            result.wait()
            yield Row(*(-1 for _ in paths))

        def close() -> None:
            job.cancel()

        columns = [TableColumn(path, DataTypes.BIGINT(), Types.LONG(), n) for n, path in enumerate(paths)]
        result = TableResult(columns, lambda: CloseableIterator(counts(), close), job=job)
        self._started.append(result)
        return result

    def _write(self, path: str, table: Table, overwrite: bool) -> DataStreamSink:
        """Add a sink that writes a table to another one."""
        if overwrite:
            raise UnsupportedOperationError(
                f"INSERT OVERWRITE: no connector replaces the content of a table, so that of {path!r} cannot "
                "be replaced; write to a new one"
            )
        target = self._tables.get(path)
        if not isinstance(target, Connector):
            raise PlanError(f"{path!r} is a view, which cannot be written to")
        try:
            rows = table._elements(target.table.row_type, by_position=True)
        except PlanTypeError as error:
            raise PlanTypeError(
                f"the columns of the rows are not those of table {path!r}: {error}\n"
                f"  rows:  {', '.join(map(str, table._columns))}\n"
                f"  table: {', '.join(map(str, target.table.columns))}"
            ) from None
        return target.write(without_nulls(rows, target.table))


class StreamTableEnvironment(TableEnvironment):
    """Tables made from streams, and streams made from tables.

    Mirrors ``org.apache.flink.table.api.bridge.java.StreamTableEnvironment``.

    Args:
        stream_execution_environment: the environment of the streams.

    Examples:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Word:
        ...     text: str
        ...     n: int
        >>> words = env.from_collection([Word("a", 1), Word("b", 2)], Types.of(Word))
        >>> t_env = StreamTableEnvironment.create(env)
        >>> table = t_env.from_data_stream(words)
        >>> table.execute().print()
        +----+--------------------------------+----------------------+
        | op |                           text |                    n |
        +----+--------------------------------+----------------------+
        | +I |                              a |                    1 |
        | +I |                              b |                    2 |
        +----+--------------------------------+----------------------+
        2 rows in set
        >>> t_env.to_data_stream(table, Word).take(1)
        [Word(text='a', n=1)]
    """

    @staticmethod
    def create(  # type: ignore[override]  # of streams, as in Flink
        stream_execution_environment: StreamExecutionEnvironment,
        environment_settings: EnvironmentSettings | None = None,
    ) -> StreamTableEnvironment:
        """Return a new environment without tables.

        Args:
            stream_execution_environment: the environment of the streams.
            environment_settings: settings, which are applied to that environment.

        Raises:
            PlanTypeError: it is not a StreamExecutionEnvironment, or they are not EnvironmentSettings.

        Mirrors ``StreamTableEnvironment.create``.
        """
        wanted = "a StreamExecutionEnvironment: StreamTableEnvironment.create(env)"
        require(stream_execution_environment, StreamExecutionEnvironment, "create", wanted)
        if environment_settings is not None:
            wanted = "EnvironmentSettings: StreamTableEnvironment.create(env, settings)"
            require(environment_settings, EnvironmentSettings, "create", wanted)
            stream_execution_environment.configure(environment_settings.get_configuration())
        return StreamTableEnvironment(stream_execution_environment)

    def from_data_stream(
        self,
        data_stream: DataStream[Any],
        *fields_or_schema: str | Expression[Any] | Schema,
        names: str | Sequence[str] | None = None,
    ) -> Table:
        """Convert a stream to a table.

        Fields of a row, tuple or record become columns; any other element is one column ``f0``.

        Args:
            data_stream: the stream, of known type.
            fields_or_schema: names of columns, also as one text ``'a, b'``. If one of them is the name of a
                field, they choose fields, else they are new names by position; ``col("a")`` is as good as
                ``"a"``, and ``col("a").alias("b")`` renames a field. Or a Schema, whose columns are fields
                by name, with the types that it declares.
            names: names of columns, in another form.

        Raises:
            UnsupportedTypeError: the type of the elements is not known.
            PlanError: a name is unknown or occurs twice.
            PlanTypeError: a field has not the type that the schema declares.
            UnsupportedOperationError: the schema has computed columns.

        Mirrors ``StreamTableEnvironment.fromDataStream``.
        """
        require(data_stream, DataStream, "from_data_stream", "a DataStream")
        if data_stream.get_execution_environment() is not self._streams:
            raise PlanError("from_data_stream: the stream belongs to another environment")
        columns = columns_of_stream(data_stream.get_type())
        if names is not None:
            given = (names,) if isinstance(names, str) else tuple(names)
            return self.from_data_stream(data_stream, *fields_or_schema, *given)
        match fields_or_schema:
            case ():
                return Table(self, data_stream, columns)
            case (Schema() as schema,):
                return self._declared(Table(self, data_stream, columns), schema)
        if any(isinstance(field, Expression) for field in fields_or_schema):
            return Table(self, data_stream, expressed_columns(columns, fields_or_schema))
        chosen: list[Any] = [
            part.strip() if isinstance(part, str) else part
            for field in fields_or_schema
            for part in (field.split(",") if isinstance(field, str) else (field,))
        ]
        return Table(self, data_stream, named_columns(columns, chosen))

    def from_changelog_stream(
        self,
        data_stream: DataStream[Row[Any]],
        schema: Schema | None = None,
        changelog_mode: ChangelogMode | None = None,
    ) -> Table:
        """Convert a stream of rows, whose kinds say what changes, to a table; rows keep their kinds.

        Args:
            data_stream: the stream, of rows.
            schema: the columns, fields by name, with the types that it declares; all fields unless given.
            changelog_mode: the kinds of rows that the stream contains, all unless given; a row of another
                kind fails the job.

        Raises:
            PlanTypeError: the elements are not rows, or a field has not the type that the schema declares.
            PlanError: a name is unknown.
            UnsupportedOperationError: the schema has computed columns, or the mode is ``upsert``, as no
                operator completes the changes with the rows before them.

        Mirrors ``StreamTableEnvironment.fromChangelogStream``.
        """
        require(data_stream, DataStream, "from_changelog_stream", "a DataStream")
        if not isinstance(data_stream.get_type(), RowTypeInfo):
            raise PlanTypeError(
                "from_changelog_stream takes a stream of rows, of a type such as Types.ROW_NAMED([…], […]), "
                f"not of {data_stream.get_type()}; only rows have kinds"
            )
        stream = data_stream
        if changelog_mode is not None:
            require(changelog_mode, ChangelogMode, "from_changelog_stream", "a ChangelogMode")
            stream = of_mode(data_stream, changelog_mode)
        return self.from_data_stream(stream, *(() if schema is None else (schema,)))

    def _declared(self, table: Table, schema: Schema) -> Table:
        """Return a table with the columns of a schema, chosen by name."""
        if not any(isinstance(column, PhysicalColumn) for column in schema.columns):
            return with_declarations(table, schema)
        declared = columns_of_schema(schema, "the schema")
        own = {column.name: column for column in table._columns}
        unknown = [column.name for column in declared if column.name not in own]
        if unknown:
            raise PlanError(f"the schema has the column {unknown[0]!r}, but there are {', '.join(own)}")
        chosen = Table(self, table._stream, [own[column.name] for column in declared])
        return with_declarations(Table(self, chosen._elements(row_type(declared)), declared), schema)

    def create_temporary_view(
        self,
        view_path: str,
        table_or_data_stream: Table | DataStream[Any],
        *fields_or_schema: str | Expression[Any] | Schema,
    ) -> None:
        """Give a name to a table, or to a stream as a table.

        Args:
            view_path: the name.
            table_or_data_stream: the table or stream.
            fields_or_schema: for a stream, as in `from_data_stream`.

        Raises:
            PlanError: the name is taken.

        Mirrors ``StreamTableEnvironment.createTemporaryView``.
        """
        if isinstance(table_or_data_stream, Table):
            table = table_or_data_stream
        else:
            table = self.from_data_stream(table_or_data_stream, *fields_or_schema)
        self._tables.add(view_path, table)

    @overload
    def to_data_stream(self, table: Table) -> DataStream[Row[Any]]: ...

    @overload
    def to_data_stream(self, table: Table, output_type: TypeInformation[T] | type[T]) -> DataStream[T]: ...

    def to_data_stream(
        self, table: Table, output_type: TypeInformation[Any] | type[Any] | None = None
    ) -> DataStream[Any]:
        """Convert a table to a stream.

        Args:
            table: the table.
            output_type: a type, or a class that ``Types.of`` takes: the columns are the fields of a class by
                name, those of a row or tuple by position. Rows named by the columns unless given. A null in
                a field that allows none fails the job.

        Raises:
            PlanTypeError: the names or types of the columns are not those of the type.
            TypeInferenceError: the class has no type.

        Mirrors ``StreamTableEnvironment.toDataStream``.
        """
        require_table(table, "to_data_stream")
        if output_type is None:
            return table._rows()
        return table._elements(Types.of(output_type) if isinstance(output_type, type) else output_type)

    def to_append_stream(self, table: Table, type_info: TypeInformation[T]) -> DataStream[T]:
        """Convert a table to a stream of elements of a type, as ``to_data_stream`` does.

        Args:
            table: the table.
            type_info: the type of the elements.

        Raises:
            PlanTypeError: the names or types of the columns are not those of the type.

        Mirrors ``StreamTableEnvironment.toAppendStream``.
        """
        require_table(table, "to_append_stream")
        return table._elements(type_info)

    def to_retract_stream(self, table: Table, type_info: TypeInformation[T]) -> DataStream[tuple[bool, T]]:
        """Convert a table to a stream of pairs: whether an element is added, not retracted, and the element.

        Args:
            table: the table.
            type_info: the type of the elements.

        Raises:
            PlanTypeError: the names or types of the columns are not those of the type.

        Mirrors ``StreamTableEnvironment.toRetractStream``.
        """
        require_table(table, "to_retract_stream")
        return table._changes(type_info)

    def to_changelog_stream(self, table: Table, target_schema: Schema | None = None) -> DataStream[Row[Any]]:
        """Convert a table to a stream of rows, whose kinds say what changes.

        Args:
            table: the table.
            target_schema: the columns of the rows, with the types that it declares; those of the table
                unless given.

        Raises:
            PlanError: the table has no column of a name in the schema.
            PlanTypeError: a column has not the type that the schema declares.

        Mirrors ``StreamTableEnvironment.toChangelogStream``.
        """
        require_table(table, "to_changelog_stream")
        return (table if target_schema is None else self._declared(table, target_schema))._rows()


def _definition(name: str, function: UserDefinedScalarFunction[..., Any], call: str) -> FunctionDefinition:
    wanted = "a function made by udf, such as udf(f, result_type=DataTypes.BIGINT())"
    require(function, UserDefinedScalarFunction, call, wanted)
    return function._definition(name, call)


def _success() -> TableResult:
    return _text("OK", ResultKind.SUCCESS)


def _text(text: str, kind: ResultKind = ResultKind.SUCCESS_WITH_CONTENT) -> TableResult:
    """Return the result of a statement whose only row is a text."""
    column = TableColumn("result", DataTypes.STRING(), Types.STRING(), 0)
    return TableResult([column], lambda: given_rows([Row(text)]), raw_lines, kind=kind)


def _listing(names: Sequence[str], rows: Sequence[Sequence[str]]) -> TableResult:
    columns = [
        TableColumn(name, DataTypes.STRING(nullable=False), Types.STRING(), position)
        for position, name in enumerate(names)
    ]
    return TableResult(columns, lambda: given_rows([Row(*row) for row in rows]))
