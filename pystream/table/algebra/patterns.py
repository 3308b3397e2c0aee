"""Patterns of rows: the variables that rows are mapped to one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["PatternVariable", "SkipStrategy", "pattern_text"]


class PatternVariable(NamedTuple):
    """A variable of a pattern, with its quantifier.

    Attributes:
        name: its name.
        least: how many rows are mapped to it at least.
        most: how many at most; ``None`` for any number.
        is_reluctant: whether as few rows as possible are mapped to it.
    """

    name: str
    least: int = 1
    most: int | None = 1
    is_reluctant: bool = False

    @property
    def is_greedy(self) -> bool:
        """Whether no later variable gets a row that it takes; ``?`` and exact counts are not greedy."""
        return not self.is_reluctant and self.most not in (self.least, 1)

    def __str__(self) -> str:
        match self.least, self.most:
            case 1, 1:
                return self.name
            case 0, 1:
                quantifier = "?"
            case 0, None:
                quantifier = "*"
            case 1, None:
                quantifier = "+"
            case least, most if least == most:
                quantifier = f"{{{least}}}"
            case least, most:
                quantifier = f"{{{least},{'' if most is None else most}}}"
        return f"{self.name}{quantifier}{'?' if self.is_reluctant else ''}"


class SkipStrategy(NamedTuple):
    """The place where the next match may begin, ``AFTER MATCH SKIP``.

    Attributes:
        kind: ``PAST LAST ROW``, ``TO NEXT ROW``, ``TO FIRST`` or ``TO LAST``.
        variable: the number of the variable whose first or last row it may begin at.
    """

    kind: str = "TO NEXT ROW"
    variable: int | None = None


def pattern_text(variables: Sequence[PatternVariable]) -> str:
    """Return a pattern as it is written."""
    return f"({' '.join(map(str, variables))})"
