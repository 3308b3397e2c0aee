"""Arrival times: the time at which rows come as their event time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.functions import MapFunction
from pystream.engine.operators.column_map import COLUMN_MAP, ColumnFunction, ColumnResults
from pystream.engine.time.watermark_generators import IngestionTime
from pystream.plan.function import UserFunction
from pystream.table.algebra.arrival import ArrivalTime
from pystream.table.columns import row_type
from pystream.table.streaming.operators import positional_columns, positional_rows, results, results_type
from pystream.table.table import Table
from pystream.table.time_attribute import ColumnTime
from typeinfo.instant import Instant
from typeinfo.row import Row, make_row

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["with_arrival_times"]


class _Arrival(MapFunction[Row[Any], Row[Any]], ColumnFunction):
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

    def of_columns(self, values: ColumnValues) -> ColumnResults:
        """Set the column to the time; rows that come as columns have one kind."""
        import pyarrow as pa

        from pystream.engine.vectorised.columns import Column, ColumnValues

        columns, codec = [*values.columns], values.layout.codecs[self._position]
        now = pa.scalar(IngestionTime.now(), pa.timestamp("ms", "UTC")).cast(codec.arrow)
        columns[self._position] = Column(codec, pa.repeat(now, len(values)))
        return ColumnResults(ColumnValues.of_columns(values.layout, columns, len(values)))


def with_arrival_times(node: ArrivalTime, rows: Table) -> Table:
    """Return rows with the time at which they come, in a column and as their timestamps."""
    given = positional_rows(rows)
    columns = positional_columns(node)
    function = UserFunction.of(_Arrival(node.column), "sql_query", is_object=True, described=None)
    arrived = given._added(COLUMN_MAP, function, (results_type(node), "sql_query")).name("ArrivalTime")
    arrived.set_parallelism(given.get_parallelism())  # rows keep their order
    assigner = ColumnTime(row_type(columns), columns[node.column])
    strategy = WatermarkStrategy[Row[Any]].for_generator(IngestionTime).with_timestamp_assigner(assigner)
    timed = arrived.assign_timestamps_and_watermarks(strategy)
    return results(node, rows, timed.set_parallelism(given.get_parallelism()))
