"""WindowGroups: the groups of rows in windows of event time, as columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from pystream.engine.vectorised.columns import Column, Layout
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.column_aggregation import Accumulated, ColumnGroups, rows_of
from pystream.table.streaming.column_parts import joined_arrays
from pystream.table.streaming.group_codes import Codes
from pystream.table.streaming.ordered_groups import OrderedGroups
from pystream.table.window_call import WindowCall
from typeinfo import basic
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for

__all__ = ["WindowGroups", "windows_of"]

pc: Any = pyarrow.compute
_Times = npt.NDArray[np.int64]
_LONG = codec_for(basic.LONG)


def windows_of(call: WindowCall, times: _Times) -> tuple[Codes, _Times, _Times]:
    """Return the windows of rows, row after row: the number of the row, and where the window starts and ends.

    Args:
        call: the window function, not SESSION.
        times: the times of the rows, in ms.
    """
    step, size, *offset = call.lengths if call.function != "TUMBLE" else (call.lengths[0], *call.lengths)
    period = step if call.function == "HOP" else size
    last = times - np.mod(times - sum(offset), period) + size
    ends = last[:, np.newaxis] - step * np.arange(-(-size // step))[::-1]
    is_in = ends > times[:, np.newaxis]
    rows = np.broadcast_to(np.arange(len(times))[:, np.newaxis], ends.shape)
    starts = np.broadcast_to(last[:, np.newaxis] - size, ends.shape) if period == size else ends - size
    return rows[is_in], starts[is_in], ends[is_in]


class WindowGroups:
    """The groups of rows in each window, and what is accumulated of them.

    Args:
        keys: the number of columns, from the first one on, that are the key.
        time: the column of event time.
        call: the window function.
        offset: by how many ms the time of windows is ahead of that of rows.
        types: the types of the columns.
        aggregates: what the aggregates accumulate, of rows with the bounds of their window after the key.
    """

    def __init__(
        self,
        keys: int,
        time: int,
        call: WindowCall,
        offset: int,
        types: Sequence[TypeInformation[Any]],
        aggregates: Sequence[Accumulated],
    ) -> None:
        self._keys = keys
        self._time = time
        self._call = call
        self._offset = offset
        self._types = tuple(types)
        self._groups = ColumnGroups(keys + 2, aggregates)
        self._waiting: list[list[pa.Array]] = []  # the rows of sessions

    @property
    def state(self) -> Any:
        """What is accumulated, and the columns of the rows of sessions, which can be pickled."""
        return self._groups.state, self._waiting

    @state.setter
    def state(self, state: Any) -> None:
        self._groups.state, self._waiting = state

    def add(self, columns: list[Column], count: int) -> None:
        """Add rows; those without a time are in no window.

        Args:
            columns: the columns of the rows.
            count: the number of rows.
        """
        times = columns[self._time].array
        if times.null_count:
            timed = np.flatnonzero(np.asarray(times.is_valid()))
            columns, count = [column.taken(timed) for column in columns], len(timed)
        if self._call.function == "SESSION":
            if count:
                self._waiting.append([column.array for column in columns])
            return
        rows, starts, ends = windows_of(self._call, self._times(columns[self._time].array))
        is_whole = len(rows) == count and self._call.function == "TUMBLE"
        self._add(columns if is_whole else [column.taken(rows) for column in columns], starts, ends)

    def _times(self, array: pa.Array) -> _Times:
        """Return the times of windows at some times, in ms."""
        given: Any = array.type
        micros = array.cast(pa.timestamp("us", given.tz)).cast(pa.int64()).to_numpy()
        times: _Times = np.floor_divide(micros, 1000) + self._offset
        return times

    def _add(self, columns: Sequence[Column], starts: _Times, ends: _Times) -> None:
        bounds = [Column(_LONG, pa.array(bound)) for bound in (starts, ends)]
        self._groups.add([*columns[: self._keys], *bounds, *columns[self._keys :]], len(ends))

    def _add_sessions(self) -> None:
        parts, self._waiting = self._waiting, []
        if not parts:
            return
        arrays = list(map(joined_arrays, zip(*parts, strict=True)))
        order = SortField(self._time, is_descending=False, nulls_first=True)
        groups = OrderedGroups(arrays, range(self._keys), (order,))
        times = self._times(arrays[self._time])[groups.positions]
        (gap,) = self._call.lengths
        is_first = groups.numbers == 0
        is_first[1:] |= times[1:] - times[:-1] > gap
        numbers = np.cumsum(is_first) - 1
        starts = times[is_first]
        ends = times[np.append(np.flatnonzero(is_first)[1:], len(times)) - 1] + gap
        columns = [
            Column(codec_for(type_info, nullable=True), array).taken(groups.positions)
            for type_info, array in zip(self._types, arrays, strict=True)
        ]
        self._add(columns, starts[numbers], ends[numbers])

    def results(self, layout: Layout) -> Iterator[Sequence[Any]]:
        """Yield the results of all groups, in the order of the ends of their windows."""
        self._add_sessions()
        found = self._groups.keys()
        if not found:
            return
        *keys, starts, ends = found
        aggregates = self._groups.aggregates(layout.codecs[self._keys : -3])
        last = pc.subtract(ends, 1 + self._offset)
        bounds = [
            Column(codec, time.cast(pa.timestamp("ms", _zone_of(codec))).cast(codec.arrow))
            for codec, time in zip(layout.codecs[-3:], (starts, ends, last), strict=True)
        ]
        own = [Column(codec, key) for codec, key in zip(layout.codecs, keys, strict=False)]
        order = np.argsort(ends.to_numpy(), kind="stable")
        columns = [column.taken(order) for column in (*own, *aggregates, *bounds)]
        yield rows_of(layout, columns, len(order))


def _zone_of(codec: Codec) -> str | None:
    arrow: Any = codec.arrow
    zone: str | None = arrow.tz
    return zone
