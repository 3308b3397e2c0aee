"""Host: the common interface of Spark and the local host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from pystream.errors import UnsupportedOperationError
from pystream.settings.modes import Runner

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from pystream.engine.time.clock import Clock
    from pystream.hosts.job import Job
    from pystream.hosts.job_request import JobRequest
    from pystream.plan.query import Query, ResultColumn
    from typeinfo.info import TypeInformation

__all__ = ["Host", "LocalHost", "SparkHost"]


class Host(Protocol):
    """Interface of hosts, which run jobs.

    Attributes:
        runner: the kind of the host.
    """

    @property
    def runner(self) -> Runner: ...

    def submit(self, request: JobRequest) -> Job:
        """Start a job.

        Raises:
            PyStreamError: a sink's target or a source's input is unusable; then nothing is started.
        """
        ...

    def to_data_frame(self, request: JobRequest) -> DataFrame:
        """Return the elements of the plan's columnar sink as a lazy Spark table.

        Raises:
            UnsupportedOperationError: the host is not Spark.
        """
        ...

    def resolve_query(
        self, conf: Mapping[str, str], query: Query, types: Sequence[TypeInformation[Any]]
    ) -> tuple[Query, list[ResultColumn]]:
        """Return a query with the types of the arguments of its functions, and the columns of its results.

        Args:
            conf: options for the Spark session.
            query: the query.
            types: the types of the elements of the streams that it reads, in order.

        Raises:
            SqlError: the query is wrong.
            UnsupportedTypeError: a column has a type without counterpart.
            UnsupportedOperationError: the host is not Spark.
        """
        ...


class SparkHost:
    """Apache Spark: jobs run in the existing session, or else in a new local one."""

    runner = Runner.SPARK

    def submit(self, request: JobRequest) -> Job:
        """Start a job in a new thread."""
        if request.unbounded.real_time:
            from pystream.hosts.spark.real_time import RealTimeJob

            return RealTimeJob(request).submit()
        if request.plan.unbounded_sources:
            from pystream.hosts.spark.unbounded import SparkStream

            return SparkStream(request).submit()
        from pystream.hosts.spark.job import SparkJob

        return SparkJob(request).submit()

    def to_data_frame(self, request: JobRequest) -> DataFrame:
        """Return the elements of the plan's columnar sink as a lazy Spark table."""
        from pystream.hosts.spark.job import to_data_frame

        return to_data_frame(request)

    def resolve_query(
        self, conf: Mapping[str, str], query: Query, types: Sequence[TypeInformation[Any]]
    ) -> tuple[Query, list[ResultColumn]]:
        """Return a query with types, and the columns of its results, which Spark resolves."""
        from pystream.hosts.spark.queries import resolve_query
        from pystream.hosts.spark.session import get_session

        return resolve_query(get_session(conf), query, types)


class LocalHost:
    """The current process: all subtasks of a job run in one thread, without Java.

    Args:
        clock: the clock of processing time; the system's by default. With a clock, each element passes
            through the whole program before the next one.
        seed: seed of the random interleaving of subtasks and channels; without one, rows are taken by
            position, in the same order as on Spark.
    """

    runner = Runner.LOCAL

    def __init__(self, clock: Clock | None = None, seed: int | None = None) -> None:
        self._clock = clock
        self._seed = seed

    def submit(self, request: JobRequest) -> Job:
        """Start a job in a new thread.

        Raises:
            UnsupportedOperationError: a sink needs Spark.
        """
        from random import Random

        from pystream.engine.time.clock import SystemClock
        from pystream.hosts.local.interleaving import ElementByElement, InOrder, Interleaving, Seeded
        from pystream.hosts.local.job import LocalJob
        from pystream.hosts.local.unbounded import LocalStream

        if any(getattr(sink.target, "needs_spark", False) for sink in request.plan.sinks):
            raise UnsupportedOperationError(
                "foreach_batch: only Spark makes data frames; set pystream.runner to spark, or write a "
                "TwoPhaseCommittingSink"
            )
        interleaving: Interleaving = InOrder() if self._clock is None else ElementByElement()
        if self._seed is not None:
            interleaving = Seeded(Random(self._seed))
        kind = LocalStream if request.plan.unbounded_sources else LocalJob
        return kind(request, self._clock or SystemClock(), interleaving).submit()

    def to_data_frame(self, request: JobRequest) -> DataFrame:
        """Raise an error: a data frame needs Spark.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(
            "to_data_frame: only Spark makes data frames; set pystream.runner to spark, or use to_arrow() or "
            "to_pandas()"
        )

    def resolve_query(
        self, conf: Mapping[str, str], query: Query, types: Sequence[TypeInformation[Any]]
    ) -> NoReturn:
        """Raise an error: a query needs Spark.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError("queries run on Spark only: set pystream.runner to spark")
