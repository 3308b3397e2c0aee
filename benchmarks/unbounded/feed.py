"""A server that sends lines at a fixed rate to whoever connects, each with the time of its creation."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.unbounded.cases import RATE


@contextmanager
def feed() -> Iterator[int]:
    """Serve lines of a number from 0 and a time in nanoseconds until the block ends; yield the port."""
    stopped = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_serve, args=(server, stopped), daemon=True).start()
        try:
            yield server.getsockname()[1]
        finally:
            stopped.set()


def _serve(server: socket.socket, stopped: threading.Event) -> None:
    while not stopped.is_set():
        try:
            connection, _ = server.accept()
        except OSError:  # the block has ended
            return
        threading.Thread(target=_send, args=(connection, stopped), daemon=True).start()


def _send(connection: socket.socket, stopped: threading.Event) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    began, sent = time.monotonic(), 0
    with connection:
        while not stopped.is_set():
            due = int((time.monotonic() - began) * RATE)
            lines = [f"{number},{time.time_ns()}\n" for number in range(sent, due)]
            sent = due
            try:
                connection.sendall("".join(lines).encode())
            except OSError:  # the other side has closed the connection
                return
            time.sleep(1 / RATE)
