"""Temporal joins: rows with the versions of other rows at their event times."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedCoProcessFunction, RuntimeContext
from pystream.datastream.state import MapState, MapStateDescriptor, ValueState, ValueStateDescriptor
from pystream.table.algebra.temporal_joins import TemporalJoin
from pystream.table.columns import row_type
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.join_operators import condition_of, keyed_sides, sides_of
from pystream.table.streaming.joins import JoinSide
from pystream.table.streaming.operators import positional_columns, results, results_type
from pystream.table.streaming.pair_condition import PairCondition
from pystream.table.table import Table
from pystream.table.time_attribute import ColumnTime
from typeinfo.row import Row, RowKind, make_row

__all__ = ["joined_with_versions"]

Fields = tuple[Any, ...]


class _Version(NamedTuple):
    """A version of the row of a key.

    Attributes:
        time: the time from which on it is valid, in milliseconds.
        fields: the fields; ``None`` if the row was deleted then.
    """

    time: int
    fields: Fields | None


_time_of_version = itemgetter(0)


class _TemporalJoin(KeyedCoProcessFunction[Any, Row[Any], Row[Any], Row[Any]]):
    """Join each row of the first stream with the version of its key at its time.

    A row is joined when the watermark has passed its time, so that all versions up to then are known. A
    result is a row without names: the fields of the left row, then those of the version, which are null if
    there is none and the left side is outer. A version is valid from its time on, until that of the next one;
    a DELETE ends it, an UPDATE_BEFORE does nothing. Of versions of the same time, the last one counts.

    State kept for each key: the left rows that wait, and the versions from the last one before the watermark
    on. Mirrors ``…table.runtime.operators.join.temporal.TemporalRowTimeJoinOperator``.

    Args:
        left: the side of the first stream.
        right: that of the second one.
        time: takes the time of a version.
        condition: a further condition on the fields of both sides; ``None`` if there is none.
    """

    def __init__(
        self, left: JoinSide, right: JoinSide, time: ColumnTime, condition: Evaluation | None = None
    ) -> None:
        self._left = left
        self._right = right
        self._time = time
        self._condition = PairCondition(condition)
        pickled = Types.PICKLED_BYTE_ARRAY()
        self._waiting_rows = MapStateDescriptor("left rows", Types.LONG(), pickled)
        self._known_versions = ValueStateDescriptor("versions", pickled)
        self._rows: MapState[int, list[Fields]]
        self._versions: ValueState[list[_Version]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the condition."""
        self._rows = runtime_context.get_map_state(self._waiting_rows)
        self._versions = runtime_context.get_state(self._known_versions)
        self._condition.open(runtime_context)

    def close(self) -> None:
        """Close the condition."""
        self._condition.close()

    def process_element1(self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]) -> None:
        """Keep a row until the watermark passes its time."""
        time = ctx.timestamp()
        assert time is not None
        self._rows.put(time, [*(self._rows.get(time) or ()), tuple(value)])
        ctx.timer_service().register_event_time_timer(time)

    def process_element2(self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]) -> None:
        """Keep a version."""
        kind, fields = value.get_row_kind(), tuple(value)
        if kind is RowKind.UPDATE_BEFORE or not self._right.may_have_partners(fields):
            return
        time = self._time.extract_timestamp(value, 0)
        versions = [one for one in self._versions.value() or () if one.time != time]
        insort(versions, _Version(time, None if kind is RowKind.DELETE else fields), key=_time_of_version)
        self._versions.update(versions)
        ctx.timer_service().register_event_time_timer(time)

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext[Any]) -> Iterator[Row[Any]]:
        """Yield the rows of a time with their version, and forget the versions before it."""
        versions = self._versions.value() or []
        after = bisect_right(versions, timestamp, key=_time_of_version)
        version = versions[after - 1].fields if after else None
        for row in self._rows.get(timestamp) or ():
            yield from self._joined(row, version)
        self._rows.remove(timestamp)
        if after > 1:
            self._versions.update(versions[after - 1 :])

    def _joined(self, row: Fields, version: Fields | None) -> Iterator[Row[Any]]:
        """Yield the result of a row, if it has one."""
        if version is not None and self._left.may_have_partners(row) and self._condition.holds(row + version):
            yield make_row(row + version, None)
        elif self._left.is_outer:
            yield make_row(row + (None,) * self._right.width, None)


def joined_with_versions(node: TemporalJoin, left: Table, right: Table) -> Table:
    """Return each left row with the version of the right rows of its key at its time."""
    one, other = keyed_sides(node, left, right)
    versions = positional_columns(node.right)
    time = ColumnTime(row_type(versions), versions[node.right_time])
    function = _TemporalJoin(*sides_of(node), time, condition_of(node))
    stream = one.connect(other).process(function, results_type(node)).name(f"Temporal{node.join_type}")
    return results(node, left, stream)
