"""WindowCall: the call of a window function on a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pystream.durations import Duration
from pystream.settings.config_values import to_text

__all__ = ["WindowCall", "shown_duration"]

_LENGTHS: Mapping[str, tuple[str, ...]] = {
    "TUMBLE": ("size", "offset"),
    "HOP": ("slide", "size", "offset"),
    "CUMULATE": ("step", "max_size", "offset"),
    "SESSION": ("gap",),
}
"""The names of the intervals of each function, in their order."""


class WindowCall(NamedTuple):
    """The call of a window function.

    Attributes:
        function: its name, in capitals.
        time: the column of times.
        keys: the columns of ``PARTITION BY``.
        lengths: its intervals in milliseconds.
    """

    function: str
    time: str
    keys: tuple[str, ...]
    lengths: tuple[int, ...]

    def __str__(self) -> str:
        """Return the call as Flink prints it in plans."""
        named = zip(_LENGTHS[self.function], self.lengths, strict=False)
        lengths = {name: shown_duration(length) for name, length in named}
        sizes = [(name, lengths.pop(name)) for name in ("size", "max_size") if name in lengths]
        arguments = [("time_col", self.time), *sizes, *lengths.items()]
        if self.keys:
            arguments.append(("partition keys", ", ".join(self.keys)))
        return f"{self.function}({', '.join(f'{name}=[{value}]' for name, value in arguments)})"


def shown_duration(milliseconds: int) -> str:
    """Return a length of time in the greatest unit of which it is a multiple, as Flink prints it in plans."""
    sign = "-" if milliseconds < 0 else ""
    return f"{sign}{to_text(Duration.of_millis(abs(milliseconds)))}"
