"""Text from sockets: records, connections and their ends."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream.environment.function_sources import function_source, socket_text
from pystream.engine.connectors.socket_text import SocketTextStreamFunction
from pystream.errors import ConfigurationError, PlanTypeError, SourceError
from tests.unit.engine.connectors.test_function_source import polled, running, values_of


@contextmanager
def serving(*connections: list[bytes]) -> Iterator[int]:
    """Run a server that sends blocks to each client and then closes the connection; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            for blocks in connections:
                client, _ = server.accept()
                with client:
                    for block in blocks:
                        client.sendall(block)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join(10)


def records(port: int, delimiter: str = "\n", max_retry: int = 0) -> list[Any]:
    function = SocketTextStreamFunction("127.0.0.1", port, delimiter, max_retry, delay_between_retries=1)
    source, _ = function_source(function, Types.STRING())
    with running(source) as enumerator:
        return values_of(source, enumerator)


def test_lines_come_without_their_ends_and_the_rest_is_one_too() -> None:
    with serving([b"a\r\nb\n\n", b"c", b"d\ne"]) as port:
        assert records(port) == ["a", "b", "", "cd", "e"]


def test_other_delimiters_may_be_cut_by_blocks() -> None:
    with serving([b"1\r--", b"--2--", b"--"]) as port:
        assert records(port, "----") == ["1\r", "2"]


def test_text_is_utf8_with_replacements_for_other_bytes() -> None:
    content = "ä€\n".encode()
    with serving([content[:1], content[1:4], content[4:], b"\xff\n"]) as port:
        assert records(port) == ["ä€", "\ufffd"]


def test_a_closed_connection_is_retried_as_often_as_allowed(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), serving([b"a\nb"], [b"c\n"], [b"d\n"]) as port:
        assert records(port, max_retry=3) == ["a", "bc", "d"]
    assert caplog.text.count(f"lost the connection to 127.0.0.1:{port}; connecting again in 1 ms") == 2


def test_a_connection_that_cannot_be_made_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(SourceError, match=r"SocketTextStreamFunction.*run failed: ConnectionRefusedError"):
        records(port, max_retry=-1)


def test_closing_ends_a_connection_on_which_nothing_arrives() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        source, _ = function_source(socket_text("127.0.0.1", port, "\n", -1), Types.STRING())
        with running(source) as enumerator:
            client, _ = server.accept()
            client.sendall(b"a\n")
            polled(enumerator)
        assert not enumerator._thread.is_alive()
        client.close()


def test_arguments_out_of_bounds_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="socket_text_stream: port must be an int from 0 to 65535"):
        socket_text("localhost", 70_000, "\n", 0)
    with pytest.raises(ConfigurationError, match="max_retry must be an int of -1 or more"):
        socket_text("localhost", 7, "\n", -2)
    with pytest.raises(ConfigurationError, match="delimiter must not be empty"):
        socket_text("localhost", 7, "", 0)
    with pytest.raises(PlanTypeError, match="takes the name of a host"):
        socket_text(None, 7, "\n", 0)  # type: ignore[arg-type]
