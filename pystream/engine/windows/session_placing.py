"""SessionPlacing: the sessions of a batch of elements, and when their contents merge."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

__all__ = ["Merge", "SessionPlacing"]

S = TypeVar("S")


class Merge(NamedTuple):
    """The merge of sessions that an element joins.

    Attributes:
        at: the position of the element.
        into: the session that remains.
        others: those whose contents are to be added to it, in their order.
    """

    at: int
    into: Any
    others: list[Any]


class SessionPlacing:
    """The sessions of a batch of elements, in rounds: one merges in a round only what earlier ones folded.

    Within a round, the elements of each session come in their order, and sessions are independent of each
    other.

    Attributes:
        sessions: the sessions of some round, each once a round.
        rounds: the round of each of them.
        numbers: for each element, the position of its session; -1 if it is late.
        merges: the merges at the beginning of each round.
    """

    def __init__(self) -> None:
        self.sessions: list[Any] = []
        self.rounds: list[int] = []
        self.numbers: list[int] = []
        self.merges: dict[int, list[Merge]] = {}
        self._current: dict[Any, int] = {}

    def number_of(self, session: Any) -> int:
        """Return the position of the session to which an element is added."""
        number = self._current.get(session)
        return self._added(session, 0) if number is None else number

    def merge(self, at: int, into: Any, others: list[Any]) -> None:
        """Merge sessions before an element is added to the one that remains."""
        current = self._current
        before = [self.rounds[current[one]] for one in (into, *others) if one in current]
        number = max(before, default=-1) + 1
        self.merges.setdefault(number, []).append(Merge(at, into, others))
        self._added(into, number)

    def _added(self, session: Any, number: int) -> int:
        position = self._current[session] = len(self.sessions)
        self.sessions.append(session)
        self.rounds.append(number)
        return position
