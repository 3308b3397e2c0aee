"""Time attributes: the column of a table that holds its event time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.common.watermark_strategy import TimestampAssigner, WatermarkStrategy
from pystream.datastream.streams.data_stream import DataStream
from pystream.durations import Duration
from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.formats.fields import opener_of
from pystream.engine.operators.assign_watermarks import ColumnTimestamps
from pystream.settings.configuration import Configuration
from pystream.settings.options import SOURCE_IDLE_TIMEOUT
from pystream.table.columns import TableColumn
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues
    from pystream.table.table import Table

__all__ = ["ColumnTime", "TimeAttribute", "event_time_strategy", "with_event_time", "with_timestamps"]

_EPOCH = datetime(1970, 1, 1)  # of TIMESTAMP, which has no zone


class TimeAttribute(NamedTuple):
    """The event time of a table.

    Attributes:
        position: the field of the elements that holds it.
        delay: how far watermarks are behind the largest time, in milliseconds; ``None`` if that is not known.
        untimed: the table without these watermarks; ``None`` if they come with the stream.
    """

    position: int
    delay: int | None = None
    untimed: Table | None = None


def with_event_time(stream: DataStream[Any], column: TableColumn, delay: int) -> DataStream[Any]:
    """Return a stream with the times of a column as timestamps, and with watermarks.

    A subtask without rows for ``table.exec.source.idle-timeout`` does not hold back the watermark. A row
    without a time fails an unbounded job, and has no timestamp in a bounded one.

    Args:
        stream: the stream.
        column: the column.
        delay: how far watermarks are behind the largest time, in milliseconds.
    """
    strategy = event_time_strategy(stream.get_execution_environment().get_configuration(), delay)
    return _timed(stream, column, strategy)


def event_time_strategy(configuration: Configuration, delay: int) -> WatermarkStrategy[Any]:
    """Return the watermarks of a column, for ``table.exec.source.idle-timeout``.

    Args:
        configuration: the settings of the program.
        delay: how far watermarks are behind the largest time, in milliseconds.
    """
    # The watermark is the largest time less the delay, and that of the strategy is a millisecond less.
    strategy: WatermarkStrategy[Any] = WatermarkStrategy.for_bounded_out_of_orderness(
        Duration.of_millis(max(delay - 1, 0))
    )
    idle_timeout = configuration.get(SOURCE_IDLE_TIMEOUT)
    return strategy.with_idleness(idle_timeout) if idle_timeout.to_millis() else strategy


def with_timestamps(stream: DataStream[Any], column: TableColumn) -> DataStream[Any]:
    """Return a stream with the times of a column as timestamps, whose only watermark is that of its end.

    Args:
        stream: the stream.
        column: the column, without nulls.
    """
    return _timed(stream, column, WatermarkStrategy.no_watermarks())


def _timed(stream: DataStream[Any], column: TableColumn, strategy: WatermarkStrategy[Any]) -> DataStream[Any]:
    is_unbounded = bool(stream._environment._builder.plan([stream._node_id]).unbounded_sources)
    assigner = ColumnTime(stream._type, column, is_required=is_unbounded)
    timed = stream.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(assigner))
    return timed.set_parallelism(stream.get_parallelism())  # rows keep their order


class ColumnTime(TimestampAssigner[Any], ColumnTimestamps):
    """Take the timestamp of an element from a column.

    Args:
        element_type: the type of the elements.
        column: the column; a TIMESTAMP counts as one in UTC.
        is_required: whether a null fails the job; otherwise an element without a time has no timestamp.
    """

    def __init__(
        self, element_type: TypeInformation[Any], column: TableColumn, *, is_required: bool = True
    ) -> None:
        self._element_type = element_type
        self._column = column
        self._is_required = is_required
        self._opened: Callable[[Any], Sequence[Any]] | None = None  # made on the worker

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        time = self._time(value)
        match time:
            case datetime():
                return (time - _EPOCH) // timedelta(milliseconds=1)
            case Instant():
                return time.to_epoch_milli()
            case None if not self._is_required:
                return NO_TIMESTAMP
        raise ValueError(
            f"column {self._column.name!r} of event time is {time!r}, in the row {short_repr(value)}"
        )

    def timestamps_of_columns(self, values: ColumnValues) -> array[int] | None:
        import numpy as np
        import pyarrow as pa

        from pystream.engine.timestamps import timestamps_of

        if not isinstance(self._element_type, FieldsTypeInfo):
            return None
        times = values.columns[self._column.position].array
        if times.null_count or not pa.types.is_timestamp(times.type):
            return None
        micros = times.cast(pa.timestamp("us", times.type.tz)).cast(pa.int64()).to_numpy()
        return timestamps_of(np.floor_divide(micros, 1000))

    def _time(self, value: Any) -> Any:
        if not isinstance(self._element_type, FieldsTypeInfo):
            return value
        self._opened = self._opened or opener_of(self._element_type)
        return self._opened(value)[self._column.position]
