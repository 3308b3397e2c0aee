"""Arrival times: the time at which rows come as their event time."""

from __future__ import annotations

from typing import Any

from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.functions import MapFunction
from pystream.engine.time.watermark_generators import IngestionTime
from pystream.table.algebra.arrival import ArrivalTime
from pystream.table.columns import row_type
from pystream.table.streaming.operators import positional_columns, positional_rows, results, results_type
from pystream.table.table import Table
from pystream.table.time_attribute import ColumnTime
from typeinfo.instant import Instant
from typeinfo.row import Row, make_row

__all__ = ["with_arrival_times"]


class _Arrival(MapFunction[Row[Any], Row[Any]]):
    """Set a field of each row to the time.

    Args:
        position: the position of the field.
    """

    def __init__(self, position: int) -> None:
        self._position = position

    def map(self, value: Row[Any]) -> Row[Any]:
        fields = list(value)
        fields[self._position] = Instant.of_epoch_milli(IngestionTime.now())
        return make_row(fields, None, value.get_row_kind())


def with_arrival_times(node: ArrivalTime, rows: Table) -> Table:
    """Return rows with the time at which they come, in a column and as their timestamps."""
    given = positional_rows(rows)
    columns = positional_columns(node)
    arrived = given.map(_Arrival(node.column), results_type(node)).name("ArrivalTime")
    arrived.set_parallelism(given.get_parallelism())  # rows keep their order
    assigner = ColumnTime(row_type(columns), columns[node.column])
    strategy = WatermarkStrategy[Row[Any]].for_generator(IngestionTime).with_timestamp_assigner(assigner)
    timed = arrived.assign_timestamps_and_watermarks(strategy)
    return results(node, rows, timed.set_parallelism(given.get_parallelism()))
