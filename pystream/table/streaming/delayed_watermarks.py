"""Watermarks of the results of interval joins, whose event times lie behind those of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import WatermarkGenerator, WatermarkStrategy
from pystream.datastream.functions import ProcessFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.time.watermark_generators import WatermarkOutput
from pystream.sql_types.data_types import DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.time_attribute import ColumnTime
from typeinfo.row import Row, make_row

__all__ = ["with_delayed_watermarks"]


def with_delayed_watermarks(
    stream: DataStream[Any], columns: Sequence[TableColumn], time: TableColumn, delay: int
) -> DataStream[Any]:
    """Return a stream of rows with the times of a column as timestamps, and with watermarks behind its own.

    The watermark of the stream, less the delay, follows each row, and no watermark comes without a row.
    Mirrors ``…table.runtime.operators.join.KeyedCoProcessOperatorWithWatermarkDelay``, which passes on
    watermarks without rows, too.

    Args:
        stream: the stream.
        columns: its columns; the rows of the result have one more field.
        time: one of them, in which there is no null.
        delay: by how much the times may be behind the watermark of the stream, in milliseconds.
    """
    watermark = TableColumn(f"f{len(columns)}", DataTypes.BIGINT(), Types.LONG(), len(columns))
    marked = stream.process(_WithWatermark(), row_type([*columns, watermark]))
    marked.set_parallelism(stream.get_parallelism())  # rows keep their order
    strategy: WatermarkStrategy[Any] = WatermarkStrategy.for_generator(partial(_Delayed, delay))
    assigner = ColumnTime(marked._type, time)
    timed = marked.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(assigner))
    return timed.set_parallelism(stream.get_parallelism())


class _WithWatermark(ProcessFunction[Row[Any], Row[Any]]):
    """Append the watermark to a row."""

    def process_element(self, value: Row[Any], ctx: ProcessFunction.Context) -> list[Row[Any]]:
        return [make_row((*value, ctx.timer_service().current_watermark()), None)]


@dataclass(eq=False)
class _Delayed(WatermarkGenerator[Row[Any]]):
    """Emit the watermark that is the last field of a row, less a delay."""

    _delay: int

    def on_event(self, event: Row[Any], event_timestamp: int, output: WatermarkOutput) -> None:
        watermark = event[len(event) - 1]
        if watermark > NO_TIMESTAMP:
            output.emit_watermark(watermark - self._delay)

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        pass
