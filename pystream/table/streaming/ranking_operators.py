"""The operators of streams that rank and sort the rows of tables."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.datastream.functions import KeyedProcessFunction
from pystream.engine.operators.column_collect import COLUMN_COLLECT
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.ranks import Deduplicate, FinalRank, Rank
from pystream.table.algebra.sorts import Sort, TemporalSort
from pystream.table.streaming.column_types import are_plain
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.deduplication import FirstRow, LastRow
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.final_aggregation import WholeInput
from pystream.table.streaming.final_ranks import FirstRows, RankedColumns
from pystream.table.streaming.final_rows import FinalOrder, FinalRows, OrderedColumns
from pystream.table.streaming.operators import collected, keyed, results, results_type, runs_in_process
from pystream.table.streaming.row_order import RowOrder
from pystream.table.streaming.temporal_sort import TemporalSort as TemporalSortFunction
from pystream.table.streaming.top_n import AppendOnlyTopN, RetractableTopN, UpdatableTopN
from pystream.table.table import Table
from typeinfo.row import Row

__all__ = ["deduplicated", "ranked", "ranked_at_end", "sorted_at_end", "sorted_by_time"]


def ranked(node: Rank, rows: Table) -> Table:
    """Return the rows of some ranks in each group of rows."""
    arguments = RowOrder(node.order), node.ranks
    ttl = state_ttl(rows)
    function: KeyedProcessFunction[object, Row, Row]
    if not node.rows.is_updating:
        function = AppendOnlyTopN(*arguments, ttl)
    elif node.identity is not None:
        function = UpdatableTopN(*arguments, node.identity, ttl)
    else:
        function = RetractableTopN(*arguments, ttl)
    return _processed(node, rows, node.keys, function, f"TopN({node.ranks.first}-{node.ranks.last})")


def deduplicated(node: Deduplicate, rows: Table) -> Table:
    """Return the first or the last row of each group."""
    ttl = state_ttl(rows)
    function: KeyedProcessFunction[object, Row, Row]
    if node.keeps_last:
        function = LastRow(has_number=node.has_number, is_by_arrival=node.is_by_arrival, ttl=ttl)
    else:
        function = FirstRow(has_number=node.has_number, ttl=ttl)
    return _processed(node, rows, node.keys, function, "Deduplicate")


def ranked_at_end(node: FinalRank, rows: Table) -> Table:
    """Return the rows of some ranks in each group of rows, at their end."""
    result = results_type(node)
    if runs_in_process(rows) and are_plain(rows._columns):
        function = RankedColumns(RowColumns(rows), node, result)
        stream = collected(COLUMN_COLLECT, function, [rows], result)
    else:
        stream = keyed(rows, node.keys).window(WholeInput()).process(FirstRows(node), result)
    return results(node, rows, stream.name(f"TopN({node.ranks.first}-{node.ranks.last})"))


def sorted_by_time(node: TemporalSort, rows: Table) -> Table:
    """Return rows in the order of their event time."""
    return _processed(node, rows, (), TemporalSortFunction(RowOrder(node.order)), "TemporalSort")


def sorted_at_end(node: Sort, rows: Table) -> Table:
    """Return the rows that remain at the end, in an order."""
    if runs_in_process(rows) and not node.rows.is_updating and are_plain(rows._columns):
        result = results_type(node)
        function = OrderedColumns(RowColumns(rows), node, result)
        return results(node, rows, collected(COLUMN_COLLECT, function, [rows], result).name("FinalRows"))
    order = FinalOrder(RowOrder(node.order), node.first, node.last)
    return _processed(node, rows, (), FinalRows(order), "FinalRows")


def _processed(
    node: RelNode,
    rows: Table,
    keys: Sequence[int],
    function: KeyedProcessFunction[object, Row, Row],
    name: str,
) -> Table:
    stream = keyed(rows, keys).process(function, results_type(node))
    return results(node, rows, stream.name(name))
