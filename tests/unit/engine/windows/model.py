"""Simple models of windows: lists that are searched from the start each time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NEVER = -(2**63)


@dataclass
class FixedWindows:
    """Tumbling and sliding windows of event time that fire at their end, and again for late elements."""

    size: int
    slide: int
    offset: int
    lateness: int
    watermark: int = NEVER
    held: list[tuple[Any, tuple[int, int], Any]] = field(default_factory=list)  # key, window, value
    late: list[Any] = field(default_factory=list)
    fired: list[tuple[Any, tuple[int, int], list[Any]]] = field(default_factory=list)

    def windows(self, time: int) -> list[tuple[int, int]]:
        """All windows that hold a time, the latest first, found by trying."""
        starts = [s for s in range(time, time - self.size, -1) if (s - self.offset) % self.slide == 0]
        return [(start, start + self.size) for start in starts]

    def add(self, key: Any, time: int, value: Any) -> None:
        open_ = [w for w in self.windows(time) if w[1] - 1 + self.lateness > self.watermark]
        for window in open_:
            self.held.append((key, window, value))
            if window[1] - 1 <= self.watermark:
                self._fire(key, window)
        if not open_ and time + self.lateness <= self.watermark:
            self.late.append(value)

    def advance(self, watermark: int) -> None:
        before, self.watermark = self.watermark, watermark
        panes = {(key, window) for key, window, _ in self.held}
        for key, window in sorted(panes, key=lambda pane: (pane[1][1], pane[0])):
            if before < window[1] - 1 <= watermark:
                self._fire(key, window)

    def _fire(self, key: Any, window: tuple[int, int]) -> None:
        contents = [v for k, w, v in self.held if (k, w) == (key, window)]
        self.fired.append((key, window, contents))


@dataclass
class Sessions:
    """Session windows with a gap per element. Contents are sorted."""

    lateness: int
    watermark: int = NEVER
    held: list[tuple[Any, int, int, Any]] = field(default_factory=list)  # key, time, end, value
    late: list[Any] = field(default_factory=list)
    fired: list[tuple[Any, tuple[int, int], list[Any]]] = field(default_factory=list)

    def sessions(self, key: Any) -> list[tuple[tuple[int, int], list[Any]]]:
        """The sessions of a key: stretches of time that overlap or touch."""
        found: list[tuple[tuple[int, int], list[Any]]] = []
        for _, time, end, value in sorted(e for e in self.held if e[0] == key):
            if found and time <= found[-1][0][1]:
                (start, last_end), values = found[-1]
                found[-1] = (start, max(last_end, end)), [*values, value]
            else:
                found.append(((time, end), [value]))
        return found

    def add(self, key: Any, time: int, value: Any, gap: int) -> None:
        self.held.append((key, time, time + gap, value))
        window, values = next(s for s in self.sessions(key) if s[0][0] <= time < s[0][1])
        if window[1] - 1 + self.lateness <= self.watermark:
            self.held.pop()
            if time + self.lateness <= self.watermark:
                self.late.append(value)
        elif window[1] - 1 <= self.watermark:
            self.fired.append((key, window, sorted(values)))

    def advance(self, watermark: int) -> None:
        before, self.watermark = self.watermark, watermark
        there = [(key, *session) for key in {e[0] for e in self.held} for session in self.sessions(key)]
        for key, window, values in sorted(there, key=lambda session: (session[1][1], session[0])):
            if before < window[1] - 1 <= watermark:
                self.fired.append((key, window, sorted(values)))
            if window[1] - 1 + self.lateness <= watermark:
                self.held = [e for e in self.held if e[0] != key or not window[0] <= e[1] < window[1]]
