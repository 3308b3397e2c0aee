"""The metric interfaces a user function sees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

__all__ = ["Counter", "Distribution", "Meter", "Metric", "MetricGroup"]


class Metric:
    """Mark everything that can be measured. Mirrors ``org.apache.flink.metrics.Metric``."""


class Counter(Metric, ABC):
    """Count something up and down. Mirrors ``org.apache.flink.metrics.Counter``."""

    @abstractmethod
    def inc(self, n: int = 1) -> None:
        """Add ``n`` to the count.

        Raises:
            TypeCheckError: ``n`` is not an integer.
        """

    @abstractmethod
    def dec(self, n: int = 1) -> None:
        """Take ``n`` from the count.

        Raises:
            TypeCheckError: ``n`` is not an integer.
        """

    @abstractmethod
    def get_count(self) -> int:
        """Return the count of this subtask so far."""


class Meter(Metric, ABC):
    """Measure how often something happens. Mirrors ``org.apache.flink.metrics.Meter``."""

    @abstractmethod
    def mark_event(self, value: int = 1) -> None:
        """Note that ``value`` events happened now.

        Raises:
            TypeCheckError: ``value`` is not an integer.
        """

    @abstractmethod
    def get_count(self) -> int:
        """Return how many events this subtask has noted so far."""

    @abstractmethod
    def get_rate(self) -> float:
        """Return the events per second over the meter's time span that ends now."""


class Distribution(Metric, ABC):
    """Gather the spread of a number: how many, their sum, the smallest and the largest.

    Mirrors ``pyflink.metrics.Distribution``.
    """

    @abstractmethod
    def update(self, value: float) -> None:
        """Take one more number into account.

        Raises:
            TypeCheckError: ``value`` is not a number.
        """


class MetricGroup(ABC):
    """Create the metrics of one place in the scope. Mirrors ``org.apache.flink.metrics.MetricGroup``.

    Registering a name twice returns the same metric.
    """

    @abstractmethod
    def add_group(self, name: str, extra: str | None = None) -> MetricGroup:
        """Return the group ``name`` beneath this one, or, with ``extra``, the group ``name.extra``."""

    @abstractmethod
    def counter(self, name: str) -> Counter:
        """Return the counter of that name.

        Raises:
            ConfigurationError: the name is already registered as another kind of metric.
        """

    @abstractmethod
    def gauge(self, name: str, obj: Callable[[], int]) -> None:
        """Register a gauge that reports the result of ``obj`` when metrics are read.

        Raises:
            ConfigurationError: the name is already taken, or ``obj`` cannot be called.
        """

    @abstractmethod
    def meter(self, name: str, time_span_in_seconds: int = 60) -> Meter:
        """Return the meter of that name, whose rate looks back over ``time_span_in_seconds``.

        Raises:
            ConfigurationError: the name is already that of another kind of metric or time span,
                or the span is not at least one second.
        """

    @abstractmethod
    def distribution(self, name: str) -> Distribution:
        """Return the distribution of that name.

        Raises:
            ConfigurationError: the name is already registered as another kind of metric.
        """
