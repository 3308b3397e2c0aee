"""RateWindow: records per second over the last ten seconds, from the counts of epochs."""

from __future__ import annotations

from collections import deque

__all__ = ["RateWindow"]

_WINDOW = 10_000  # ms
_SHORTEST = 500  # ms; shorter spans are joined, so that their number is bounded


class RateWindow:
    """The records received and sent in the last ten seconds.

    The records of an epoch count as evenly spread over its duration, so that one that takes longer than the
    window has the rate at which it worked.

    Args:
        start: start of the job in ms since the Unix epoch; there were no records before.
    """

    def __init__(self, start: int) -> None:
        self._start = start
        self._spans: deque[_Span] = deque()

    def add(self, start: int, end: int, received: int, sent: int) -> None:
        """Add an epoch; it starts after the one before has ended.

        Args:
            start: in ms since the Unix epoch.
            end: in ms since the Unix epoch.
            received: number of records received.
            sent: number of records sent.
        """
        last = self._spans[-1] if self._spans else None
        if last is not None and end - last.start <= _SHORTEST:
            last.end = max(last.end, end)
            last.received += received
            last.sent += sent
        else:
            self._spans.append(_Span(start, max(end, start), received, sent))
        while self._spans[0].end < end - _WINDOW:
            self._spans.popleft()

    def rates(self, now: int) -> tuple[float, float]:
        """Return the numbers of records received and sent per second.

        Args:
            now: end of the window in ms since the Unix epoch.
        """
        begin = max(now - _WINDOW, self._start)
        millis = max(now - begin, 1)
        shares = [(span, span.share_after(begin)) for span in self._spans]
        received = sum(span.received * share for span, share in shares)
        sent = sum(span.sent * share for span, share in shares)
        return received * 1000 / millis, sent * 1000 / millis


class _Span:
    __slots__ = ("end", "received", "sent", "start")

    def __init__(self, start: int, end: int, received: int, sent: int) -> None:
        self.start = start
        self.end = end
        self.received = received
        self.sent = sent

    def share_after(self, time: int) -> float:
        """Return the share of the span that lies after a time."""
        if time <= self.start:
            return 1.0
        return max(self.end - time, 0) / max(self.end - self.start, 1)
