"""The driver side of worker logging: passes log records of workers to the loggers of this process."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from pystream.engine.worker.logs import LogSettings
from pystream.hosts.spark.session_options import has_local_workers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["worker_logs"]

_SECONDS_TO_DRAIN = 2.0


@contextmanager
def worker_logs(spark: SparkSession, settings: LogSettings, job_id: str) -> Iterator[LogSettings]:
    """Pass the log records of a job's workers to the loggers of this process.

    Workers on this machine send them to this process, whose loggers handle them. On a cluster
    they go to the standard error of the executors, which the web UI shows.

    Yields:
        The settings, with an address if this process receives the records.
    """
    if not has_local_workers(spark):
        yield settings
        return
    with socket.create_server(("127.0.0.1", 0)) as server:
        readers: list[threading.Thread] = []
        stopped = threading.Event()
        acceptor = threading.Thread(target=_accept, args=(server, stopped, readers, job_id), daemon=True)
        acceptor.start()
        address: tuple[str, int] = server.getsockname()
        try:
            yield replace(settings, address=address)
        finally:
            stopped.set()
            socket.create_connection(address).close()  # wakes the acceptor
            acceptor.join()
            for reader in readers:
                reader.join(_SECONDS_TO_DRAIN)


def _accept(
    server: socket.socket, stopped: threading.Event, readers: list[threading.Thread], job_id: str
) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except BlockingIOError:
            return
        reader = threading.Thread(target=_read, args=(connection, job_id), daemon=True)
        reader.start()
        readers.append(reader)
        server.setblocking(not stopped.is_set())  # the rest of the queue is still processed


def _read(connection: socket.socket, job_id: str) -> None:
    connection.setblocking(True)
    with connection, connection.makefile("rb") as lines:
        for line in lines:
            _handle(line, job_id)


def _handle(line: bytes, job_id: str) -> None:
    try:
        fields = json.loads(line)
    except ValueError:
        return  # truncated when its worker died
    if isinstance(fields, dict) and fields.pop("job", None) == job_id:
        record = logging.makeLogRecord(fields)
        logger = logging.getLogger(record.name)
        if logger.isEnabledFor(record.levelno):
            logger.handle(record)
