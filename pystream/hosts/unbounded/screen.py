"""Screen: lines at the bottom of the terminal that are redrawn in place, below all other output."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, TextIO, cast

__all__ = ["Screen"]

_CLEAR_LINE = "\x1b[K"
_CLEAR_BELOW = "\x1b[J"
_USUAL_SIZE = (80, 24)


class Screen:
    """Draw lines below the output of the program, and redraw them after each write to the terminal.

    While it is open, it replaces ``sys.stdout`` and ``sys.stderr`` if they are terminals.

    Args:
        terminal: where to draw.
    """

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._lock = threading.RLock()
        self._lines: Sequence[tuple[str, int]] = ()
        self._is_open = True
        self._replaced: dict[str, tuple[TextIO, TextIO]] = {}
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is not None and stream.isatty():
                guard = cast(TextIO, _Guard(self, stream))
                self._replaced[name] = (stream, guard)
                setattr(sys, name, guard)

    def size(self) -> tuple[int, int]:
        """Return the columns and rows of the terminal; 80 by 24 if it does not know them."""
        try:
            columns, rows = os.get_terminal_size(self._terminal.fileno())
        except (OSError, ValueError):
            return _USUAL_SIZE
        return columns or _USUAL_SIZE[0], rows or _USUAL_SIZE[1]

    def draw(self, lines: Sequence[tuple[str, int]]) -> None:
        """Replace the lines.

        Args:
            lines: without their line ends, each with the number of columns it takes; may have colours.
                Those that do not fit the terminal are left out.
        """
        with self._lock:
            if self._is_open:
                before, self._lines = self._rows(), lines[: self.size()[1] - 1]
                self._send(_up(before) + self._text())

    def close(self) -> None:
        """Leave the lines as they are, and give ``sys.stdout`` and ``sys.stderr`` back."""
        for name, (stream, guard) in self._replaced.items():
            with suppress(OSError, ValueError):  # in case the terminal is gone
                guard.flush()
            if getattr(sys, name) is guard:
                setattr(sys, name, stream)
        with self._lock:
            self._is_open = False

    def write(self, stream: TextIO, text: str) -> None:
        """Write text to a stream of this terminal, above the lines.

        Args:
            stream: the original of ``sys.stdout`` or ``sys.stderr``.
            text: complete lines.
        """
        with self._lock:
            is_drawn = self._is_open and bool(self._lines)
            if is_drawn:
                self._send(_up(self._rows()) + _CLEAR_BELOW)
            try:
                stream.write(text)
                stream.flush()
            finally:
                if is_drawn:
                    self._send(self._text())

    def _rows(self) -> int:
        """Return the number of rows of the terminal that the lines take at its present width."""
        columns, _ = self.size()
        return sum(max(-(-width // columns), 1) for _, width in self._lines)

    def _text(self) -> str:
        return "".join(f"{line}{_CLEAR_LINE}\n" for line, _ in self._lines) + _CLEAR_BELOW

    def _send(self, text: str) -> None:
        try:
            self._terminal.write(text)
            self._terminal.flush()
        except (OSError, ValueError):  # the terminal is gone; the job keeps running
            self._is_open = False


class _Guard:
    """Stand in for a stream of a terminal: pass on complete lines, above the lines of a screen.

    The rest of a line follows once it is complete, or as a line of its own when it is flushed. Bars that are
    redrawn by carriage returns are shown when their line is complete.
    """

    def __init__(self, screen: Screen, stream: TextIO) -> None:
        self._screen = screen
        self._stream = stream
        self._rest = ""
        self._lock = threading.RLock()  # a signal handler may write while this thread does
        self._process = os.getpid()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        if self._is_forked():
            return self._stream.write(text)
        with self._lock:
            complete, newline, rest = (self._rest + text).rpartition("\n")
            self._rest = rest[max(rest.rfind("\r"), 0) :]
            if newline:
                self._screen.write(self._stream, complete + newline)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        self.write("".join(lines))

    def flush(self) -> None:
        if self._is_forked():
            self._stream.flush()
            return
        with self._lock:
            if self._rest and not self._rest.startswith("\r"):
                self.write("\n")

    def _is_forked(self) -> bool:
        """Return whether this process, forked from the job's, has no part in the screen."""
        return os.getpid() != self._process


def _up(rows: int) -> str:
    """Return the sequence that moves to the start of the line a number of rows above."""
    return f"\r\x1b[{rows}A" if rows else ""
