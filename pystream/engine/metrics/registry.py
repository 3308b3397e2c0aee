"""MetricRegistry: the metrics of one subtask, in memory."""

from __future__ import annotations

import math
import operator
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from numbers import Real
from typing import ClassVar, TypeVar

from pystream.engine.metrics.metric import Counter, Distribution, Meter, Metric, MetricGroup
from pystream.engine.metrics.values import (
    CounterValue,
    DistributionValue,
    GaugeValue,
    MeterValue,
    MetricValue,
    merge_snapshots,
)
from pystream.errors import ConfigurationError, TypeCheckError

__all__ = ["MetricRegistry"]

_M = TypeVar("_M", bound="_Readable")


class MetricRegistry:
    """Register and read the metrics of one subtask.

    The registry stays with its subtask; only snapshots are sent.

    Args:
        clock: returns monotonic time in seconds, for the rates of meters.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock: Callable[[], float] = clock
        self._metrics: dict[str, _Readable] = {}
        self._others: list[Mapping[str, MetricValue]] = []

    def group(self, *scope: str) -> MetricGroup:
        """Return the group of metrics named ``scope.….name``, or just ``name`` without a scope."""
        return _Group(self, scope)

    def snapshot(self) -> dict[str, MetricValue]:
        """Read every metric, gauges included, merged with those of other subtasks, by ``scope.….name``.

        Raises:
            ConfigurationError: a gauge's function fails, or a name is of different kinds of metric.
        """
        own = {name: _reading(name, metric) for name, metric in self._metrics.items()}
        return merge_snapshots([*self._others, own])

    def take_over(self, snapshot: Mapping[str, MetricValue]) -> None:
        """Merge the metrics of another subtask into later snapshots."""
        self._others.append(snapshot)

    def get_or_create(self, name: str, kind: type[_M], create: Callable[[], _M]) -> _M:
        """Return the metric with this name, created by ``create`` if it does not exist.

        Raises:
            ConfigurationError: the name is registered as another kind of metric.
        """
        metric = self._metrics.get(name)
        if metric is None:
            metric = self._metrics[name] = create()
        if not isinstance(metric, kind):
            raise ConfigurationError(
                f"metric {name!r} is already a {metric.label} and cannot become a {kind.label} too; "
                "choose another name"
            )
        return metric


class _Readable(Metric, ABC):
    """Interface of metrics that the registry can read."""

    label: ClassVar[str]

    @abstractmethod
    def read(self) -> MetricValue:
        """Return the current value."""


class _Counter(_Readable, Counter):
    label = "counter"

    def __init__(self) -> None:
        self._count = 0

    def inc(self, n: int = 1) -> None:
        self._count += _integer(n, "Counter.inc")

    def dec(self, n: int = 1) -> None:
        self._count -= _integer(n, "Counter.dec")

    def get_count(self) -> int:
        return self._count

    def read(self) -> CounterValue:
        return CounterValue(self._count)


class _Meter(_Readable, Meter):
    """Count events in one bucket per second, for the seconds of its time span."""

    label = "meter"

    def __init__(self, time_span: int, clock: Callable[[], float]) -> None:
        self.time_span = time_span
        self._clock = clock
        self._count = 0
        self._buckets: deque[tuple[int, int]] = deque()

    def mark_event(self, value: int = 1) -> None:
        events = _integer(value, "Meter.mark_event")
        self._count += events
        second = self._forget_old()
        if self._buckets and self._buckets[-1][0] == second:
            events += self._buckets.pop()[1]
        self._buckets.append((second, events))

    def get_count(self) -> int:
        return self._count

    def get_rate(self) -> float:
        self._forget_old()
        return sum(events for _, events in self._buckets) / self.time_span

    def read(self) -> MeterValue:
        return MeterValue(self._count, self.get_rate())

    def _forget_old(self) -> int:
        second = math.floor(self._clock())
        while self._buckets and self._buckets[0][0] <= second - self.time_span:
            self._buckets.popleft()
        return second


class _Distribution(_Readable, Distribution):
    label = "distribution"

    def __init__(self) -> None:
        self._count = 0
        self._total: float = 0
        self._minimum = math.inf
        self._maximum = -math.inf

    def update(self, value: float) -> None:
        if not isinstance(value, Real):
            raise TypeCheckError(f"Distribution.update takes a number, not {value!r}")
        self._count += 1
        self._total += value
        self._minimum = min(self._minimum, value)
        self._maximum = max(self._maximum, value)

    def read(self) -> DistributionValue:
        return DistributionValue(self._count, self._total, self._minimum, self._maximum)


class _Gauge(_Readable):
    label = "gauge"

    def __init__(self, function: Callable[[], int]) -> None:
        self.function = function

    def read(self) -> GaugeValue:
        return GaugeValue(self.function())


class _Group(MetricGroup):
    def __init__(self, registry: MetricRegistry, scope: tuple[str, ...]) -> None:
        self._registry = registry
        self._scope = scope

    def add_group(self, name: str, extra: str | None = None) -> MetricGroup:
        return self._registry.group(*self._scope, name, *(() if extra is None else (extra,)))

    def counter(self, name: str) -> Counter:
        return self._registry.get_or_create(self._full(name), _Counter, _Counter)

    def gauge(self, name: str, obj: Callable[[], int]) -> None:
        if not callable(obj):
            raise ConfigurationError(
                f"gauge {self._full(name)!r} needs a function without arguments, not {obj!r}"
            )
        # A later function replaces the earlier one: a restarted task must not be read through its old one.
        self._registry.get_or_create(self._full(name), _Gauge, lambda: _Gauge(obj)).function = obj

    def meter(self, name: str, time_span_in_seconds: int = 60) -> Meter:
        full = self._full(name)
        if _integer(time_span_in_seconds, f"meter {full!r}") < 1:
            raise ConfigurationError(
                f"meter {full!r}: a time span of {time_span_in_seconds} s is not allowed; at least 1 s is"
            )
        meter = self._registry.get_or_create(
            full, _Meter, lambda: _Meter(time_span_in_seconds, self._registry.clock)
        )
        if meter.time_span != time_span_in_seconds:
            raise ConfigurationError(
                f"meter {full!r} already looks back over {meter.time_span} s, not {time_span_in_seconds} s; "
                "choose another name"
            )
        return meter

    def distribution(self, name: str) -> Distribution:
        return self._registry.get_or_create(self._full(name), _Distribution, _Distribution)

    def _full(self, name: str) -> str:
        return ".".join((*self._scope, name))


def _reading(name: str, metric: _Readable) -> MetricValue:
    try:
        return metric.read()
    except Exception as error:
        raise ConfigurationError(f"{metric.label} {name!r} cannot be read: {error}") from error


def _integer(value: int, where: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeCheckError(f"{where} takes an integer, not {value!r} ({type(value).__name__})") from None
