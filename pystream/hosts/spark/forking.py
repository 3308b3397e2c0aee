"""Processes forked from a program with a Spark session, which start without it.

The connections to Java and the threads that serve them belong to the parent. A child that used them would mix
its requests with the parent's and wait forever for answers.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from pystream.hosts.forking import ForkedProcessError
from pystream.hosts.spark.java_process import forget_session

__all__ = ["prepare_for_forks", "refuse_shared_engine"]

_SUBMITTED = "PYSPARK_GATEWAY_PORT"

_prepared = threading.Event()
_parents: list[Any] = []  # what a parent's session consists of: a finalizer would talk to Java


def prepare_for_forks() -> None:
    """Let processes that are forked from this one start without its session."""
    if not _prepared.is_set():
        _prepared.set()
        os.register_at_fork(after_in_child=_leave_to_parent)


def refuse_shared_engine() -> None:
    """Refuse to run jobs in a forked process that could only share the engine of its parent.

    Raises:
        ForkedProcessError: the parent uses Spark Connect, or was started by ``spark-submit``.
    """
    if _parents and is_remote():
        raise ForkedProcessError(
            "a process forked from a program that uses Spark Connect cannot run jobs, because gRPC does not "
            "work after a fork; start the process with multiprocessing.get_context('spawn')"
        )
    if _parents and _SUBMITTED in os.environ:
        raise ForkedProcessError(
            "a process forked from a program that spark-submit started cannot run jobs, because there is one "
            "session for each spark-submit; run the jobs in the parent, from threads or with execute_async()"
        )


def _is_open(connection: Any) -> bool:
    return connection.socket is not None


def _leave_to_parent() -> None:
    """Make PySpark forget the session, and close this process's ends of the connections to Java."""
    _parents.append(
        (SparkContext._gateway, SparkContext._active_spark_context, SparkSession._instantiatedSession)
    )
    if is_remote():
        return
    SparkContext._lock = threading.RLock()  # a thread that is not here may have held it
    SparkSession.Builder._lock = threading.RLock()
    gateway = SparkContext._gateway
    if gateway is not None:
        client = gateway._gateway_client
        client.is_connected = False
        for connection in filter(_is_open, client.deque):
            os.close(connection.socket.detach())  # close() would end the parent's connection, too
        process = getattr(gateway, "proc", None)
        if process is not None:
            process.stdin.close()  # Java ends when nobody holds its standard input any more
    forget_session()
