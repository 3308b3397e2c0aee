"""The sink of Cassandra: a statement for each element, at least once or by a write-ahead log."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.cassandra.requests import Requests
from pystream.engine.connectors.cassandra.settings import Settings
from pystream.engine.connectors.committing_sink import gathered
from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit, SinkCommitter, SinkWriter
from pystream.engine.connectors.packages import client_library
from pystream.engine.connectors.uncommitted import NothingToCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps, list_of
from pystream.engine.failure import ElementFailure, element_failures
from pystream.engine.formats.fields import opener_of
from pystream.engine.stored_data import dump_data, is_data, load_data
from pystream.engine.task_info import JobInfo, SubtaskInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.pickling import dumps

__all__ = ["LoggedOutput", "StatementsOutput"]


@dataclass(frozen=True, slots=True)
class StatementsOutput:
    """A sink whose statements are done when an epoch ends.

    Attributes:
        settings: what it does.
        type_info: the type of the elements.
    """

    settings: Settings
    type_info: FieldsTypeInfo[Any]

    def check(self) -> None:
        """Check that the client library is installed; the server may be away when the job starts.

        Raises:
            DependencyError: it is not.
        """
        client_library("cassandra", "cassandra")

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> SinkWriter:
        """Return a writer that executes statements."""
        return _Writer(Requests(self.settings), _Opener(self.type_info))

    def committer(self, transaction: str, job: JobInfo, directory: str) -> SinkCommitter:
        """Return a committer that has nothing to do."""
        return NothingToCommit()


@dataclass(frozen=True, slots=True)
class LoggedOutput(StatementsOutput):
    """A sink whose elements are kept with the job until a checkpoint, and written then by the driver."""

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> SinkWriter:
        """Return a writer that collects elements."""
        return _LogWriter(_Opener(self.type_info), dump_data if is_data(self.type_info) else dumps)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> SinkCommitter:
        """Return a committer that executes the statements."""
        return _LogCommitter(self.settings, load_data if is_data(self.type_info) else pickle.loads)


class _Opener:
    """Return the fields of elements.

    Args:
        type_info: the type of the elements.
    """

    def __init__(self, type_info: FieldsTypeInfo[Any]) -> None:
        from typeinfo.serde import serializer_for

        self._conform = serializer_for(type_info).conform
        self._open = opener_of(type_info)

    def __call__(self, elements: Sequence[Any]) -> list[Sequence[Any]]:
        """Return the fields of each element.

        Raises:
            ElementFailure: one does not fit the type.
        """
        with element_failures(elements):
            return [self._open(element) for element in self._conform(list_of(elements))]


class _Writer:
    """Execute the statement of each element."""

    def __init__(self, requests: Requests, opener: _Opener) -> None:
        self._requests = requests
        self._fields_of = opener

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        for value, fields in zip(values, self._fields_of(values), strict=True):
            self._requests.start(value, fields)

    def finish(self, *, end_of_input: bool = True) -> None:
        self._requests.finish()

    def abort(self) -> None:
        """Do nothing: statements that were started cannot be taken back."""

    def close(self) -> None:
        self._requests.close()


class _LogWriter:
    """Collect elements for the commit."""

    def __init__(self, opener: _Opener, dump: Callable[[Any], bytes]) -> None:
        self._fields_of = opener
        self._dump = dump
        self._rows: list[tuple[Any, ...]] = []

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        self._rows += map(tuple, self._fields_of(values))

    def finish(self, *, end_of_input: bool = True) -> bytes | None:
        rows, self._rows = self._rows, []
        return self._dump(rows) if rows else None

    def abort(self) -> None:
        self._rows.clear()

    def close(self) -> None:
        """Do nothing: there are no connections."""


class _LogCommitter:
    """Execute the statements of all elements since the last checkpoint."""

    def __init__(self, settings: Settings, load: Callable[[bytes], Any]) -> None:
        self._settings = settings
        self._load = load
        self._requests: Requests | None = None

    def open(self) -> None:
        """Do nothing: the first commit connects."""

    def last_committed(self) -> int:
        """Return -1: the target does not show what is committed."""
        return -1

    def prepare(
        self, end: EpochEnd, state: tuple[bytes, ...] | None, messages: Sequence[bytes | None]
    ) -> PreparedCommit:
        return gathered(end, state, messages)

    def commit(self, epoch: int, action: tuple[bytes, ...], *, repeated: bool = False) -> None:
        if self._requests is None:
            self._requests = Requests(self._settings)
        try:
            for payload in action:
                for row in self._load(payload):
                    self._requests.start(row, row)
            self._requests.finish()
        except ElementFailure as failure:
            raise failure.__cause__ or failure from None

    def restore(self, state: object) -> None:
        """Do nothing: the log holds all elements that are not written."""

    def next_time(self, state: tuple[bytes, ...] | None) -> int | None:
        return None if state is None else 0

    def end(self, *, complete: bool) -> None:
        """Do nothing: there are no other files."""

    def close(self) -> None:
        requests, self._requests = self._requests, None
        if requests is not None:
            requests.close()
