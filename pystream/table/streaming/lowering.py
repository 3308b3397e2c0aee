"""Lowering: the translation of plans into operators of streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pystream.table.algebra.aggregates import (
    FinalAggregate,
    FinalWindowAggregate,
    GroupAggregate,
    WindowAggregate,
)
from pystream.table.algebra.arrival import ArrivalTime
from pystream.table.algebra.calc import Calc, EventTime
from pystream.table.algebra.correlate import Correlate
from pystream.table.algebra.current_watermark import CurrentWatermark
from pystream.table.algebra.expand import Expand
from pystream.table.algebra.joins import FinalJoin, IntervalJoin, Join, WindowJoin
from pystream.table.algebra.lookup_joins import LookupJoin
from pystream.table.algebra.matches import Match
from pystream.table.algebra.node import RelNode, walk
from pystream.table.algebra.over import FinalOverAggregate, OverAggregate, UpdatingOverAggregate
from pystream.table.algebra.ranks import Deduplicate, FinalRank, Rank, WindowRank
from pystream.table.algebra.replicate import Replicate
from pystream.table.algebra.scans import Scan, Values
from pystream.table.algebra.sorts import Sort, TemporalSort, UnlimitedSort
from pystream.table.algebra.table_aggregates import GroupTableAggregate
from pystream.table.algebra.temporal_joins import TemporalJoin
from pystream.table.algebra.unions import Union
from pystream.table.algebra.windows import WindowTableFunction
from pystream.table.columns import row_type
from pystream.table.streaming.arrival_times import with_arrival_times
from pystream.table.streaming.calc_operators import calculated, projected, with_event_time_of
from pystream.table.streaming.correlate_operators import correlated
from pystream.table.streaming.current_watermark import with_current_watermarks
from pystream.table.streaming.expansion import expanded
from pystream.table.streaming.final_joins import joined_at_end
from pystream.table.streaming.join_operators import interval_joined, joined, joined_in_windows
from pystream.table.streaming.lookup_joins import looked_up
from pystream.table.streaming.operators import aggregated_at_end, grouped
from pystream.table.streaming.over_operators import computed_over, computed_over_at_end, computed_over_updates
from pystream.table.streaming.pattern_matching import matched
from pystream.table.streaming.ranking_operators import (
    deduplicated,
    ranked,
    ranked_at_end,
    sorted_at_end,
    sorted_by_time,
)
from pystream.table.streaming.replication import replicated
from pystream.table.streaming.table_aggregation import table_aggregated
from pystream.table.streaming.temporal_joins import joined_with_versions
from pystream.table.streaming.unions import united
from pystream.table.streaming.window_operators import (
    aggregated_in_windows,
    aggregated_in_windows_at_end,
    with_sessions,
    with_windows,
)
from pystream.table.streaming.window_ranking import ranked_in_windows
from pystream.table.table import Table
from typeinfo.row import Row
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.table.sql.relations import Relation
    from pystream.table.table_environment import TableEnvironment

__all__ = ["Lowering", "final_table"]

_OPERATORS: Mapping[type[RelNode], Callable[..., Table]] = {
    EventTime: with_event_time_of,
    ArrivalTime: with_arrival_times,
    CurrentWatermark: with_current_watermarks,
    GroupAggregate: grouped,
    FinalAggregate: aggregated_at_end,
    GroupTableAggregate: table_aggregated,
    WindowAggregate: aggregated_in_windows,
    FinalWindowAggregate: aggregated_in_windows_at_end,
    OverAggregate: computed_over,
    FinalOverAggregate: computed_over_at_end,
    UpdatingOverAggregate: computed_over_updates,
    Rank: ranked,
    FinalRank: ranked_at_end,
    WindowRank: ranked_in_windows,
    Deduplicate: deduplicated,
    TemporalSort: sorted_by_time,
    Sort: sorted_at_end,
    Join: joined,
    FinalJoin: joined_at_end,
    IntervalJoin: interval_joined,
    TemporalJoin: joined_with_versions,
    WindowJoin: joined_in_windows,
    Union: united,
    Replicate: replicated,
    Expand: expanded,
    Correlate: correlated,
    LookupJoin: looked_up,
    Match: matched,
}
"""The operators of streams: each makes the table of a relational operator of the tables of its inputs."""


class Lowering:
    """Translates plans into operators of streams; a node that several plans share is translated once.

    Args:
        environment: the environment of the tables.
    """

    def __init__(self, environment: TableEnvironment) -> None:
        self._environment = environment
        self._tables: dict[RelNode, Table] = {}

    def table(self, root: RelNode, relation: Relation | None = None) -> Table:
        """Return the table of the rows of a plan.

        Args:
            root: the plan.
            relation: the query that it is the plan of.
        """
        readers = Counter(node for reader in walk(root) for node in reader.inputs)
        rows = self._rows(root, readers)
        positions = [column.position for column in rows._columns]
        return Table(
            self._environment,
            rows._stream_or_error,
            rows._columns,
            relation,
            time=rows._time,
            is_updating=root.is_updating,
            upsert_key=root.upsert_key and root.upsert_key.at(positions),
            windows=root.windows and root.windows.at(positions),
            proctimes=frozenset(positions[number] for number in root.proctimes),
            plan=root,
        )

    def _rows(self, node: RelNode, readers: Mapping[RelNode, int]) -> Table:
        if node not in self._tables:
            self._tables[node] = self._lowered(node, readers)
        return self._tables[node]

    def _lowered(self, node: RelNode, readers: Mapping[RelNode, int]) -> Table:
        match node:
            case Scan():
                return node.table
            case Values():
                return self._values(node)
            case UnlimitedSort():
                rows = self._rows(node.rows, readers)
                return Table(self._environment, node.error, rows._columns)
            case Calc() if node.is_projection:
                return projected(node, self._rows(node.rows, readers))
            case Calc():
                steps = [node]
                while isinstance(inner := steps[0].rows, Calc) and self._is_part(inner, readers):
                    steps.insert(0, inner)
                return calculated(steps, self._rows(steps[0].rows, readers))
            case WindowTableFunction():
                function = with_sessions if node.is_session else with_windows
                return function(node, self._rows(node.rows, readers))
        return _OPERATORS[type(node)](node, *(self._rows(rows, readers) for rows in node.inputs))

    def _is_part(self, calc: Calc, readers: Mapping[RelNode, int]) -> bool:
        """Return whether a SELECT is computed by the operator of the only one that reads it."""
        return readers[calc] == 1 and calc not in self._tables and not calc.is_projection

    def _values(self, node: Values) -> Table:
        streams = self._environment._streams
        if not node.columns:
            one = streams.from_collection([Row(0)] * len(node.rows), Types.ROW([Types.INT()]))
            return Table(self._environment, one, ())
        rows: list[Row[Any]] = [Row(*row) for row in node.rows]
        return Table(self._environment, streams.from_collection(rows, row_type(node.columns)), node.columns)


def final_table(table: Table) -> Table:
    """Return the rows of a bounded table that remain at its end."""
    if not table._is_updating:
        return table
    return Lowering(table._environment).table(Sort(Scan(table, "table"), (), 0, None))
