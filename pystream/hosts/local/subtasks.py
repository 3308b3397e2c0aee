"""Subtasks of the local host: process one arrival at a time, from splits or channels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from pystream.engine.events import Arrival, Elements
from pystream.engine.exchange.row_reader import ReceivedRow, RowReader
from pystream.engine.exchange.rows import END_OF_CHANNEL, Item
from pystream.engine.failure import OperatorLabel, TaskFailure, guarded
from pystream.engine.task.task import Task
from pystream.hosts.local.interleaving import Interleaving

__all__ = ["Channel", "ReceivingSubtask", "SourceSubtask", "Subtask", "cut"]


class Subtask(ABC):
    """A subtask that processes one arrival at a time.

    Args:
        task: the task; opened by ``open``, and closed once its input has ended.
        label: the operator whose input it reads, for messages.
        interleaving: divides elements into batches, and decides whether results are sent at once.
    """

    def __init__(self, task: Task, label: OperatorLabel, interleaving: Interleaving) -> None:
        self.task = task
        self._interleaving = interleaving
        self.is_over: bool = False
        self._failure = partial(TaskFailure.of, label)

    @property
    @abstractmethod
    def is_ready(self) -> bool:
        """Whether an arrival, or the end of the input, can be processed."""

    @abstractmethod
    def _next(self) -> Arrival | None:
        """Return the next arrival, ``None`` at the end of the input."""

    def work(self) -> Iterator[Item]:
        """Process the next arrival, or the end of the input, and yield the resulting rows.

        Raises:
            TaskFailure: user code failed, an element does not fit its type, or the input cannot be read.
        """
        arrival = None if self.task.done else self._next()
        if arrival is not None:
            yield from self.task.take(arrival)
            if self._interleaving.flushes:
                yield from self.task.flush()
            return
        metrics = yield from self.task.finish()
        self.is_over = True
        yield from self.task.close(metrics)


class SourceSubtask(Subtask):
    """A subtask that reads a source.

    Args:
        task: the task.
        label: the source.
        arriving: the elements of its splits.
        interleaving: divides them into batches.
    """

    def __init__(
        self, task: Task, label: OperatorLabel, arriving: Iterator[Arrival], interleaving: Interleaving
    ) -> None:
        super().__init__(task, label, interleaving)
        self._arriving = guarded(cut(arriving, interleaving), self._failure)

    @property
    def is_ready(self) -> bool:
        return True

    def _next(self) -> Arrival | None:
        return next(self._arriving, None)


@dataclass(slots=True, eq=False)
class Channel:
    """Rows from one subtask to another on one edge, in the order they were sent.

    Attributes:
        rows: those not yet read.
        is_complete: whether the last row was sent.
    """

    rows: deque[ReceivedRow] = field(default_factory=deque)
    is_complete: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the last row was read."""
        return self.is_complete and not self.rows

    def send(self, row: ReceivedRow) -> None:
        """Add a row."""
        self.rows.append(row)
        self.is_complete = row.seq == END_OF_CHANNEL


class ReceivingSubtask(Subtask):
    """A subtask that reads the rows of other subtasks.

    Args:
        task: the task.
        label: the sending operator, for messages.
        channels: one for each subtask that feeds it, on each edge.
        reader: decodes the rows.
        interleaving: chooses the channel to read, and divides elements into batches.
        by_group: whether it reads all rows sorted by key group, as in batch execution.
    """

    def __init__(
        self,
        task: Task,
        label: OperatorLabel,
        channels: Sequence[Channel],
        reader: RowReader,
        interleaving: Interleaving,
        *,
        by_group: bool,
    ) -> None:
        super().__init__(task, label, interleaving)
        self._channels = list(channels)
        self._reader = reader
        self._by_group = by_group
        self._is_sorted = not by_group
        self._arrivals: Iterator[Arrival] = iter(())

    @property
    def is_ready(self) -> bool:
        if self._by_group:
            return all(channel.is_complete for channel in self._channels)
        if self._interleaving.merges_in_order:
            return all(channel.rows or channel.is_complete for channel in self._channels)
        return any(channel.rows for channel in self._channels) or self._is_drained

    @property
    def _is_drained(self) -> bool:
        return all(channel.is_over for channel in self._channels)

    def _next(self) -> Arrival | None:
        while True:
            arrival = next(self._arrivals, None)
            if arrival is not None or self._is_drained:
                return arrival
            arriving = self._reader.arrivals(self._row())
            self._arrivals = guarded(cut(arriving, self._interleaving), self._failure)

    def _row(self) -> ReceivedRow:
        if not self._is_sorted:
            for channel in self._channels:
                channel.rows = deque(sorted(channel.rows, key=_position))
            self._is_sorted = True
        waiting = [channel for channel in self._channels if channel.rows]
        if self._interleaving.merges_in_order:
            return min(waiting, key=lambda channel: _position(channel.rows[0])).rows.popleft()
        if self._by_group:
            group = min(channel.rows[0].group for channel in waiting)
            waiting = [channel for channel in waiting if channel.rows[0].group == group]
        return self._interleaving.choice(waiting).rows.popleft()


def _position(row: ReceivedRow) -> tuple[int, int, int, int]:
    return row.group, row.seq, row.edge, row.channel


def cut(arriving: Iterable[Arrival], interleaving: Interleaving) -> Iterator[Arrival]:
    """Yield arrivals, with elements in the batches of an interleaving."""
    for arrival in arriving:
        if isinstance(arrival.event, Elements):
            for elements in interleaving.batches(arrival.event):
                yield arrival._replace(event=elements)
        else:
            yield arrival
