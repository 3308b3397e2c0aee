"""local_environment: an execution environment for tests, whose jobs run in this process."""

from __future__ import annotations

from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.engine.time.clock import Clock
from pystream.hosts.host import LocalHost
from pystream.settings.configuration import Configuration
from pystream.settings.modes import Runner
from pystream.settings.options import RUNNER

__all__ = ["local_environment"]


def local_environment(
    configuration: Configuration | None = None, *, clock: Clock | None = None, seed: int | None = None
) -> StreamExecutionEnvironment:
    """Return a new environment of the local host, with parallelism 1 unless configured otherwise.

    Args:
        configuration: initial settings, copied.
        clock: the clock of processing time, such as a ``ManualClock``, which functions of the program may
            advance; each element then passes through the whole program before the next one. A `ClockedJob`
            runs an unbounded program by it. The system clock by default.
        seed: seed of a random interleaving of subtasks and channels, with short batches, and of the sizes of
            the epochs of an unbounded job; results that depend on any of these differ between seeds. Without
            a seed, every run is the same.

    Examples:
        >>> env = local_environment()
        >>> numbers = env.from_collection([3, 1, 2]).map(lambda n: n * 10)
        >>> with numbers.execute_and_collect() as results:
        ...     list(results)
        [30, 10, 20]
    """
    environment = StreamExecutionEnvironment()
    environment.set_parallelism(1)
    if configuration is not None:
        environment.configure(configuration)
    environment.configure(Configuration().set(RUNNER, Runner.LOCAL))
    environment._fixed_host = LocalHost(clock, seed)
    return environment
