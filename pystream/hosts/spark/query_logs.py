"""Keep Spark and Py4J from logging the end of a streaming query, which its job reports itself."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pystream.hosts.spark.jvm import log_levels

__all__ = ["QueryEndedError", "query_not_logged"]

_CALLBACKS = "py4j.clientserver"
_LEVELS = {
    # Logs the error that ends a query, with the stack of Java.
    "org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution": "OFF",
    # Log a query in Real-Time Mode that is stopped, as an error of each of its tasks.
    "org.apache.spark.sql.execution.datasources.v2.DataWritingSparkTask": "OFF",
    "org.apache.spark.sql.execution.datasources.v2.WriteToDataSourceV2Exec": "OFF",
    # Warns of each page of state that does not exist yet.
    "org.apache.spark.sql.execution.python.streaming.TransformWithStateInPySparkStateServer": "ERROR",
}


class QueryEndedError(Exception):
    """Ends a streaming query from within a micro-batch, because its job has ended or failed."""


class _Levels:
    """Holds the levels of loggers while any query of this process runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queries = 0
        self._before: dict[str, str] = {}

    def set(self) -> None:
        with self._lock:
            self._queries += 1
            if self._queries == 1:
                self._before = log_levels(_LEVELS)

    def reset(self) -> None:
        with self._lock:
            self._queries -= 1
            if self._queries == 0:
                log_levels(self._before)


_levels = _Levels()


def _is_logged(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, QueryEndedError)


@contextmanager
def query_not_logged() -> Iterator[None]:
    """Drop the messages of Spark and Py4J about a query that runs and ends within the block."""
    logging.getLogger(_CALLBACKS).addFilter(_is_logged)  # only the first call has an effect
    _levels.set()
    try:
        yield
    finally:
        _levels.reset()
