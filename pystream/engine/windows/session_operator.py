"""SessionWindowOperator: the operator of event-time session windows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from operator import attrgetter
from typing import Any, ClassVar

from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.backend import OwnState
from pystream.engine.state.keyed_content import KeyedContent, earliest
from pystream.engine.state.slots import Table
from pystream.engine.windows.contents import CONTENTS
from pystream.engine.windows.session_windows import DynamicEventTimeSessionWindows, EventTimeSessionWindows
from pystream.engine.windows.single_firing_operator import (
    EndedWindow,
    KeyedElement,
    SingleFiringWindowOperator,
    ends_too_late,
)
from pystream.engine.windows.windows import TimeWindow

__all__ = ["SessionWindowOperator"]

_LAST_END = MAX_WATERMARK + 1

_END = attrgetter("end")
_START = attrgetter("start")


@dataclass(slots=True)
class _Session:
    """A session of a key.

    Attributes:
        start: its start, in ms.
        end: its end, exclusive.
        changed: number of the last change of its extent.
        key: the key of its last element.
        held: its contents.
    """

    start: int
    end: int
    changed: int
    key: Any = None
    held: Any = None


class SessionWindowOperator(SingleFiringWindowOperator):
    """A SingleFiringWindowOperator for sessions.

    The sessions of a key are ordered by time and disjoint. Instead of a timer for each window of an element,
    there is one timer per key, set to the end of its first session; if that session has grown when the timer
    fires, the timer is reset.
    """

    assigners: ClassVar[tuple[type[Any], ...]] = (EventTimeSessionWindows, DynamicEventTimeSessionWindows)

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        assigner: Any = self._plan.assigner
        self._gap: int = getattr(assigner, "session_gap", 0)
        self._gap_of: Callable[[Any], int] | None = getattr(assigner, "gap_of", None)

    def own_states(self) -> tuple[OwnState, ...]:
        return (OwnState(self._contents.descriptor(), self._migrate_contents),)

    @property
    def layout(self) -> str:
        return "as sessions"

    def _migrate_contents(self, table: Table, migration: Callable[[Any], Any]) -> None:
        for sessions in table.values():
            for session in sessions:
                session.held = migration(session.held)

    def _prepare(self, context: RuntimeContext) -> None:
        super()._prepare(context)
        self._sessions: dict[Hashable, list[_Session]]
        self._sessions = self._own[CONTENTS]
        self._due: dict[int, set[Hashable]] = {}
        self._times: list[int] = []
        self._changes = count(1)

    def snapshot(self) -> Any:
        """Return the event time, and the number of the next change."""
        change = next(self._changes)
        self._changes = count(change)
        return super().snapshot(), change

    def restore(self, state: Any) -> None:
        watermark, change = (None, 1) if state is None else state
        super().restore(watermark)
        self._changes = count(change)

    def merge(self, states: Sequence[Any]) -> Any:
        watermarks, changes = zip(*states, strict=True)
        return super().merge(watermarks), max(changes)

    def add(self, content: KeyedContent) -> None:
        super().add(content)
        for slot, sessions in content.tables.get(CONTENTS, {}).items():
            self._set_timer(slot, sessions)

    def unload(self) -> None:
        super().unload()
        self._due, self._times = {}, []

    def due_in(self, content: KeyedContent) -> tuple[int | None, int | None]:
        event_time, processing_time = super().due_in(content)
        ends = (sessions[0].end - 1 for sessions in content.tables.get(CONTENTS, {}).values())
        return earliest(event_time, *ends), processing_time

    def _add_all(self, elements: Iterable[KeyedElement]) -> None:
        known, changes, gap, gap_of = self._sessions.get, self._changes, self._gap, self._gap_of
        first, more = self._contents.first, self._contents.more
        for value, key, slot, timestamp in elements:
            end = timestamp + (gap if gap_of is None else gap_of(value))
            sessions = known(slot)
            if sessions is not None:
                session = sessions[-1]
                if session.start <= timestamp <= session.end:
                    if end > session.end:
                        if end > _LAST_END:
                            raise ends_too_late(TimeWindow(session.start, end))
                        session.end = end
                        session.changed = next(changes)
                    held = session.held
                    session.held = first(value) if held is None else more(held, value)
                    session.key = key
                    continue
            placed = self._session_of(slot, timestamp, end)
            if placed is None:
                self._handle_late(value, timestamp)
                continue
            held = placed.held
            placed.held = first(value) if held is None else more(held, value)
            placed.key = key

    def _session_of(self, slot: Hashable, start: int, end: int) -> _Session | None:
        """Return the session that an element belongs to, ``None`` if it is over; sessions may merge."""
        sessions = self._sessions.get(slot, [])
        first = bisect_left(sessions, start, key=_END)
        after = bisect_right(sessions, end, first, key=_START)
        if first == after:
            is_over = min(end - 1, MAX_WATERMARK) <= self._timers.watermark
            return None if is_over else self._begun(slot, start, end, first)
        session, *others = sessions[first:after]
        begin, until = min(start, session.start), max(end, sessions[after - 1].end)
        if until > _LAST_END:
            raise ends_too_late(TimeWindow(begin, until))
        merge = self._contents.merge
        for other in others:
            held, found = session.held, other.held
            session.held = held if found is None else found if held is None else merge(held, found)
        del sessions[first + 1 : after]
        if (begin, until) != (session.start, session.end):
            session.start, session.end, session.changed = begin, until, next(self._changes)
        return session

    def _begun(self, slot: Hashable, start: int, end: int, at: int) -> _Session:
        if end > _LAST_END:
            raise ends_too_late(TimeWindow(start, end))
        session = _Session(start, end, next(self._changes))
        sessions = self._sessions.setdefault(slot, [])
        sessions.insert(at, session)
        if at == 0:
            self._set_timer(slot, sessions)
        return session

    def _set_timer(self, slot: Hashable, sessions: list[_Session]) -> None:
        """Set the timer of a key to the end of its first session."""
        time = sessions[0].end - 1
        due = self._due.get(time)
        if due is None:
            self._due[time] = {slot}
            heappush(self._times, time)
        else:
            due.add(slot)

    def _ended(self, until: int) -> Iterator[EndedWindow]:
        times = self._times
        while times and times[0] <= until:
            time = heappop(times)
            for slot in self._slots_due(time):
                sessions = self._sessions[slot]
                session = sessions.pop(0)
                if sessions:
                    self._set_timer(slot, sessions)
                else:
                    del self._sessions[slot]
                yield session.key, slot, TimeWindow(session.start, session.end), session.held

    def _slots_due(self, time: int) -> list[Any]:
        """Return the slots with a session that ends at a time, in order; reset the timers of the others."""
        ended: list[Any] = []
        for slot in self._due.pop(time):
            sessions = self._sessions.get(slot)
            if sessions is None:
                continue
            if sessions[0].end - 1 == time:
                ended.append(slot)
            else:
                self._set_timer(slot, sessions)
        if len(ended) < 2:
            return ended
        try:
            ended.sort()
        except TypeError:  # unorderable keys are in the order in which their sessions last changed
            ended.sort(key=lambda slot: self._sessions[slot][0].changed)
        return ended
