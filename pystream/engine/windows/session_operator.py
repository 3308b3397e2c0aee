"""SessionWindowOperator: the operator of event-time session windows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, islice
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from pystream.engine.columns.folded_columns import FoldedColumns, folded_columns
from pystream.engine.columns.reduced_fields import ReducedFields
from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_BATCH, MAX_WATERMARK, Elements, Event, Timestamps
from pystream.engine.failure import TaskFailure, short_repr
from pystream.engine.keys import CodedKeys, Keys
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.backend import OwnState
from pystream.engine.state.keyed_content import KeyedContent, earliest
from pystream.engine.state.slots import Table
from pystream.engine.timestamps import numbers_of
from pystream.engine.vectorised.columns import ColumnValues
from pystream.engine.vectorised.parts import capped
from pystream.engine.windows.adding_operator import Arriving
from pystream.engine.windows.contents import CONTENTS
from pystream.engine.windows.plan import WindowCall
from pystream.engine.windows.session_placing import Merge, SessionPlacing
from pystream.engine.windows.session_windows import DynamicEventTimeSessionWindows, EventTimeSessionWindows
from pystream.engine.windows.single_firing_operator import (
    EndedWindow,
    SingleFiringWindowOperator,
    ends_too_late,
)
from pystream.engine.windows.windows import TimeWindow

__all__ = ["SessionWindowOperator"]

_LAST_END = MAX_WATERMARK + 1
_FEWEST_ELEMENTS = 512  # elements; adding fewer as columns takes longer

_END = attrgetter("end")
_START = attrgetter("start")


@dataclass(slots=True, eq=False)
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


class _Contents:
    """The contents of sessions, by session."""

    def __contains__(self, session: _Session) -> bool:
        return session.held is not None

    def __getitem__(self, session: _Session) -> Any:
        return session.held

    def update(self, pairs: Iterable[tuple[_Session, Any]]) -> None:
        for session, held in pairs:
            session.held = held


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
        fold = None if spec.columns is None else spec.columns.fold
        self._folded = None if fold is None else folded_columns(fold, _Contents())

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
        if self._folded is not None:
            self._folded.discard()

    def write_columns(self) -> None:
        if self._folded is not None:
            self._folded.write()
        if self._reduced is not None:
            _make_whole(self._reduced, [each for sessions in self._sessions.values() for each in sessions])

    def due_in(self, content: KeyedContent) -> tuple[int | None, int | None]:
        event_time, processing_time = super().due_in(content)
        ends = (sessions[0].end - 1 for sessions in content.tables.get(CONTENTS, {}).values())
        return earliest(event_time, *ends), processing_time

    def _add_all(self, arriving: Arriving) -> bool:
        known, changes, gap, gap_of = self._sessions.get, self._changes, self._gap, self._gap_of
        first, more = arriving.adding.first, arriving.adding.more
        for value, key, slot, timestamp in arriving.elements:
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
            placed, others = self._session_of(slot, timestamp, end)
            if placed is None:
                arriving.late.append(arriving.position())
                continue
            self._merge_contents(placed, others)
            held = placed.held
            placed.held = first(value) if held is None else more(held, value)
            placed.key = key
        return False

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        folded, timestamps = self._folded, elements.timestamps
        if folded is None:
            return super().process_keyed(elements, keys, side)
        if (
            timestamps is not None
            and len(timestamps) >= _FEWEST_ELEMENTS
            and isinstance(keys, CodedKeys)
            and isinstance(elements.values, ColumnValues)
            and int(numbers_of(timestamps).max()) + self._gap <= _LAST_END
        ):
            self._add_columns(folded, elements.values, keys, timestamps)
            return self._out.take()
        for slot in keys.distinct_slots:
            folded.release(self._sessions.get(slot, ()))
        return super().process_keyed(elements, keys, side)

    def _add_columns(
        self, folded: FoldedColumns, values: ColumnValues, keys: CodedKeys, timestamps: Timestamps
    ) -> None:
        """Add columns to their sessions."""
        placing = self._placed(keys, timestamps)
        numbers = np.array(placing.numbers)
        rounds = np.array([*placing.rounds, -1])[numbers]
        for number in range(int(rounds.max()) + 1):
            merges = placing.merges.get(number, [])
            folded.release(session for merge in merges for session in (merge.into, *merge.others))
            at = np.flatnonzero(rounds == number)
            part = values if len(at) == len(values) else values.taken(at)
            if not self._are_merged(merges) or not folded.add(part, placing.sessions, numbers[at]):
                self._add_each(folded, values, keys, placing, number)
                break
        self._handle_all_late(values, np.flatnonzero(numbers < 0).tolist(), timestamps)

    def _placed(self, keys: CodedKeys, timestamps: Timestamps) -> SessionPlacing:
        """Place the elements of a batch in sessions, without changing their contents."""
        known, changes, gap, slots = self._sessions.get, self._changes, self._gap, keys.distinct
        placing = SessionPlacing()
        append = placing.numbers.append
        lasts: list[_Session | None] = [sessions[-1] if (sessions := known(slot)) else None for slot in slots]
        numbers: list[int | None] = [None] * len(slots)  # those of the last sessions
        for at, (code, timestamp) in enumerate(zip(keys.codes.tolist(), timestamps, strict=True)):
            last, number, end = lasts[code], numbers[code], timestamp + gap
            if number is not None and last is not None and last.start <= timestamp <= last.end:
                if end > last.end:
                    last.end, last.changed = end, next(changes)
                append(number)
                continue
            slot = slots[code]
            session, others = self._session_of(slot, timestamp, end)
            if session is None:
                append(-1)
                continue
            if others:
                placing.merge(at, session, others)
            session.key = slot
            append(placing.number_of(session))
            last = lasts[code] = self._sessions[slot][-1]
            numbers[code] = placing.numbers[-1] if last is session else None
        return placing

    def _are_merged(self, merges: list[Merge]) -> bool:
        """Merge the contents of sessions; return whether all are, false if the function raised."""
        try:
            while merges:
                self._merge_contents(merges[0].into, merges[0].others)
                del merges[0]
        except Exception:  # noqa: BLE001 - raised again for the first element that it concerns
            return False
        return True

    def _add_each(
        self,
        folded: FoldedColumns,
        values: ColumnValues,
        keys: CodedKeys,
        placing: SessionPlacing,
        begin: int,
    ) -> None:
        """Add the elements of the rounds from a number on one by one."""
        sessions, rounds = placing.sessions, placing.rounds
        merges = {merge.at: merge for number in placing.merges for merge in placing.merges[number]}
        folded.release(session for merge in merges.values() for session in (merge.into, *merge.others))
        folded.release(session for session, number in zip(sessions, rounds, strict=True) if number >= begin)
        first, more = self._contents.first, self._contents.more
        for at, (value, number) in enumerate(zip(values, placing.numbers, strict=True)):
            if number < 0 or rounds[number] < begin:
                continue
            try:
                if at in merges:
                    self._merge_contents(merges[at].into, merges[at].others)
                held = sessions[number].held
                sessions[number].held = first(value) if held is None else more(held, value)
            except BaseException as error:
                raise TaskFailure.of(
                    self.label, error, short_repr(value), short_repr(keys.keys[at])
                ) from error

    def _merge_contents(self, session: _Session, others: list[_Session]) -> None:
        """Add the contents of sessions to those of another; each is removed from the list."""
        while others:
            held, found = session.held, others[0].held
            session.held = (
                found if held is None else held if found is None else self._contents.merge(held, found)
            )
            del others[0]

    def _session_of(self, slot: Hashable, start: int, end: int) -> tuple[_Session | None, list[_Session]]:
        """Return the session that an element belongs to, ``None`` if it is over.

        With it come those that merge into it, whose contents are to be added to its own.
        """
        sessions = self._sessions.get(slot, [])
        first = bisect_left(sessions, start, key=_END)
        after = bisect_right(sessions, end, first, key=_START)
        if first == after:
            is_over = min(end - 1, MAX_WATERMARK) <= self._timers.watermark
            return None if is_over else self._begun(slot, start, end, first), []
        session, *others = sessions[first:after]
        begin, until = min(start, session.start), max(end, sessions[after - 1].end)
        if until > _LAST_END:
            raise ends_too_late(TimeWindow(begin, until))
        del sessions[first + 1 : after]
        if (begin, until) != (session.start, session.end):
            session.start, session.end, session.changed = begin, until, next(self._changes)
        return session, others

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

    def _evaluated(self, watermark: int) -> Iterator[Event]:
        folded = self._folded
        if folded is None and self._reduced is None:
            yield from super()._evaluated(watermark)
            return
        remaining = self._ended_sessions(watermark)
        while ended := list(islice(remaining, MAX_BATCH)):
            sessions = [session for _, session in ended]
            results = None
            if folded is None:
                results = self._results_of_reduced([session.held for session in sessions])
            elif self._plan.call is WindowCall.NOTHING:
                results = folded.in_order(sessions)
            if results is not None:
                if folded is not None:
                    folded.forget(sessions)
                yield from capped(results, [session.end - 1 for session in sessions])
                continue
            if folded is not None:
                folded.release(sessions)
            if self._reduced is not None:
                _make_whole(self._reduced, sessions)
            yield from self._evaluated_each(map(_window_of, ended))

    def _ended(self, until: int) -> Iterator[EndedWindow]:
        return map(_window_of, self._ended_sessions(until))

    def _ended_sessions(self, until: int) -> Iterator[tuple[Any, _Session]]:
        """Remove and yield the sessions that have ended at a time, with their slots, in order."""
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
                yield slot, session

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


def _make_whole(reduced: ReducedFields, sessions: Sequence[_Session]) -> None:
    """Make what the elements of sessions are reduced to whole elements."""
    whole = reduced.all_whole([session.held for session in sessions])
    for session, held in zip(sessions, whole, strict=True):
        session.held = held


def _window_of(ended: tuple[Any, _Session]) -> EndedWindow:
    slot, session = ended
    return session.key, slot, TimeWindow(session.start, session.end), session.held
