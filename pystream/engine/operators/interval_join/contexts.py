"""The context of an interval join's function."""

from __future__ import annotations

from pystream.engine.events import NO_TIMESTAMP

__all__ = ["IntervalJoinContext"]


class IntervalJoinContext:
    """The timestamps of a pair; valid only during the call.

    Mirrors ``…streaming.api.functions.co.ProcessJoinFunction.Context``.
    """

    __slots__ = ("_left_timestamp", "_right_timestamp")

    def __init__(self) -> None:
        self._left_timestamp = self._right_timestamp = NO_TIMESTAMP

    def get_left_timestamp(self) -> int:
        """Return the timestamp of the left element in ms since the epoch."""
        return self._left_timestamp

    def get_right_timestamp(self) -> int:
        """Return the timestamp of the right element in ms since the epoch."""
        return self._right_timestamp

    def get_timestamp(self) -> int:
        """Return the later of both timestamps, which the results get."""
        return max(self._left_timestamp, self._right_timestamp)
