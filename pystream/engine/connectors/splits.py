"""Splits of files, and their assignment to subtasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pystream.engine.connectors.files import InputFile

__all__ = ["MIN_SPLIT_BYTES", "OPENING_COST", "FileSplit", "assign_splits", "first_part"]

MIN_SPLIT_BYTES = 1024 * 1024
"""Minimum size of a split, in bytes, unless the file is smaller."""

OPENING_COST = 16 * 1024
"""The number of bytes that could be read in the time that opening a file takes."""


@dataclass(frozen=True, slots=True)
class FileSplit:
    """A byte range of a file; it contains the records that start in it.

    Attributes:
        order: position of the file in the listing.
        start: offset of the first byte.
        end: offset after the last byte.
        file: the file itself.
    """

    order: int
    start: int
    end: int
    file: InputFile

    @property
    def length(self) -> int:
        """The number of its bytes."""
        return self.end - self.start

    @property
    def cost(self) -> int:
        """The cost of reading it, in bytes."""
        return self.length + OPENING_COST

    def units(self, count: int) -> list[int]:
        """Return the positions of the parts of the file that belong to the range.

        Ranges that cover the file own each part once, wherever its bytes are: it belongs to the range with
        its middle, as if all parts had the same size.

        Args:
            count: the number of parts that are read as a whole, such as row groups.
        """
        middles = (self.file.size * (2 * unit + 1) // (2 * count) for unit in range(count))
        return [unit for unit, middle in enumerate(middles) if self.start <= middle < self.end]


def first_part(split: FileSplit, size: int, *, can_cut: bool) -> tuple[FileSplit, FileSplit | None]:
    """Return the first part of a split, and the rest; ``None`` if undivided.

    Args:
        split: the split.
        size: number of bytes of the first part; no part has less than ``MIN_SPLIT_BYTES``.
        can_cut: whether the file may be read from the middle.
    """
    end = split.start + max(size, MIN_SPLIT_BYTES)
    if not can_cut or split.end - end < MIN_SPLIT_BYTES:
        return split, None
    return replace(split, end=end), replace(split, start=end)


class _Share:
    """The splits of one subtask."""

    def __init__(self) -> None:
        self.bytes = 0
        self.splits: list[FileSplit] = []

    def add(self, split: FileSplit) -> None:
        self.bytes += split.end - split.start
        self.splits.append(split)


def assign_splits(
    files: Iterable[InputFile], parallelism: int, can_split: Callable[[InputFile], bool]
) -> list[list[FileSplit]]:
    """Split files where allowed, and assign every subtask about the same number of bytes.

    Whole files are assigned, the largest first, to the subtask with the fewest bytes; the others then
    fill the subtasks in order, so that each gets long splits. A subtask reads in the order of
    the listing.

    Args:
        files: in the order of reading; empty files are skipped.
        parallelism: number of subtasks.
        can_split: whether a file may be read from the middle.
    """
    splits = [FileSplit(order, 0, file.size, file) for order, file in enumerate(files) if file.size > 0]
    shares = [_Share() for _ in range(parallelism)]
    whole: list[FileSplit] = []
    divisible: list[FileSplit] = []
    for split in splits:
        fits = split.end <= MIN_SPLIT_BYTES or not can_split(split.file)
        (whole if fits else divisible).append(split)
    for split in sorted(whole, key=lambda s: -s.end):
        min(shares, key=lambda share: share.bytes).add(split)
    fair = -(-sum(split.end for split in splits) // parallelism)
    _fill(divisible, shares, max(fair, MIN_SPLIT_BYTES))
    return [sorted(share.splits, key=lambda s: (s.order, s.start)) for share in shares]


def _fill(files: list[FileSplit], shares: list[_Share], quota: int) -> None:
    unfilled = deque(shares)
    for split in files:
        start, size = 0, split.end
        while start < size:
            while unfilled and quota - unfilled[0].bytes < MIN_SPLIT_BYTES // 2:
                unfilled.popleft()
            share = unfilled[0] if unfilled else min(shares, key=lambda s: s.bytes)
            end = min(size, start + max(quota - share.bytes, MIN_SPLIT_BYTES))
            if size - end < MIN_SPLIT_BYTES:
                end = size
            share.add(FileSplit(split.order, start, end, split.file))
            start = end
