"""StreamTableEnvironment: tables made from streams, and streams made from tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.sql_types.decimals import in_streams
from pystream.table.changelog_mode import ChangelogMode
from pystream.table.changelogs import in_mode, of_mode
from pystream.table.column_casts import declared_casts
from pystream.table.columns import columns_of_schema, columns_of_stream, row_type
from pystream.table.declarations import with_declarations
from pystream.table.environment_settings import EnvironmentSettings
from pystream.table.expression.expression import Expression
from pystream.table.record_times import target_rows, with_record_times
from pystream.table.schema import ComputedColumn, PhysicalColumn, Schema
from pystream.table.stream_fields import table_of_fields
from pystream.table.table import Table, require_table
from pystream.table.table_environment import TableEnvironment
from pystream.table.upsert_key import UpsertKey
from typeinfo.arguments import checks_arguments
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["StreamTableEnvironment"]

T = TypeVar("T")


@checks_arguments(ArgumentTypeError)
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
        stream_execution_environment: StreamExecutionEnvironment | None = None,
        environment_settings: EnvironmentSettings | None = None,
    ) -> StreamTableEnvironment:
        """Return a new environment without tables.

        Args:
            stream_execution_environment: the environment of the streams; one of its own unless given.
            environment_settings: settings, which are applied to that environment; they may only be left out
                if it is given.

        Raises:
            PlanTypeError: it is not a StreamExecutionEnvironment, or they are not EnvironmentSettings, or
                both are left out.

        Mirrors ``StreamTableEnvironment.create``.

        Examples:
            >>> from pystream.table import EnvironmentSettings
            >>> settings = EnvironmentSettings.in_batch_mode()
            >>> t_env = StreamTableEnvironment.create(environment_settings=settings)
            >>> t_env.get_config().get("execution.runtime-mode", "")
            'BATCH'
        """
        streams, settings = stream_execution_environment, environment_settings
        if settings is not None:
            wanted = "EnvironmentSettings: StreamTableEnvironment.create(env, settings)"
            require(settings, EnvironmentSettings, "create", wanted)
        if streams is None and settings is not None:
            configuration = settings.get_configuration()
            streams = StreamExecutionEnvironment.get_execution_environment(configuration)
            return StreamTableEnvironment(streams)
        if not isinstance(streams, StreamExecutionEnvironment):
            raise PlanTypeError(
                "create takes a StreamExecutionEnvironment, EnvironmentSettings or both: "
                f"StreamTableEnvironment.create(env), not {streams!r}"
            )
        if settings is not None:
            streams.configure(settings.get_configuration())
        return StreamTableEnvironment(streams)

    @overload
    def from_data_stream(self, data_stream: DataStream[T]) -> Table[T]: ...

    @overload
    def from_data_stream(
        self,
        data_stream: DataStream[Any],
        *fields_or_schema: str | Expression[Any] | Schema,
        names: str | Sequence[str] | None = None,
    ) -> Table: ...

    def from_data_stream(
        self,
        data_stream: DataStream[Any],
        *fields_or_schema: str | Expression[Any] | Schema,
        names: str | Sequence[str] | None = None,
    ) -> Table:
        """Convert a stream to a table.

        Fields of a row, tuple or record become columns; any other element is one column ``f0``.

        Args:
            data_stream: the stream, of a declared type, or an inferred one, which counts as declared.
            fields_or_schema: names of columns, also as one text ``'a, b'``. If one of them is the name of a
                field, they choose fields, else they are new names by position; ``col("a")`` is as good as
                ``"a"``, and ``col("a").alias("b")`` renames a field. ``col("t").rowtime`` is the timestamps
                of the elements, in the place of the field of that name or position or as a new column, and
                ``col("p").proctime`` the time of the clock, as a new column. Or a Schema, whose columns are
                fields by name, with the types that it declares; its column of the metadata ``rowtime`` holds
                the timestamps of the elements.
            names: names of columns, in another form.

        Raises:
            UnsupportedTypeError: the type of the elements is not known.
            PlanError: a name is unknown or occurs twice, or a column is one of other metadata.
            PlanTypeError: a field has not the type that the schema declares.
            SqlError: a computed column or the watermark of the schema is wrong.

        Mirrors ``StreamTableEnvironment.fromDataStream``.
        """
        require(data_stream, DataStream, "from_data_stream", "a DataStream")
        if data_stream.get_execution_environment() not in (self._program, self._streams):
            raise PlanError("from_data_stream: the stream belongs to another environment")
        data_stream = self._entering(data_stream._declared("from_data_stream"))
        columns = columns_of_stream(data_stream._type)
        if names is not None:
            given = (names,) if isinstance(names, str) else tuple(names)
            return self.from_data_stream(data_stream, *fields_or_schema, *given)
        match fields_or_schema:
            case ():
                return Table(self, data_stream, columns)
            case (Schema() as schema,):
                return self._declared(Table(self, data_stream, columns), schema)
        chosen: list[Any] = [
            part.strip() if isinstance(part, str) else part
            for field in fields_or_schema
            for part in (field.split(",") if isinstance(field, str) else (field,))
        ]
        return table_of_fields(Table(self, data_stream, columns), chosen)

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
                kind fails the job. In the mode ``upsert``, a row replaces the one before with its primary
                key, or deletes it.

        Raises:
            PlanTypeError: the elements are not rows, or a field has not the type that the schema declares.
            PlanError: a name is unknown, or the mode is ``upsert`` without a primary key in the schema.

        Mirrors ``StreamTableEnvironment.fromChangelogStream``.
        """
        require(data_stream, DataStream, "from_changelog_stream", "a DataStream")
        data_stream = data_stream._declared("from_changelog_stream")
        if not isinstance(data_stream._type, RowTypeInfo):
            raise PlanTypeError(
                "from_changelog_stream takes a stream of rows, of a type such as Types.ROW_NAMED([…], […]), "
                f"not of {data_stream._type}; only rows have kinds"
            )
        stream = data_stream
        if changelog_mode is not None:
            require(changelog_mode, ChangelogMode, "from_changelog_stream", "a ChangelogMode")
            stream = of_mode(self._entering(data_stream), changelog_mode)
        given = Schema() if schema is None else schema
        table, declared = self._chosen(self.from_data_stream(stream), given)
        if changelog_mode is not None and changelog_mode.replaces_rows:
            changes = _of_replacing_rows(table, given.primary_key_columns)
        elif changelog_mode == ChangelogMode.insert_only():
            changes = table
        else:
            key = tuple(one.position for one in table._columns if one.name in given.primary_key_columns)
            upserts = UpsertKey(key, frozenset(), frozenset(), has_deletes=True) if key else None
            changes = Table(self, table._stream, table._columns, is_updating=True, upsert_key=upserts)
        return with_declarations(changes, declared)

    def _declared(self, table: Table, schema: Schema) -> Table:
        """Return a table with the columns of a schema, chosen by name; expressions may read others, too."""
        return with_declarations(*self._chosen(table, schema))

    def _chosen(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """Return the columns of a table that a schema declares or its expressions may read, and the schema.

        The timestamps of records are a column of both.
        """
        table, schema = with_record_times(table, schema)
        if not any(isinstance(column, PhysicalColumn) for column in schema.columns):
            return table, schema
        declared = columns_of_schema(schema, "the schema")
        own = {column.name: column for column in table._columns}
        unknown = [column.name for column in declared if column.name not in own]
        if unknown:
            raise PlanError(f"the schema has the column {unknown[0]!r}, but there are {', '.join(own)}")
        listed = {column.name for column in schema.columns}
        others = [column for column in table._columns if column.name not in listed]
        if any(isinstance(column, ComputedColumn) for column in schema.columns):
            first = len(declared)
            declared = (*declared, *(replace(one, position=n) for n, one in enumerate(others, first)))
        chosen = [own[column.name] for column in declared]
        rows = Table(self, table._stream, chosen)._cast_rows(declared, declared_casts(chosen, declared))
        return Table(self, rows, declared), schema

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
            PlanTypeError: it is neither a table nor a stream.
            PlanError: the name is taken.

        Mirrors ``StreamTableEnvironment.createTemporaryView``.
        """
        self._catalogs.identify(view_path)  # refuses what is no name before anything is read of the stream
        if isinstance(table_or_data_stream, Table):
            table = table_or_data_stream
        else:
            table = self.from_data_stream(table_or_data_stream, *fields_or_schema)
        super().create_temporary_view(view_path, table)

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
            UnsupportedOperationError: rows of the table may be updated later.

        Mirrors ``StreamTableEnvironment.toDataStream``.
        """
        require_table(table, "to_data_stream")
        table._require_appended("to_data_stream")
        if output_type is None:
            return self._leaving(_leaving_rows(table))
        target = Types.of(output_type) if isinstance(output_type, type) else output_type
        return self._leaving(table._elements(target))

    def to_append_stream(self, table: Table, type_info: TypeInformation[T]) -> DataStream[T]:
        """Convert a table to a stream of elements of a type, as ``to_data_stream`` does.

        Args:
            table: the table.
            type_info: the type of the elements.

        Raises:
            PlanTypeError: the names or types of the columns are not those of the type.
            UnsupportedOperationError: rows of the table may be updated later.

        Mirrors ``StreamTableEnvironment.toAppendStream``.
        """
        require_table(table, "to_append_stream")
        table._require_appended("to_append_stream")
        return self._leaving(table._elements(type_info))

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
        return self._leaving(table._changes(type_info))

    def to_changelog_stream(
        self,
        table: Table,
        target_schema: Schema | None = None,
        changelog_mode: ChangelogMode | None = None,
    ) -> DataStream[Row[Any]]:
        """Convert a table to a stream of rows, whose kinds say what changes.

        Args:
            table: the table.
            target_schema: the columns of the rows by position, with the names and types that it declares;
                those of the table unless given. A column of the metadata ``rowtime`` is the event time of the
                table, which the rows have as timestamp only; computed columns are ignored.
            changelog_mode: the kinds of rows, all unless given; ``upsert`` leaves out those before updates.

        Raises:
            PlanError: the table has not as many columns, or a column is one of other metadata.
            PlanTypeError: a column has not the type that the schema declares.
            UnsupportedOperationError: the column of the metadata is not the event time of the table, or its
                changes are of other kinds than those of the mode.

        Mirrors ``StreamTableEnvironment.toChangelogStream``.
        """
        require_table(table, "to_changelog_stream")
        rows = _leaving_rows(table if target_schema is None else target_rows(table, target_schema))
        if changelog_mode is not None and table._is_updating:
            rows = in_mode(rows, changelog_mode)
        return self._leaving(rows)


def _leaving_rows(table: Table) -> DataStream[Row[Any]]:
    """Return the stream of the rows of a table, named by its columns, with the types that streams have."""
    return table._elements(in_streams(row_type(table._columns)))


def _of_replacing_rows(table: Table, key: Sequence[str]) -> Table:
    """Return the table of changes of rows that replace or delete others by a primary key.

    Raises:
        PlanError: there is no primary key, or the table lacks a column of it.
    """
    from pystream.table.streaming.changelog_normalize import normalized

    names = [column.name for column in table._columns]
    unknown = [name for name in key if name not in names]
    if unknown:
        raise PlanError(
            f"from_changelog_stream: the primary key has the column {unknown[0]!r}, but there are "
            f"{', '.join(names)}"
        )
    if not key:
        raise PlanError(
            "from_changelog_stream: rows of UPDATE_AFTER without UPDATE_BEFORE replace others by a primary "
            "key, but the schema has none: Schema.new_builder().primary_key(name).build()"
        )
    return normalized(table, key)
