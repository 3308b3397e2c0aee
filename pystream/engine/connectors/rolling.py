"""Rolling policies: when a part file is closed and the next one started."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RollAtEnd", "RollBySizeAndTime", "Rolling"]


@dataclass(frozen=True, slots=True)
class RollBySizeAndTime:
    """Close a part file by size, age or inactivity.

    Attributes:
        part_size: bytes; a file that has grown beyond takes no further element.
        rollover_interval: milliseconds a file may stay open.
        inactivity_interval: milliseconds a file may stay open without being written to.
    """

    part_size: int
    rollover_interval: int
    inactivity_interval: int

    @property
    def size_limit(self) -> int | None:
        """The size beyond which a file takes no further element."""
        return self.part_size

    def is_due(self, created: int, updated: int, now: int) -> bool:
        """Return whether a file must be closed because of its age; all times in milliseconds."""
        return now - created >= self.rollover_interval or now - updated >= self.inactivity_interval


@dataclass(frozen=True, slots=True)
class RollAtEnd:
    """Close part files only when the job ends."""

    @property
    def size_limit(self) -> int | None:
        """No limit: files are not closed by size."""
        return None

    def is_due(self, created: int, updated: int, now: int) -> bool:
        """Return False: files are not closed by age."""
        return False


Rolling = RollBySizeAndTime | RollAtEnd
