"""The names of Flink's functions that queries may call."""

from __future__ import annotations

from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.declared import DECLARED

__all__ = ["FUNCTIONS"]

_COLLECTIONS = "ARRAY MAP ROW UNNEST"

_OF_GROUPS = """
    CUBE CUME_DIST DENSE_RANK GROUPING GROUPING_ID GROUP_ID LAG LEAD NTILE PERCENT_RANK RANK ROLLUP ROW_NUMBER
    STDDEV VARIANCE
"""

FUNCTIONS = frozenset(" ".join((_COLLECTIONS, _OF_GROUPS, "CAST TRY_CAST")).split()).union(
    DECLARED, AGGREGATE_FUNCTIONS
)
"""The names, in capitals."""
