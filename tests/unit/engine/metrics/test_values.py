"""Merging the measurements of subtasks."""

from __future__ import annotations

import pickle

import pytest

from pystream.engine.metrics.values import (
    CounterValue,
    DistributionValue,
    GaugeValue,
    MeterValue,
    MetricValue,
    merge_snapshots,
    plain,
)
from pystream.errors import ConfigurationError


def test_subtasks_add_up_by_name() -> None:
    merged = merge_snapshots(
        [
            {"c": CounterValue(2), "m": MeterValue(10, 0.5), "only": CounterValue(1)},
            {"c": CounterValue(3), "m": MeterValue(20, 1.0), "d": DistributionValue(2, 5, 1, 4)},
            {"d": DistributionValue(1, 9, 9, 9)},
        ]
    )
    assert merged == {
        "c": CounterValue(5),
        "m": MeterValue(30, 1.5),
        "only": CounterValue(1),
        "d": DistributionValue(3, 14, 1, 9),
    }


def test_of_two_gauges_the_later_is_kept() -> None:
    assert merge_snapshots([{"g": GaugeValue(1)}, {"g": GaugeValue(2)}]) == {"g": GaugeValue(2)}


def test_nothing_adds_up_to_nothing() -> None:
    assert merge_snapshots([]) == {}


def test_an_empty_distribution_changes_nothing() -> None:
    one = DistributionValue(2, 5, 1, 4)
    assert DistributionValue().merge(one) == one == one.merge(DistributionValue())


def test_different_kinds_do_not_add_up() -> None:
    with pytest.raises(ConfigurationError, match=r"'x' is a CounterValue .* a GaugeValue"):
        merge_snapshots([{"x": CounterValue(1)}, {"x": GaugeValue(1)}])


def test_plain_form() -> None:
    snapshot: dict[str, MetricValue] = {
        "c": CounterValue(2),
        "m": MeterValue(10, 0.5),
        "g": GaugeValue(7),
        "d": DistributionValue(4, 10, 1, 4),
        "none": DistributionValue(),
    }
    assert plain(snapshot) == {
        "c": 2,
        "m": {"count": 10, "rate": 0.5},
        "g": 7,
        "d": {"count": 4, "sum": 10, "min": 1, "max": 4, "mean": 2.5},
        "none": {"count": 0, "sum": 0, "min": None, "max": None, "mean": None},
    }


def test_snapshots_travel() -> None:
    snapshot = {"c": CounterValue(2), "d": DistributionValue()}
    assert pickle.loads(pickle.dumps(snapshot)) == snapshot
