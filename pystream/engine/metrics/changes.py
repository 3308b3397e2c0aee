"""Changes of metrics: the part of an unbounded job's metrics that belongs to one epoch."""

from __future__ import annotations

from collections.abc import Mapping

from pystream.engine.metrics.values import (
    CounterValue,
    DistributionValue,
    MeterValue,
    MetricValue,
    merge_snapshots,
)

__all__ = ["accumulate", "changes_between"]


def changes_between(
    before: Mapping[str, MetricValue], after: Mapping[str, MetricValue]
) -> dict[str, MetricValue]:
    """Return the changes of a subtask's metrics from one snapshot of its registry to a later one.

    Counts and sums are differences. Rates, gauges and the extremes of distributions have none and are those
    of the later snapshot. A metric that has not changed is left out, except for gauges and meters.

    Args:
        before: the snapshot at the start of an epoch.
        after: the snapshot at its end.
    """
    changes: dict[str, MetricValue] = {}
    for name, value in after.items():
        match before.get(name), value:
            case CounterValue(earlier), CounterValue(later):
                if earlier != later:
                    changes[name] = CounterValue(later - earlier)
            case MeterValue(earlier), MeterValue(later, rate):
                changes[name] = MeterValue(later - earlier, rate)
            case DistributionValue(earlier, earlier_sum), DistributionValue(later, later_sum, low, high):
                if earlier != later:
                    changes[name] = DistributionValue(later - earlier, later_sum - earlier_sum, low, high)
            case _:
                changes[name] = value
    return changes


def accumulate(totals: dict[str, MetricValue], changes: Mapping[str, MetricValue]) -> None:
    """Add the changes of an epoch to the totals of the same subtask.

    Counts and sums are added; rates and gauges are replaced.

    Args:
        totals: the values so far by metric name; updated.
        changes: the result of ``changes_between``.

    Raises:
        ConfigurationError: a name has become that of another kind of metric.
    """
    for name, change in changes.items():
        match totals.get(name), change:
            case None, _:
                totals[name] = change
            case MeterValue(count), MeterValue(more, rate):
                totals[name] = MeterValue(count + more, rate)
            case known, _:
                totals.update(merge_snapshots([{name: known}, {name: change}]))
