"""pystream: Flink's typed Python programming model on Apache Spark."""

from __future__ import annotations

__version__ = "0.1.0"
