"""The metric of batches that do not have their inferred type."""

from __future__ import annotations

from pystream.engine.metrics.metric import MetricGroup

__all__ = ["count_pickled_batch"]


def count_pickled_batch(metrics: MetricGroup) -> None:
    """Count a batch that travels pickled because an element is not exactly of the inferred type."""
    metrics.counter("numBatchesPickled").inc()
