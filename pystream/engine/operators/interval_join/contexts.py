"""Context of the function of an interval join."""

from __future__ import annotations

from pystream.engine.events import NO_TIMESTAMP

__all__ = ["IntervalJoinContext"]


class IntervalJoinContext:
    """The times of a pair; valid only during the call.

    Mirrors ``…streaming.api.functions.co.ProcessJoinFunction.Context``.
    """

    __slots__ = ("_left_timestamp", "_right_timestamp")

    def __init__(self) -> None:
        self._left_timestamp = self._right_timestamp = NO_TIMESTAMP

    def get_left_timestamp(self) -> int:
        """Return the event time of the left element in ms since the epoch."""
        return self._left_timestamp

    def get_right_timestamp(self) -> int:
        """Return the event time of the right element in ms since the epoch."""
        return self._right_timestamp

    def get_timestamp(self) -> int:
        """Return the later of both, which is the event time of the results."""
        return max(self._left_timestamp, self._right_timestamp)
