"""Random queries over changelogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from pystream.table.udf import udf
from tests.simulation.queries.relations import (
    Aggregate,
    Column,
    Relation,
    Windows,
    aggregated,
    compared,
    joined,
    total,
    windowed,
)
from tests.simulation.queries.values import Values, folded

__all__ = ["QueryDrawing", "chance", "times"]

_calls = count()

_NUMBERS = ("INT", "BIGINT")
_ORDERED = (*_NUMBERS, "DOUBLE", "DECIMAL", "STRING")
_SUMMED = (*_NUMBERS, "DOUBLE", "DECIMAL")
_KEYS = ("INT", "STRING", "DOUBLE", "DECIMAL", "ROW", "ARRAY")
_WINDOWS = (
    Windows("TUMBLE", (10,)),
    Windows("HOP", (5, 10)),
    Windows("CUMULATE", (5, 20)),
    Windows("SESSION", (4,)),
)


class QueryDrawing:
    """Draws queries.

    Args:
        random: what decides.
        tables: the tables.
        events: a table whose rows are only inserted, whose column ``ts`` is event time.
    """

    def __init__(self, random: Random, tables: Sequence[Relation], events: Relation) -> None:
        self._random = random
        self._tables = tables
        self._events = events
        self._numbers = count()

    def query(self, depth: int) -> Relation:
        """Draw a query of some depth; none deeper."""
        random = self._random
        if depth == 0:
            return random.choice([*self._tables, *self._tables, self._untimed_events()])
        draws: list[Callable[[int], Relation | None]] = [
            self._grouped,
            self._grouped,
            self._grouped,
            self._filtered,
            self._projected,
            self._distinct,
            self._joined,
            self._joined,
            self._united,
            self._first_rows,
            self._windowed,
            self._windowed,
            self._over,
            self._first_by_time,
            self._joined_by_time,
        ]
        while (drawn := random.choice(draws)(depth - 1)) is None:
            pass
        return drawn

    def _name(self) -> str:
        return f"t{next(self._numbers)}"

    def _from(self, relation: Relation) -> str:
        return f"FROM ({relation.sql}) AS {self._name()}"

    def _untimed_events(self) -> Relation:
        columns, names = self._events.columns[:-1], [column.name for column in self._events.columns[:-1]]
        sql = f"SELECT {', '.join(names)} FROM e"
        return self._events.mapped(sql, columns, lambda row: row[:-1])

    def _filtered(self, depth: int) -> Relation | None:
        source = self.query(depth)
        condition = self._condition(source)
        if condition is None:
            return None
        sql, holds = condition
        sql, by_chance = f"SELECT * {self._from(source)} WHERE {sql}", self._random.random() < 0.1
        filtered = source.mapped(
            f"{sql} AND MOD(chance(1), 2) = 0" if by_chance else sql,
            source.columns,
            lambda row: row if holds(row) else None,
        )
        return replace(filtered, is_exact=source.is_exact and not by_chance)

    def _condition(self, source: Relation) -> tuple[str, Callable[[Values], bool]] | None:
        numbers = source.of(*_NUMBERS)
        if not numbers:
            return None
        position = self._random.choice(numbers)
        name, bound = source.columns[position].name, self._random.choice([0, 1, 2])
        conditions: list[tuple[str, Callable[[Values], bool]]] = [
            (f"{name} > {bound}", lambda row: row[position] is not None and row[position] > bound),
            (f"{name} <= {bound}", lambda row: row[position] is not None and row[position] <= bound),
            (f"({name} IS NULL OR {name} <> {bound})", lambda row: row[position] != bound),
            (f"{name} IS NOT NULL", lambda row: row[position] is not None),
        ]
        return self._random.choice(conditions)

    def _projected(self, depth: int) -> Relation:
        source, random, name = self.query(depth), self._random, self._name()
        fields: list[tuple[str, str, Callable[[Values], Any]]] = []
        is_exact = source.is_exact
        for position in random.sample(range(len(source.columns)), random.randint(1, len(source.columns))):
            column = source.columns[position]
            field, family, function = f"{name}.{column.name}", column.family, _field(position)
            if family in _NUMBERS and random.random() < 0.5:
                field, function = f"{field} + 1", _plus_one(position)
            elif family in _NUMBERS and random.random() < 0.5:
                field, family, is_exact = f"chance({field})", "BIGINT", False
            elif family == "ROW" and random.random() < 0.5:
                field, family, function = f"{field}.x", "DOUBLE", _part(position)
            fields.append((field, family, function))
        columns = [Column(f"c{number}", family) for number, (_, family, _) in enumerate(fields)]
        selected = ", ".join(
            f"{field} AS {column.name}" for (field, _, _), column in zip(fields, columns, strict=True)
        )
        sql = f"SELECT {selected} FROM ({source.sql}) AS {name}"
        mapped = source.mapped(sql, columns, lambda row: tuple(function(row) for _, _, function in fields))
        return replace(mapped, is_exact=is_exact)

    def _distinct(self, depth: int) -> Relation:
        source = self.query(depth)
        return self._without_doubles(f"SELECT DISTINCT * {self._from(source)}", source.columns, [source])

    def _without_doubles(self, sql: str, columns: Sequence[Column], sources: Sequence[Relation]) -> Relation:
        rows = {folded(row): row for source in sources for row in source.rows}
        is_inserted = all(source.is_inserted for source in sources)
        is_exact = all(source.is_exact for source in sources)
        return Relation(sql, tuple(columns), list(rows.values()), None, is_exact, is_inserted)

    def _grouped(self, depth: int) -> Relation:
        source, random = self.query(depth), self._random
        keys = random.sample(range(len(source.columns)), random.randint(0, min(2, len(source.columns) - 1)))
        calls = self._calls(source)
        names = [source.columns[key].name for key in keys]
        columns = self._columns(source, keys, calls)
        selected = ", ".join(
            f"{sql} AS {column.name}"
            for sql, column in zip(
                [*names, *(call.sql(source.columns) for call in calls)], columns, strict=True
            )
        )
        rows = aggregated(source.rows, source.changes, keys, calls)
        sql = f"SELECT {selected} {self._from(source)}"
        if keys:
            sql += f" GROUP BY {', '.join(names)}"
        if keys and random.random() < 0.3:
            sql += " HAVING COUNT(*) > 1"
            large = aggregated(source.rows, source.changes, keys, [*calls, Aggregate("COUNT", None)])
            rows = [row[:-1] for row in large if row[-1] > 1]
        return Relation(sql, columns, rows, None, source.is_exact and _are_exact(source, calls))

    def _columns(
        self, source: Relation, keys: Sequence[int], calls: Sequence[Aggregate]
    ) -> tuple[Column, ...]:
        families = [source.columns[key].family for key in keys]
        families += [call.family(source.columns) for call in calls]
        return tuple(Column(f"c{number}", family) for number, family in enumerate(families))

    def _calls(self, source: Relation, *, is_distinct: bool = True) -> list[Aggregate]:
        random, calls = self._random, [Aggregate("COUNT", None)]
        for _ in range(random.randint(0, 3)):
            function = random.choice(["COUNT", "SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "AVG"])
            families = {"SUM": _SUMMED, "AVG": ("DOUBLE",), "MIN": _ORDERED, "MAX": _ORDERED}
            arguments = source.of(*families.get(function, (*_ORDERED, "ROW", "ARRAY")))
            if arguments:
                numbers = source.of(*_NUMBERS) if random.random() < 0.2 else []
                positive = random.choice(numbers) if numbers else None
                doubles = is_distinct and random.random() < 0.3
                calls.append(Aggregate(function, random.choice(arguments), doubles, positive))
        return calls

    def _joined(self, depth: int) -> Relation | None:
        random = self._random
        sides = [self._renamed(self.query(random.randint(0, depth))) for _ in range(2)]
        left, right = sides
        if len(left.rows) * len(right.rows) > 2_000 or len(left.columns) + len(right.columns) > 8:
            return None
        kind = random.choice(["INNER", "LEFT", "RIGHT", "FULL"])
        pairs = [
            (one, other)
            for one in range(len(left.columns))
            for other in range(len(right.columns))
            if _are_comparable(left.columns[one].family, right.columns[other].family)
        ]
        if not pairs:
            return None
        chosen = random.sample(pairs, min(len(pairs), random.choice([1, 1, 2])))
        conditions = [f"{left.columns[one].name} = {right.columns[other].name}" for one, other in chosen]
        smaller = [(one, other) for one in left.of(*_NUMBERS) for other in right.of(*_NUMBERS)]
        less = random.choice(smaller) if smaller and random.random() < 0.3 else None
        if less:
            conditions.append(f"{left.columns[less[0]].name} < {right.columns[less[1]].name}")

        def is_pair(one: Values, other: Values) -> bool:
            if any(one[a] is None or folded(one[a]) != folded(other[b]) for a, b in chosen):
                return False
            if less is None:
                return True
            smaller, greater = one[less[0]], other[less[1]]
            return smaller is not None and greater is not None and smaller < greater

        sql = f"SELECT * {self._from(left)} {kind} JOIN ({right.sql}) AS {self._name()} "
        sql += f"ON {' AND '.join(conditions)}"
        rows = joined(kind, left, right, is_pair)
        return Relation(sql, left.columns + right.columns, rows, None, left.is_exact and right.is_exact)

    def _renamed(self, source: Relation) -> Relation:
        """Return a query with new names of columns."""
        prefix = self._name()
        columns = [replace_name(column, f"{prefix}_{number}") for number, column in enumerate(source.columns)]
        selected = ", ".join(f"{a.name} AS {b.name}" for a, b in zip(source.columns, columns, strict=True))
        return replace(source, sql=f"SELECT {selected} {self._from(source)}", columns=tuple(columns))

    def _united(self, depth: int) -> Relation | None:
        left, right = self.query(depth), self.query(self._random.randint(0, depth))
        families = [[column.family for column in side.columns] for side in (left, right)]
        if families[0] != families[1]:
            right = left
        is_distinct = self._random.random() < 0.5
        united = f"({left.sql}) UNION{'' if is_distinct else ' ALL'} ({right.sql})"
        sql = f"SELECT * FROM ({united}) AS {self._name()}"
        if is_distinct:
            return self._without_doubles(sql, left.columns, [left, right])
        rows, are_inserted = [*left.rows, *right.rows], left.is_inserted and right.is_inserted
        return Relation(sql, left.columns, rows, None, left.is_exact and right.is_exact, are_inserted)

    def _first_rows(self, depth: int) -> Relation | None:
        source, random = self.query(depth), self._random
        orders = source.of(*_NUMBERS, "STRING")
        if not orders:
            return None
        keys = random.sample(range(len(source.columns)), random.randint(0, min(1, len(source.columns) - 1)))
        order, descends = random.choice(orders), random.random() < 0.5
        limit, has_number = random.choice([1, 1, 2, 3]), random.random() < 0.3
        partition = f"PARTITION BY {', '.join(source.columns[key].name for key in keys)} " if keys else ""
        direction = "DESC" if descends else "ASC"
        names = ", ".join(column.name for column in source.columns)
        sql = (
            f"SELECT {names}{', rn' * has_number} FROM (SELECT *, ROW_NUMBER() OVER "
            f"({partition}ORDER BY {source.columns[order].name} {direction}) AS rn {self._from(source)}) "
            f"AS {self._name()} WHERE rn <= {limit}"
        )
        groups: dict[Any, list[Values]] = {}
        for row in source.rows:
            groups.setdefault(folded([row[key] for key in keys]), []).append(row)
        rows: list[Values] = []
        is_exact = source.is_exact
        for members in groups.values():
            ranked = sorted(members, key=lambda row: compared(row[order]), reverse=descends)
            rows += [(*row, n) if has_number else row for n, row in enumerate(ranked[:limit], 1)]
            ranks = [folded(row[order]) for row in ranked]
            same = len({folded(row) for row in ranked}) == len(set(ranks))
            is_exact = is_exact and (
                same or len(set(ranks)) == len(ranks) or (len(ranks) <= limit and not has_number)
            )
        columns = (*source.columns, *([Column("rn", "BIGINT")] if has_number else []))
        return Relation(sql, columns, rows, None, is_exact)

    def _windowed(self, depth: int) -> Relation:
        events, random = self._events, self._random
        windows = random.choice(_WINDOWS)
        keys = random.sample(range(len(events.columns) - 1), random.randint(0, 2))
        calls = self._calls(self._untimed_events(), is_distinct=windows.function != "SESSION")
        calls = [call for call in calls if call.function not in ("FIRST_VALUE", "LAST_VALUE")]
        names = [events.columns[key].name for key in keys]
        bounds = ["window_start", "window_end"]
        columns = (*self._columns(events, keys, calls), Column("b", "TIME"), Column("n", "TIME"))
        fields = [*names, *(call.sql(events.columns) for call in calls), *bounds]
        selected = ", ".join(f"{sql} AS {column.name}" for sql, column in zip(fields, columns, strict=True))
        sql = f"SELECT {selected} FROM {windows.sql('e', names)} GROUP BY {', '.join([*bounds, *names])}"
        within = windowed(windows, events.rows, len(events.columns) - 1, keys)
        rows = [(*row, begin, end) for row, begin, end in within]
        places = [*keys, len(events.columns), len(events.columns) + 1]
        found = aggregated(rows, None, places, calls)
        size = len(keys)
        moved = [(*row[:size], *row[size + 2 :], *row[size : size + 2]) for row in found]
        return Relation(sql, columns, moved, None, _are_exact(events, calls), is_inserted=True)

    def _first_by_time(self, depth: int) -> Relation:
        events, random = self._events, self._random
        key, descends = random.randrange(len(events.columns) - 1), random.random() < 0.5
        columns = events.columns[:-1]
        selected = ", ".join(column.name for column in columns)
        sql = (
            f"SELECT {selected} FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {columns[key].name} "
            f"ORDER BY ts {'DESC' if descends else 'ASC'}) AS rn FROM e) WHERE rn = 1"
        )
        groups: dict[Any, list[Values]] = {}
        for row in events.rows:
            groups.setdefault(folded(row[key]), []).append(row)
        ends = [(min, max)[descends](row[-1] for row in rows) for rows in groups.values()]
        ties = [
            [row for row in rows if row[-1] == end] for rows, end in zip(groups.values(), ends, strict=True)
        ]
        is_exact = all(len(rows) == 1 for rows in ties)
        rows = [rows[0][:-1] for rows in ties]
        return Relation(sql, columns, rows, None, is_exact)

    def _joined_by_time(self, depth: int) -> Relation:
        events, random = self._events, self._random
        key, kind = (
            random.randrange(len(events.columns) - 1),
            random.choice(["INNER", "LEFT", "RIGHT", "FULL"]),
        )
        size, name = random.choice([0, 2, 10]), events.columns[key].name

        def is_pair(one: Values, other: Values) -> bool:
            if one[key] is None or folded(one[key]) != folded(other[key]):
                return False
            return bool(other[-1] - timedelta(seconds=size) <= one[-1] <= other[-1])

        sides = [self._name(), self._name()]
        columns = [
            Column(f"{side}_{column.name}", column.family) for side in sides for column in events.columns[:-1]
        ]
        fields = [f"{side}.{column.name}" for side in sides for column in events.columns[:-1]]
        selected = ", ".join(
            f"{field} AS {column.name}" for field, column in zip(fields, columns, strict=True)
        )
        one, other = sides
        sql = (
            f"SELECT {selected} FROM e AS {one} {kind} JOIN e AS {other} ON {one}.{name} = {other}.{name} "
            f"AND {one}.ts BETWEEN {other}.ts - INTERVAL '{size}' SECOND AND {other}.ts"
        )
        width = len(events.columns)
        rows = [
            (*row[: width - 1], *row[width : 2 * width - 1]) for row in joined(kind, events, events, is_pair)
        ]
        return Relation(sql, tuple(columns), rows, None, is_inserted=True)

    def _over(self, depth: int) -> Relation | None:
        events, random = self._events, self._random
        arguments = events.of(*_SUMMED)
        argument, function = random.choice(arguments), random.choice(["SUM", "COUNT", "MIN", "MAX"])
        call = Aggregate(function, argument)
        keys = random.sample(range(len(events.columns) - 1), random.randint(0, 1))
        by_rows, size = random.random() < 0.5, random.choice([0, 1, 3])
        frame = f"{size} PRECEDING" if by_rows else f"INTERVAL '{size}' SECOND PRECEDING"
        partition = f"PARTITION BY {', '.join(events.columns[key].name for key in keys)} " if keys else ""
        columns = (*events.columns[:-1], Column("o", call.family(events.columns)))
        selected = ", ".join(column.name for column in events.columns[:-1])
        sql = (
            f"SELECT {selected}, {call.sql(events.columns)} OVER ({partition}ORDER BY ts "
            f"{'ROWS' if by_rows else 'RANGE'} BETWEEN {frame} AND CURRENT ROW) AS o FROM e"
        )
        rows = []
        for number, row in enumerate(events.rows):
            key = folded([row[key] for key in keys])
            earlier = [
                (place, other)
                for place, other in enumerate(events.rows)
                if folded([other[key] for key in keys]) == key
            ]
            if by_rows:
                frame_rows = [other for place, other in earlier if place <= number][-size - 1 :]
            else:
                frame_rows = [
                    other for _, other in earlier if row[-1] - timedelta(seconds=size) <= other[-1] <= row[-1]
                ]
            known = [other[argument] for other in frame_rows if other[argument] is not None]
            rows.append((*row[:-1], total(function, known)))
        return Relation(sql, columns, rows, None, _are_exact(events, [call]), is_inserted=True)


def replace_name(column: Column, name: str) -> Column:
    """Return a column under another name."""
    return column._replace(name=name)


def _are_comparable(one: str, other: str) -> bool:
    return (one == other and one in (*_KEYS, "BIGINT")) or {one, other} == set(_NUMBERS)


def _are_exact(source: Relation, calls: Sequence[Aggregate]) -> bool:
    """Return whether aggregates have only one right result: the order of rows and NaN leave a choice."""
    for call in calls:
        if call.function in ("FIRST_VALUE", "LAST_VALUE") and source.changes is None:
            return False
        place = call.argument if call.function in ("MIN", "MAX") else None
        if place is not None and any(row[place] != row[place] for row in source.rows):
            return False
    return True


def _field(position: int) -> Callable[[Values], Any]:
    return lambda row: row[position]


def _plus_one(position: int) -> Callable[[Values], Any]:
    return lambda row: None if row[position] is None else row[position] + 1


def _part(position: int) -> Callable[[Values], Any]:
    return lambda row: None if row[position] is None else row[position][0]


@udf(result_type="BIGINT", deterministic=False)
def chance(number: int) -> int | None:
    """Return another number in each call."""
    return None if number is None else number + next(_calls)


def times(random: Random, number: int) -> Iterator[datetime]:
    """Yield times that do not decrease."""
    at = datetime(2024, 1, 1)
    for _ in range(number):
        at += timedelta(seconds=random.choice([0, 0, 1, 1, 3, 7, 20]))
        yield at
