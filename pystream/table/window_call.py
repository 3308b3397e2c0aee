"""WindowCall: the call of a window function on a table."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["WindowCall"]


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
        return f"{self.function}({', '.join([self.time, *(f'{length} ms' for length in self.lengths)])})"
