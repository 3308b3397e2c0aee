"""One seed: a random query over changelogs takes back only what it gave, and ends as it is defined."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from pystream.common import Row, RowKind, TypeInformation, Types
from pystream.datastream import SourceContext, SourceFunction, StreamExecutionEnvironment
from pystream.table import Schema, StreamTableEnvironment
from pystream.testing import local_environment
from tests.simulation.queries.drawing import QueryDrawing, chance, times
from tests.simulation.queries.relations import Column, Relation
from tests.simulation.queries.values import (
    FAMILIES,
    Change,
    Values,
    changes_of_rows,
    multiset,
    remaining,
)
from typeinfo.row import make_row

__all__ = ["simulate_query"]

_ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)


class _Given(SourceFunction[Row[Any]]):
    def __init__(self, rows: Sequence[Row[Any]]) -> None:
        self.rows = rows

    def run(self, ctx: SourceContext[Row[Any]], /) -> None:
        for row in self.rows:
            ctx.collect(row)

    def cancel(self) -> None:
        pass


class _Tables:
    """The tables of a seed, and what they hold."""

    def __init__(self, random: Random) -> None:
        self._random = random
        env = local_environment(seed=random.randrange(2**32))
        env.set_parallelism(random.choice([1, 1, 2]))
        self._env: StreamExecutionEnvironment = env
        self.environment = StreamTableEnvironment.create(env)
        self.environment.create_temporary_function("chance", chance)
        self._families = [random.choice(list(FAMILIES)), random.choice(["DOUBLE", "DECIMAL", "INT"]), "INT"]
        self.updated = [self._table(name, is_updating=True) for name in ("a", "b")]
        self.inserted = self._table("c", is_updating=False)
        self.events = self._events()

    def _table(self, name: str, *, is_updating: bool) -> Relation:
        rows = changes_of_rows(self._random, self._families, is_updating=is_updating)
        stream = self._env.add_source(_Given(rows), name, self._type()).set_parallelism(1)
        table = (
            self.environment.from_changelog_stream(stream)
            if is_updating
            else self.environment.from_data_stream(stream)
        )
        self.environment.create_temporary_view(name, table)
        return self._relation(name, rows)

    def _events(self) -> Relation:
        rows = changes_of_rows(self._random, self._families, is_updating=False)
        timed = [
            make_row((*row, at), None) for row, at in zip(rows, times(self._random, len(rows)), strict=True)
        ]
        stream = self._env.add_source(_Given(timed), "e", self._type(Types.SQL_TIMESTAMP())).set_parallelism(
            1
        )
        schema = Schema.new_builder().watermark("ts", "ts - INTERVAL '1' SECOND").build()
        self.environment.create_temporary_view("e", self.environment.from_data_stream(stream, schema))
        return self._relation("e", timed, Column("ts", "TIME"))

    def _relation(self, name: str, rows: Sequence[Row[Any]], *others: Column) -> Relation:
        changes = [Change(row.get_row_kind() in _ADDED, tuple(row)) for row in rows]
        columns = [Column(f"{letter}", family) for letter, family in zip("kvw", self._families, strict=True)]
        columns += others
        is_inserted = all(change.is_added for change in changes)
        return Relation(
            f"SELECT * FROM {name}", tuple(columns), remaining(changes), changes, is_inserted=is_inserted
        )

    def _type(self, *others: TypeInformation[Any]) -> TypeInformation[Row[Any]]:
        names = ["k", "v", "w", "ts"][: 3 + len(others)]
        return Types.ROW_NAMED(names, [*(FAMILIES[family][0] for family in self._families), *others])


def simulate_query(seed: int) -> None:
    """Run the query of a seed.

    Raises:
        AssertionError: a row is taken back that is not there, or other rows are left than should be.
    """
    random = Random(seed)
    tables = _Tables(random)
    drawn = QueryDrawing(random, [*tables.updated, tables.inserted], tables.events).query(
        random.choice([1, 2, 2, 3])
    )
    t_env = tables.environment
    try:
        table = t_env.sql_query(drawn.sql)
        with t_env.to_changelog_stream(table).execute_and_collect() as results:
            changes = [Change(row.get_row_kind() in _ADDED, tuple(row)) for row in results]
        left: list[Values] = remaining(changes)
        assert not drawn.is_exact or multiset(left) == multiset(drawn.rows), (
            f"left are {left}, not {drawn.rows}"
        )
    except Exception as error:
        error.add_note(drawn.sql)
        for relation in (*tables.updated, tables.inserted, tables.events):
            error.add_note(f"{relation.sql}: {relation.changes}")
        raise
