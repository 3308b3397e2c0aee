"""Lookups of rows by key: in files, in a database, and in a cache before it."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pystream.engine.connectors.file_lookup import FileLookup
from pystream.engine.connectors.file_source import FilesInput
from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.databases import database_of
from pystream.engine.connectors.jdbc.lookup import QueryLookup
from pystream.engine.connectors.jdbc.source import QueryInput
from pystream.engine.connectors.lookup import Key
from pystream.engine.connectors.lookup_cache import CachedLookup, CachePolicy
from pystream.engine.connectors.text_files import TextLineReader
from pystream.errors import SourceError
from typeinfo.composite import FieldsTypeInfo
from typeinfo.row import Row
from typeinfo.types import Types


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Known:
    """Finds rows in a dict, and notes the keys that it is asked for."""

    known: dict[Key, list[Any]]
    asked: list[Key] = field(default_factory=list)
    is_open: bool = False

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False

    def rows(self, key: Key) -> Sequence[Any]:
        self.asked.append(key)
        return self.known.get(key, [])


def cached(policy: CachePolicy) -> tuple[CachedLookup, Known, Clock]:
    known, clock = Known({(1,): ["a", "b"], (2,): ["c"]}), Clock()
    return CachedLookup(known, policy, clock), known, clock


def test_a_cache_keeps_rows_and_that_there_are_none() -> None:
    lookup, known, _ = cached(CachePolicy(max_keys=9))
    assert [[*lookup.rows((key,))] for key in (1, 3, 1, 3)] == [["a", "b"], [], ["a", "b"], []]
    assert known.asked == [(1,), (3,)]


def test_a_cache_may_forget_that_there_are_none() -> None:
    lookup, known, _ = cached(CachePolicy(max_keys=9, keeps_missing=False))
    assert [[*lookup.rows((key,))] for key in (3, 1, 3, 1)] == [[], ["a", "b"], [], ["a", "b"]]
    assert known.asked == [(3,), (1,), (3,)]


def test_the_key_that_was_used_least_recently_gives_way() -> None:
    lookup, known, _ = cached(CachePolicy(max_keys=2))
    for key in (1, 2, 1, 3, 1, 2):
        lookup.rows((key,))
    assert known.asked == [(1,), (2,), (3,), (2,)]


def test_rows_expire_after_they_were_read() -> None:
    lookup, known, clock = cached(CachePolicy(after_write=10.0))
    for clock.now in (0.0, 6.0, 9.9, 10.0, 19.9):
        lookup.rows((1,))
    assert known.asked == [(1,), (1,)]


def test_rows_expire_after_their_last_use() -> None:
    lookup, known, clock = cached(CachePolicy(after_access=10.0))
    for clock.now in (0.0, 9.0, 18.0, 28.0):
        lookup.rows((1,))
    assert known.asked == [(1,), (1,)]


@pytest.mark.parametrize("policy", [CachePolicy(after_write=10.0), CachePolicy(after_access=10.0)])
def test_rows_that_expired_are_given_up(policy: CachePolicy) -> None:
    class Found(list[str]):
        pass

    found = [Found("a"), Found("b")]
    known = Known({(key,): rows for key, rows in enumerate(found)})
    clock = Clock()
    lookup = CachedLookup(known, policy, clock)
    kept = [weakref.ref(rows) for rows in found]
    for key, clock.now in enumerate((0.0, 5.0)):
        lookup.rows((key,))
    known.known.clear()
    found.clear()
    clock.now = 12.0
    assert lookup.rows((1,)) == ["b"]
    assert [ref() is None for ref in kept] == [True, False]


def test_a_cache_keeps_the_rows_of_nan() -> None:
    lookup, known, _ = cached(CachePolicy())
    assert [*lookup.rows((float("nan"),)), *lookup.rows((float("nan"),))] == []
    assert len(known.asked) == 1


def test_a_cache_opens_and_closes_the_other_lookup() -> None:
    lookup, known, _ = cached(CachePolicy())
    lookup.open()
    assert known.is_open
    lookup.rows((1,))
    lookup.close()
    assert not known.is_open
    lookup.rows((1,))
    assert known.asked == [(1,), (1,)]


def test_files_are_read_again_when_they_change_but_listed_once_a_second(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("ab\nba\nac\n")
    clock = Clock()
    lookup = FileLookup(FilesInput((str(tmp_path),), TextLineReader("utf-8"), False), [0], clock)
    lookup.open()
    assert lookup.rows(("a",)) == ["ab", "ac"]
    (tmp_path / "two").write_text("ad\n")
    clock.now = 0.9
    assert lookup.rows(("a",)) == ["ab", "ac"]
    clock.now = 1.0
    assert lookup.rows(("a",)) == ["ab", "ac", "ad"]
    assert lookup.rows(("x",)) == ()
    (tmp_path / "one").write_text("xy\nyx\nxz\n")  # of the same size
    os.utime(tmp_path / "one", ns=(1, 1))
    clock.now = 2.0
    assert (lookup.rows(("a",)), lookup.rows(("x",))) == (["ad"], ["xy", "xz"])


@pytest.fixture
def database(tmp_path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(tmp_path / "test.db")
    connection.execute("CREATE TABLE t (k TEXT, n INTEGER)")
    connection.execute("INSERT INTO t VALUES ('a', 1), ('b', 2), ('a', 3)")
    connection.commit()
    return connection


def query_lookup(directory: Path, table: str = "t", kind: ColumnKind = ColumnKind.TEXT) -> QueryLookup:
    row = Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.INT()])
    assert isinstance(row, FieldsTypeInfo)
    query = QueryInput(
        database_of(f"jdbc:sqlite:{directory}/test.db"),
        f"SELECT k, n FROM {table} WHERE k = ?",
        (),
        row,
        (ColumnKind.TEXT, ColumnKind.INTEGER),
        1,
    )
    lookup = QueryLookup(query, [kind], max_retries=1)
    lookup.open()
    return lookup


def test_a_database_is_asked_for_each_key(tmp_path: Path, database: sqlite3.Connection) -> None:
    lookup = query_lookup(tmp_path)
    assert [list(lookup.rows((key,))) for key in "abc"] == [
        [Row(k="a", n=1), Row(k="a", n=3)],
        [Row(k="b", n=2)],
        [],
    ]
    database.execute("DELETE FROM t WHERE n = 1")
    database.commit()
    assert list(lookup.rows(("a",))) == [Row(k="a", n=3)]
    lookup.close()


def test_a_value_that_a_database_does_not_have_finds_no_rows(
    tmp_path: Path, database: sqlite3.Connection
) -> None:
    assert query_lookup(tmp_path, kind=ColumnKind.DOUBLE).rows((float("nan"),)) == ()


def test_a_row_that_is_not_of_the_type_is_not_read_again(
    tmp_path: Path, database: sqlite3.Connection
) -> None:
    database.execute("INSERT INTO t VALUES ('x', 'much')")
    database.commit()
    lookup = query_lookup(tmp_path)
    lookup.rows(("a",))
    connection = lookup._connection
    with pytest.raises(SourceError, match="'much' in column 2 is not a value of Integer"):
        lookup.rows(("x",))
    assert lookup._connection is connection  # a further try has one of its own
    lookup.close()


def test_a_lookup_that_fails_is_tried_again(tmp_path: Path, database: sqlite3.Connection) -> None:
    lookup = query_lookup(tmp_path, "missing")
    with pytest.raises(SourceError, match="no such table: missing"):
        lookup.rows(("a",))
    lookup.close()
