"""The JVM of a classic session, accessed through PySpark's internals where its public API is insufficient.

No other module of the driver uses PySpark's internals. With Spark Connect the JVM belongs to a server: each
function states its result there.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.context import SQLContext
from pyspark.sql.types import DataType, StructType, _parse_datatype_json_string
from pyspark.sql.utils import is_remote

from pystream.hosts.process import ForkedProcessError
from pystream.hosts.spark.session_options import has_local_workers

__all__ = [
    "Py4JError",
    "Py4JJavaError",
    "cause_of_death",
    "column_text",
    "empty_table",
    "forget_if_dead",
    "generate_code",
    "ignore_lost_accumulators",
    "is_dead",
    "jobs_with_tag",
    "log_levels",
    "prepare_for_forks",
    "python_calls",
    "refuse_shared_session",
    "shared_directory",
    "use_added_jars",
]

_SECONDS_TO_DIE = 1.0
_PAUSE = 0.05
_MORE_MEMORY = "set spark.driver.memory higher before the session starts"
# The codes of org.apache.spark.util.SparkExitCode, and those of a process killed by the system.
_CAUSES = {
    52: f"ran out of memory; {_MORE_MEMORY}",
    53: "could not create a directory for temporary data; set spark.local.dir to one that can be written to",
    **dict.fromkeys(
        (-9, 137),
        f"was killed, probably because the machine ran out of memory; {_MORE_MEMORY}, or"
        " lower if it is more than the machine has",
    ),
}

_SUBMITTED = "PYSPARK_GATEWAY_PORT"
_prepared = threading.Event()
_of_parents: list[Any] = []  # sessions of parent processes, kept because their finalizers would call the JVM


def shared_directory(spark: SparkSession) -> Path | None:
    """Return the session's temporary directory if all workers run on this machine, else ``None``.

    The JVM removes it, also when this process is killed; no public method returns it.
    """
    return Path(spark.sparkContext._temp_dir) if has_local_workers(spark) else None


def jobs_with_tag(spark: SparkSession, tag: str) -> Iterator[int]:
    """Yield the ids of the Spark jobs with a tag; none with Spark Connect.

    PySpark's status tracker finds jobs by group only, and a group belongs to a thread.
    """
    if not is_remote():
        context: Any = spark.sparkContext._jsc
        yield from context.sc().statusTracker().getJobIdsForTag(tag)


def column_text(frame: DataFrame) -> str:
    """Return the only column of a frame of a classic session as SQL text, as far as Spark has text for it."""
    java_frame: Any = frame._jdf
    plan = java_frame.queryExecution().analyzed()
    return str(plan.projectList().head().child().sql())


def empty_table(spark: SparkSession, schema: StructType) -> DataFrame:
    """Return a table without rows, in a quarter of the time of ``createDataFrame``, which makes an RDD."""
    if is_remote():
        return spark.createDataFrame([], schema)
    jvm: Any = SparkContext._jvm
    session: Any = spark._jsparkSession
    table = session.createDataFrame(jvm.java.util.ArrayList(), session.parseDataType(schema.json()))
    return DataFrame(table, spark)


def python_calls(frame: DataFrame) -> Iterator[tuple[str, list[DataType]]]:
    """Yield the calls of Python functions in a frame: the name of each, and the types of its arguments.

    None with Spark Connect.
    """
    if is_remote():
        return
    jvm: Any = SparkContext._jvm
    calls = jvm.org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF()
    java_frame: Any = frame._jdf
    plan = java_frame.queryExecution().analyzed()
    for one in (plan, *_items(plan.subqueriesAll())):
        for node in _containing(one, calls):
            for expression in _items(node.expressions()):
                for call in _containing(expression, calls):
                    if call.getClass().getSimpleName() == "PythonUDF":
                        yield call.name(), [_data_type(argument) for argument in _items(call.children())]


def _containing(tree: Any, pattern: Any) -> Iterator[Any]:
    """Yield the nodes of a tree that match a pattern of nodes, or contain one that does."""
    if tree.containsPattern(pattern):
        yield tree
        for child in _items(tree.children()):
            yield from _containing(child, pattern)


def _items(sequence: Any) -> list[Any]:
    """Return the items of a sequence of Scala."""
    return [sequence.apply(position) for position in range(sequence.size())]


def _data_type(expression: Any) -> DataType:
    return _parse_datatype_json_string(expression.dataType().json())


def log_levels(levels: Mapping[str, str]) -> dict[str, str]:
    """Set the levels of loggers of the JVM, and return those they had; nothing with Spark Connect.

    Args:
        levels: level of each logger by its name, such as ``OFF``.
    """
    if is_remote():
        return {}
    log4j: Any = SparkContext._jvm.org.apache.logging.log4j  # type: ignore[union-attr]
    before = {name: str(log4j.LogManager.getLogger(name).getLevel()) for name in levels}
    for name, level in levels.items():
        log4j.core.config.Configurator.setLevel(name, log4j.Level.toLevel(level))
    return before


def use_added_jars(spark: SparkSession) -> None:
    """Let the calling thread find the classes of jars that were added to a running session.

    Args:
        spark: the session; with Spark Connect the server does it.
    """
    if not is_remote():
        java: Any = SparkContext._jvm
        session: Any = spark._jsparkSession
        java.java.lang.Thread.currentThread().setContextClassLoader(session.sharedState().jarClassLoader())


def generate_code(frame: DataFrame) -> None:
    """Plan a query and generate its code in the calling thread, so that a stack overflow is reported.

    ``toArrow`` plans in a thread of the JVM, and Python waits forever if the stack of that thread overflows.
    With Spark Connect the server reports it.
    """
    if not is_remote():
        query: Any = frame._jdf
        query.queryExecution().debug().codegenToSeq()


def ignore_lost_accumulators() -> None:
    """Suppress the traceback printed when the JVM ends and the accumulator connection breaks.

    The server of that connection prints it unless this method of it is replaced. Spark Connect has none.
    """
    context: Any = SparkContext._active_spark_context
    if context is not None:
        context._accumulatorServer.handle_error = lambda request, client_address: None


def is_dead(*, just_now: bool = False) -> bool:
    """Return whether the JVM has ended; False if this process started none, as with Spark Connect.

    PySpark notices a dead JVM only by an error of the next call.

    Args:
        just_now: whether a connection to it just broke, so that it may be about to end.
    """
    if SparkContext._gateway is None:
        return False
    deadline = time.monotonic() + (_SECONDS_TO_DIE if just_now else 0.0)
    while not _has_ended():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE)
    return True


def _has_ended() -> bool:
    gateway: Any = SparkContext._gateway
    process = getattr(gateway, "proc", None)
    if process is not None and process.poll() is not None:
        return True
    where = gateway.gateway_parameters
    if where is None:
        return False
    try:
        socket.create_connection((where.address, where.port)).close()
    except ConnectionError:
        return True
    return False


def cause_of_death() -> str:
    """Return the reason why the JVM ended, by its exit code, and the remedy."""
    process = getattr(SparkContext._gateway, "proc", None)
    code = None
    if process is not None:
        with suppress(TimeoutExpired):
            code = process.wait(_SECONDS_TO_DIE)
    return _CAUSES.get(code or 0, f"died or was killed; if it ran out of memory, {_MORE_MEMORY}")


def forget_if_dead() -> None:
    """Make PySpark discard a dead JVM and its session, which ``getOrCreate`` would return."""
    if not is_dead():
        return
    with SparkContext._lock:
        context, gateway = SparkContext._active_spark_context, SparkContext._gateway
        accumulators = getattr(context, "_accumulatorServer", None)
        if accumulators is not None:
            accumulators.shutdown()
        if gateway is not None:
            with suppress(Exception):  # its requests to the JVM fail
                gateway.close()
        _forget_session()


def _forget_session() -> None:
    SparkContext._active_spark_context = None
    SparkContext._gateway = None
    SparkContext._jvm = None
    SparkSession._instantiatedSession = None
    SparkSession._activeSession = None
    SQLContext._instantiatedContext = None


def prepare_for_forks() -> None:
    """Let processes forked from this one start without its session.

    The connections to the JVM and the threads that serve them belong to the parent. A child that used them
    would mix its requests with the parent's and wait forever for answers.
    """
    if not _prepared.is_set():
        _prepared.set()
        os.register_at_fork(after_in_child=_leave_to_parent)


def refuse_shared_session() -> None:
    """Raise an error in a forked process that could only use its parent's session.

    Raises:
        ForkedProcessError: the parent uses Spark Connect, or was started by ``spark-submit``.
    """
    if _of_parents and is_remote():
        raise ForkedProcessError(
            "a process forked from a program that uses Spark Connect cannot run jobs, because gRPC does not "
            "work after a fork; start the process with multiprocessing.get_context('spawn')"
        )
    if _of_parents and _SUBMITTED in os.environ:
        raise ForkedProcessError(
            "a process forked from a program that spark-submit started cannot run jobs, because there is one "
            "session for each spark-submit; run the jobs in the parent, from threads or with execute_async()"
        )


def _leave_to_parent() -> None:
    """Make PySpark discard the session, and close this process's copies of the JVM connections."""
    _of_parents.append(
        (SparkContext._gateway, SparkContext._active_spark_context, SparkSession._instantiatedSession)
    )
    if is_remote():
        return
    SparkContext._lock = threading.RLock()  # may be held by a thread that does not exist in the child
    SparkSession.Builder._lock = threading.RLock()
    gateway = SparkContext._gateway
    if gateway is not None:
        client = gateway._gateway_client
        client.is_connected = False
        for connection in client.deque:
            if connection.socket is not None:
                os.close(connection.socket.detach())  # close() would end the parent's connection, too
        process = getattr(gateway, "proc", None)
        if process is not None:
            process.stdin.close()  # the JVM ends once no process keeps its standard input open
    _forget_session()
