"""The states of the automaton of a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pystream.table.algebra.patterns import PatternVariable

__all__ = ["END", "State", "states_of"]

END = 0
"""The state in which a match is complete."""


class State(NamedTuple):
    """A state, in which a variable takes the next row or is passed over.

    Attributes:
        variable: the variable.
        taken: the state after it has taken a row.
        passed: the state that decides instead; ``None`` if the variable must take the row.
        unless: the greedy variables before it, which take a row first.
    """

    variable: int
    taken: int
    passed: int | None
    unless: tuple[int, ...] = ()


def states_of(variables: Sequence[PatternVariable]) -> tuple[list[State], int]:
    """Return the states of a pattern, and the one that matches begin in."""
    states = [State(-1, END, None)]

    def added(variable: int, taken: int, passed: int | None) -> int:
        states.append(State(variable, taken, passed))
        return len(states) - 1

    after = END
    for number, variable in reversed([*enumerate(variables)]):
        if variable.is_greedy and after != END:
            states[after] = states[after]._replace(unless=(*states[after].unless, number))
        least = max(variable.least, 1)
        state = after
        if variable.most is None:
            state = len(states)
            added(number, state, after)
        for _ in range(least, variable.most or least):
            state = added(number, state, after)
        for _ in range(least - 1):
            state = added(number, state, None)
        after = added(number, state, None if variable.least else after)
    return states, after
