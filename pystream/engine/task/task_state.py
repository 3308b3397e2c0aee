"""TaskState: stores the checkpointed state of a task in pages, and restores it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP
from pystream.engine.failure import OperatorLabel, TaskFailure
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.state.errors import StateMigrationError
from pystream.engine.state.evolution import StateHistory
from pystream.engine.state.keyed_pages import OWN_PAGE
from pystream.engine.state.page_store import PageStore
from pystream.engine.state.state_format import StateFormat
from pystream.engine.task.task_graph import Vertex
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.time.watermark_valve import ValveSnapshot, WatermarkValve

__all__ = ["StatePart", "TaskState", "is_empty"]

_TASK = ""  # the owner of the task's own page; uids are not empty


class StatePart(NamedTuple):
    """A part of the state of a task, which tasks of any parallelism can import.

    Attributes:
        uid: the operator; empty for the task itself.
        group: the key group, or ``OWN_PAGE`` for what belongs to no key.
        keys: number of keys with state or timers.
        content: the state.
    """

    uid: str
    group: int
    keys: int
    content: bytes


_Times: TypeAlias = "tuple[list[ValveSnapshot], dict[str, int]]"


class TaskState:
    """The state of a task: that of its operators by uid, its valves, and the event time of its operators.

    Args:
        vertices: the operators by uid.
        valves: the valves of the input and of joints, in a fixed order.
    """

    def __init__(self, vertices: Mapping[str, Vertex], valves: Iterable[WatermarkValve]) -> None:
        self._vertices = vertices
        self._valves = list(valves)
        self._stored: dict[str, bytes | None] = {}
        labels = (vertex.operator.label for vertex in vertices.values())
        self._times_format = StateFormat(next(labels, OperatorLabel("task", "", "", "")))

    def restore(self, store: PageStore) -> None:
        """Replace all state with that of a store; an empty store resets the task."""
        self._store = store
        self._stored = {}
        self._restore_times(self._load(_TASK, self._times_format))
        for uid, vertex in self._vertices.items():
            with _naming(vertex):
                if isinstance(vertex.operator, KeyedOperator):
                    vertex.operator.restore_pages(store)
                else:
                    vertex.operator.restore(self._load(uid, vertex.operator.state_format))

    def save(self) -> None:
        """Write all state that has changed to the store it came from.

        Raises:
            TaskFailure: the state of an operator cannot be pickled.
        """
        self._put(_TASK, self._times_format.dump(self._times()))
        for uid, vertex in self._vertices.items():
            operator = vertex.operator
            try:
                if isinstance(operator, KeyedOperator):
                    operator.save_pages()
                elif (state := operator.snapshot()) is not None:
                    self._put(uid, operator.state_format.dump(state))
            except TaskFailure:
                raise
            except Exception as error:
                raise TaskFailure.of(operator.label, error) from error

    def export(self) -> Iterator[StatePart]:
        """Yield the state that was saved, in parts that tasks of any parallelism can import."""
        yield StatePart(_TASK, OWN_PAGE, 0, self._times_format.dump(self._times()))
        for uid, vertex in self._vertices.items():
            operator = vertex.operator
            if isinstance(operator, KeyedOperator):
                for group, keys, content in operator.export_pages():
                    yield StatePart(uid, group, keys, content)
            elif (state := operator.snapshot()) is not None:
                yield StatePart(uid, OWN_PAGE, 0, operator.state_format.dump(state))

    def types(self) -> dict[str, StateHistory]:
        """Return the types that the states of each operator have had."""
        return {uid: vertex.operator.state_types() for uid, vertex in self._vertices.items()}

    def import_(
        self,
        store: PageStore,
        types: Mapping[str, bytes],
        parts: Iterable[StatePart],
        subtask: SubtaskInfo,
    ) -> None:
        """Fill an empty store with the parts that belong to a subtask.

        Raises:
            TaskFailure: stored values cannot be loaded, or cannot become those of the type of their state.
        """
        self.restore(store)
        for uid, own in self._vertices.items():
            if isinstance(own.operator, KeyedOperator) and uid in types:
                with _naming(own):
                    own.operator.import_types(own.operator.state_format.load(types[uid]))
        snapshots: dict[str, list[Any]] = {}
        times: list[_Times] = []
        for uid, group, _, content in parts:
            vertex = self._vertices.get(uid)
            if group == OWN_PAGE and vertex is not None:
                snapshots.setdefault(uid, []).append(vertex.operator.state_format.load(content))
            elif uid == _TASK:
                times.append(self._times_format.load(content))
            elif vertex is not None and subtask.owns(group):
                assert isinstance(vertex.operator, KeyedOperator)
                with _naming(vertex):
                    vertex.operator.import_group(content)
        for uid, vertex in self._vertices.items():
            if uid in snapshots:
                with _naming(vertex):
                    vertex.operator.restore(vertex.operator.merge(snapshots[uid]))
        if times:
            self._restore_times(_merged(times))
        self.save()

    def _times(self) -> _Times:
        watermarks = [valve.snapshot() for valve in self._valves]
        return watermarks, {uid: vertex.operator.event_time() for uid, vertex in self._vertices.items()}

    def _restore_times(self, times: _Times | None) -> None:
        watermarks, event_times = ([], {}) if times is None else times
        for number, valve in enumerate(self._valves):
            valve.restore(watermarks[number] if number < len(watermarks) else None)
        for uid, vertex in self._vertices.items():
            vertex.operator.restore_event_time(event_times.get(uid, NO_TIMESTAMP))

    def _load(self, owner: str, stored: StateFormat) -> Any:
        content = self._stored[owner] = self._store.get(owner, OWN_PAGE)
        return None if content is None else stored.load(content)

    def _put(self, owner: str, content: bytes) -> None:
        if content != self._stored.get(owner):
            self._store.put(owner, OWN_PAGE, content)
            self._stored[owner] = content


@contextmanager
def _naming(vertex: Vertex) -> Iterator[None]:
    """Name the operator whose state cannot be migrated."""
    try:
        yield
    except StateMigrationError as error:
        raise TaskFailure.of(vertex.operator.label, error) from error


def is_empty(store: PageStore) -> bool:
    """Return whether no task has saved its state in a store."""
    return store.get(_TASK, OWN_PAGE) is None


def _merged(times: list[_Times]) -> _Times:
    """Return the lowest times of several tasks, without those of channels, which may have changed.

    Tasks of another form, from which operators have moved, have no valves in common with this one. An end of
    event time does not outlast the job: sources that have ended end again, and others give more after it.
    """
    watermarks, event_times = zip(*times, strict=True)
    lowest: list[ValveSnapshot] = []
    if len(set(map(len, watermarks))) == 1:
        lowest = [
            (_before_end(min(watermark for watermark, *_ in valves)), {}, set(), set())
            for valves in zip(*watermarks, strict=True)
        ]
    uids = {uid for found in event_times for uid in found}
    reached = {uid: min(found[uid] for found in event_times if uid in found) for uid in uids}
    return lowest, {uid: _before_end(time) for uid, time in reached.items()}


def _before_end(watermark: int) -> int:
    return NO_TIMESTAMP if watermark == MAX_WATERMARK else watermark
