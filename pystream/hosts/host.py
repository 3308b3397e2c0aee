"""Host: the interface of Spark and the local host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pystream.errors import UnsupportedOperationError
from pystream.settings.modes import Runner

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from pystream.engine.time.clock import Clock
    from pystream.hosts.job import RunningJob
    from pystream.hosts.job_request import JobRequest

__all__ = ["Host", "LocalHost", "SparkHost"]


class Host(Protocol):
    """Runs jobs.

    Attributes:
        runner: its kind.
    """

    @property
    def runner(self) -> Runner: ...

    def submit(self, request: JobRequest) -> RunningJob:
        """Start a job.

        Raises:
            PyStreamError: a sink's target or a source's input is not usable; nothing has been started then.
        """
        ...

    def to_data_frame(self, request: JobRequest) -> DataFrame:
        """Return the elements that reach the plan's columnar sink as a lazy Spark table.

        Raises:
            UnsupportedOperationError: the host is not Spark.
        """
        ...


class SparkHost:
    """Apache Spark: jobs run in the session there is, else in a local one."""

    runner = Runner.SPARK

    def submit(self, request: JobRequest) -> RunningJob:
        """Start a job in a new thread."""
        from pystream.hosts.spark.job import SparkJob

        return SparkJob(request).submit()

    def to_data_frame(self, request: JobRequest) -> DataFrame:
        """Return the elements that reach the plan's columnar sink as a lazy Spark table."""
        from pystream.hosts.spark.data_frame import to_data_frame

        return to_data_frame(request)


class LocalHost:
    """This process: all subtasks of a job run in one thread, without Java.

    Args:
        clock: the clock of processing time; the machine's unless given. With one, each element passes
            through the whole program before the next one.
        seed: draws the interleaving of subtasks and channels; without one, rows are taken by position, in
            the order that Spark brings them in.
    """

    runner = Runner.LOCAL

    def __init__(self, clock: Clock | None = None, seed: int | None = None) -> None:
        self._clock = clock
        self._seed = seed

    def submit(self, request: JobRequest) -> RunningJob:
        """Start a job in a new thread."""
        from random import Random

        from pystream.engine.time.clock import SystemClock
        from pystream.hosts.local.interleaving import ElementByElement, InOrder, Interleaving, Seeded
        from pystream.hosts.local.job import LocalJob

        interleaving: Interleaving = InOrder() if self._clock is None else ElementByElement()
        if self._seed is not None:
            interleaving = Seeded(Random(self._seed))
        return LocalJob(request, self._clock or SystemClock(), interleaving).submit()

    def to_data_frame(self, request: JobRequest) -> DataFrame:
        """Refuse: a data frame is Spark's.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(
            "to_data_frame: only Spark makes data frames; set pystream.runner to spark, or use to_arrow() or "
            "to_pandas()"
        )
