"""SocketTextStreamFunction: a source function that reads text from a socket."""

from __future__ import annotations

import codecs
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

from pystream.engine.connectors.source_context import SourceContext

__all__ = ["SocketTextStreamFunction"]

_logger = logging.getLogger(__name__)

_BLOCK_BYTES = 64 * 1024


class SocketTextStreamFunction:
    """Connect to a server, and emit the text that it sends, split at a delimiter.

    Mirrors ``org.apache.flink.streaming.api.functions.source.SocketTextStreamFunction``.

    Args:
        hostname: the server.
        port: its port.
        delimiter: the text that ends a record, not empty.
        max_num_retries: number of connections in all, at least one is made; -1 for any number.
        delay_between_retries: pause before the next connection in ms.
    """

    def __init__(
        self,
        hostname: str,
        port: int,
        delimiter: str = "\n",
        max_num_retries: int = 0,
        delay_between_retries: int = 500,
    ) -> None:
        self._address = (hostname, port)
        self._delimiter = delimiter
        self._max_num_retries = max_num_retries
        self._delay_between_retries = delay_between_retries
        self._is_running = True
        self._socket: socket.socket | None = None

    def run(self, ctx: SourceContext[str], /) -> None:
        """Emit records until the server closes the last connection; unterminated text is one, too.

        Raises:
            OSError: a connection cannot be made, or breaks.
        """
        rest = ""
        connections = 0
        while self._is_running:
            for text in self._received():
                *records, rest = (rest + text).split(self._delimiter)
                for record in records:
                    ctx.collect(record.removesuffix("\r") if self._delimiter == "\n" else record)
            connections += 1
            if not self._is_running or (self._max_num_retries != -1 and connections >= self._max_num_retries):
                break
            _logger.warning(
                "lost the connection to %s:%d; connecting again in %d ms",
                *self._address,
                self._delay_between_retries,
            )
            time.sleep(self._delay_between_retries / 1000)
        if rest and self._is_running:
            ctx.collect(rest)

    def cancel(self) -> None:
        """Close the connection."""
        self._is_running = False
        connection = self._socket
        if connection is not None:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _received(self) -> Iterator[str]:
        """Connect, and yield the text that arrives, with replacements for bytes that are not UTF-8."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with socket.create_connection(self._address) as connection:
            self._socket = connection
            while self._is_running and (block := connection.recv(_BLOCK_BYTES)):
                yield decoder.decode(block)
            yield decoder.decode(b"", final=True)
