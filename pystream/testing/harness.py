"""OperatorHarness: tests a single operator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple

from typing_extensions import TypeVar

from pystream.engine.events import (
    MAX_WATERMARK,
    NO_TIMESTAMP,
    Elements,
    Event,
    Watermark,
    WatermarkStatus,
    list_of,
)
from pystream.engine.failure import short_repr
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.operators.timed_operator import TimedOperator
from pystream.engine.output_tag import OutputTag
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.store import KeyedStateStore
from pystream.engine.time.timers import TimeDomain
from pystream.testing.harnessed_operator import HarnessedOperator, HarnessError, as_raised
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

__all__ = ["OperatorHarness", "StreamRecord", "TimerRecord"]

OUT = TypeVar("OUT")
IN1 = TypeVar("IN1", default=Any)
IN2 = TypeVar("IN2", default=Any)
T = TypeVar("T")


class StreamRecord(NamedTuple, Generic[T]):
    """An element emitted by an operator.

    Attributes:
        value: the element.
        timestamp: its event time in ms since the Unix epoch, ``None`` if it has none.
    """

    value: T
    timestamp: int | None


class TimerRecord(NamedTuple):
    """A timer that has not fired.

    Attributes:
        timestamp: when it is due, in ms since the Unix epoch.
        key: the key of the timer.
        time_domain: event time or processing time.
    """

    timestamp: int
    key: Any
    time_domain: TimeDomain


class OperatorHarness(HarnessedOperator, Generic[OUT, IN1, IN2]):
    """Tests a single operator: push elements and watermarks, set the clock, and inspect the output.

    Time stands still until it is set, so that tests are deterministic. The function is pickled as for a
    worker; its exceptions are raised unchanged. Use it in a ``with`` statement, or call ``open`` and
    ``close``. Mirrors
    ``org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness`` and its kin.

    Args:
        spec: the operator; ``ProcessFunctionTestHarnesses`` and the other classes of this package make
            harnesses for functions.
        element_type: type that elements are validated against; ``None`` for no validation.
    """

    def __init__(self, spec: OperatorSpec, element_type: TypeInformation[Any] | None = None) -> None:
        super().__init__(spec)
        self._element_type = element_type
        self._type_info: TypeInformation[Any] = spec.output_type
        self._output: dict[str | None, list[StreamRecord[Any]]] = {}
        self._watermarks: list[int] = []

    def process_element(self, value: IN1, timestamp: int | None = None) -> None:
        """Push an element to the only input, or to the first of two.

        Args:
            value: the element.
            timestamp: its event time in ms since the Unix epoch, ``None`` for none.
        """
        self._push(value, timestamp, 0)

    def process_element1(self, value: IN1, timestamp: int | None = None) -> None:
        """Push an element to the first input."""
        self._push(value, timestamp, 0)

    def process_element2(self, value: IN2, timestamp: int | None = None) -> None:
        """Push an element to the second input.

        Raises:
            HarnessError: there is only one.
        """
        self._push(value, timestamp, 1)

    def process_elements(self, values: Iterable[IN1], timestamp: int | None = None) -> None:
        """Push elements, all with the same timestamp, to the first input.

        A batch function gets them as one batch, any other function one by one.
        """
        if self._operator.takes_columns:
            self._push_batch(list(values), timestamp, 0)
            return
        for value in values:
            self._push(value, timestamp, 0)

    def process_watermark(self, timestamp: int) -> None:
        """Advance event time of all inputs; timers up to it fire. A lower watermark has no effect."""
        for side in range(len(self._reached)):
            self._advance(timestamp, side)

    def process_watermark1(self, timestamp: int) -> None:
        """Advance event time of the first input; the operator's event time is the lower of both."""
        self._advance(timestamp, 0)

    def process_watermark2(self, timestamp: int) -> None:
        """Advance event time of the second input; the operator's event time is the lower of both.

        Raises:
            HarnessError: there is only one.
        """
        self._advance(timestamp, 1)

    def end_input(self) -> None:
        """End all inputs: event time ends, and remaining processing-time timers fire."""
        self.process_watermark(MAX_WATERMARK)

    def set_processing_time(self, timestamp: int) -> None:
        """Set the clock, in ms since the Unix epoch; timers up to it fire.

        Raises:
            ValueError: it lies before the current time.
        """
        self._require_open()
        self._clock.set(timestamp)
        with as_raised():
            self._take(self._operator.tick())

    def get_processing_time(self) -> int:
        """Return the processing time in ms since the Unix epoch; 0 until it is set."""
        return self._clock.now()

    def get_output(self) -> list[StreamRecord[OUT]]:
        """Return the elements emitted so far, in order, with their timestamps."""
        return list(self._output.get(None, ()))

    def extract_output_values(self) -> list[OUT]:
        """Return the elements emitted so far, in order."""
        return [record.value for record in self.get_output()]

    def get_side_output(self, output_tag: OutputTag[T]) -> list[T]:
        """Return the elements emitted to a side output so far, in order.

        Raises:
            TypeCheckError: an element does not fit the tag's type.
        """
        values = [record.value for record in self._output.get(output_tag.tag_id, ())]
        return serializer_for(output_tag.type_info).conform(values)

    def get_watermarks(self) -> list[int]:
        """Return the watermarks emitted so far."""
        return list(self._watermarks)

    def clear_output(self) -> None:
        """Discard the output so far."""
        self._output.clear()
        self._watermarks.clear()

    def get_timers(self) -> list[TimerRecord]:
        """Return the timers that have not fired: first those of event time, in the order they are due.

        Raises:
            HarnessError: the operator has no timers of keys, but none at all or those of windows.
        """
        self._require_open()
        operator = self._operator
        if not isinstance(operator, TimedOperator) or not operator.has_timers_of_keys:
            raise HarnessError(
                f"{self._name!r} has no timers of keys, as a keyed process function or an interval join has"
            )
        return [
            TimerRecord(timer.time, timer.payload, domain)
            for domain in (TimeDomain.EVENT_TIME, TimeDomain.PROCESSING_TIME)
            for timer in operator.pending_timers(domain)
        ]

    def get_keyed_state(self, key: Any) -> KeyedStateStore:
        """Return the state of one key, readable and writable: ``harness.get_keyed_state(k).get_state(d)``.

        For windows, this is the state shared by all windows of the key.

        Raises:
            HarnessError: the operator has no keys.
        """
        self._require_open()
        return self._keyed().state_of(key)

    def num_keyed_state_entries(self) -> int:
        """Return the number of keys with state, summed over all states; 0 if no state is left.

        The window contents of a window operator count as well.

        Raises:
            HarnessError: the operator has no keys.
        """
        self._require_open()
        operator = self._keyed()
        operator.drop_expired()
        return operator.count_state_entries()

    def get_metrics(self) -> MetricGroup:
        """Return the metric group of the function."""
        return self._metrics.group(self._name)

    def _require_input(self, side: int) -> None:
        self._require_open()
        if side >= len(self._reached):
            raise HarnessError(f"{self._name!r} has one input only")

    def _push(self, value: Any, timestamp: int | None, side: int) -> None:
        self._push_batch([value], timestamp, side)

    def _push_batch(self, values: list[Any], timestamp: int | None, side: int) -> None:
        self._require_input(side)
        if not values:
            return
        if self._element_type is not None:
            values = serializer_for(self._element_type).conform(values)
        elements = Elements(values, None if timestamp is None else [timestamp] * len(values))
        with as_raised():
            self._require_own(elements.values, side)
            self._take(self._operator.process(elements, side))

    def _require_own(self, values: Sequence[Any], side: int) -> None:
        operator, subtask = self._operator, self._subtask
        if subtask.parallelism == 1 or not isinstance(operator, KeyedOperator) or not operator.has_keys(side):
            return
        (index,) = map(self._index_of, operator.read_keys(values, side).slots)
        if index != subtask.index:
            raise HarnessError(
                f"{short_repr(values[0])} belongs to subtask {index} of {self._name!r}, and this one is "
                f"{subtask.index}: push it into the harness of the subtask that owns its key"
            )

    def _advance(self, watermark: int, side: int) -> None:
        self._require_input(side)
        before = min(self._reached)
        self._reached[side] = max(self._reached[side], watermark)
        if min(self._reached) > before:
            with as_raised():
                self._take(self._operator.advance(min(self._reached)))

    def _take(self, events: Iterator[Event]) -> None:
        for event in events:
            if isinstance(event, Watermark):
                self._watermarks.append(event.timestamp)
                continue
            if isinstance(event, WatermarkStatus):
                continue
            values = list_of(event.values)
            if event.tag is None:
                values = serializer_for(self._type_info).conform(values)
            timestamps = event.timestamps or [NO_TIMESTAMP] * len(values)
            self._output.setdefault(event.tag, []).extend(
                StreamRecord(value, None if timestamp == NO_TIMESTAMP else timestamp)
                for value, timestamp in zip(values, timestamps, strict=True)
            )
