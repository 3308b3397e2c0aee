"""KeyedOperator: what all operators on keyed streams share."""

from __future__ import annotations

import pickle
from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from itertools import repeat
from typing import Any

from pystream.runtime.collector import Collector
from pystream.runtime.context import RuntimeContext
from pystream.runtime.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.runtime.failure import USER_ERRORS, TaskFailure, short_repr
from pystream.runtime.keyed.contexts import KeyScope
from pystream.runtime.keyed.timers import KeyedTimers
from pystream.runtime.keys import KeyReader
from pystream.runtime.operator import Operator, OperatorEnvironment
from pystream.runtime.spec import OperatorSpec
from pystream.runtime.state.backend import KeyedStateBackend
from pystream.runtime.time_domain import TimeDomain
from pystream.runtime.timers import Timer

__all__ = ["KeyedOperator"]


class KeyedOperator(Operator):
    """An operator whose function sees state and timers of the element's key."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec.label)
        self._function = pickle.loads(spec.function)
        self._is_object = spec.is_object
        self._readers = [KeyReader(key, spec.label) for key in spec.keys]
        self._scope = KeyScope()
        self._out = Collector()
        self._restored: tuple[Any, Any] | None = None

    def open(self, environment: OperatorEnvironment) -> None:
        self._clock = environment.clock
        self._fires_at_end = environment.subtask.job.execution.fires_timers_at_end
        self._timers = KeyedTimers(environment.clock)
        self._backend = KeyedStateBackend(environment.clock)
        if self._restored is not None:
            tables, timers = self._restored
            self._backend.restore(tables)
            self._timers.restore(timers)
        context = RuntimeContext(
            environment.subtask,
            environment.task_name,
            environment.metrics,
            self._backend.store(self._scope),
        )
        self._prepare(context)
        self._lifecycle("open", context)

    @abstractmethod
    def _prepare(self, context: RuntimeContext) -> None:
        """Make what the calls of the function need; called before the function's own ``open``."""

    def close(self) -> None:
        self._scope.leave()
        self._lifecycle("close")

    def _lifecycle(self, method: str, *args: Any) -> None:
        if self._is_object:
            self._call_hook(self._function, method, *args)

    def slots(self, values: list[Any], side: int) -> Sequence[Hashable]:
        """Return the slot of each element's key.

        Raises:
            TaskFailure: an element has no key, or its key cannot be one.
        """
        return self._readers[side].read(values).slots

    def slot_of(self, key: Any) -> Hashable:
        """Return the slot of a key."""
        return self._readers[0].slot_of(key)

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        values = elements.values
        keys = self._readers[side].read(values)
        timestamps = elements.timestamps or repeat(NO_TIMESTAMP)
        scope, out = self._scope, self._out
        work = self._work_of(side)
        value = key = None
        try:
            for value, key, slot, timestamp in zip(values, keys.keys, keys.slots, timestamps, strict=False):
                scope.slot = slot
                scope.key = key
                work(value, timestamp)
                if out.is_full:
                    yield from out.take()
        except USER_ERRORS as error:
            raise TaskFailure.of(self.label, error, short_repr(value), short_repr(key)) from error
        scope.leave()
        yield from out.take()

    @abstractmethod
    def _work_of(self, side: int) -> Any:
        """Return what is called with each element and its time, the scope being that of its key."""

    @abstractmethod
    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        """Do what is due at a timer; results go to the collector."""

    def _fire_all(self, timers: Iterator[Timer], domain: TimeDomain) -> Iterator[Event]:
        scope, out = self._scope, self._out
        timer = None
        try:
            for timer in timers:
                self._enter(timer)
                self._fire(timer, domain)
                if out.is_full:
                    yield from out.take()
        except USER_ERRORS as error:
            raise TaskFailure.of(self.label, error, key=short_repr(scope.key)) from error
        scope.leave()
        yield from out.take()

    def _enter(self, timer: Timer) -> None:
        self._scope.slot = timer.slot
        self._scope.key = timer.payload

    def advance(self, watermark: int) -> Iterator[Event]:
        yield from self._fire_all(self._timers.due_in_event_time(watermark), TimeDomain.EVENT_TIME)
        if watermark == MAX_WATERMARK and self._fires_at_end:
            yield from self.tick()
            yield from self._fire_all(self._timers.left_in_processing_time(), TimeDomain.PROCESSING_TIME)
        yield Watermark(watermark)

    def tick(self) -> Iterator[Event]:
        return self._fire_all(self._timers.due_in_processing_time(), TimeDomain.PROCESSING_TIME)

    def end_of_key(self) -> Iterator[Event]:
        """Yield what is due once no element of the keys seen so far follows, and forget those keys.

        Event time runs to its end and back to its beginning for the next key.
        """
        for event in self.advance(MAX_WATERMARK):
            if not isinstance(event, Watermark):
                yield event
        self._backend.clear()
        self._timers.watermark = NO_TIMESTAMP

    def snapshot(self) -> Any:
        return self._backend.snapshot(), self._timers.snapshot()

    def restore(self, state: Any) -> None:
        self._restored = state
