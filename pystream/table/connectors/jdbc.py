"""Tables of relational databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.connectors.jdbc import (
    JdbcNumericBetweenParametersProvider,
    JdbcSink,
    JdbcSource,
)
from pystream.datastream.streams.data_stream import DataStream
from pystream.durations import Duration
from pystream.engine.connectors.jdbc.batches import BoundStatement
from pystream.engine.connectors.jdbc.changes import ChangesOutput
from pystream.engine.connectors.jdbc.columns import column_kinds
from pystream.engine.connectors.jdbc.databases import database_of
from pystream.engine.connectors.jdbc.lookup import QueryLookup
from pystream.engine.connectors.jdbc.sink import Flushing, JdbcOutput, StatementOutput
from pystream.engine.connectors.jdbc.source import QueryInput
from pystream.engine.connectors.lookup import Lookup
from pystream.engine.connectors.lookup_cache import CachedLookup
from pystream.errors import ConfigurationError
from pystream.settings.config_values import DURATION, LONG, STRING
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.lookup_options import LOOKUP_OPTIONS, cache_policy
from pystream.table.connectors.options import COUNT, POSITIVE, Option
from pystream.table.row_key import keyed_rows
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.stream_ends import DataStreamSink

__all__ = ["Jdbc"]


_PARTITION = "scan.partition."
_FETCH_SIZE = 2048


class Jdbc(Connector):
    """Read and write a table of a relational database, which must exist.

    A table with a primary key takes rows of all kinds: inserted and updated rows replace those with the same
    key, deleted ones are deleted. Without one, rows are added. The table is bounded; it is read in parallel
    if it is partitioned by the values of a column. Lookup joins find its rows by key. Mirrors Flink's
    connector ``jdbc``.
    """

    name = "jdbc"
    for_updates = "declare the PRIMARY KEY (…) NOT ENFORCED of the table, by which rows are replaced"
    options: ClassVar[Mapping[str, Option]] = {
        "url": Option(STRING, is_required=True),
        "table-name": Option(STRING, is_required=True),
        "driver": Option(STRING),
        "username": Option(STRING),
        "password": Option(STRING),
        "scan.partition.column": Option(STRING),
        "scan.partition.num": Option(POSITIVE),
        "scan.partition.lower-bound": Option(LONG),
        "scan.partition.upper-bound": Option(LONG),
        "scan.fetch-size": Option(COUNT, default=0),
        **LOOKUP_OPTIONS,
        "sink.buffer-flush.max-rows": Option(COUNT, default=100),
        "sink.buffer-flush.interval": Option(DURATION, default=Duration.of_seconds(1)),
        "sink.max-retries": Option(COUNT, default=3),
        "sink.parallelism": Option(POSITIVE),
    }

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        super().__init__(table, values)
        self._owner = f"table {table.path!r}"
        self._key = table.schema.primary_key_columns
        self.takes_updates: bool = bool(self._key)
        self._database = database_of(values["url"], values["username"], values["password"])
        self._kinds = column_kinds(table.row_type, self._owner)
        self._name = self._database.table(values["table-name"])
        self._columns = [self._database.quoted(column.name) for column in table.columns]
        self._select = f"SELECT {', '.join(self._columns)} FROM {self._name}"
        self._ranges = self._partitions()
        cache_policy(values, self._owner)

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the rows in the table."""
        query = self._select
        builder = JdbcSource.builder().set_db_url(self.values["url"])
        if self.values["username"] is not None:
            builder.set_username(self.values["username"])
        if self.values["password"] is not None:
            builder.set_password(self.values["password"])
        if self.values["scan.fetch-size"]:
            builder.set_result_set_fetch_size(self.values["scan.fetch-size"])
        if self._ranges is not None:
            column = self._database.quoted(self.values[f"{_PARTITION}column"])
            query += f" WHERE {column} BETWEEN ? AND ?"
            builder.set_jdbc_parameter_values_provider(self._ranges)
        source = builder.set_sql(query).set_type_information(self.table.read_type).build()
        return environment.from_source(source, WatermarkStrategy.no_watermarks(), self.table.path)

    def lookup(self, keys: Sequence[int]) -> Lookup:
        """Return a lookup that executes a query for each key that its cache does not have."""
        matches = " AND ".join(f"{self._columns[key]} = ?" for key in keys)
        fetch_size = self.values["scan.fetch-size"] or _FETCH_SIZE
        query = QueryInput(
            self._database,
            f"{self._select} WHERE {matches}",
            (),
            self.table.read_type,
            self._kinds,
            fetch_size,
        )
        lookup = QueryLookup(query, [self._kinds[key] for key in keys], self.values["lookup.max-retries"])
        policy = cache_policy(self.values, self._owner)
        return lookup if policy is None else CachedLookup(lookup, policy)

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Add the rows to the table, or replace and delete rows by the primary key."""
        flushing = Flushing(
            self.values["sink.buffer-flush.max-rows"],
            self.values["sink.buffer-flush.interval"].to_millis(),
            self.values["sink.max-retries"],
        )
        parallelism = self.values["sink.parallelism"] or rows.get_parallelism()
        insert = self._insert()
        output: JdbcOutput
        if not self._key:
            output = StatementOutput(self._database, self.table.row_type, flushing, insert)
            return rows.sink_to(JdbcSink(output)).set_parallelism(parallelism)
        names = [column.name for column in self.table.columns]
        key = tuple(names.index(name) for name in self._key)
        own = [self._columns[position] for position in key]
        upsert = self._bound(self._database.upsert(insert.sql, self._columns, own), insert.positions)
        matches = " AND ".join(f"{column} = ?" for column in own)
        delete = self._bound(f"DELETE FROM {self._name} WHERE {matches}", key)
        output = ChangesOutput(self._database, self.table.row_type, flushing, upsert, delete, key)
        if parallelism > 1:  # so that the changes of a row stay in order, and no two subtasks lock the same
            rows = keyed_rows(rows, self.table.columns, key)
        return rows.sink_to(JdbcSink(output)).set_parallelism(parallelism)

    def _insert(self) -> BoundStatement:
        marks = ", ".join("?" for _ in self._columns)
        sql = f"INSERT INTO {self._name} ({', '.join(self._columns)}) VALUES ({marks})"
        return self._bound(sql, range(len(self._columns)))

    def _bound(self, sql: str, positions: Sequence[int]) -> BoundStatement:
        return BoundStatement(sql, tuple(positions), self._kinds)

    def _partitions(self) -> JdbcNumericBetweenParametersProvider | None:
        keys = [f"{_PARTITION}{key}" for key in ("column", "num", "lower-bound", "upper-bound")]
        missing = [key for key in keys if self.values[key] is None]
        if len(missing) == len(keys):
            return None
        if missing:
            raise ConfigurationError(
                f"{self._owner} needs the option {missing[0]!r}, too: all of {_PARTITION}*"
            )
        column, count, low, high = (self.values[key] for key in keys)
        if column not in [known.name for known in self.table.columns]:
            raise ConfigurationError(f"{self._owner} has no column {column!r} to be partitioned by")
        if high < low:
            raise ConfigurationError(
                f"{self._owner}: the upper bound {high} of {column!r} is less than {low}"
            )
        return JdbcNumericBetweenParametersProvider(low, high).of_batch_num(count)
