"""Segments, from which the part files of unbounded jobs are built, and the rules for closing parts.

Each epoch writes segments: complete files with elements of one subtask and bucket. A part file is made of
consecutive segments. It is in progress until the rolling policy closes it, then pending until the next
checkpoint of the program, at which it is finished, and visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pystream.engine.connectors.compaction import Compaction
from pystream.engine.connectors.interfaces import EpochEnd
from pystream.engine.connectors.part_file import Rolling

__all__ = ["FilesState", "Part", "Segment", "compacted", "rolled"]


class Segment(NamedTuple):
    """A complete file in the staging directory.

    Attributes:
        name: its name there.
        bucket: the bucket of its elements.
        size: in bytes.
        created: processing time of its first element, in ms since the Unix epoch.
        updated: processing time of its last elements.
        rolls: whether the rolling policy starts a new part file after it.
        level: how often its elements were merged with those of other segments.
    """

    name: str
    bucket: str
    size: int
    created: int
    updated: int
    rolls: bool = False
    level: int = 0


class Part(NamedTuple):
    """A part file that is not visible yet.

    Attributes:
        subtask: the subtask that wrote it.
        segments: its content, in order.
    """

    subtask: int
    segments: tuple[Segment, ...]

    @property
    def bucket(self) -> str:
        """The bucket of its elements."""
        return self.segments[0].bucket

    @property
    def size(self) -> int:
        """The size of its segments in bytes."""
        return sum(segment.size for segment in self.segments)

    def due(self, rolling: Rolling) -> float:
        """Return the time at which it is closed because of its age."""
        first, last = self.segments[0], self.segments[-1]
        return min(first.created + rolling.rollover_interval, last.updated + rolling.inactivity_interval)


class FilesState(NamedTuple):
    """The part files of a sink that are not visible after an epoch.

    Attributes:
        base_path: location of the sink's directory.
        next_check: processing time of the next check of the age of parts, in ms since the Unix epoch.
        in_progress: parts that take further elements.
        pending: parts that become visible at a checkpoint, in the order in which they were closed.
        checkpoints: number of checkpoints since small part files were last compacted.
    """

    base_path: str
    next_check: int
    in_progress: tuple[Part, ...] = ()
    pending: tuple[Part, ...] = ()
    checkpoints: int = 0


def rolled(
    state: FilesState,
    end: EpochEnd,
    written: Iterable[tuple[int, Sequence[Segment]]],
    rolling: Rolling,
    check_interval: int,
) -> FilesState:
    """Add the segments of an epoch to the parts, and close the parts that are complete.

    A part may exceed the size limit by the segments of one epoch.

    Args:
        state: the parts after the previous epoch.
        end: the end of the epoch.
        written: subtasks, and the segments they wrote.
        rolling: the rolling policy.
        check_interval: milliseconds between two checks of the age of parts.
    """
    parts = {(part.subtask, part.bucket): part for part in state.in_progress}
    closed = list(state.pending)
    for subtask, segments in written:
        for segment in segments:
            before = parts.pop((subtask, segment.bucket), None)
            part = Part(subtask, (*(before.segments if before else ()), segment))
            if segment.rolls or (rolling.size_limit is not None and part.size > rolling.size_limit):
                closed.append(part)
            else:
                parts[subtask, segment.bucket] = part
    is_checkpoint = end.last or (end.publishes and rolling.on_checkpoint)
    is_checked = end.now >= state.next_check
    open_parts: list[Part] = []
    for part in parts.values():
        is_complete = is_checkpoint or (is_checked and part.due(rolling) <= end.now)
        (closed if is_complete else open_parts).append(part)
    next_check = end.now + check_interval if is_checked else state.next_check
    return state._replace(next_check=next_check, in_progress=tuple(open_parts), pending=tuple(closed))


def compacted(
    state: FilesState, compaction: Compaction | None, *, flushes: bool
) -> tuple[FilesState, list[list[Part]]]:
    """Take the parts that become visible at a checkpoint from the pending ones.

    Args:
        state: the parts.
        compaction: decides which of them become one file; ``None`` if each is a file of its own.
        flushes: whether all must become visible.

    Returns:
        The parts that stay, and the groups of parts that each become one file.
    """
    if compaction is None:
        return state._replace(pending=()), [[part] for part in state.pending]
    checkpoints = state.checkpoints + 1
    flushes = flushes or (compaction.checkpoints is not None and checkpoints >= compaction.checkpoints)
    groups: list[list[Part]] = []
    remaining: dict[str, list[Part]] = {}
    for part in state.pending:
        group = remaining.setdefault(part.bucket, [])
        group.append(part)
        if compaction.size_threshold is not None and _size(group) >= compaction.size_threshold:
            groups.append(remaining.pop(part.bucket))
    if flushes:
        groups += remaining.values()
        return state._replace(pending=(), checkpoints=0), groups
    kept = tuple(part for group in remaining.values() for part in group)
    return state._replace(pending=kept, checkpoints=checkpoints if kept else 0), groups


def _size(parts: Iterable[Part]) -> int:
    return sum(part.size for part in parts)
