"""Event-time windows by their lengths alone, for folds of their elements without an operator."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AlignedWindows", "EventWindows", "SessionWindows"]


@dataclass(frozen=True, slots=True)
class AlignedWindows:
    """Windows that all keys share: tumbling, or sliding.

    Attributes:
        size: in ms.
        slide: from one beginning to the next, in ms; tumbling windows have their size.
        offset: offset of the beginnings of windows from multiples of the slide, in ms.
    """

    size: int
    slide: int
    offset: int


@dataclass(frozen=True, slots=True)
class SessionWindows:
    """Windows of a key that end where nothing comes for some time.

    Attributes:
        gap: how long after its last element a session ends, in ms; one that comes just then belongs to it.
    """

    gap: int


EventWindows = AlignedWindows | SessionWindows
