"""Interfaces of the metrics of user functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

__all__ = ["Counter", "Distribution", "Meter", "Metric", "MetricGroup"]


class Metric:
    """Base class of metrics. Mirrors ``org.apache.flink.metrics.Metric``."""


class Counter(Metric, ABC):
    """A count. Mirrors ``org.apache.flink.metrics.Counter``."""

    @abstractmethod
    def inc(self, n: int = 1) -> None:
        """Add ``n`` to the count.

        Raises:
            TypeCheckError: ``n`` is not an integer.
        """

    @abstractmethod
    def dec(self, n: int = 1) -> None:
        """Subtract ``n`` from the count.

        Raises:
            TypeCheckError: ``n`` is not an integer.
        """

    @abstractmethod
    def get_count(self) -> int:
        """Return the count of this subtask so far."""


class Meter(Metric, ABC):
    """A rate of events. Mirrors ``org.apache.flink.metrics.Meter``."""

    @abstractmethod
    def mark_event(self, value: int = 1) -> None:
        """Record ``value`` events at the current time.

        Raises:
            TypeCheckError: ``value`` is not an integer.
        """

    @abstractmethod
    def get_count(self) -> int:
        """Return the number of events recorded by this subtask."""

    @abstractmethod
    def get_rate(self) -> float:
        """Return the events per second over the meter's time span up to now."""


class Distribution(Metric, ABC):
    """Statistics of a number: count, sum, minimum and maximum.

    Mirrors ``pyflink.metrics.Distribution``.
    """

    @abstractmethod
    def update(self, value: float) -> None:
        """Add a number.

        Raises:
            TypeCheckError: ``value`` is not a number.
        """


class MetricGroup(ABC):
    """Create metrics under a common scope. Mirrors ``org.apache.flink.metrics.MetricGroup``.

    Registering a name twice returns the same metric.
    """

    @abstractmethod
    def add_group(self, name: str, extra: str | None = None) -> MetricGroup:
        """Return the subgroup ``name``, or with ``extra`` the subgroup ``name.extra``."""

    @abstractmethod
    def counter(self, name: str) -> Counter:
        """Return the counter with this name.

        Raises:
            ConfigurationError: the name is already registered as another kind of metric.
        """

    @abstractmethod
    def gauge(self, name: str, obj: Callable[[], int]) -> None:
        """Register a gauge whose value is the result of ``obj`` when metrics are read.

        Raises:
            ConfigurationError: the name is already taken, or ``obj`` cannot be called.
        """

    @abstractmethod
    def meter(self, name: str, time_span_in_seconds: int = 60) -> Meter:
        """Return the meter with this name, whose rate covers the last ``time_span_in_seconds``.

        Raises:
            ConfigurationError: the name is already that of another kind of metric or time span,
                or the span is not at least one second.
        """

    @abstractmethod
    def distribution(self, name: str) -> Distribution:
        """Return the distribution with this name.

        Raises:
            ConfigurationError: the name is already registered as another kind of metric.
        """
