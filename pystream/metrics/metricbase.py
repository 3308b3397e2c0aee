"""Metrics of user functions, under the names of ``pyflink.metrics.metricbase``."""

from __future__ import annotations

from pystream.engine.metrics.metric import Counter, Distribution, Meter, Metric, MetricGroup

__all__ = ["Counter", "Distribution", "Meter", "Metric", "MetricGroup"]
