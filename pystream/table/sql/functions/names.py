"""The names of Flink's functions that queries may call."""

from __future__ import annotations

from pystream.table.functions.declared import DECLARED

__all__ = ["FUNCTIONS"]

_COLLECTIONS = "ARRAY MAP ROW UNNEST"

_AGGREGATES = """
    ARRAY_AGG AVG COUNT CUBE CUME_DIST DENSE_RANK FIRST_VALUE GROUPING GROUPING_ID GROUP_ID LAG LAST_VALUE
    LEAD LISTAGG MAX MIN NTILE PERCENTILE PERCENT_RANK RANK ROLLUP ROW_NUMBER STDDEV STDDEV_POP STDDEV_SAMP
    SUM VARIANCE VAR_POP VAR_SAMP
"""

FUNCTIONS = frozenset(" ".join((_COLLECTIONS, _AGGREGATES, "CAST TRY_CAST")).split()).union(DECLARED)
"""The names, in capitals."""
