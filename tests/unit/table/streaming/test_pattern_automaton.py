"""The automaton of patterns: against a model that tries all ways of mapping rows to variables."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.table.algebra.patterns import PatternVariable, SkipStrategy
from pystream.table.streaming.mapped_rows import MappedRows
from pystream.table.streaming.pattern_automaton import PatternAutomaton, SkipError

Counts = tuple[int, ...]
Test = Callable[[Sequence[int]], bool]
"""Returns whether the last of the values of a variable fulfils its condition."""

TESTS: dict[str, Test | None] = {
    "any": None,
    "small": lambda values: values[-1] < 3,
    "large": lambda values: values[-1] > 1,
    "sum": lambda values: sum(values) < 7,
    "other": lambda values: len(values) == 1 or values[-1] != values[-2],
}


class Found(NamedTuple):
    start: int
    counts: Counts
    time: int


class Row(NamedTuple):
    time: int
    value: int


class Pattern(NamedTuple):
    variables: tuple[PatternVariable, ...]
    tests: tuple[Test | None, ...]
    skip: SkipStrategy
    within: int | None


def quantifier(reluctant: bool) -> st.SearchStrategy[tuple[int, int | None]]:
    bounded = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(lambda pair: (pair[0], sum(pair) or 1))
    unbounded = st.integers(0, 2).map(lambda least: (least, None))
    return (bounded | unbounded).filter(lambda one: not (reluctant and one == (0, 1)))


@st.composite
def variables(draw: st.DrawFn, name: str) -> PatternVariable:
    reluctant = draw(st.booleans())
    return PatternVariable(name, *draw(quantifier(reluctant)), reluctant)


def is_allowed(pattern: Sequence[PatternVariable]) -> bool:
    return any(one.least for one in pattern) and not pattern[-1].is_greedy


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    names = "ABC"[: draw(st.integers(1, 3))]
    pattern = draw(st.tuples(*map(variables, names)).filter(is_allowed))
    tests = tuple(draw(st.sampled_from(list(TESTS.values()))) for _ in names)
    needed = [n for n, one in enumerate(pattern) if one.least and any(other.least for other in pattern[:n])]
    skips = [SkipStrategy("PAST LAST ROW"), SkipStrategy("TO NEXT ROW")]
    skips += [SkipStrategy(kind, number) for kind in ("TO FIRST", "TO LAST") for number in needed]
    return Pattern(pattern, tests, draw(st.sampled_from(skips)), draw(st.none() | st.integers(1, 6)))


ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), max_size=6)


def timed(steps: Sequence[tuple[int, int]]) -> list[Row]:
    """Return rows, whose times are sums of steps."""
    rows, time = list[Row](), 0
    for step, value in steps:
        time += step
        rows.append(Row(time, value))
    return rows


class Model:
    """Finds matches by trying, after each row, all ways of mapping the rows from each row on."""

    def __init__(self, pattern: Pattern, rows: Sequence[Row]) -> None:
        self.pattern = pattern
        self.rows = rows

    def takes(self, variable: int, start: int, counts: Counts, place: int) -> bool:
        test = self.pattern.tests[variable]
        first = start + sum(counts[:variable])
        values = [row.value for row in self.rows[first : first + counts[variable]]]
        return test is None or test([*values, self.rows[place].value])

    def choices(self, at: int, start: int, counts: Counts, place: int) -> Iterator[int]:
        """Yield the variables that a row may go to after those of another one."""
        pattern = self.pattern.variables
        for variable in range(at, len(pattern)):
            most = pattern[variable].most
            if (most is None or counts[variable] < most) and self.takes(variable, start, counts, place):
                yield variable
            if counts[variable] < pattern[variable].least or self.keeps(variable, start, counts, place):
                return

    def keeps(self, variable: int, start: int, counts: Counts, place: int) -> bool:
        """Return whether a greedy variable takes a row from those after it."""
        return self.pattern.variables[variable].is_greedy and self.takes(variable, start, counts, place)

    def ends(self, at: int, start: int, counts: Counts, before: Counts, place: int) -> bool:
        """Return whether the variables from one on need no rows after a row."""
        pattern = self.pattern.variables
        last = len(pattern) - 1
        return counts[at] >= pattern[at].least and all(
            (number == at or not pattern[number].least)
            and (number == last or not self.keeps(number, start, before, place))
            for number in range(at, len(pattern))
        )

    def ways(self, start: int, end: int) -> Iterator[tuple[int, Counts, bool]]:
        """Yield the ways to map rows: the variable of the last one, counts, and whether it is a match."""
        if start > end:
            yield 0, (0,) * len(self.pattern.variables), False
            return
        for at, before, _ in self.ways(start, end - 1):
            for variable in self.choices(at, start, before, end):
                counts = (*before[:variable], before[variable] + 1, *before[variable + 1 :])
                yield variable, counts, self.ends(variable, start, counts, before, end)

    def goes_on(self, start: int, end: int) -> bool:
        """Return whether more rows could be mapped after the last one."""
        last = len(self.pattern.variables) - 1
        most = self.pattern.variables[last].most
        return any(
            variable < last or most is None or counts[last] < most
            for variable, counts, _ in self.ways(start, end)
        )

    def explain(self, found: Iterator[Found]) -> None:
        """Check matches, one after the other: each is one of the ways to map the rows that come first."""
        first, waiting = 0, list[Found]()
        for time, place in self.moments():
            if place is not None:
                for start in range(first, place + 1):
                    if self.is_young(start, time):
                        ways = self.ways(start, place)
                        waiting += [Found(start, counts, time) for _, counts, is_match in ways if is_match]
            last = sum(row.time < time for row in self.rows) - 1 if place is None else place
            while waiting:
                start = min(one.start for one in waiting)
                if any(self.is_young(s, time) and self.goes_on(s, last) for s in range(first, start)):
                    break
                match = next(found)
                assert match in [one._replace(time=time) for one in waiting if one.start == start]
                first = self.after(match)
                waiting = [one for one in waiting if one.start >= first]
        assert next(found, None) is None

    def moments(self) -> Iterator[tuple[int, int | None]]:
        """Yield the times at which matches expire, and those of rows, with their places."""
        times = {row.time for row in self.rows}
        if self.pattern.within is not None:
            times |= {time + self.pattern.within for time in times}
        for time in sorted(times):
            yield time, None
            yield from ((time, place) for place, row in enumerate(self.rows) if row.time == time)

    def is_young(self, start: int, time: int) -> bool:
        """Return whether a match that begins at a row may end at a time."""
        return self.pattern.within is None or self.rows[start].time + self.pattern.within > time

    def after(self, found: Found) -> int:
        kind, variable = self.pattern.skip
        if kind == "PAST LAST ROW":
            return found.start + sum(found.counts)
        if variable is None:
            return found.start + 1
        before = found.start + sum(found.counts[:variable])
        return before if kind == "TO FIRST" else before + found.counts[variable] - 1


def automaton_of(pattern: Pattern) -> PatternAutomaton:
    def condition(variable: int, test: Test) -> Callable[[MappedRows], bool]:
        return lambda mapped: test([value for _, value in mapped.of(variable)])

    conditions = [test and condition(number, test) for number, test in enumerate(pattern.tests)]
    return PatternAutomaton(pattern.variables, conditions, pattern.skip, pattern.within)


def found_by(automaton: PatternAutomaton, rows: Sequence[Row]) -> Iterator[Found]:
    """Yield the matches in rows, between which the state is pickled, and time goes on as expiries demand."""
    matching, numbered = automaton.started(), [(number, row.value) for number, row in enumerate(rows)]

    def found(matches: Iterator[MappedRows]) -> Iterator[Found]:
        for mapped in matches:
            yield Found(mapped.of(None)[0][0], mapped.counts, mapped.time)

    for row, time in [*zip(numbered, (row.time for row in rows), strict=True), (None, 1 << 40)]:
        while (expiry := automaton.expiry(matching)) is not None and expiry <= time:
            yield from found(automaton.advance(matching, expiry))
            assert automaton.expiry(matching) != expiry
        if row is not None:
            yield from found(automaton.process(matching, row, time))
        matching = pickle.loads(pickle.dumps(matching))
        assert matching.rows == numbered[matching.first : matching.first + len(matching.rows)]


@given(patterns(), ROWS)
def test_matches_are_those_of_all_ways_to_map_rows(pattern: Pattern, steps: list[tuple[int, int]]) -> None:
    rows = timed(steps)
    Model(pattern, rows).explain(found_by(automaton_of(pattern), rows))


def test_rows_of_no_match_are_not_kept() -> None:
    pattern = Pattern(
        (PatternVariable("A"), PatternVariable("B")), (TESTS["small"], None), SkipStrategy(), None
    )
    automaton = automaton_of(pattern)
    matching = automaton.started()
    for number in range(100):
        assert [*automaton.process(matching, (number, 4), number)] == []
    assert (matching.first, matching.rows, matching.completes) == (100, [], [])
    assert matching.partials == automaton.started().partials


def test_beginnings_are_kept_within_the_time_of_matches() -> None:
    pattern = Pattern(
        (PatternVariable("A", 1, None), PatternVariable("B")),
        (TESTS["large"], TESTS["small"]),
        SkipStrategy(),
        10,
    )
    automaton = automaton_of(pattern)
    matching = automaton.started()
    for number in range(100):
        assert [*automaton.advance(matching, number)] == []
        assert [*automaton.process(matching, (number, 4), number)] == []
        assert len(matching.rows) <= 10
    assert automaton.expiry(matching) == 100


@pytest.mark.parametrize(
    ("skip", "message"),
    [
        (SkipStrategy("TO LAST", 1), "AFTER MATCH SKIP TO LAST B: a match has no row of B"),
        (SkipStrategy("TO FIRST", 0), "AFTER MATCH SKIP TO FIRST A: a match begins at the row of A"),
    ],
)
def test_there_must_be_a_later_row_to_skip_to(skip: SkipStrategy, message: str) -> None:
    variables = (PatternVariable("A"), PatternVariable("B", 0, 1), PatternVariable("C"))
    automaton = automaton_of(Pattern(variables, (None, TESTS["small"], TESTS["large"]), skip, None))
    matching = automaton.started()
    assert [*automaton.process(matching, (0, 4), 0)] == []
    with pytest.raises(SkipError, match=message):
        list(automaton.process(matching, (1, 4), 1))
