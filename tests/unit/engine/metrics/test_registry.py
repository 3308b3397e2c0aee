"""The metrics of one subtask: their values, their names, and refused arguments."""

from __future__ import annotations

import pytest

from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.metrics.values import CounterValue, DistributionValue, GaugeValue, MeterValue
from pystream.errors import ConfigurationError, TypeCheckError
from pystream.metrics import Counter, Distribution, Meter, Metric, MetricGroup


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def group() -> MetricGroup:
    return MetricRegistry().group()


def test_counter_goes_up_and_down() -> None:
    counter = group().counter("c")
    counter.inc()
    counter.inc(3)
    counter.dec()
    counter.dec(2)
    assert counter.get_count() == 1


def test_each_kind_has_its_name_in_pyflink() -> None:
    metrics = group()
    assert isinstance(metrics.counter("c"), Counter)
    assert isinstance(metrics.meter("m"), Meter)
    assert isinstance(metrics.distribution("d"), Distribution)
    assert issubclass(Counter, Metric)


def test_requesting_a_metric_twice_returns_the_same_one() -> None:
    metrics = group()
    metrics.counter("c").inc()
    metrics.counter("c").inc()
    assert metrics.counter("c").get_count() == 2
    assert metrics.add_group("g").meter("m") is metrics.add_group("g").meter("m")


def test_distribution_reads_count_sum_min_and_max() -> None:
    registry = MetricRegistry()
    distribution = registry.group().distribution("d")
    for value in (5, -1, 2.5):
        distribution.update(value)
    assert registry.snapshot() == {"d": DistributionValue(3, 6.5, -1, 5)}


def test_meter_counts_all_events_and_rates_the_last_ones() -> None:
    clock = Clock()
    registry = MetricRegistry(clock)
    meter = registry.group().meter("m", 10)
    meter.mark_event()
    clock.now += 0.5
    meter.mark_event(29)
    assert meter.get_count() == 30
    assert meter.get_rate() == 3.0
    clock.now = 109.9
    meter.mark_event(10)
    assert meter.get_rate() == 4.0
    clock.now = 110.0
    assert meter.get_rate() == 1.0
    clock.now = 500.0
    assert registry.snapshot() == {"m": MeterValue(40, 0.0)}


def test_gauge_is_read_at_the_snapshot_and_the_last_function_counts() -> None:
    registry = MetricRegistry()
    seen = [1]
    registry.group().gauge("g", lambda: seen[-1])
    seen.append(2)
    assert registry.snapshot() == {"g": GaugeValue(2)}
    registry.group().gauge("g", lambda: 7)
    assert registry.snapshot() == {"g": GaugeValue(7)}


def test_names_follow_the_groups() -> None:
    registry = MetricRegistry()
    metrics = registry.group("op")
    metrics.counter("c").inc()
    metrics.add_group("a").add_group("b").counter("c").inc(2)
    metrics.add_group("key", "value").counter("c").inc(3)
    assert registry.snapshot() == {
        "op.c": CounterValue(1),
        "op.a.b.c": CounterValue(2),
        "op.key.value.c": CounterValue(3),
    }


def test_two_registries_do_not_see_each_other() -> None:
    one, other = MetricRegistry(), MetricRegistry()
    one.group().counter("c").inc()
    assert other.snapshot() == {}


def test_a_name_belongs_to_one_kind_of_metric() -> None:
    metrics = group()
    metrics.counter("x")
    with pytest.raises(ConfigurationError, match=r"'x' is already a counter .* a meter"):
        metrics.meter("x")
    with pytest.raises(ConfigurationError, match=r"'x' is already a counter .* a gauge"):
        metrics.gauge("x", lambda: 1)


def test_a_meter_keeps_its_time_span() -> None:
    metrics = group()
    metrics.meter("m", 5)
    with pytest.raises(ConfigurationError, match="5 s, not 6 s"):
        metrics.meter("m", 6)
    with pytest.raises(ConfigurationError, match="at least 1 s"):
        metrics.meter("n", 0)


@pytest.mark.parametrize("bad", ["x", 1.5, None])
def test_counts_are_integers(bad: object) -> None:
    metrics = group()
    for call in (metrics.counter("c").inc, metrics.counter("c").dec, metrics.meter("m").mark_event):
        with pytest.raises(TypeCheckError, match="takes an integer"):
            call(bad)  # type: ignore[arg-type]
    assert metrics.counter("c").get_count() == 0


def test_a_distribution_takes_numbers_only() -> None:
    distribution = group().distribution("d")
    with pytest.raises(TypeCheckError, match="takes a number, not 'x'"):
        distribution.update("x")  # type: ignore[arg-type]


def test_a_gauge_needs_a_function() -> None:
    with pytest.raises(ConfigurationError, match="not 5"):
        group().gauge("g", 5)  # type: ignore[arg-type]


def test_measurements_of_other_subtasks_are_added() -> None:
    registry = MetricRegistry()
    registry.group("Map").counter("seen").inc(2)
    registry.take_over({"Map.seen": CounterValue(3), "Filter.kept": CounterValue(1)})
    assert registry.snapshot() == {"Map.seen": CounterValue(5), "Filter.kept": CounterValue(1)}
    assert registry.snapshot() == registry.snapshot()


def test_a_gauge_that_cannot_be_read_is_named() -> None:
    registry = MetricRegistry()
    registry.group("Map").gauge("broken", lambda: 1 // 0)
    with pytest.raises(ConfigurationError, match=r"gauge 'Map\.broken' cannot be read: .* by zero") as bad:
        registry.snapshot()
    assert isinstance(bad.value.__cause__, ZeroDivisionError)
