"""Values of metrics, sent by subtasks and merged by the driver."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pystream.errors import ConfigurationError

__all__ = [
    "CounterValue",
    "DistributionValue",
    "GaugeValue",
    "MeterValue",
    "MetricValue",
    "merge_snapshots",
    "plain",
]


@dataclass(frozen=True, slots=True)
class CounterValue:
    """The value of a counter; merging adds."""

    count: int

    def merge(self, other: CounterValue) -> CounterValue:
        """Return the sum of two counts."""
        return CounterValue(self.count + other.count)

    def plain(self) -> int:
        """Return the count."""
        return self.count


@dataclass(frozen=True, slots=True)
class MeterValue:
    """The number of events of a meter and their rate per second; merging adds."""

    count: int
    rate: float

    def merge(self, other: MeterValue) -> MeterValue:
        """Return the sums of two counts and rates."""
        return MeterValue(self.count + other.count, self.rate + other.rate)

    def plain(self) -> dict[str, Any]:
        """Return ``count`` and ``rate``."""
        return {"count": self.count, "rate": self.rate}


@dataclass(frozen=True, slots=True)
class DistributionValue:
    """The statistics of a distribution; merging combines the samples."""

    count: int = 0
    total: float = 0
    minimum: float = math.inf
    maximum: float = -math.inf

    def merge(self, other: DistributionValue) -> DistributionValue:
        """Return the statistics of both samples together."""
        return DistributionValue(
            self.count + other.count,
            self.total + other.total,
            min(self.minimum, other.minimum),
            max(self.maximum, other.maximum),
        )

    def plain(self) -> dict[str, Any]:
        """Return ``count``, ``sum``, ``min``, ``max`` and ``mean``; the last three may be ``None``."""
        if not self.count:
            return {"count": 0, "sum": self.total, "min": None, "max": None, "mean": None}
        return {
            "count": self.count,
            "sum": self.total,
            "min": self.minimum,
            "max": self.maximum,
            "mean": self.total / self.count,
        }


@dataclass(frozen=True, slots=True)
class GaugeValue:
    """The value of a gauge; merging keeps the later one."""

    value: Any

    def merge(self, other: GaugeValue) -> GaugeValue:
        """Return the other value: momentary values cannot be added up."""
        return other

    def plain(self) -> Any:
        """Return the value."""
        return self.value


MetricValue: TypeAlias = CounterValue | MeterValue | DistributionValue | GaugeValue


def merge_snapshots(snapshots: Iterable[Mapping[str, MetricValue]]) -> dict[str, MetricValue]:
    """Merge the metrics of the subtasks of a job.

    Args:
        snapshots: one per subtask, each by metric name; a name may be missing from some.

    Returns:
        The values of the job by metric name, in the order the names were first met.

    Raises:
        ConfigurationError: a name is registered as different kinds of metric in two subtasks.
    """
    merged: dict[str, MetricValue] = {}
    for snapshot in snapshots:
        for name, value in snapshot.items():
            known = merged.get(name)
            merged[name] = value if known is None else _merge(name, known, value)
    return merged


def plain(snapshot: Mapping[str, MetricValue]) -> dict[str, Any]:
    """Return a snapshot as numbers and dicts of numbers, the form of a job's accumulators."""
    return {name: value.plain() for name, value in snapshot.items()}


def _merge(name: str, known: Any, value: Any) -> MetricValue:
    if type(known) is not type(value):
        raise ConfigurationError(
            f"metric {name!r} is a {type(known).__name__} in one subtask, a {type(value).__name__} in "
            "another; give each kind of metric its own name"
        )
    merged: MetricValue = known.merge(value)
    return merged
