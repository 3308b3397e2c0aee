"""OVER: functions of the rows before each row, which are emitted when the watermark passes its time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import MapState, MapStateDescriptor, ValueState, ValueStateDescriptor
from pystream.engine.metrics.metric import Counter
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.over import Lag
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.expiry import expiring
from typeinfo.row import Row, make_row

__all__ = ["OverAllRows", "OverFunctions", "OverRecentRows", "OverRecentTime"]

Context = KeyedProcessFunction.Context[Any]
OnTimerContext = KeyedProcessFunction.OnTimerContext[Any]


class OverFunctions:
    """Functions of rows in order: aggregates, and values of earlier rows.

    Args:
        aggregates: the aggregates; their results come first.
        lags: the calls of ``LAG``.

    Raises:
        UnsupportedOperationError: as `RowAggregation`.
    """

    def __init__(self, aggregates: Sequence[AggregateCall], lags: Sequence[Lag] = ()) -> None:
        self._aggregation = RowAggregation(aggregates)
        self._lags = tuple(lags)

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the functions of the program."""
        self._aggregation.open(runtime_context)

    def close(self) -> None:
        """Close the functions of the program."""
        self._aggregation.close()

    def empty(self) -> list[Any]:
        """Return the accumulator of no rows."""
        return [self._aggregation.create_accumulator(), [[] for _ in self._lags]]

    def add(self, row: Row[Any], accumulator: list[Any]) -> list[Any]:
        """Return the accumulator, modified: with a row added."""
        accumulator[0] = self._aggregation.add(row, accumulator[0])
        for lag, values in zip(self._lags, accumulator[1], strict=True):
            values.append(row[lag.argument])
            del values[: -lag.offset - 1]
        return accumulator

    def results(self, row: Row[Any], accumulator: list[Any]) -> list[Any]:
        """Return the results for a row that has been added."""
        results = self._aggregation.get_result(accumulator[0])
        for lag, values in zip(self._lags, accumulator[1], strict=True):
            default = None if lag.default is None else row[lag.default]
            results.append(values[0] if len(values) > lag.offset else default)
        return results


