"""The Java process behind the sessions of this program: whether it lives, and doing without a dead one."""

from __future__ import annotations

import socket
import time
from contextlib import suppress

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.context import SQLContext

__all__ = ["forget_if_dead", "is_dead"]

_SECONDS_TO_DIE = 1.0
_PAUSE = 0.05


def is_dead(*, just_now: bool = False) -> bool:
    """Tell whether there was a Java process and it is gone.

    Args:
        just_now: whether a connection to it broke, so that it may be about to go.
    """
    deadline = time.monotonic() + (_SECONDS_TO_DIE if just_now else 0.0)
    while not _is_gone():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE)
    return True


def _is_gone() -> bool:
    gateway = SparkContext._gateway
    if gateway is None:
        return False
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
    """Make PySpark forget a Java process that is gone and all that lived there, so that it starts anew."""
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
        SparkContext._active_spark_context = None
        SparkContext._gateway = None
        SparkContext._jvm = None
        SparkSession._instantiatedSession = None
        SparkSession._activeSession = None
        SQLContext._instantiatedContext = None
