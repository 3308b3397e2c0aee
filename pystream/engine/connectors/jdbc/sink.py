"""The sink: a statement, or changes of the rows of a table, on the workers."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.jdbc.batches import Batch, Batches, BoundStatement, RowError
from pystream.engine.connectors.jdbc.database import Database
from pystream.engine.connectors.uncommitted import NothingToCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps, list_of
from pystream.engine.failure import ElementFailure, element_failures
from pystream.engine.formats.fields import MISSING, fields_of, maker_of, opener_of
from pystream.engine.task_info import JobInfo, SubtaskInfo
from typeinfo.composite import FieldsTypeInfo

__all__ = ["Buffer", "Flushing", "JdbcOutput", "StatementOutput"]


@dataclass(frozen=True, slots=True)
class Flushing:
    """When a writer executes what it has buffered, besides the end of each epoch.

    Attributes:
        rows: from how many rows on; 0 for any number.
        interval: how long after it last did, in ms; 0 for any time.
        max_retries: how often a transaction is tried again.
    """

    rows: int
    interval: int
    max_retries: int


class Buffer(ABC):
    """The rows that a writer has not executed yet."""

    @abstractmethod
    def add(self, elements: Sequence[Any]) -> None:
        """Add elements of the declared type."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many rows there are."""

    @abstractmethod
    def take(self, limit: int, *, at_end: bool) -> list[Batch]:
        """Remove rows, and return them with their statements.

        Args:
            limit: how many at most.
            at_end: whether an epoch has ended, and all must be taken.
        """


@dataclass(frozen=True, slots=True)
class JdbcOutput(ABC):
    """A sink that executes statements; picklable.

    Attributes:
        database: the database.
        type_info: the type of the elements.
        flushing: when they are written.
    """

    database: Database
    type_info: FieldsTypeInfo[Any]
    flushing: Flushing

    @abstractmethod
    def buffer(self) -> Buffer:
        """Return the buffer of a writer."""

    def check(self) -> None:
        """Check that the client is installed.

        Raises:
            DependencyError: it is not.
        """
        self.database.library()

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> JdbcWriter:
        """Return a writer, which connects when it has something to write."""
        return JdbcWriter(self)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> NothingToCommit:
        """Return a committer that does nothing: the writers have committed."""
        return NothingToCommit()


@dataclass(frozen=True, slots=True)
class StatementOutput(JdbcOutput):
    """A sink that executes one statement for each element, in order.

    Attributes:
        statement: the statement.
    """

    statement: BoundStatement

    def buffer(self) -> Buffer:
        """Return a list of rows."""
        return _Rows(self.statement, self.type_info)


class _Rows(Buffer):
    def __init__(self, statement: BoundStatement, type_info: FieldsTypeInfo[Any]) -> None:
        self._statement = statement
        self._open = opener_of(type_info)
        self._may_be_missing = any(field.may_be_missing for field in fields_of(type_info))
        self._rows: list[Sequence[Any]] = []

    def add(self, elements: Sequence[Any]) -> None:
        rows: Iterable[Sequence[Any]] = map(self._open, elements)
        if self._may_be_missing:
            rows = ([None if value is MISSING else value for value in row] for row in rows)
        self._rows.extend(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, limit: int, *, at_end: bool) -> list[Batch]:
        rows, self._rows = self._rows[:limit], self._rows[limit:]
        return [Batch(self._statement, rows)]


class JdbcWriter:
    """Buffer rows, and write them by number, by time and at the end of each epoch.

    Each flush is one transaction. If an interval is set, a thread watches it.

    Args:
        output: the sink.
    """

    def __init__(self, output: JdbcOutput) -> None:
        from typeinfo.serde import serializer_for

        self._conform = serializer_for(output.type_info).conform
        self._make = maker_of(output.type_info)
        self._buffer = output.buffer()
        self._batches = Batches(output.database, output.flushing.max_retries)
        self._size = output.flushing.rows
        self._interval = output.flushing.interval / 1000
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._failure: BaseException | None = None
        self._timer: threading.Thread | None = None

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Buffer elements, and write them as far as there are enough.

        Raises:
            ElementFailure: one does not match the type, or cannot be written.
            SinkError: the database cannot be written to.
        """
        with element_failures(values):
            elements = self._conform(list_of(values))
        with self._lock:
            self._raise_failure()
            self._buffer.add(elements)
            while self._size and len(self._buffer) >= self._size:
                if not self._flush(self._size, at_end=False):
                    break
        if self._interval and self._timer is None:
            self._timer = threading.Thread(target=self._watch, name="jdbc-flush", daemon=True)
            self._timer.start()

    def finish(self, *, end_of_input: bool = True) -> None:
        """Write all that is buffered.

        Raises:
            ElementFailure: an element cannot be written.
            SinkError: the database cannot be written to.
        """
        with self._lock:
            self._raise_failure()
            while len(self._buffer):
                self._flush(self._size or len(self._buffer), at_end=True)

    def abort(self) -> None:
        """Do nothing: what was written stays."""

    def close(self) -> None:
        """Close the connection."""
        self._closed.set()
        if self._timer is not None:
            self._timer.join()
        self._batches.close()

    def _flush(self, limit: int, *, at_end: bool) -> bool:
        """Write rows, and return whether there were any."""
        batches = self._buffer.take(limit, at_end=at_end)
        if not any(batch.rows for batch in batches):
            return False
        try:
            self._batches.run(batches)
        except RowError as error:
            raise ElementFailure(self._make(list(error.row))) from error.__cause__
        return True

    def _watch(self) -> None:
        while not self._closed.wait(self._interval):
            with self._lock:
                try:
                    if len(self._buffer) and self._failure is None:
                        self._flush(len(self._buffer), at_end=False)
                except BaseException as error:  # noqa: BLE001 - raised where elements are written
                    self._failure = error

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure
