"""Relations: queries with the rows that they have at the end, by definition."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from tests.simulation.queries.values import Change, Values, folded, remaining

__all__ = [
    "Aggregate",
    "Column",
    "Relation",
    "Windows",
    "aggregated",
    "compared",
    "joined",
    "total",
    "windowed",
]


class Column(NamedTuple):
    """A column: its name, and the name of its family."""

    name: str
    family: str


@dataclass(frozen=True)
class Relation:
    """A query, and what it gives.

    Attributes:
        sql: the query.
        columns: its columns.
        rows: its rows at the end; no order.
        changes: the changes that lead to them, if their order is known.
        is_exact: whether the rows are the only right ones: where rows are tied, another choice is right, too.
        is_inserted: whether rows are only inserted.
    """

    sql: str
    columns: tuple[Column, ...]
    rows: Sequence[Values]
    changes: Sequence[Change] | None = None
    is_exact: bool = True
    is_inserted: bool = False

    def of(self, *families: str) -> list[int]:
        """Return the positions of the columns of some families."""
        return [number for number, column in enumerate(self.columns) if column.family in families]

    def mapped(
        self, sql: str, columns: Sequence[Column], function: Callable[[Values], Values | None]
    ) -> Relation:
        """Return a query that computes a row of each row; ``None`` leaves the row out."""
        changes = None
        if self.changes is not None:
            mapped = [(is_added, function(row)) for is_added, row in self.changes]
            changes = [Change(is_added, row) for is_added, row in mapped if row is not None]
        rows = [row for row in map(function, self.rows) if row is not None]
        return Relation(sql, tuple(columns), rows, changes, self.is_exact, self.is_inserted)


class Aggregate(NamedTuple):
    """A call of an aggregate function.

    Attributes:
        function: its name.
        argument: the position of its argument; ``None`` for ``COUNT(*)``.
        is_distinct: whether equal values count once.
        positive: the position of a number that is greater than 0 in the rows that count; ``None`` for all.
    """

    function: str
    argument: int | None
    is_distinct: bool = False
    positive: int | None = None

    def sql(self, columns: Sequence[Column]) -> str:
        """Return the call."""
        argument = "*" if self.argument is None else columns[self.argument].name
        call = f"{self.function}({'DISTINCT ' * self.is_distinct}{argument})"
        return call if self.positive is None else f"{call} FILTER (WHERE {columns[self.positive].name} > 0)"

    def counts(self, row: Values) -> bool:
        """Return whether a row counts."""
        return self.positive is None or (row[self.positive] is not None and row[self.positive] > 0)

    def family(self, columns: Sequence[Column]) -> str:
        """Return the family of the results."""
        if self.function == "COUNT":
            return "BIGINT"
        assert self.argument is not None
        return columns[self.argument].family


def aggregated(
    rows: Sequence[Values], changes: Sequence[Change] | None, keys: Sequence[int], calls: Sequence[Aggregate]
) -> list[Values]:
    """Return the groups of rows, with the results of aggregate functions."""
    groups: dict[Hashable, list[Values]] = defaultdict(list)
    histories: dict[Hashable, list[Change]] = defaultdict(list)
    for row in rows:
        groups[folded([row[key] for key in keys])].append(row)
    for change in changes or ():
        histories[folded([change.row[key] for key in keys])].append(change)
    return [
        (*(members[0][key] for key in keys), *(_result(call, members, histories[key_]) for call in calls))
        for key_, members in groups.items()
    ]


def _result(call: Aggregate, rows: Sequence[Values], changes: Sequence[Change]) -> Any:
    argument = call.argument
    rows = list(filter(call.counts, rows))
    if argument is None:
        return len(rows)
    if call.function in ("FIRST_VALUE", "LAST_VALUE"):
        values = [
            Change(change.is_added, (change.row[argument],))
            for change in changes
            if change.row[argument] is not None and call.counts(change.row)
        ]
        if call.is_distinct:
            values = _distinct_values(values)
        left = remaining(values)
        return (left[0] if call.function == "FIRST_VALUE" else left[-1])[0] if left else None
    known = [row[argument] for row in rows if row[argument] is not None]
    if call.is_distinct:
        known = list({folded(value): value for value in known}.values())
    return total(call.function, known)


def _distinct_values(changes: Sequence[Change]) -> list[Change]:
    """Return the changes of the values that differ: the first of equal ones, until the last is taken back."""
    firsts: dict[Hashable, tuple[Values, int]] = {}
    results = []
    for is_added, row in changes:
        first, count = firsts.get(folded(row), (row, 0))
        count += 1 if is_added else -1
        firsts[folded(row)] = (first, count) if count else (row, 0)
        if not count:
            del firsts[folded(row)]
        if (is_added, count) in ((True, 1), (False, 0)):
            results.append(Change(is_added, first))
    return results


def total(function: str, values: Sequence[Any]) -> Any:
    """Return the result of an aggregate function of values that are not null."""
    match function:
        case "COUNT":
            return len(values)
        case _ if not values:
            return None
        case "SUM":
            return sum(values)
        case "AVG":
            return sum(values) / len(values)
        case "MIN":
            return min(values, key=compared)
        case "MAX":
            return max(values, key=compared)
    raise AssertionError(function)


def compared(value: Any) -> Any:
    """Return what a value is ordered by: null is the least, NaN the greatest."""
    if value is None:
        return (0, 0, 0)
    if isinstance(value, float):
        return (2, 0, 0) if math.isnan(value) else (1, value, math.copysign(1, value))
    return (1, value, 0)


def joined(
    kind: str, left: Relation, right: Relation, is_pair: Callable[[Values, Values], bool]
) -> list[Values]:
    """Return the pairs of rows, and in an outer join the rows without a partner."""
    pairs = [(one, other) for one, other in itertools.product(left.rows, right.rows) if is_pair(one, other)]
    rows = [one + other for one, other in pairs]
    if kind in ("LEFT", "FULL"):
        paired = {id(one) for one, _ in pairs}
        rows += [one + (None,) * len(right.columns) for one in left.rows if id(one) not in paired]
    if kind in ("RIGHT", "FULL"):
        paired = {id(other) for _, other in pairs}
        rows += [(None,) * len(left.columns) + other for other in right.rows if id(other) not in paired]
    return rows


class Windows(NamedTuple):
    """A window function, with its sizes in seconds."""

    function: str
    sizes: tuple[int, ...]

    def sql(self, table: str, keys: Sequence[str]) -> str:
        """Return the call, of the rows of a table."""
        sizes = ", ".join(f"INTERVAL '{size}' SECOND" for size in self.sizes)
        partition = f" PARTITION BY {', '.join(keys)}" if self.function == "SESSION" and keys else ""
        return f"TABLE({self.function}(TABLE {table}{partition}, DESCRIPTOR(ts), {sizes}))"


def windowed(
    windows: Windows, rows: Sequence[Values], time: int, keys: Sequence[int]
) -> list[tuple[Values, datetime, datetime]]:
    """Return each row with each of its windows."""
    if windows.function == "SESSION":
        return _sessions(windows.sizes[0], rows, time, keys)
    return [(row, *window) for row in rows for window in _of_time(windows, row[time])]


def _of_time(windows: Windows, at: datetime) -> list[tuple[datetime, datetime]]:
    start = datetime(1970, 1, 1)
    seconds = (at - start).total_seconds()
    step, size = (windows.sizes[0], windows.sizes[-1])
    latest = size if windows.function == "CUMULATE" else step
    begin = math.floor(seconds / latest) * latest
    if windows.function == "CUMULATE":
        ends = [begin + end for end in range(step, size + 1, step) if begin + end > seconds]
        bounds = [(begin, end) for end in ends]
    else:
        bounds = [(begin - n * step, begin - n * step + size) for n in range(size // step)]
    return [(start + timedelta(seconds=one), start + timedelta(seconds=other)) for one, other in bounds]


def _sessions(
    gap: int, rows: Sequence[Values], time: int, keys: Sequence[int]
) -> list[tuple[Values, datetime, datetime]]:
    groups: dict[Hashable, list[Values]] = defaultdict(list)
    for row in rows:
        groups[folded([row[key] for key in keys])].append(row)
    results: list[tuple[Values, datetime, datetime]] = []
    for members in groups.values():
        session: list[Values] = []
        for row in sorted(members, key=lambda row: row[time]):
            if session and row[time] - session[-1][time] > timedelta(seconds=gap):
                results += _with_bounds(session, gap, time)
                session = []
            session.append(row)
        results += _with_bounds(session, gap, time)
    return results


def _with_bounds(session: Sequence[Values], gap: int, time: int) -> list[tuple[Values, datetime, datetime]]:
    start, end = session[0][time], session[-1][time] + timedelta(seconds=gap)
    return [(row, start, end) for row in session]
