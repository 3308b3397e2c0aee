"""PatternAutomaton: the matches of a pattern in a sequence of rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pystream.errors import PyStreamError
from pystream.table.algebra.patterns import PatternVariable, SkipStrategy
from pystream.table.streaming.mapped_rows import MappedRows
from pystream.table.streaming.match_queue import add, begun_from, pop
from pystream.table.streaming.pattern_states import END, State, states_of

__all__ = ["Condition", "Matching", "PatternAutomaton", "SkipError"]

Fields = tuple[Any, ...]
Counts = tuple[int, ...]

Condition = Callable[[MappedRows], bool]
"""Returns whether the last row fulfils the condition of the variable that it is mapped to."""

_NOT_BEGUN = sys.maxsize
"""Stands for the number and the time of the first row of a match that any row may begin."""


class SkipError(PyStreamError, ValueError):
    """The next match cannot begin at the row of a variable; the message names the variable."""


class _Partial(NamedTuple):
    """The beginning of a match.

    Attributes:
        state: the state, which takes the next row.
        start: the number of the first row.
        time: the time of the first row.
        counts: how many rows are mapped to each variable.
    """

    state: int
    start: int
    time: int
    counts: Counts


class _Complete(NamedTuple):
    """A match.

    Attributes:
        start: the number of the first row.
        counts: how many rows are mapped to each variable.
    """

    start: int
    counts: Counts


@dataclass(slots=True)
class Matching:
    """What is known of the matches of a sequence of rows; it can be pickled.

    As there is no row between those of a match, a match is the number of its first row and the numbers of
    rows of its variables. So the rows are kept once.

    Attributes:
        first: the number of the first row that is kept.
        rows: the rows from there on.
        partials: the queue of beginnings of matches, with the one that any row may begin.
        completes: the queue of matches that wait for those that began before them.
    """

    first: int
    rows: list[Fields]
    partials: list[_Partial]
    completes: list[_Complete]


class PatternAutomaton:
    """Finds the matches of a pattern, one row at a time.

    A greedy variable takes each row that fulfils its condition: the variable after it gets none of these,
    even if there is no match then. A match is a result when no match that began before it can become one.

    Mirrors ``org.apache.flink.cep.nfa.NFA`` with strict contiguity.

    Args:
        variables: the pattern.
        conditions: that of each variable; ``None`` if it takes all rows.
        skip: where the next match may begin.
        within: the time after the first row by which a match must end, exclusive, in milliseconds; ``None``
            for any time.
    """

    def __init__(
        self,
        variables: Sequence[PatternVariable],
        conditions: Sequence[Condition | None],
        skip: SkipStrategy,
        within: int | None = None,
    ) -> None:
        self._names = [variable.name for variable in variables]
        self._conditions = conditions
        self._skip = skip
        self._within = within
        self._states, self._start = states_of(variables)

    def started(self) -> Matching:
        """Return what is known before the first row."""
        any_row = _Partial(self._start, _NOT_BEGUN, _NOT_BEGUN, (0,) * len(self._names))
        return Matching(0, [], [any_row], [])

    def expiry(self, matching: Matching) -> int | None:
        """Return the time at which the first beginning of a match is too old, ``None`` if none will be."""
        if self._within is None or not matching.rows:
            return None
        return matching.partials[0].time + self._within

    def advance(self, matching: Matching, time: int) -> Iterator[MappedRows]:
        """Forget beginnings of matches that are too old, and yield the matches that waited for them.

        Raises:
            SkipError: the next match cannot begin at the row of a variable.
        """
        expiry = self.expiry(matching)
        if expiry is None or expiry > time:
            return
        assert self._within is not None
        partials = list[_Partial]()
        for partial in matching.partials:
            if partial.time + self._within > time:
                add(partials, partial)
        matching.partials = partials
        yield from self._results(matching, time)

    def process(self, matching: Matching, row: Fields, time: int) -> Iterator[MappedRows]:
        """Yield the matches that are known by the next row.

        Raises:
            SkipError: the next match cannot begin at the row of a variable.
        """
        number = matching.first + len(matching.rows)
        matching.rows.append(row)
        partials, completes = list[_Partial](), list[_Complete]()
        for partial in matching.partials:
            has_begun = partial.start != _NOT_BEGUN
            begun = partial if has_begun else partial._replace(start=number, time=time)
            for state, counts in self._steps(matching, begun, time):
                if state == END:
                    add(completes, _Complete(begun.start, counts))
                else:
                    add(partials, begun._replace(state=state, counts=counts))
            if not has_begun:
                add(partials, partial)
        matching.partials = partials
        for complete in completes:
            add(matching.completes, complete)
        yield from self._results(matching, time)

    def _steps(self, matching: Matching, partial: _Partial, time: int) -> Iterator[tuple[int, Counts]]:
        """Yield the states after the last row, each with how many rows are mapped to each variable."""
        fulfilled: dict[int, bool] = {}
        start = partial.start - matching.first

        def counts_with(variable: int) -> Counts:
            counts = partial.counts
            return (*counts[:variable], counts[variable] + 1, *counts[variable + 1 :])

        def takes(variable: int) -> bool:
            condition = self._conditions[variable]
            if condition is None:
                return True
            if variable not in fulfilled:
                mapped = MappedRows(matching.rows, start, counts_with(variable), time)
                fulfilled[variable] = condition(mapped)
            return fulfilled[variable]

        for state in self._deciding(partial.state, takes):
            if takes(state.variable):
                counts = counts_with(state.variable)
                yield state.taken, counts
                if state.taken != END and self._ends(state.taken, takes):
                    yield END, counts

    def _deciding(self, number: int | None, takes: Callable[[int], bool]) -> Iterator[State]:
        """Yield a state, and those that it is passed over to."""
        while number is not None and number != END:
            state = self._states[number]
            if any(map(takes, state.unless)):
                return
            yield state
            number = state.passed

    def _ends(self, number: int, takes: Callable[[int], bool]) -> bool:
        """Return whether all variables from a state on may be passed over."""
        return any(state.passed == END for state in self._deciding(number, takes))

    def _results(self, matching: Matching, time: int) -> Iterator[MappedRows]:
        """Yield the matches that no earlier one can take the rows of, and forget what they exclude."""
        while matching.completes and matching.completes[0].start <= matching.partials[0].start:
            match = pop(matching.completes)
            first = self._first_after(match)
            matching.partials = begun_from(matching.partials, first)
            matching.completes = begun_from(matching.completes, first)
            start = match.start - matching.first
            yield MappedRows(matching.rows[start : start + sum(match.counts)], 0, match.counts, time)
        first = min(matching.partials[0].start, matching.first + len(matching.rows))
        if matching.completes:
            first = min(first, matching.completes[0].start)
        del matching.rows[: first - matching.first]
        matching.first = first

    def _first_after(self, match: _Complete) -> int:
        """Return the number of the first row that the next match may begin at."""
        kind, variable = self._skip
        if kind == "PAST LAST ROW":
            return match.start + sum(match.counts)
        if kind == "TO NEXT ROW" or variable is None:
            return match.start + 1
        name, before = self._names[variable], sum(match.counts[:variable])
        if not match.counts[variable]:
            complaint = f"a match has no row of {name}; skip to a variable that all matches have"
            raise SkipError(f"AFTER MATCH SKIP {kind} {name}: {complaint}")
        offset = before if kind == "TO FIRST" else before + match.counts[variable] - 1
        if not offset:
            complaint = f"a match begins at the row of {name}, and would be found again; skip to a later row"
            raise SkipError(f"AFTER MATCH SKIP {kind} {name}: {complaint}")
        return match.start + offset
