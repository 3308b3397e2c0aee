"""JdbcSink: executes a statement for each element."""

from __future__ import annotations

from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.datastream.connectors.base import Sink
from pystream.datastream.connectors.jdbc.options import JdbcConnectionOptions, JdbcExecutionOptions
from pystream.datastream.functions import SinkFunction
from pystream.engine.connectors.jdbc.batches import BoundStatement
from pystream.engine.connectors.jdbc.columns import column_kinds
from pystream.engine.connectors.jdbc.sink import JdbcOutput, StatementOutput
from pystream.engine.connectors.jdbc.statements import shown_sql
from pystream.engine.formats.fields import require_fields
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanTypeError
from typeinfo.agreement import contradiction
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["JdbcSink"]

IN = TypeVar("IN", contravariant=True, default=Any)
T = TypeVar("T")
V = TypeVar("V")


@checks_arguments(ArgumentTypeError)
class JdbcSink(SinkFunction[IN], Sink[IN], Generic[IN]):
    """Execute a statement of SQL for each element, in batches; for ``add_sink`` and ``sink_to``.

    Each batch is one transaction. Elements are written at least once: those of an epoch that fails are
    written again. A statement that replaces the row with the same key, such as ``INSERT … ON CONFLICT … DO
    UPDATE`` or ``ON DUPLICATE KEY UPDATE``, makes that exactly once, provided that elements of the same key
    are written in the same order again, as they are after a ``key_by``.

    An error that may be gone after a while (the connection is lost, a lock is held, transactions are in
    conflict) is retried, with a new connection. Any other fails the job; the message names the statement, the
    element and the database, without credentials.

    Made by `sink`. Mirrors ``org.apache.flink.connector.jdbc.JdbcSink``.
    """

    def __init__(self, output: JdbcOutput) -> None:
        self._output = output

    @staticmethod
    def sink(
        sql: str,
        type_info: TypeInformation[T, V],
        jdbc_connection_options: JdbcConnectionOptions,
        jdbc_execution_options: JdbcExecutionOptions | None = None,
    ) -> JdbcSink[V]:
        """Return a sink.

        Args:
            sql: any statement that changes data, with ``?`` for each field of an element, in order.
            type_info: the type of the elements: of a row, tuple or record, whose fields are numbers, texts,
                dates, times, timestamps, instants, UUIDs or bytes. ``None`` is NULL.
            jdbc_connection_options: the database.
            jdbc_execution_options: when elements are written, and how often that is retried; by default
                batches of 5000, and 3 retries.

        Raises:
            ConfigurationError: there are not as many placeholders as fields.
            UnsupportedTypeError: databases have no columns of a field's type.
            PlanTypeError: an argument has another class.

        Mirrors ``JdbcSink.sink``.

        Examples:
            >>> import sqlite3, tempfile
            >>> from pystream.common import Types
            >>> from pystream.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcSink
            >>> path = f"{tempfile.mkdtemp()}/words.db"
            >>> with sqlite3.connect(path) as db:
            ...     db.execute("CREATE TABLE words (word TEXT, count INTEGER)").close()
            >>> count = Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.INT()])
            >>> builder = JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
            >>> options = builder.with_url(f"jdbc:sqlite:{path}").build()
            >>> sink = JdbcSink.sink("INSERT INTO words VALUES (?, ?)", count, options)
            >>> result = env.from_collection([("to", 2), ("be", None)], count).add_sink(sink)
            >>> result = env.execute()
            >>> sorted(db.execute("SELECT * FROM words"))
            [('be', None), ('to', 2)]
        """
        require(sql, str, "JdbcSink.sink", "a statement as a str")
        fields = require_fields(type_info, "JdbcSink.sink")
        options = jdbc_execution_options
        require(jdbc_connection_options, JdbcConnectionOptions, "JdbcSink.sink", "JdbcConnectionOptions")
        if options is None:
            options = JdbcExecutionOptions.defaults()
        require(options, JdbcExecutionOptions, "JdbcSink.sink", "JdbcExecutionOptions")
        kinds = column_kinds(fields, "JdbcSink.sink")
        database = jdbc_connection_options._database
        arity = database.statement(sql).arity
        if arity != len(kinds):
            raise ConfigurationError(
                f"JdbcSink.sink: {shown_sql(sql)} has {arity} placeholders, but {type_info} has "
                f"{len(kinds)} fields"
            )
        statement = BoundStatement(sql, tuple(range(arity)), kinds)
        return JdbcSink(StatementOutput(database, fields, options._flushing(), statement))

    def bind(self, type_info: TypeInformation[IN]) -> JdbcOutput:
        """Return the output that the runtime writes elements to.

        Raises:
            PlanTypeError: no element of that type has the type of the sink.
        """
        reason = contradiction(self._output.type_info, type_info)
        if reason is not None:
            raise PlanTypeError(f"the elements are not those that the JdbcSink takes: {reason}")
        return self._output
