"""ClockedJob: runs an unbounded program step by step in a test, by a manual clock."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, cast

from pystream.engine.time.clock import ManualClock
from pystream.errors import ConfigurationError, JobExecutionError
from pystream.hosts.host import LocalHost
from pystream.plan.nodes import CollectTarget

if TYPE_CHECKING:
    from pystream.datastream.streams.data_stream import DataStream

__all__ = ["ClockedJob"]

T = TypeVar("T")

_PAUSE = 0.001
_SECONDS_TO_END = 10.0


class _SteppedJob(Protocol):
    """Interface of the unbounded jobs of the local host."""

    future: Future[Any]

    def is_idle_at(self, time: int) -> bool: ...

    def ready(self, sink_id: int) -> list[Any]: ...

    def cancel(self) -> None: ...

    def join(self, seconds: float) -> None: ...


class ClockedJob(Generic[T]):
    """Run an unbounded program by the manual clock of its environment.

    Sources and timers act by the clock alone, so that the results at each time are always the same. Only
    what arrives from outside, such as files and the elements of source functions, comes whenever it comes.

    Args:
        stream: the stream whose elements are the results; only what it depends on runs.
        timeout: maximum number of seconds for a step.

    Raises:
        ConfigurationError: the environment is not one of ``local_environment`` with a ``ManualClock``, or all
            sources are bounded.
        JobExecutionError: the job is still busy when the time for a step is over.

    Examples:
        >>> from pystream.common import Types, WatermarkStrategy
        >>> from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
        >>> from pystream.testing import ManualClock, local_environment
        >>> env = local_environment(clock=ManualClock())
        >>> each_second = DataGeneratorSource(
        ...     lambda n: n,
        ...     DataGeneratorSource.UNBOUNDED,
        ...     RateLimiterStrategy.per_second(1),
        ...     type_info=Types.LONG(),
        ... )
        >>> numbers = env.from_source(each_second, WatermarkStrategy.no_watermarks(), "numbers")
        >>> with ClockedJob(numbers) as job:
        ...     print(job.advance_to(2_000))
        ...     print(job.advance_to(2_500), job.advance_to(3_000))
        [0, 1, 2]
        [] [3]
    """

    def __init__(self, stream: DataStream[T], *, timeout: float = 60.0) -> None:
        environment = stream._environment
        host = environment._host()
        clock = host._clock if isinstance(host, LocalHost) else None
        if not isinstance(clock, ManualClock):
            raise ConfigurationError(
                "ClockedJob needs an environment of local_environment(clock=ManualClock())"
            )
        self._clock = clock
        self._timeout = timeout
        self._sink = stream._target("Collect", CollectTarget(None))
        request = environment._request([self._sink], None)
        if not request.plan.unbounded_sources:
            raise ConfigurationError("ClockedJob needs an unbounded source; use execute_and_collect instead")
        self._job = cast(_SteppedJob, host.submit(request))
        self._results: list[Any] = []
        try:
            self._settle()  # the rate of a source counts from its first poll
        except BaseException:
            self.close()
            raise

    def advance_to(self, now: int) -> list[T]:
        """Set the clock, and return the new results once nothing is left to do at this time.

        Args:
            now: the time in ms since the Unix epoch; it may be the current one.

        Raises:
            JobExecutionError: the job failed, or it still works when the time for a step is over.
            ValueError: the time lies before the current one.
        """
        self._clock.set(now)
        self._settle()
        if self._job.future.done():
            self._job.future.result()
        results, self._results = self._results, []
        return results

    def _settle(self) -> None:
        """Take results until nothing is left to do at the current time, or the job has ended."""
        now = self._clock.now()
        deadline = time.monotonic() + self._timeout
        while not self._job.is_idle_at(now) and not self._job.future.done():
            self._results += self._job.ready(self._sink)
            if time.monotonic() > deadline:
                raise JobExecutionError(
                    f"the job is still busy at time {now} after {self._timeout:g} s; limit the rate of its "
                    "sources, or set a longer timeout"
                )
            time.sleep(_PAUSE)
        self._results += self._job.ready(self._sink)

    def close(self) -> None:
        """Stop the job, and wait until it has ended."""
        self._job.cancel()
        self._job.join(_SECONDS_TO_END)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
