"""TimedOperator: a keyed operator with timers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Event, Watermark
from pystream.engine.failure import TaskFailure, guarded, short_repr
from pystream.engine.operators.keyed_operator import PerElement
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.state.keyed_content import KeyedContent, earliest
from pystream.engine.time.keyed_timers import KeyedTimers
from pystream.engine.time.timers import TimeDomain, Timer

__all__ = ["TimedOperator"]


class TimedOperator(PerElement):
    """A keyed operator that processes elements and timers.

    Attributes:
        has_timers_of_keys: whether a timer belongs to a key, its payload, rather than to a part of its state.
    """

    has_timers_of_keys: ClassVar[bool] = True

    def open(self, environment: OperatorEnvironment) -> None:
        self._clock = environment.clock
        self._fires_at_end = environment.subtask.job.execution.fires_timers_at_end
        self._timers = KeyedTimers(environment.clock)
        super().open(environment)

    @abstractmethod
    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        """Fire a timer of a key; results go to the collector."""

    def _fire_all(self, timers: Iterator[Timer], domain: TimeDomain) -> Iterator[Event]:
        scope = self._scope
        yield from guarded(
            self._fired(timers, domain),
            lambda error: TaskFailure.of(self.label, error, key=short_repr(scope.key)),
        )
        scope.leave()
        yield from self._out.take()

    def _fired(self, timers: Iterator[Timer], domain: TimeDomain) -> Iterator[Event]:
        out, fire = self._out, self._fire
        for timer in timers:
            fire(timer, domain)
            if out.is_full:
                yield from out.take()

    def advance(self, watermark: int) -> Iterator[Event]:
        self._load_due(watermark)
        yield from self._fire_all(self._timers.due_in_event_time(watermark), TimeDomain.EVENT_TIME)
        if watermark == MAX_WATERMARK and self._fires_at_end:
            yield from self.tick()
            self._load_due_in_processing_time(MAX_WATERMARK)
            yield from self._fire_all(self._timers.left_in_processing_time(), TimeDomain.PROCESSING_TIME)
        yield Watermark(watermark)

    def _load_due(self, watermark: int) -> None:
        """Load the keys for which something is due in event time."""
        if self._pages is not None:
            self._pages.load_due(watermark)

    def _load_due_in_processing_time(self, now: int) -> None:
        if self._pages is not None:
            self._pages.load_due_in_processing_time(now)

    def tick(self) -> Iterator[Event]:
        self._load_due_in_processing_time(self._timers.now())
        return self._fire_all(self._timers.due_in_processing_time(), TimeDomain.PROCESSING_TIME)

    def end_of_key(self) -> Iterator[Event]:
        """Yield the final results of the keys seen so far, which are complete, and discard the keys.

        Event time runs to its end and back to its start for the next key.
        """
        yield from super().end_of_key()
        self._timers.watermark = NO_TIMESTAMP

    def next_timer(self) -> int | None:
        unloaded = None if self._pages is None else self._pages.first_processing_time
        return earliest(self._timers.processing_time.first(), unloaded)

    def pending_timers(self, domain: TimeDomain) -> list[Timer]:
        """Return the timers of a time domain that have not fired, in the order they are due."""
        timers = self._timers
        return (timers.event_time if domain is TimeDomain.EVENT_TIME else timers.processing_time).pending()

    def snapshot(self) -> Any:
        """Return the event time."""
        return self._timers.watermark

    def restore(self, state: Any) -> None:
        self._timers.watermark = NO_TIMESTAMP if state is None else state

    def merge(self, states: Sequence[Any]) -> Any:
        """Return the lowest event time."""
        return min(states)

    def content(self) -> KeyedContent:
        return (
            super()
            .content()
            ._replace(
                event_timers=self._timers.event_time.snapshot(),
                processing_timers=self._timers.processing_time.snapshot(),
            )
        )

    def add(self, content: KeyedContent) -> None:
        super().add(content)
        self._timers.event_time.add(content.event_timers)
        self._timers.processing_time.add(content.processing_timers)

    def unload(self) -> None:
        super().unload()
        self._timers.event_time.clear()
        self._timers.processing_time.clear()
