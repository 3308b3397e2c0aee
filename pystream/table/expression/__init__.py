"""Expressions of tables, under their module name in Flink."""

from __future__ import annotations

from pystream.table.expression.expression import Expression
from pystream.table.expression.units import TimeIntervalUnit

__all__ = ["Expression", "TimeIntervalUnit"]
