"""Metrics a user function counts with, mirroring ``pyflink.metrics``."""

from __future__ import annotations

from pystream.metrics.metricbase import Counter, Distribution, Meter, Metric, MetricGroup

__all__ = ["Counter", "Distribution", "Meter", "Metric", "MetricGroup"]
