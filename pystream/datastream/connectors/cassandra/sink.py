"""The sink of Cassandra, with PyFlink's builder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.arguments.checks import require, require_int
from pystream.datastream.connectors.base import Sink
from pystream.datastream.connectors.cassandra.settings import (
    CassandraCommitter,
    CassandraFailureHandler,
    ClusterBuilder,
    MapperOptions,
)
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.stream_ends import DataStreamSink
from pystream.durations import Duration
from pystream.engine.connectors.cassandra.settings import Contact, Options, Settings, placeholders
from pystream.engine.connectors.cassandra.sink import LoggedOutput, StatementsOutput
from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from pystream.plan.function import UserFunction
from typeinfo.arguments import checks_arguments
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation

__all__ = ["CassandraSink"]

T = TypeVar("T", default=Any)

_MAX_REQUESTS = 256


@checks_arguments(ArgumentTypeError)
class CassandraSink(DataStreamSink):
    """A stream that ends in a table of Cassandra: each element is a statement, at least once.

    Tuples, rows and records are written, their fields by position: an INSERT or UPDATE with a ``?`` for each.
    Statements of a subtask are executed concurrently; an epoch ends only when all are done, and one that
    fails is executed again. As the later of two writes to a cell remains, whichever arrives first, and an
    epoch repeats the writes of the same elements, statements that set values take effect exactly once, if
    those of one primary key come through one subtask, as they do after ``key_by``. Counters and lists that
    are appended to may get an element twice.

    Made by `add_sink`, it is a handle of the sink's operator.
    Mirrors ``org.apache.flink.streaming.connectors.cassandra.CassandraSink``.
    """

    @staticmethod
    def add_sink(input: DataStream[T]) -> CassandraSink.CassandraSinkBuilder[T]:
        """Return the builder of a sink for a stream.

        Raises:
            PlanTypeError: it is not a stream.
        """
        require(input, DataStream, "CassandraSink.add_sink", "a DataStream")
        return CassandraSink.CassandraSinkBuilder(input)

    @checks_arguments(ArgumentTypeError)
    class CassandraSinkBuilder(Generic[T]):
        """Build the sink; a query, and a host or a cluster builder, must be set.

        Args:
            input: the stream.
        """

        def __init__(self, input: DataStream[T]) -> None:
            self._input = input
            self._query = ""
            self._contact: Contact | None = None
            self._cluster_builder: ClusterBuilder | None = None
            self._handler = CassandraFailureHandler.no_op()
            self._options = Options()
            self._max_requests = _MAX_REQUESTS
            self._patience: float | None = None
            self._is_logged = False

        def set_query(self, query: str) -> CassandraSink.CassandraSinkBuilder[T]:
            """Set the statement for each element, with a ``?`` for each of its fields.

            Raises:
                PlanTypeError: it is not a str.
            """
            require(query, str, "set_query", "a statement such as 'INSERT INTO shop.orders (id) VALUES (?)'")
            self._query = query
            return self

        def set_host(self, host: str, port: int = 9042) -> CassandraSink.CassandraSinkBuilder[T]:
            """Set a node to connect to, from which the others are discovered.

            Raises:
                PlanTypeError: the host is not a str.
                ConfigurationError: the port is not a number from 1 to 65535.
            """
            require(host, str, "set_host", "the name of a host")
            self._contact = Contact(host, require_int(port, "port", 1, 65535))
            return self

        def set_cluster_builder(self, builder: ClusterBuilder) -> CassandraSink.CassandraSinkBuilder[T]:
            """Set how to connect, in place of a host.

            Raises:
                PlanTypeError: it is not a ClusterBuilder.
            """
            require(builder, ClusterBuilder, "set_cluster_builder", "a ClusterBuilder")
            self._cluster_builder = builder
            return self

        def enable_write_ahead_log(
            self, committer: CassandraCommitter | None = None
        ) -> CassandraSink.CassandraSinkBuilder[T]:
            """Keep elements with the job until a checkpoint, and write them then.

            If the job dies, the same elements are written again, even if its functions would return others:
            statements that set values take effect exactly once. The process of the program writes them, and
            holds those of a checkpoint in memory. A bounded job writes at its end.

            Args:
                committer: not needed, as the job keeps record of its checkpoints itself.
            """
            require(
                committer, (CassandraCommitter, type(None)), "enable_write_ahead_log", "a CassandraCommitter"
            )
            self._is_logged = True
            return self

        def set_mapper_options(self, options: MapperOptions) -> CassandraSink.CassandraSinkBuilder[T]:
            """Set how statements are executed.

            Raises:
                PlanTypeError: they are not MapperOptions.
                UnsupportedOperationError: they change the statement.
            """
            require(options, MapperOptions, "set_mapper_options", "MapperOptions")
            if options._clauses:
                raise UnsupportedOperationError(
                    f"set_mapper_options: write {' and '.join(options._clauses)} into the statement itself"
                )
            ignores_nulls = self._options.ignores_nulls or options._options.ignores_nulls
            self._options = replace(options._options, ignores_nulls=ignores_nulls)
            return self

        def set_failure_handler(
            self, failure_handler: CassandraFailureHandler
        ) -> CassandraSink.CassandraSinkBuilder[T]:
            """Set what happens when a statement fails; by default the job fails.

            Raises:
                PlanTypeError: it is not a CassandraFailureHandler.
            """
            wanted = "a CassandraFailureHandler"
            require(failure_handler, CassandraFailureHandler, "set_failure_handler", wanted)
            self._handler = failure_handler
            return self

        def set_max_concurrent_requests(
            self, max_concurrent_requests: int, duration: Duration | None = None
        ) -> CassandraSink.CassandraSinkBuilder[T]:
            """Set how many statements of a subtask may be in flight at once, 256 by default.

            Args:
                max_concurrent_requests: how many.
                duration: how long to wait, when there are as many, before the job fails; without limit by
                    default.

            Raises:
                ConfigurationError: the number is not positive.
            """
            self._max_requests = require_int(max_concurrent_requests, "max_concurrent_requests", 1)
            require(duration, (Duration, type(None)), "set_max_concurrent_requests", "a Duration")
            self._patience = None if duration is None else duration.to_millis() / 1000
            return self

        def enable_ignore_null_fields(self) -> CassandraSink.CassandraSinkBuilder[T]:
            """Leave columns as they are where a field is null, instead of deleting their value."""
            self._options = replace(self._options, ignores_nulls=True)
            return self

        def build(self) -> CassandraSink:
            """Add the sink to the program.

            Raises:
                ConfigurationError: a setting is missing, or there are not as many placeholders as fields.
                UnsupportedTypeError: elements are not tuples, rows or records.
                FunctionPicklingError: the cluster builder or failure handler cannot be sent to workers.
            """
            if not self._query.strip():
                raise ConfigurationError("CassandraSink needs set_query('INSERT INTO …')")
            if (self._contact is None) == (self._cluster_builder is None):
                raise ConfigurationError("CassandraSink needs either set_host or set_cluster_builder")
            builder = self._cluster_builder
            cluster = (
                b"" if builder is None else UserFunction.of(builder.build_cluster, "CassandraSink").payload
            )
            handler = UserFunction.of(self._handler, "CassandraSink", is_object=True).payload
            settings = Settings(
                self._query,
                self._contact,
                cluster,
                handler,
                self._options,
                self._max_requests,
                self._patience,
            )
            handle = self._input.sink_to(_Statements(settings, self._is_logged))
            return CassandraSink(handle._environment, handle._node_id)


class _Statements(Sink[Any]):
    """The sink behind the builder."""

    def __init__(self, settings: Settings, is_logged: bool) -> None:
        self._settings = settings
        self._is_logged = is_logged

    def bind(self, type_info: TypeInformation[Any]) -> StatementsOutput:
        if not isinstance(type_info, FieldsTypeInfo):
            raise UnsupportedTypeError(
                f"CassandraSink writes tuples, rows and records, not elements of {type_info}"
            )
        fields, given = len(type_info.slots()), placeholders(self._settings.query)
        if fields != given:
            raise ConfigurationError(
                f"CassandraSink: {self._settings.query!r} has {given} placeholders, but elements have "
                f"{fields} fields"
            )
        return (LoggedOutput if self._is_logged else StatementsOutput)(self._settings, type_info)
