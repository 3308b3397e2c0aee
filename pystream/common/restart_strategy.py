"""Restart strategies of failed jobs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from random import uniform
from typing import ClassVar, TypeAlias

from pystream.durations import Duration
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings import options
from pystream.settings.config_options import ConfigOption
from pystream.settings.configuration import Configuration
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["Backoff", "RestartStrategies", "RestartStrategyConfiguration"]

_NONE = "none"
_FIXED_DELAY = "fixed-delay"
_FAILURE_RATE = "failure-rate"
_EXPONENTIAL_DELAY = "exponential-delay"

Backoff: TypeAlias = Callable[[float], float | None]


class RestartStrategyConfiguration(ABC):
    """Base class of restart strategies, which decide whether and when a failed job restarts.

    An unbounded job restarts from its last checkpoint. A bounded job starts over; its sinks
    publish only the output of the successful attempt. They commit together once an attempt has succeeded:
    should that fail, it is undone and the job fails for good.
    Within an attempt Spark retries tasks by its own settings (``spark.task.maxFailures``). Mirrors
    ``org.apache.flink.api.common.restartstrategy.RestartStrategies.RestartStrategyConfiguration``.

    Attributes:
        restarts: whether a job may restart at all.
    """

    _example: ClassVar[str] = "RestartStrategies.no_restart()"

    restarts: ClassVar[bool] = False

    @abstractmethod
    def get_description(self) -> str:
        """Return a description of the strategy."""

    def new_backoff(self) -> Backoff:
        """Return the function that a job calls with the time of each failure, in seconds and ascending.

        It returns the seconds before the restart, or ``None`` if the job does not restart.
        """
        return lambda time: None

    @abstractmethod
    def write_to(self, configuration: Configuration) -> None:
        """Write the strategy to a job's settings.

        Raises:
            ConfigurationError: a number is out of range.
        """


@checks_arguments(ArgumentTypeError)
class RestartStrategies:
    """Factory of restart strategies.

    Mirrors ``org.apache.flink.api.common.restartstrategy.RestartStrategies``.
    """

    @checks_arguments(ArgumentTypeError)
    @dataclass(frozen=True)
    class NoRestartStrategyConfiguration(RestartStrategyConfiguration):
        """The job does not restart."""

        def get_description(self) -> str:
            """Return a description of the strategy."""
            return "no restart"

        def write_to(self, configuration: Configuration) -> None:
            """Write the strategy to a job's settings."""
            configuration.set(options.RESTART_STRATEGY, _NONE)

    @checks_arguments(ArgumentTypeError)
    @dataclass(frozen=True)
    class FallbackRestartStrategyConfiguration(RestartStrategyConfiguration):
        """Leave restarts to the host: an unbounded job with checkpoints restarts with exponential delay."""

        def get_description(self) -> str:
            """Return a description of the strategy."""
            return "the restart strategy of the cluster"

        def write_to(self, configuration: Configuration) -> None:
            """Remove the strategy from a job's settings."""
            configuration.remove(options.RESTART_STRATEGY)

    @checks_arguments(ArgumentTypeError)
    @dataclass(frozen=True)
    class FixedDelayRestartStrategyConfiguration(RestartStrategyConfiguration):
        """The job restarts up to a number of times, 0 or more, after a fixed delay each."""

        restarts: ClassVar[bool] = True

        restart_attempts: int
        delay_between_attempts_interval: timedelta

        def __post_init__(self) -> None:
            self.write_to(Configuration())  # validates the numbers

        def get_restart_attempts(self) -> int:
            """Return the maximum number of restarts."""
            return self.restart_attempts

        def get_delay_between_attempts_interval(self) -> timedelta:
            """Return the delay before each restart."""
            return self.delay_between_attempts_interval

        def get_description(self) -> str:
            """Return a description of the strategy."""
            return f"{self.restart_attempts} restarts, {self.delay_between_attempts_interval} before each"

        def new_backoff(self) -> Backoff:
            """Return a function that returns the delay, or ``None`` if no restart is left."""
            failures = count(1)
            delay = self.delay_between_attempts_interval.total_seconds()
            return lambda time: delay if next(failures) <= self.restart_attempts else None

        def write_to(self, configuration: Configuration) -> None:
            """Write the strategy to a job's settings."""
            configuration.set(options.RESTART_ATTEMPTS, self.restart_attempts)
            configuration.set(options.RESTART_DELAY, _duration(self.delay_between_attempts_interval))
            configuration.set(options.RESTART_STRATEGY, _FIXED_DELAY)

    @checks_arguments(ArgumentTypeError)
    @dataclass(frozen=True)
    class FailureRateRestartStrategyConfiguration(RestartStrategyConfiguration):
        """The job restarts after a delay, unless it fails too often within an interval."""

        restarts: ClassVar[bool] = True

        max_failure_rate: int
        failure_interval: timedelta
        delay_between_attempts_interval: timedelta

        def __post_init__(self) -> None:
            self.write_to(Configuration())  # validates the numbers

        def get_max_failure_rate(self) -> int:
            """Return the number of failures allowed within an interval."""
            return self.max_failure_rate

        def get_failure_interval(self) -> timedelta:
            """Return the interval over which failures are counted."""
            return self.failure_interval

        def get_delay_between_attempts_interval(self) -> timedelta:
            """Return the delay before each restart."""
            return self.delay_between_attempts_interval

        def get_description(self) -> str:
            """Return a description of the strategy."""
            return (
                f"restarts up to {self.max_failure_rate} failures in {self.failure_interval}, "
                f"{self.delay_between_attempts_interval} before each"
            )

        def new_backoff(self) -> Backoff:
            """Return a function that returns the delay, ``None`` after too many failures in an interval."""
            latest: deque[float] = deque()

            def backoff(time: float) -> float | None:
                begin = time - self.failure_interval.total_seconds()
                while latest and latest[0] <= begin:
                    latest.popleft()
                latest.append(time)
                if len(latest) > self.max_failure_rate:
                    return None
                return self.delay_between_attempts_interval.total_seconds()

            return backoff

        def write_to(self, configuration: Configuration) -> None:
            """Write the strategy to a job's settings."""
            configuration.set(options.RESTART_FAILURE_RATE, self.max_failure_rate)
            configuration.set(options.RESTART_FAILURE_INTERVAL, _duration(self.failure_interval))
            configuration.set(options.RESTART_FAILURE_DELAY, _duration(self.delay_between_attempts_interval))
            configuration.set(options.RESTART_STRATEGY, _FAILURE_RATE)

    @checks_arguments(ArgumentTypeError)
    @dataclass(frozen=True)
    class ExponentialDelayRestartStrategyConfiguration(RestartStrategyConfiguration):
        """Restart after a delay that grows with each failure and is reset after a time without failures."""

        restarts: ClassVar[bool] = True

        initial_backoff: timedelta
        max_backoff: timedelta
        backoff_multiplier: float
        reset_backoff_threshold: timedelta
        jitter_factor: float
        attempts_before_reset_backoff: int

        def __post_init__(self) -> None:
            self.write_to(Configuration())  # validates the numbers
            if self.max_backoff < self.initial_backoff:
                raise ConfigurationError(
                    f"{options.RESTART_MAX_BACKOFF.key}: {self.max_backoff} is not allowed; it takes at "
                    f"least {options.RESTART_INITIAL_BACKOFF.key}, {self.initial_backoff}"
                )

        def get_initial_backoff(self) -> timedelta:
            """Return the delay before the first restart."""
            return self.initial_backoff

        def get_max_backoff(self) -> timedelta:
            """Return the longest delay."""
            return self.max_backoff

        def get_backoff_multiplier(self) -> float:
            """Return the factor by which the delay grows with each failure."""
            return self.backoff_multiplier

        def get_reset_backoff_threshold(self) -> timedelta:
            """Return the time without a failure after which the delay is reset to the initial one."""
            return self.reset_backoff_threshold

        def get_jitter_factor(self) -> float:
            """Return the fraction of the delay that is added or subtracted at random."""
            return self.jitter_factor

        def get_description(self) -> str:
            """Return a description of the strategy."""
            return (
                f"restarts after {self.initial_backoff}, {self.backoff_multiplier:g} times as much each time "
                f"up to {self.max_backoff}, until {self.reset_backoff_threshold} without failure"
            )

        def new_backoff(self) -> Backoff:
            """Return a function that returns the delay, or ``None`` if no restart is left."""
            longest = self.max_backoff.total_seconds()
            delay = 0.0
            failures = 0
            last = 0.0

            def backoff(time: float) -> float | None:
                nonlocal delay, failures, last
                if not failures or time - last >= self.reset_backoff_threshold.total_seconds() + delay:
                    delay = self.initial_backoff.total_seconds()
                    failures = 0
                else:
                    delay = min(delay * self.backoff_multiplier, longest)
                failures += 1
                last = time
                if failures > self.attempts_before_reset_backoff:
                    return None
                return min(delay * (1 + uniform(-self.jitter_factor, self.jitter_factor)), longest)

            return backoff

        def write_to(self, configuration: Configuration) -> None:
            """Write the strategy to a job's settings."""
            configuration.set(options.RESTART_INITIAL_BACKOFF, _duration(self.initial_backoff))
            configuration.set(options.RESTART_MAX_BACKOFF, _duration(self.max_backoff))
            configuration.set(options.RESTART_BACKOFF_MULTIPLIER, self.backoff_multiplier)
            configuration.set(options.RESTART_RESET_THRESHOLD, _duration(self.reset_backoff_threshold))
            configuration.set(options.RESTART_JITTER, self.jitter_factor)
            configuration.set(options.RESTART_ATTEMPTS_BEFORE_RESET, self.attempts_before_reset_backoff)
            configuration.set(options.RESTART_STRATEGY, _EXPONENTIAL_DELAY)

    @staticmethod
    def no_restart() -> NoRestartStrategyConfiguration:
        """Return the strategy that never restarts a job."""
        return RestartStrategies.NoRestartStrategyConfiguration()

    @staticmethod
    def fall_back_restart() -> FallbackRestartStrategyConfiguration:
        """Return the strategy that leaves restarts to the cluster."""
        return RestartStrategies.FallbackRestartStrategyConfiguration()

    @staticmethod
    def fixed_delay_restart(
        restart_attempts: int, delay_between_attempts: timedelta | int
    ) -> FixedDelayRestartStrategyConfiguration:
        """Return the strategy that restarts a job up to a number of times.

        Args:
            restart_attempts: the maximum number of restarts, at least 0.
            delay_between_attempts: the delay before each, a timedelta or in milliseconds.

        Raises:
            ConfigurationError: a number is out of range.
        """
        return RestartStrategies.FixedDelayRestartStrategyConfiguration(
            restart_attempts, _interval(delay_between_attempts, options.RESTART_DELAY)
        )

    @staticmethod
    def failure_rate_restart(
        failure_rate: int, failure_interval: timedelta | int, delay_interval: timedelta | int
    ) -> FailureRateRestartStrategyConfiguration:
        """Return the strategy that restarts a job unless it fails too often within an interval.

        Args:
            failure_rate: the number of failures allowed within an interval, at least 1.
            failure_interval: the interval, a timedelta or in milliseconds, at least 1 ms.
            delay_interval: the delay before each restart, a timedelta or in milliseconds, at least 0.

        Raises:
            ConfigurationError: a number is out of range.
        """
        return RestartStrategies.FailureRateRestartStrategyConfiguration(
            failure_rate,
            _interval(failure_interval, options.RESTART_FAILURE_INTERVAL),
            _interval(delay_interval, options.RESTART_FAILURE_DELAY),
        )

    @staticmethod
    def exponential_delay_restart(
        initial_backoff: timedelta | int,
        max_backoff: timedelta | int,
        backoff_multiplier: float,
        reset_backoff_threshold: timedelta | int,
        jitter_factor: float,
        attempts_before_reset_backoff: int = options.RESTART_ATTEMPTS_BEFORE_RESET.default,
    ) -> ExponentialDelayRestartStrategyConfiguration:
        """Return the strategy that restarts a job after a delay that grows with each failure.

        Args:
            initial_backoff: the delay before the first restart, a timedelta or in milliseconds, at least 1.
            max_backoff: the longest delay, at least the initial one.
            backoff_multiplier: the factor by which the delay grows with each failure, at least 1.
            reset_backoff_threshold: the time without a failure after which the delay is the initial one
                again, at least 1 ms.
            jitter_factor: the part of the delay that is added or subtracted at random, 0 to 1.
            attempts_before_reset_backoff: the maximum number of restarts before such a time, at least 1.

        Raises:
            ConfigurationError: a number is out of range.
        """
        return RestartStrategies.ExponentialDelayRestartStrategyConfiguration(
            _interval(initial_backoff, options.RESTART_INITIAL_BACKOFF),
            _interval(max_backoff, options.RESTART_MAX_BACKOFF),
            backoff_multiplier,
            _interval(reset_backoff_threshold, options.RESTART_RESET_THRESHOLD),
            jitter_factor,
            attempts_before_reset_backoff,
        )

    @staticmethod
    def of_unbounded_job(configuration: Configuration) -> RestartStrategyConfiguration:
        """Return the strategy of an unbounded job with these settings.

        If they name none, the job restarts with exponential delay if checkpoints are enabled, as in Flink.
        """
        strategy = RestartStrategies.from_configuration(configuration)
        is_set = not isinstance(strategy, RestartStrategies.FallbackRestartStrategyConfiguration)
        if is_set or configuration.get(options.CHECKPOINT_INTERVAL) is None:
            return strategy
        return _exponential_delay(configuration)

    @staticmethod
    def from_configuration(configuration: Configuration) -> RestartStrategyConfiguration:
        """Return the strategy in a job's settings; the cluster's if they name none.

        Raises:
            ConfigurationError: the settings name an unknown strategy.
        """
        name = configuration.get(options.RESTART_STRATEGY)
        match name and name.lower().replace("-", ""):
            case None:
                return RestartStrategies.fall_back_restart()
            case "none" | "off" | "disable":
                return RestartStrategies.no_restart()
            case "fixeddelay":
                return RestartStrategies.fixed_delay_restart(
                    configuration.get(options.RESTART_ATTEMPTS),
                    configuration.get(options.RESTART_DELAY).to_millis(),
                )
            case "exponentialdelay":
                return _exponential_delay(configuration)
            case _:  # failure-rate
                return RestartStrategies.failure_rate_restart(
                    configuration.get(options.RESTART_FAILURE_RATE),
                    configuration.get(options.RESTART_FAILURE_INTERVAL).to_millis(),
                    configuration.get(options.RESTART_FAILURE_DELAY).to_millis(),
                )


def _exponential_delay(configuration: Configuration) -> RestartStrategyConfiguration:
    return RestartStrategies.exponential_delay_restart(
        configuration.get(options.RESTART_INITIAL_BACKOFF).to_millis(),
        configuration.get(options.RESTART_MAX_BACKOFF).to_millis(),
        configuration.get(options.RESTART_BACKOFF_MULTIPLIER),
        configuration.get(options.RESTART_RESET_THRESHOLD).to_millis(),
        configuration.get(options.RESTART_JITTER),
        configuration.get(options.RESTART_ATTEMPTS_BEFORE_RESET),
    )


def _interval(length: timedelta | int, option: ConfigOption[Duration]) -> timedelta:
    if isinstance(length, timedelta):
        return length
    if isinstance(length, int) and not isinstance(length, bool):
        return timedelta(milliseconds=length)
    raise ConfigurationError(
        f"{option.key}: {short_repr(length)} is not allowed; it takes milliseconds or a timedelta"
    )


def _duration(length: timedelta) -> Duration:
    return Duration.of_nanos(1000 * (length // timedelta(microseconds=1)))
