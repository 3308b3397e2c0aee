"""PiecewiseSource: a bounded source that an unbounded job reads in pieces."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pystream.engine.connectors.interfaces import Backlog, BoundedSource, Poll, UnboundedSource
from pystream.kinds import SourceColumns

__all__ = ["PiecewiseSource", "in_pieces"]

_FIRST_LIMIT = 16 << 20


@runtime_checkable
class Divisible(Protocol):
    """Interface of sources whose splits can be divided further."""

    def cost(self, split: Any) -> int:
        """Return the cost of reading a split, in bytes."""
        ...

    def length(self, split: Any) -> int:
        """Return the number of bytes of a split."""
        ...

    def first_part(self, split: Any, size: int) -> tuple[Any, Any]:
        """Return the first part of a split, of about that cost, and the rest; ``None`` if undivided."""
        ...


def in_pieces(source: BoundedSource | UnboundedSource) -> UnboundedSource:
    """Return an unbounded source that reads the same: the source itself, or a bounded one in pieces."""
    return source if isinstance(source, UnboundedSource) else PiecewiseSource(source)


@dataclass(frozen=True, slots=True)
class PiecewiseSource:
    """The splits of a bounded source, a few in each epoch.

    A source whose splits are divisible is measured in bytes. Of others, each subtask reads one split in an
    epoch, whatever the limit.

    Attributes:
        source: the bounded source.
    """

    source: BoundedSource

    @property
    def is_bounded(self) -> bool:
        """True, as the input ends."""
        return True

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return self.source.columns

    @property
    def first_limit(self) -> int:
        """The limit of the first polls, 16 MiB."""
        return _FIRST_LIMIT

    def enumerator(
        self,
        parallelism: int,
        position: Sequence[Sequence[Any]] | None = None,
        changes: Sequence[PiecesTaken] = (),
    ) -> PiecewiseEnumerator:
        """Return an enumerator of the splits that have not been read.

        Args:
            parallelism: number of subtasks.
            position: the splits left for each subtask at a snapshot.
            changes: those taken by the polls since.

        Raises:
            PyStreamError: the input is missing or cannot be listed.
        """
        left = [deque(share) for share in position or ()]
        for change in changes:
            left = change.applied(left)
        is_known = bool(left) and len(left) == parallelism
        if not left:
            left = [deque(share) for share in self.source.splits(parallelism)]
        elif not is_known:
            splits = [split for share in left for split in share]
            left = [deque(splits[subtask::parallelism]) for subtask in range(parallelism)]
        return PiecewiseEnumerator(self.source, left, is_known=is_known)

    def read(self, split: Any) -> Iterator[Sequence[Any]]:
        """Yield the elements of one split in order."""
        return self.source.read(split)


class PiecesTaken(NamedTuple):
    """The splits that a poll took.

    Attributes:
        before: the splits of each subtask before it; ``None`` if they follow from earlier changes.
        counts: the number of splits taken from each subtask, with one that was divided.
        rests: the rest of the split of each subtask that was divided, ``None`` without one.
    """

    before: tuple[tuple[Any, ...], ...] | None
    counts: tuple[int, ...]
    rests: tuple[Any, ...]

    def applied(self, left: list[deque[Any]]) -> list[deque[Any]]:
        """Return the splits that are left of those before the poll."""
        shares = left if self.before is None else self.before
        return [
            deque(islice(share, count, None) if rest is None else [rest, *islice(share, count, None)])
            for share, count, rest in zip(shares, self.counts, self.rests, strict=True)
        ]


class PiecewiseEnumerator:
    """Take splits of each subtask up to a limit.

    Args:
        source: the bounded source.
        left: the splits left for each subtask.
        is_known: whether these follow from the position and the changes before.
    """

    def __init__(self, source: BoundedSource, left: list[deque[Any]], *, is_known: bool) -> None:
        self._divisible = source if isinstance(source, Divisible) else None
        self._left = left
        self._is_known = is_known
        self._bytes = self._length(split for share in left for split in share)

    @property
    def is_ended(self) -> bool:
        """Whether all splits have been taken."""
        return not any(self._left)

    def poll(self, now: int, limit: int) -> Poll | None:
        """Return the next splits of each subtask; the limit is divided among those with splits left."""
        if self.is_ended:
            return None
        before = None if self._is_known else self.snapshot()
        self._is_known = True
        fair = -(-limit // sum(map(bool, self._left)))
        taken = [self._take(share, fair) for share in self._left]
        self._bytes -= self._length(split for splits, _, _ in taken for split in splits)
        change = PiecesTaken(
            before, tuple(len(splits) for splits, _, _ in taken), tuple(rest for _, rest, _ in taken)
        )
        is_cut = self._divisible is not None and not self.is_ended
        return Poll([splits for splits, _, _ in taken], sum(size for _, _, size in taken), change, is_cut)

    def next_poll(self, now: int) -> int | None:
        """Return the current time: splits are always available."""
        return None if self.is_ended else now

    def backlog(self, now: int) -> Backlog | None:
        """Return the bytes of the splits that are left; ``None`` if they are not measured in bytes."""
        return None if self._divisible is None else Backlog(self._bytes, "bytes")

    def snapshot(self) -> tuple[tuple[Any, ...], ...]:
        """Return the splits that are left for each subtask."""
        return tuple(map(tuple, self._left))

    def completed(self) -> None:
        """Do nothing: the input stays where it is."""

    def close(self) -> None:
        """Do nothing."""

    def _length(self, splits: Iterable[Any]) -> int:
        """Return the number of bytes of splits, 0 if they are not measured in bytes."""
        return 0 if self._divisible is None else sum(map(self._divisible.length, splits))

    def _take(self, share: deque[Any], limit: int) -> tuple[list[Any], Any, int]:
        """Take splits of a subtask; return them, the rest of the last one, and their size."""
        if self._divisible is None:
            splits = [share.popleft()] if share else []
            return splits, None, len(splits)
        splits, size = [], 0
        while share and size < limit:
            split, rest = self._divisible.first_part(share.popleft(), limit - size)
            splits.append(split)
            size += self._divisible.cost(split)
            if rest is not None:
                share.appendleft(rest)
                return splits, rest, size
        return splits, None, size
