"""Sinks that call a function for each element: those of programs, and sockets."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Any

from pystream.arguments.checks import require, require_int
from pystream.datastream.connectors.committing_sink import (
    Committer,
    CommitterInitContext,
    CommittingSinkWriter,
    SinkWriterContext,
    TwoPhaseCommittingSink,
    WriterInitContext,
)
from pystream.errors import PlanTypeError, SinkError
from pystream.jython import functions
from pystream.jython.adapters import Calls, opened
from pystream.settings.configuration import Configuration

__all__ = ["FunctionSink", "SocketClientSink"]

_ADD_SINK = Calls("add_sink", functions.SinkFunction, "invoke", "value")


class FunctionSink(TwoPhaseCommittingSink[Any, None]):
    """Call a function for each element, on the worker, at least once.

    Args:
        function: a SinkFunction, or any object with ``invoke``.
    """

    def __init__(self, function: Any) -> None:
        _ADD_SINK.check(function)
        self.__wrapped__ = function

    def create_writer(self, context: WriterInitContext) -> _FunctionWriter:
        """Return the writer of a subtask, with the function opened."""
        return _FunctionWriter(self.__wrapped__)

    def create_committer(self, context: CommitterInitContext) -> _NothingToCommit:
        """Return a committer that is never called, because the function has written everything."""
        return _NothingToCommit()


class _FunctionWriter(CommittingSinkWriter[Any, None]):
    def __init__(self, function: Any) -> None:
        opened(function)
        self._function = function
        self._invoke: Any = _ADD_SINK.of(function)

    def write(self, element: Any, context: SinkWriterContext) -> None:
        self._invoke(element)

    def prepare_commit(self) -> list[None]:
        return []

    def close(self) -> None:
        if callable(getattr(self._function, "close", None)):
            self._function.close()


class _NothingToCommit(Committer[None]):
    def commit(self, checkpoint_id: int, committables: Sequence[None]) -> None:
        """Do nothing."""


class SocketClientSink(functions.RichSinkFunction[Any]):
    """Send each element to a server, as the bytes that a schema makes of it.

    Mirrors ``org.apache.flink.streaming.api.functions.sink.SocketClientSink``.

    Args:
        host: the server.
        port: its port.
        schema: an object with ``serialize``, which returns bytes, or text to be sent in UTF-8.

    Raises:
        ConfigurationError: the port is out of bounds.
        PlanTypeError: the host is not a text, or the schema has no such method.
    """

    def __init__(self, host: str, port: int, schema: Any) -> None:
        require(host, str, "write_to_socket", "the name of a host")
        require_int(port, "write_to_socket: port", 0, 65_535)
        if isinstance(schema, type) or not callable(getattr(schema, "serialize", None)):
            raise PlanTypeError(
                "write_to_socket takes a SerializationSchema, an object with serialize(element), not "
                f"{schema!r}"
            )
        self._host = host
        self._port = port
        self._schema = schema

    def open(self, config: Configuration) -> None:
        """Connect to the server.

        Raises:
            SinkError: it cannot be reached.
        """
        try:
            self._socket = socket.create_connection((self._host, self._port))
        except OSError as error:
            raise SinkError(f"cannot connect to {self._host}:{self._port}: {error}") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def invoke(self, value: Any) -> None:
        """Send an element.

        Raises:
            SinkError: the connection is broken, or the schema has returned neither bytes nor text.
        """
        message = self._schema.serialize(value)
        if isinstance(message, str):
            message = message.encode()
        if not isinstance(message, (bytes, bytearray)):
            raise SinkError(f"serialize must return bytes, but returned {message!r} for {value!r}")
        try:
            self._socket.sendall(message)
        except OSError as error:
            raise SinkError(f"cannot send to {self._host}:{self._port}: {error}") from error

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()
