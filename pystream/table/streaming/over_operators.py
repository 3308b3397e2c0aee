"""The operator of streams that computes functions of OVER."""

from __future__ import annotations

from pystream.table.algebra.over import OverAggregate
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.operators import keyed, results, results_type
from pystream.table.streaming.over_aggregation import (
    OverAllRows,
    OverFunctions,
    OverRecentRows,
    OverRecentTime,
)
from pystream.table.table import Table

__all__ = ["computed_over"]


def computed_over(node: OverAggregate, rows: Table) -> Table:
    """Return rows, each followed by the results of functions of the rows before it."""
    stream = keyed(rows, node.keys).process(_function(node, rows), results_type(node))
    stream.name(f"OverAggregate({', '.join([*map(str, node.aggregates), *('LAG' for _ in node.lags)])})")
    return results(node, rows, stream)


def _function(node: OverAggregate, rows: Table) -> OverAllRows | OverRecentRows | OverRecentTime:
    functions, frame, ttl = OverFunctions(node.aggregates, node.lags), node.frame, state_ttl(rows)
    if frame.preceding is None:
        return OverAllRows(functions, frame.is_of_rows, ttl)
    kind = OverRecentRows if frame.is_of_rows else OverRecentTime
    return kind(functions, frame.preceding, ttl)
