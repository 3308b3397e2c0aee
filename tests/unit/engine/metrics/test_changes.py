"""Changes of metrics add up to the metrics, however they are divided into epochs."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.metrics.changes import accumulate, changes_between
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.metrics.values import CounterValue, MetricValue, merge_snapshots, plain
from pystream.errors import ConfigurationError

UPDATES = st.lists(
    st.tuples(st.sampled_from(["counter", "meter", "distribution"]), st.integers(-100, 100)), max_size=8
)


def apply(registry: MetricRegistry, kind: str, number: int) -> None:
    group = registry.group("f")
    if kind == "counter":
        group.counter("counter").inc(number)
    elif kind == "meter":
        group.meter("meter").mark_event(number)
    else:
        group.distribution("distribution").update(number)


@given(st.lists(st.tuples(st.integers(0, 2), UPDATES), max_size=8))
def test_changes_of_epochs_on_several_workers_add_up(epochs: list[tuple[int, list[tuple[str, int]]]]) -> None:
    whole = MetricRegistry(clock=lambda: 0)
    workers = [MetricRegistry(clock=lambda: 0) for _ in range(3)]
    totals: dict[str, MetricValue] = {}
    for worker, updates in epochs:
        before = workers[worker].snapshot()
        for kind, number in updates:
            apply(workers[worker], kind, number)
            apply(whole, kind, number)
        changes = changes_between(before, workers[worker].snapshot())
        accumulate(totals, pickle.loads(pickle.dumps(changes)))
    expected, actual = plain(whole.snapshot()), plain(totals)
    for metrics in (expected, actual):
        metrics.get("f.meter", {}).pop("rate", None)  # each worker knows its own
    expected = {name: value for name, value in expected.items() if name in actual or value != 0}
    assert actual == expected


def test_the_rate_and_the_gauge_are_the_latest() -> None:
    now = 0.0
    registry = MetricRegistry(clock=lambda: now)
    registry.group().gauge("time", lambda: int(now))
    meter = registry.group().meter("meter", 10)
    totals: dict[str, MetricValue] = {}
    for now in (1.0, 2.0, 100.0):
        before = registry.snapshot()
        if now < 100:
            meter.mark_event(5)
        accumulate(totals, changes_between(before, registry.snapshot()))
    assert plain(totals) == {"time": 100, "meter": {"count": 10, "rate": 0}}


def test_unchanged_counters_are_left_out() -> None:
    registry = MetricRegistry()
    registry.group().counter("counter").inc(3)
    registry.group().distribution("distribution").update(3)
    snapshot = registry.snapshot()
    assert changes_between(snapshot, registry.snapshot()) == {}


def test_a_metric_cannot_change_its_kind() -> None:
    registry = MetricRegistry()
    registry.group().meter("name")
    totals: dict[str, MetricValue] = {"name": CounterValue(1)}
    with pytest.raises(ConfigurationError, match="give each kind of metric its own name"):
        accumulate(totals, registry.snapshot())
    assert merge_snapshots([totals]) == {"name": CounterValue(1)}