class _Over(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Base class: rows wait in state until the watermark passes their times.

    A result is a row without names: the fields of the row, then the results of the functions.

    Args:
        functions: the functions.
        ttl: the time after which what is known of earlier rows expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(self, functions: OverFunctions, ttl: Time | None = None) -> None:
        self._functions = functions
        pickled = Types.PICKLED_BYTE_ARRAY()
        self._waiting_rows = MapStateDescriptor("rows", Types.LONG(), pickled)
        self._earlier_rows = expiring(ValueStateDescriptor("earlier", pickled), ttl)
        self._rows: MapState[int, list[Row[Any]]]
        self._earlier: ValueState[Any]
        self._late: Counter

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions."""
        self._rows = runtime_context.get_map_state(self._waiting_rows)
        self._earlier = runtime_context.get_state(self._earlier_rows)
        self._late = runtime_context.get_metrics_group().counter("numLateRecordsDropped")
        self._functions.open(runtime_context)

    def close(self) -> None:
        """Close the functions."""
        self._functions.close()

    def process_element(self, value: Row[Any], ctx: Context) -> None:
        """Keep a row until the watermark passes its time; drop one that is late."""
        time = ctx.timestamp()
        assert time is not None
        if self._is_late(time, ctx):
            self._late.inc()
            return
        self._rows.put(time, [*(self._rows.get(time) or ()), value])
        ctx.timer_service().register_event_time_timer(time)
        self._expect(time, ctx)

    @abstractmethod
    def _is_late(self, time: int, ctx: Context) -> bool:
        """Return whether the rows of a time have been emitted already."""

    def _expect(self, time: int, ctx: Context) -> None:
        """Prepare for the row of a time."""

    def _together(self, rows: Sequence[Row[Any]], accumulator: Any) -> Iterator[Row[Any]]:
        """Yield rows of equal times with the results for all of them."""
        for row in rows:
            accumulator = self._functions.add(row, accumulator)
        for row in rows:
            yield make_row((*row, *self._functions.results(row, accumulator)), None)


class OverAllRows(_Over):
    """Aggregate all rows of the key up to each one, in the order of event time.

    Rows whose time the watermark has passed are dropped; rows of equal times come in the order of arrival.
    State kept for each key: the accumulator, and the rows that wait for the watermark. Mirrors
    ``…table.runtime.operators.over.RowTimeRangeUnboundedPrecedingFunction`` and
    ``RowTimeRowsUnboundedPrecedingFunction``.

    Args:
        functions: the functions.
        is_of_rows: whether each row has results of its own; otherwise those of equal times share them.
        ttl: as the base class.
    """

    def __init__(self, functions: OverFunctions, is_of_rows: bool, ttl: Time | None = None) -> None:
        super().__init__(functions, ttl)
        self._is_of_rows = is_of_rows

    def _is_late(self, time: int, ctx: Context) -> bool:
        return time <= ctx.timer_service().current_watermark()

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterator[Row[Any]]:
        """Yield the rows of a time."""
        rows = self._rows.get(timestamp) or []
        self._rows.remove(timestamp)
        accumulator = self._earlier.value() or self._functions.empty()
        for group in [[row] for row in rows] if self._is_of_rows else [rows]:
            yield from self._together(group, accumulator)
        self._earlier.update(accumulator)


class _OverRecent(_Over):
    """Base class for frames with a start; a row is late if a later one of its key has been emitted."""

    def __init__(self, functions: OverFunctions, ttl: Time | None = None) -> None:
        super().__init__(functions, ttl)
        self._last_time = ValueStateDescriptor("last", Types.LONG())
        self._last: ValueState[int]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions."""
        super().open(runtime_context)
        self._last = runtime_context.get_state(self._last_time)

    def _is_late(self, time: int, ctx: Context) -> bool:
        last = self._last.value()
        return last is not None and time <= last


class OverRecentRows(_OverRecent):
    """Aggregate each row and a number of rows of the key before it, in the order of event time.

    A row is dropped if a later one of its key has been emitted; rows of equal times come in the order of
    arrival. State kept for each key: the last rows. Mirrors
    ``…table.runtime.operators.over.RowTimeRowsBoundedPrecedingFunction``.

    Args:
        functions: the functions.
        preceding: the number of rows before the current one.
        ttl: as the base class.
    """

    def __init__(self, functions: OverFunctions, preceding: int, ttl: Time | None = None) -> None:
        super().__init__(functions, ttl)
        self._preceding = preceding

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterator[Row[Any]]:
        """Yield the rows of a time."""
        rows = self._rows.get(timestamp) or []
        self._rows.remove(timestamp)
        self._last.update(timestamp)
        known = [*(self._earlier.value() or ()), *rows]
        for end in range(len(known) - len(rows), len(known)):
            accumulator = self._functions.empty()
            for row in known[max(end - self._preceding, 0) : end]:
                accumulator = self._functions.add(row, accumulator)
            yield from self._together([known[end]], accumulator)
        self._earlier.update(known[len(known) - self._preceding :] if self._preceding < len(known) else known)


class OverRecentTime(_OverRecent):
    """Aggregate each row and those of the key before it in a span of event time.

    Rows of equal times share results. A row is dropped if a later one of its key has been emitted, unless
    the key has been forgotten since: half a span after the last frame that needs its rows. State kept for
    each key: the rows of the span. Mirrors
    ``…table.runtime.operators.over.RowTimeRangeBoundedPrecedingFunction``.

    Args:
        functions: the functions.
        preceding: the span in ms; a row of just that age is in it.
        ttl: as the base class.
    """

    def __init__(self, functions: OverFunctions, preceding: int, ttl: Time | None = None) -> None:
        super().__init__(functions, ttl)
        self._preceding = preceding
        self._forgetting = ValueStateDescriptor("forgotten at", Types.LONG())
        self._forgotten_at: ValueState[int]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions."""
        super().open(runtime_context)
        self._forgotten_at = runtime_context.get_state(self._forgetting)

    def _expect(self, time: int, ctx: Context) -> None:
        known = self._forgotten_at.value()
        if known is None or known < time + self._preceding + 1:
            at = time + self._preceding * 3 // 2 + 1
            ctx.timer_service().register_event_time_timer(at)
            self._forgotten_at.update(at)

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Iterator[Row[Any]]:
        """Yield the rows of a time; forget the key if no frame needs its rows any more."""
        forgotten_at = self._forgotten_at.value()
        if forgotten_at is not None and forgotten_at <= timestamp:
            for state in (self._rows, self._earlier, self._last, self._forgotten_at):
                state.clear()
            return
        rows = self._rows.get(timestamp)
        if rows is None:
            return
        self._rows.remove(timestamp)
        self._last.update(timestamp)
        first = timestamp - self._preceding
        known = [(time, row) for time, row in self._earlier.value() or () if time >= first]
        accumulator = self._functions.empty()
        for _, row in known:
            accumulator = self._functions.add(row, accumulator)
        yield from self._together(rows, accumulator)
        self._earlier.update([*known, *((timestamp, row) for row in rows)])
