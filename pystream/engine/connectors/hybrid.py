"""HybridInput: several sources of elements of one type, read one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from pystream.engine.connectors.interfaces import (
    Backlog,
    BoundedSource,
    ConnectedSource,
    Poll,
    UnboundedSource,
)
from pystream.engine.connectors.piecewise import in_pieces
from pystream.engine.connectors.split_names import split_name
from pystream.engine.events import Elements, RecordErrors, Watermark, list_of
from pystream.errors import SourceError
from pystream.kinds import SourceColumns

__all__ = ["HybridEnumerator", "HybridInput", "HybridPart"]


class HybridPart(NamedTuple):
    """One of the sources of a `HybridInput`.

    Attributes:
        source: reads it.
        has_splits: whether it yields tuples with its splits, for watermarks by split.
    """

    source: BoundedSource | UnboundedSource
    has_splits: bool = False


class HybridSplit(NamedTuple):
    """A split of one of the sources.

    Attributes:
        number: the index of the source.
        split: its split.
    """

    number: int
    split: Any


class HybridPosition(NamedTuple):
    """The position in the source that is being read.

    Attributes:
        number: the index of the source.
        position: the position of its enumerator.
    """

    number: int
    position: Any


class HybridChange(NamedTuple):
    """The change of position that a poll of a `HybridInput` makes.

    Attributes:
        opened: the position at which it started to read the next source, if it did.
        changes: the change of the enumerator of the current source, if that had input.
    """

    opened: HybridPosition | None
    changes: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class HybridInput:
    """Several sources of elements of one type, read one after the other; only the last may be unbounded.

    A limit is a share of the first limit of each source, so that it means about the same in all their units.

    Attributes:
        parts: the sources.
        by_split: whether elements come with the name of their split and the number of splits of the subtask,
            for watermarks by split. The elements of a source without splits are those of a single one.
    """

    parts: tuple[HybridPart, ...]
    by_split: bool = False

    @property
    def is_bounded(self) -> bool:
        """Whether the last source is bounded."""
        return self.parts[-1].source.is_bounded

    @property
    def columns(self) -> SourceColumns:
        """The workers, if all sources have columns there."""
        found = {part.source.columns for part in self.parts}
        are_all = found == {SourceColumns.WORKERS} and not self.by_split
        return SourceColumns.WORKERS if are_all else SourceColumns.NONE

    @property
    def first_limit(self) -> int:
        """The limit of the first polls, in units of the first source."""
        return in_pieces(self.parts[0].source).first_limit

    def splits(self, parallelism: int) -> Sequence[Sequence[HybridSplit]]:
        """Return the splits of all sources for each subtask, in the order of the sources.

        Raises:
            PyStreamError: the input of a source is missing or cannot be listed.
        """
        shares: list[list[HybridSplit]] = [[] for _ in range(parallelism)]
        for number, part in enumerate(self.parts):
            splits = cast(BoundedSource, part.source).splits(parallelism)
            for share, added in zip(shares, _numbered(number, splits), strict=True):
                share += added
        return shares

    def enumerator(
        self, parallelism: int, position: HybridPosition | None = None, changes: Sequence[HybridChange] = ()
    ) -> HybridEnumerator:
        """Open the enumerator of the source at a position, at first that of the first source.

        Args:
            parallelism: number of subtasks.
            position: the position at a snapshot.
            changes: what the polls since have changed.

        Raises:
            SourceError: the position is that of another source.
            PyStreamError: the input of the source is missing.
        """
        if position is not None and not (
            isinstance(position, HybridPosition) and position.number < len(self.parts)
        ):
            raise SourceError(
                "the state is that of another source: a HybridSource continues with the same list of "
                "sources; give it a new uid to start with the first one"
            )
        since: list[Any] = []
        for change in changes:
            if change.opened is not None:
                position, since = change.opened, []
            since += change.changes
        return HybridEnumerator(self, parallelism, position or HybridPosition(0, None), since)

    def read(self, split: HybridSplit) -> Iterator[Any]:
        """Yield the elements of one split in order."""
        number, inner = split
        part = self.parts[number]
        batches: Iterator[Any] = part.source.read(inner)
        if self.columns is SourceColumns.WORKERS:
            return batches
        return (self._plain(batch, number, part) for batch in batches)

    def connected(self) -> HybridInput:
        """Return the sources with connections of their own."""
        parts = [
            part._replace(source=part.source.connected())
            if isinstance(part.source, ConnectedSource)
            else part
            for part in self.parts
        ]
        return replace(self, parts=tuple(parts))

    def disconnect(self) -> None:
        """Close the connections of all sources in this process."""
        for part in self.parts:
            if isinstance(part.source, ConnectedSource):
                part.source.disconnect()

    def _plain(self, batch: Any, number: int, part: HybridPart) -> Any:
        """Return a batch with its elements in a list, with their splits if these are asked for."""
        if isinstance(batch, (Watermark, RecordErrors)):
            return batch
        if isinstance(batch, Elements):
            return batch._replace(values=self._values(batch.values, number, part))
        return self._values(batch, number, part)

    def _values(self, values: Sequence[Any], number: int, part: HybridPart) -> list[Any]:
        if not self.by_split:
            return list_of(values)
        if not part.has_splits:
            name = split_name(number)
            return [(name, 1, value) for value in values]
        return [(split_name(number, name), count, value) for name, count, value in values]


class HybridEnumerator:
    """Divide the input of one source after the other into epochs.

    The enumerator of a source is opened by the poll after the last one of the source before. Whatever that
    poll finds, its change has the position at which the source starts.

    Args:
        input: the sources.
        parallelism: number of subtasks.
        position: where to start.
        changes: the changes by the polls of that source since.

    Raises:
        PyStreamError: the input of the source is missing.
    """

    def __init__(
        self, input: HybridInput, parallelism: int, position: HybridPosition, changes: Sequence[Any]
    ) -> None:
        self._input = input
        self._parallelism = parallelism
        self._number = position.number
        self._current = self._source.enumerator(parallelism, position.position, changes)

    @property
    def is_ended(self) -> bool:
        """Whether the last source has ended."""
        return self._is_last and self._current.is_ended

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the input of the current source, or of the next one if it has ended.

        Raises:
            PyStreamError: the input of a source is missing or cannot be read.
        """
        opened = None
        while self._current.is_ended and not self._is_last:
            opened = self._open_next()
        share = limit * self._source.first_limit // self._input.first_limit
        poll = None if self._current.is_ended else self._current.poll(now, max(share, 1))
        if poll is None:
            return None if opened is None else self._nothing(opened)
        return poll._replace(
            splits=_numbered(self._number, poll.splits), change=HybridChange(opened, (poll.change,))
        )

    def next_poll(self, now: int) -> int | None:
        """Return when the current source has input; at once if the next one is to be opened."""
        return now if self._current.is_ended and not self._is_last else self._current.next_poll(now)

    def backlog(self, now: int) -> Backlog | None:
        """Return the backlog of the current source."""
        return self._current.backlog(now)

    def snapshot(self) -> HybridPosition:
        """Return the index of the current source and the position in it."""
        return HybridPosition(self._number, self._current.snapshot())

    def completed(self) -> None:
        """Tell the current source; those before it were told before it was opened."""
        self._current.completed()

    def close(self) -> None:
        """Close the current source."""
        self._current.close()

    @property
    def _source(self) -> UnboundedSource:
        return in_pieces(self._input.parts[self._number].source)

    @property
    def _is_last(self) -> bool:
        return self._number == len(self._input.parts) - 1

    def _open_next(self) -> HybridPosition:
        ended = self._current
        following = in_pieces(self._input.parts[self._number + 1].source)
        self._current = following.enumerator(self._parallelism)
        self._number += 1
        ended.close()
        return self.snapshot()

    def _nothing(self, opened: HybridPosition) -> Poll:
        return Poll([()] * self._parallelism, 0, HybridChange(opened, ()))


def _numbered(number: int, splits: Sequence[Sequence[Any]]) -> list[list[HybridSplit]]:
    return [[HybridSplit(number, split) for split in share] for share in splits]
