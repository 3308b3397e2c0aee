"""Restart strategies of failed jobs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from pystream.durations import Duration
from pystream.errors import ConfigurationError
from pystream.settings import options
from pystream.settings.config_options import ConfigOption
from pystream.settings.configuration import Configuration

__all__ = ["RestartStrategies", "RestartStrategyConfiguration"]

_NONE = "none"
_FIXED_DELAY = "fixed-delay"
_FAILURE_RATE = "failure-rate"


class RestartStrategyConfiguration(ABC):
    """Base class of restart strategies, which decide whether and when a failed job restarts.

    A bounded job starts from the beginning; sinks publish only the output of the successful attempt. They
    commit together once an attempt has succeeded: should that fail, it is undone and the job fails for good.
    Within an attempt Spark retries tasks by its own settings (``spark.task.maxFailures``). Mirrors
    ``org.apache.flink.api.common.restartstrategy.RestartStrategies.RestartStrategyConfiguration``.

    Attributes:
        restarts: whether a job may restart at all.
    """

    restarts: ClassVar[bool] = False

    @abstractmethod
    def get_description(self) -> str:
        """Return a description of the strategy."""

    def pause_before_restart(self, failures: Sequence[float]) -> float | None:
        """Return the seconds before the job restarts, or ``None`` if it does not.

        Args:
            failures: the times of the job's failures so far in seconds, at least one and ascending.
        """
        return None

    @abstractmethod
    def write_to(self, configuration: Configuration) -> None:
        """Write the strategy to a job's settings.

        Raises:
            ConfigurationError: a number is out of range.
        """


class RestartStrategies:
    """Factory of restart strategies.

    Mirrors ``org.apache.flink.api.common.restartstrategy.RestartStrategies``.
    """

    @dataclass(frozen=True)
    class NoRestartStrategyConfiguration(RestartStrategyConfiguration):
        """The job does not restart."""

        def get_description(self) -> str:
            """Return a description of the strategy."""
            return "no restart"

        def write_to(self, configuration: Configuration) -> None:
            """Write the strategy to a job's settings."""
            configuration.set(options.RESTART_STRATEGY, _NONE)

    @dataclass(frozen=True)
    class FallbackRestartStrategyConfiguration(RestartStrategyConfiguration):
        """Leave restarts to the cluster's strategy; the hosts have none, so the job does not restart."""

        def get_description(self) -> str:
            """Return a description of the strategy."""
            return "the restart strategy of the cluster"

        def write_to(self, configuration: Configuration) -> None:
            """Remove the strategy from a job's settings."""
            configuration.remove(options.RESTART_STRATEGY)

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

        def pause_before_restart(self, failures: Sequence[float]) -> float | None:
            """Return the delay, or ``None`` if no restart is left."""
            if len(failures) > self.restart_attempts:
                return None
            return self.delay_between_attempts_interval.total_seconds()

        def write_to(self, configuration: Configuration) -> None:
            """Write the strategy to a job's settings."""
            configuration.set(options.RESTART_ATTEMPTS, self.restart_attempts)
            configuration.set(options.RESTART_DELAY, _duration(self.delay_between_attempts_interval))
            configuration.set(options.RESTART_STRATEGY, _FIXED_DELAY)

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

        def pause_before_restart(self, failures: Sequence[float]) -> float | None:
            """Return the delay, or ``None`` if the job failed too often within the last interval."""
            begin = failures[-1] - self.failure_interval.total_seconds()
            if sum(failure > begin for failure in failures) > self.max_failure_rate:
                return None
            return self.delay_between_attempts_interval.total_seconds()

        def write_to(self, configuration: Configuration) -> None:
            """Write the strategy to a job's settings."""
            configuration.set(options.RESTART_FAILURE_RATE, self.max_failure_rate)
            configuration.set(options.RESTART_FAILURE_INTERVAL, _duration(self.failure_interval))
            configuration.set(options.RESTART_FAILURE_DELAY, _duration(self.delay_between_attempts_interval))
            configuration.set(options.RESTART_STRATEGY, _FAILURE_RATE)

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
            case _:  # failure-rate
                return RestartStrategies.failure_rate_restart(
                    configuration.get(options.RESTART_FAILURE_RATE),
                    configuration.get(options.RESTART_FAILURE_INTERVAL).to_millis(),
                    configuration.get(options.RESTART_FAILURE_DELAY).to_millis(),
                )


def _interval(length: timedelta | int, option: ConfigOption[Duration]) -> timedelta:
    if isinstance(length, timedelta):
        return length
    if isinstance(length, int) and not isinstance(length, bool):
        return timedelta(milliseconds=length)
    raise ConfigurationError(f"{option.key}: {length!r} is not allowed; it takes milliseconds or a timedelta")


def _duration(length: timedelta) -> Duration:
    return Duration.of_nanos(1000 * (length // timedelta(microseconds=1)))
