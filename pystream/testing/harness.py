"""OperatorHarness: one operator, fed by hand."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from pystream.metrics.metricbase import MetricGroup
from pystream.metrics.registry import MetricRegistry
from pystream.runtime.clock import ManualClock
from pystream.runtime.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.runtime.failure import TaskFailure
from pystream.runtime.keyed.operator import KeyedOperator
from pystream.runtime.operator import Operator, OperatorEnvironment
from pystream.runtime.operators import make_operator
from pystream.runtime.output_tag import OutputTag
from pystream.runtime.spec import OperatorSpec
from pystream.runtime.state.heap import Scope
from pystream.runtime.state.interfaces import KeyedStateStore
from pystream.runtime.task_info import Execution, JobInfo, SubtaskInfo
from pystream.runtime.time_domain import TimeDomain
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

__all__ = ["OperatorHarness", "StreamRecord", "TimerRecord"]

OUT = TypeVar("OUT")
T = TypeVar("T")


class StreamRecord(NamedTuple):
    """An element that an operator gave.

    Attributes:
        value: the element.
        timestamp: its event time in ms since the epoch, ``None`` if it has none.
    """

    value: Any
    timestamp: int | None


class TimerRecord(NamedTuple):
    """A timer that has not fired.

    Attributes:
        timestamp: when it is due, in ms since the epoch.
        key: whose timer it is.
        time_domain: the clock it goes by.
    """

    timestamp: int
    key: Any
    time_domain: TimeDomain


class OperatorHarness(Generic[OUT]):
    """Runs one operator: push elements, watermarks and the clock, and see what comes out.

    Time stands still until it is set, so that tests give the same result each time. What the function raises
    is raised here as it is. Use it in a ``with`` statement, or call ``open`` and ``close``. Mirrors
    ``org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness`` and its kin.

    Args:
        spec: the operator; ``ProcessFunctionTestHarnesses`` makes harnesses for functions.
        snapshot: what another harness of the same operator returned by ``snapshot``.
    """

    def __init__(self, spec: OperatorSpec, snapshot: bytes | None = None) -> None:
        self._spec = spec
        self._clock = ManualClock()
        self._metrics = MetricRegistry()
        self._operator: Operator = make_operator(spec, batch=False)
        if snapshot is not None:
            self._operator.restore(pickle.loads(snapshot))
        self._types: dict[str | None, TypeInformation[Any]] = {
            None: spec.output_type,
            **{side.tag: side.type_info for side in spec.side_outputs},
        }
        self._given: dict[str | None, list[StreamRecord]] = {}
        self._watermarks: list[int] = []
        self._reached = [NO_TIMESTAMP] * max(1, len(spec.keys))

    def open(self) -> Self:
        """Open the function."""
        job = JobInfo("0" * 32, "test", execution=Execution(watermark_interval=0, bundle_size=1))
        subtask = SubtaskInfo(job, 0, 1, 128, 0)
        environment = OperatorEnvironment(
            subtask, self._spec.label.name, self._metrics.group(self._spec.label.name), self._clock
        )
        with _as_raised():
            self._operator.open(environment)
        return self

    def close(self) -> None:
        """Close the function."""
        with _as_raised():
            self._operator.close()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def process_element(self, value: Any, timestamp: int | None = None) -> None:
        """Push an element of the only input, or of the first of two.

        Args:
            value: the element.
            timestamp: its event time in ms since the epoch, ``None`` for none.
        """
        self._push(value, timestamp, 0)

    def process_element1(self, value: Any, timestamp: int | None = None) -> None:
        """Push an element of the first input."""
        self._push(value, timestamp, 0)

    def process_element2(self, value: Any, timestamp: int | None = None) -> None:
        """Push an element of the second input."""
        self._push(value, timestamp, 1)

    def process_elements(self, values: list[Any], timestamp: int | None = None) -> None:
        """Push elements one by one, all with the same event time."""
        for value in values:
            self._push(value, timestamp, 0)

    def process_watermark(self, timestamp: int) -> None:
        """Advance event time on all inputs; timers up to it fire. One that lies back changes nothing."""
        for side in range(len(self._reached)):
            self._advance(timestamp, side)

    def process_watermark1(self, timestamp: int) -> None:
        """Advance event time on the first input; the operator's own is the lower of both."""
        self._advance(timestamp, 0)

    def process_watermark2(self, timestamp: int) -> None:
        """Advance event time on the second input; the operator's own is the lower of both."""
        self._advance(timestamp, 1)

    def end_input(self) -> None:
        """End all inputs: event time runs to its end, and timers of processing time fire that are left."""
        self.process_watermark(MAX_WATERMARK)

    def set_processing_time(self, timestamp: int) -> None:
        """Set the clock, in ms since the epoch; timers up to it fire.

        Raises:
            ValueError: it lies before the present time.
        """
        self._clock.set(timestamp)
        with _as_raised():
            self._take(self._operator.tick())

    def get_output(self) -> list[StreamRecord]:
        """Return the elements the operator gave so far, in order, with their event times."""
        return list(self._given.get(None, ()))

    def extract_output_values(self) -> list[OUT]:
        """Return the elements the operator gave so far, in order."""
        return [record.value for record in self.get_output()]

    def get_side_output(self, output_tag: OutputTag[T]) -> list[T]:
        """Return what went to a side output so far, in order."""
        return [record.value for record in self._given.get(output_tag.tag_id, ())]

    def get_watermarks(self) -> list[int]:
        """Return the watermarks the operator handed on so far."""
        return list(self._watermarks)

    def clear_output(self) -> None:
        """Forget what the operator gave so far."""
        self._given.clear()
        self._watermarks.clear()

    def get_timers(self) -> list[TimerRecord]:
        """Return the timers that have not fired: those of event time first, in the order they are due."""
        timers = self._keyed()._timers
        queues = (
            (timers.event_time, TimeDomain.EVENT_TIME),
            (timers.processing_time, TimeDomain.PROCESSING_TIME),
        )
        return [
            TimerRecord(time, key, domain)
            for queue, domain in queues
            for time, slots in sorted(queue.snapshot().items())
            for key in slots.values()
        ]

    def get_keyed_state(self, key: Any) -> KeyedStateStore:
        """Return the state of one key, to read or to set it: ``harness.get_keyed_state(k).get_state(d)``."""
        operator = self._keyed()
        scope = Scope()
        scope.slot = operator.slot_of(key)
        return operator._backend.store(scope)

    def get_metrics(self) -> MetricGroup:
        """Return the group of what the function measures."""
        return self._metrics.group(self._spec.label.name)

    def snapshot(self) -> bytes:
        """Return all the operator remembers, for a new harness to begin with."""
        return pickle.dumps(self._operator.snapshot(), pickle.HIGHEST_PROTOCOL)

    def _keyed(self) -> KeyedOperator:
        if not isinstance(self._operator, KeyedOperator):
            raise TypeError(f"{self._spec.label.name!r} has no keys, and so neither state nor timers")
        return self._operator

    def _push(self, value: Any, timestamp: int | None, side: int) -> None:
        elements = Elements([value], None if timestamp is None else [timestamp])
        with _as_raised():
            self._take(self._operator.process(elements, side))

    def _advance(self, watermark: int, side: int) -> None:
        before = min(self._reached)
        self._reached[side] = max(self._reached[side], watermark)
        if min(self._reached) > before:
            with _as_raised():
                self._take(self._operator.advance(min(self._reached)))

    def _take(self, events: Iterator[Event]) -> None:
        for event in events:
            if isinstance(event, Watermark):
                self._watermarks.append(event.timestamp)
                continue
            type_info = self._types.get(event.tag)
            values = event.values if type_info is None else serializer_for(type_info).conform(event.values)
            timestamps = event.timestamps or [NO_TIMESTAMP] * len(values)
            self._given.setdefault(event.tag, []).extend(
                StreamRecord(value, None if timestamp == NO_TIMESTAMP else timestamp)
                for value, timestamp in zip(values, timestamps, strict=True)
            )


@contextmanager
def _as_raised() -> Iterator[None]:
    """Let what a user's function raised pass as it is."""
    try:
        yield
    except TaskFailure as failure:
        if failure.__cause__ is None:
            raise
        raise failure.__cause__ from None
