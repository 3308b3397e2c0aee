"""The Java process of this program's sessions: whether it runs, and forgetting one that died."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from subprocess import TimeoutExpired
from typing import Any

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.context import SQLContext

__all__ = ["cause_of_death", "forget_if_dead", "forget_session", "is_dead"]

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


def is_dead(*, just_now: bool = False) -> bool:
    """Tell whether there was a Java process and it is gone.

    Args:
        just_now: whether a connection to it broke, so that it may be about to go.
    """
    if SparkContext._gateway is None:
        return False
    deadline = time.monotonic() + (_SECONDS_TO_DIE if just_now else 0.0)
    while not _is_gone():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE)
    return True


def cause_of_death() -> str:
    """Return the cause of the end of the Java process and its remedy, from the exit code."""
    process = getattr(SparkContext._gateway, "proc", None)
    code = None
    if process is not None:
        with suppress(TimeoutExpired):
            code = process.wait(_SECONDS_TO_DIE)
    return _CAUSES.get(code or 0, f"died or was killed; if it ran out of memory, {_MORE_MEMORY}")


def _is_gone() -> bool:
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


def forget_if_dead() -> None:
    """Make PySpark forget a dead Java process and its objects, so that it starts another."""
    if not is_dead():
        return
    with SparkContext._lock:
        context, gateway = SparkContext._active_spark_context, SparkContext._gateway
        accumulators = getattr(context, "_accumulatorServer", None)
        if accumulators is not None:
            accumulators.shutdown()
        if gateway is not None:
            with suppress(Exception):  # nobody is there to say goodbye to
                gateway.close()
        forget_session()


def forget_session() -> None:
    """Make PySpark forget its session and the Java process of that."""
    SparkContext._active_spark_context = None
    SparkContext._gateway = None
    SparkContext._jvm = None
    SparkSession._instantiatedSession = None
    SparkSession._activeSession = None
    SQLContext._instantiatedContext = None
