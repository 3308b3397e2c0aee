"""FunctionSource: an unbounded source written as a Python function object, which runs in the driver."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.source_context import BATCH, SourceContext, SourceStopped
from pystream.engine.events import Elements, Watermark
from pystream.engine.exception_encoding import summarize, user_traceback
from pystream.errors import SourceError
from pystream.kinds import SourceColumns
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps

__all__ = ["CheckpointedFunction", "FunctionSource", "RunnableSource"]

_logger = logging.getLogger(__name__)

_FIRST_LIMIT = 16_384
_MAX_BUFFERED = 131_072
_INTERVAL_MS = 10
_SECONDS_TO_END = 5.0


class RunnableSource(Protocol):
    """Interface of functions that emit elements."""

    def run(self, ctx: SourceContext[Any], /) -> None:
        """Emit elements until there are no more, or until ``cancel`` was called."""
        ...

    def cancel(self) -> None:
        """Make ``run`` return; called by another thread."""
        ...


@runtime_checkable
class CheckpointedFunction(Protocol):
    """A source function whose state is part of checkpoints, so that it resumes exactly where it was.

    Mirrors ``org.apache.flink.streaming.api.checkpoint.CheckpointedFunction``.
    """

    def snapshot_state(self) -> Any:
        """Return the state that goes with the elements emitted so far; called under the checkpoint lock.

        Returns:
            A value that can be pickled.
        """
        ...

    def restore_state(self, state: Any, /) -> None:
        """Restore a state returned by ``snapshot_state``; called before ``run``."""
        ...


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """The elements that a function emits in a thread of the driver.

    Each epoch carries its elements, so that it can be repeated whatever the function does.

    Attributes:
        payload: the pickled function, a `RunnableSource`.
        description: the function and where it is defined.
        type_info: type of the elements.
    """

    payload: bytes = field(repr=False)
    description: str
    type_info: TypeInformation[Any]

    @property
    def is_bounded(self) -> bool:
        """False: only the function knows whether it will return."""
        return False

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.NONE

    @property
    def first_limit(self) -> int:
        """The limit of the first polls in elements."""
        return _FIRST_LIMIT

    def enumerator(
        self,
        parallelism: int,
        position: FunctionProgress | None = None,
        changes: Sequence[FunctionProgress] = (),
    ) -> FunctionEnumerator:
        """Start the function, restored to the state of the last poll.

        Args:
            parallelism: number of subtasks; the first one gets all elements.
            position: the progress at a snapshot.
            changes: the progress at the polls since.

        Raises:
            SourceError: the function cannot be restored.
        """
        known = [position or FunctionProgress(), *changes]
        return FunctionEnumerator(self, parallelism, known[-1])

    def read(self, split: bytes) -> Iterator[Elements | Watermark]:
        """Yield the elements and watermarks of a split in order."""
        yield from pickle.loads(split)


class FunctionProgress(NamedTuple):
    """The progress of a function.

    Attributes:
        state: its pickled state, ``None`` if it has none yet.
        is_ended: whether it has returned, and all elements have been fetched.
    """

    state: bytes | None = None
    is_ended: bool = False


class FunctionEnumerator:
    """Runs a function in a thread, and fetches what it emits.

    Args:
        source: the function.
        parallelism: number of subtasks.
        progress: the progress to resume after.

    Raises:
        SourceError: the function cannot be restored.
    """

    def __init__(self, source: FunctionSource, parallelism: int, progress: FunctionProgress) -> None:
        self._source = source
        self._parallelism = parallelism
        self._progress = progress
        self._function: RunnableSource = pickle.loads(source.payload)
        self._context: SourceContext[Any] = SourceContext(_FIRST_LIMIT)
        self._failure: BaseException | None = None
        self._has_returned = False
        self._thread = Thread(target=self._run, name=f"source {source.description}", daemon=True)
        if not progress.is_ended:
            if progress.state is not None and isinstance(self._function, CheckpointedFunction):
                try:
                    self._function.restore_state(pickle.loads(progress.state))
                except Exception as error:
                    raise self._error("restore_state failed", error) from error
            self._thread.start()

    @property
    def is_ended(self) -> bool:
        """Whether the function has returned, and all its elements have been fetched."""
        return self._progress.is_ended

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return what the function has emitted, and let it emit ``limit`` more elements before it blocks.

        The last poll of a function that has returned may have no splits.

        Raises:
            SourceError: the function failed, or an element does not fit the type.
        """
        if self.is_ended:
            return None
        with self._context._between_emissions():
            if self._failure is not None:
                raise self._error("run failed", self._failure) from self._failure
            events = self._context._fetch(min(max(limit, 1), _MAX_BUFFERED))
            if not events and not self._has_returned:
                return None
            self._progress = FunctionProgress(self._state(), self._has_returned)
        count = sum(len(event.values) for event in events if isinstance(event, Elements))
        splits: list[list[bytes]] = [[] for _ in range(self._parallelism)]
        splits[0] += self._encoded(events)
        return Poll(splits, count, self._progress)

    def next_poll(self, now: int) -> int | None:
        """Return the time of the next poll: at once if the buffer is not empty."""
        if self.is_ended:
            return None
        is_waiting = self._context._is_empty() and not self._has_returned and self._failure is None
        return now + _INTERVAL_MS if is_waiting else now

    def backlog(self, now: int) -> Backlog:
        """Return the number of elements that the function has emitted since the last poll."""
        with self._context._between_emissions():
            return Backlog(self._context._count(), "records")

    def snapshot(self) -> FunctionProgress:
        """Return the progress at the last poll."""
        return self._progress

    def completed(self) -> None:
        """Do nothing: the function learns nothing about its elements."""

    def close(self) -> None:
        """Cancel the function and wait a little for its end."""
        if not self._thread.is_alive():
            return
        self._context._stop()
        try:
            self._function.cancel()
        except Exception as error:  # noqa: BLE001 - a user's function may raise anything
            _logger.warning("%s", self._error("cancel failed", error))
        self._thread.join(_SECONDS_TO_END)
        if self._thread.is_alive():
            _logger.warning("%s still runs after cancel()", self._source.description)

    def _run(self) -> None:
        failure: BaseException | None = None
        try:
            self._function.run(self._context)
        except SourceStopped:
            pass
        except BaseException as error:  # noqa: BLE001 - raised by the next poll
            failure = error
        with self._context._between_emissions():
            self._failure = failure
            self._has_returned = True

    def _state(self) -> bytes | None:
        if not isinstance(self._function, CheckpointedFunction):
            return None
        try:
            return dumps(self._function.snapshot_state())
        except Exception as error:
            raise self._error("snapshot_state failed", error) from error

    def _encoded(self, events: list[Elements | Watermark]) -> Iterator[bytes]:
        """Yield events as splits of bounded size."""
        from typeinfo.serde import serializer_for

        conform = serializer_for(self._source.type_info).conform
        group: list[Elements | Watermark] = []
        size = 0
        for event in events:
            if isinstance(event, Elements):
                try:
                    event = event._replace(values=conform(list(event.values)))
                except TypeCheckError as error:
                    raise SourceError(f"source function {self._source.description}: {error}") from error
            length = len(event.values) if isinstance(event, Elements) else 1
            if group and size + length > BATCH:
                yield dumps(group)
                group, size = [], 0
            group.append(event)
            size += length
        if group:
            yield dumps(group)

    def _error(self, what: str, error: BaseException) -> SourceError:
        trace = user_traceback(error)
        return SourceError(
            f"source function {self._source.description}: {what}: {summarize(error)}"
            + (f"\n\n{trace}" if trace else "")
        )
