"""Tables in an index of Elasticsearch or OpenSearch, which are only written to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.datastream.connectors.elasticsearch import (
    Elasticsearch6SinkBuilder,
    Elasticsearch7SinkBuilder,
    ElasticsearchEmitter,
    ElasticsearchSinkBuilderBase,
    FlushBackoffType,
)
from pystream.datastream.connectors.opensearch import OpensearchSinkBuilder
from pystream.datastream.streams.data_stream import DataStream
from pystream.durations import Duration
from pystream.engine.connectors.elasticsearch.actions import DocumentFormat
from pystream.errors import ConfigurationError, UnsupportedOperationError
from pystream.settings.config_values import BOOLEAN, DURATION, MEMORY, STRING, STRING_LIST, named
from pystream.settings.memory_size import MemorySize
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.options import POSITIVE, Option
from pystream.table.row_key import keyed_rows
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.datastream.streams.stream_ends import DataStreamSink

__all__ = ["Elasticsearch6", "Elasticsearch7", "Opensearch"]

_FLUSH = "sink.bulk-flush."
_BACKOFF = f"{_FLUSH}backoff."
_MEGABYTE = 1024 * 1024


class Elasticsearch7(Connector):
    """Write each row as a document to an index.

    The values of the primary key are the id of a document: a table with one takes rows of all kinds, inserted
    and updated rows set the fields of their document, deleted ones delete it. Without one, each row is a new
    document. Mirrors Flink's connector ``elasticsearch-7``.
    """

    name = "elasticsearch-7"
    builder: ClassVar[type[ElasticsearchSinkBuilderBase]] = Elasticsearch7SinkBuilder
    options: ClassVar[Mapping[str, Option]] = {
        "hosts": Option(STRING_LIST, is_required=True),
        "index": Option(STRING, is_required=True),
        "document-id.key-delimiter": Option(STRING, default="_"),
        "username": Option(STRING),
        "password": Option(STRING),
        "format": Option(named("json"), default="json"),
        "sink.delivery-guarantee": Option(named("none", "at-least-once"), default="at-least-once"),
        f"{_FLUSH}max-actions": Option(POSITIVE, default=1000),
        f"{_FLUSH}max-size": Option(MEMORY, default=MemorySize(2 * _MEGABYTE)),
        f"{_FLUSH}interval": Option(DURATION, default=Duration.of_seconds(1)),
        f"{_BACKOFF}strategy": Option(named("disabled", "constant", "exponential"), default="disabled"),
        f"{_BACKOFF}max-retries": Option(POSITIVE, default=8),
        f"{_BACKOFF}delay": Option(DURATION, default=Duration.of_millis(50)),
        "connection.path-prefix": Option(STRING),
        "connection.timeout": Option(DURATION),
        "socket.timeout": Option(DURATION),
        "sink.parallelism": Option(POSITIVE),
    }

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        super().__init__(table, values)
        self._key = table.schema.primary_key_columns
        self.takes_updates: bool = bool(self._key)
        if "{" in values["index"]:
            raise UnsupportedOperationError(
                f"table {table.path!r}: an index with {{…}} in its name is not supported; write the stream "
                "of the table with ElasticsearchEmitter.dynamic_index"
            )
        self._sink = self._settings().build()

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Write, update and delete the documents of the rows."""
        parallelism = self.values["sink.parallelism"] or rows.get_parallelism()
        if self._key and parallelism > 1:  # so that the changes of a document stay in order
            names = [column.name for column in self.table.columns]
            rows = keyed_rows(rows, self.table.columns, [names.index(name) for name in self._key])
        return rows.sink_to(self._sink).set_parallelism(parallelism)

    def _settings(self) -> ElasticsearchSinkBuilderBase:
        values = self.values
        format = DocumentFormat(
            values["index"],
            key_fields=self._key,
            key_delimiter=values["document-id.key-delimiter"],
            doc_type=values.get("document-type"),
        )
        builder = self.builder().set_hosts(values["hosts"]).set_emitter(ElasticsearchEmitter(format))
        builder.set_bulk_flush_max_actions(values[f"{_FLUSH}max-actions"])
        builder.set_bulk_flush_max_size_mb(self._megabytes())
        builder.set_bulk_flush_interval(self._millis(f"{_FLUSH}interval"))
        strategy = values[f"{_BACKOFF}strategy"].upper()
        if strategy != "DISABLED":
            retries, delay = values[f"{_BACKOFF}max-retries"], self._millis(f"{_BACKOFF}delay")
            builder.set_bulk_flush_backoff_strategy(FlushBackoffType[strategy], retries, delay)
        if values["username"] is not None:
            builder.set_connection_username(values["username"])
        if values["password"] is not None:
            builder.set_connection_password(values["password"])
        if values["connection.path-prefix"] is not None:
            builder.set_connection_path_prefix(values["connection.path-prefix"])
        if values["connection.timeout"] is not None:
            builder.set_connection_timeout(self._millis("connection.timeout"))
        if values["socket.timeout"] is not None:
            builder.set_socket_timeout(self._millis("socket.timeout"))
        return builder

    def _megabytes(self) -> int:
        size: int = self.values[f"{_FLUSH}max-size"].get_bytes()
        if size % _MEGABYTE or not size:
            raise ConfigurationError(
                f"table {self.table.path!r}: '{_FLUSH}max-size' must be whole megabytes, such as '2 mb'"
            )
        return size // _MEGABYTE

    def _millis(self, key: str) -> int:
        millis: int = self.values[key].to_millis()
        return millis


class Elasticsearch6(Elasticsearch7):
    """Write each row as a document to an index of Elasticsearch 6, as `Elasticsearch7` does to later ones.

    Mirrors Flink's connector ``elasticsearch-6``.
    """

    name = "elasticsearch-6"
    builder: ClassVar[type[ElasticsearchSinkBuilderBase]] = Elasticsearch6SinkBuilder
    options: ClassVar[Mapping[str, Option]] = {
        **Elasticsearch7.options,
        "document-type": Option(STRING, is_required=True),
    }


class Opensearch(Elasticsearch7):
    """Write each row as a document to an index of OpenSearch, as `Elasticsearch7` does.

    Mirrors Flink's connector ``opensearch``.
    """

    name = "opensearch"
    builder: ClassVar[type[ElasticsearchSinkBuilderBase]] = OpensearchSinkBuilder
    options: ClassVar[Mapping[str, Option]] = {
        **Elasticsearch7.options,
        "allow-insecure": Option(BOOLEAN, default=False),
    }

    def _settings(self) -> ElasticsearchSinkBuilderBase:
        builder = super()._settings()
        assert isinstance(builder, OpensearchSinkBuilder)
        return builder.set_allow_insecure(self.values["allow-insecure"])
