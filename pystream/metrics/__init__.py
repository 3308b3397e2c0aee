"""Metrics of user functions, as ``pyflink.metrics`` exports them."""

from __future__ import annotations

from pystream.engine.metrics.metric import Counter, Distribution, Meter, Metric, MetricGroup

__all__ = ["Counter", "Distribution", "Meter", "Metric", "MetricGroup"]
