"""Placeholders of statements, in the dialect of each system."""

from __future__ import annotations

import pytest

from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.database import Database
from pystream.engine.connectors.jdbc.databases import database_of

POSTGRESQL = database_of("jdbc:postgresql://db/shop")
MYSQL = database_of("jdbc:mysql://db/shop")
SQLITE = database_of("jdbc:sqlite:shop.db")


@pytest.mark.parametrize(
    ("system", "sql", "client"),
    [
        (POSTGRESQL, "INSERT INTO t VALUES (?, ?)", "INSERT INTO t VALUES (%s::int4, %s::int4)"),
        (POSTGRESQL, "UPDATE t SET a = 'what?', b = ?", "UPDATE t SET a = 'what?', b = %s::int4"),
        (POSTGRESQL, "SELECT 'it''s ?' || ?", "SELECT 'it''s ?' || %s::int4"),
        (POSTGRESQL, r"SELECT E'\'?', '\', ?", r"SELECT E'\'?', '\', %s::int4"),
        (POSTGRESQL, 'SELECT "a?""?" + ?', 'SELECT "a?""?" + %s::int4'),
        (POSTGRESQL, "SELECT ? -- why?\n+ ?", "SELECT %s::int4 -- why?\n+ %s::int4"),
        (POSTGRESQL, "SELECT /* ? \n ? */ ?", "SELECT /* ? \n ? */ %s::int4"),
        (POSTGRESQL, "SELECT $$?$$, $a$?$$?$a$, ?", "SELECT $$?$$, $a$?$$?$a$, %s::int4"),
        (POSTGRESQL, "SELECT a ?? 'key' AND b = ?", "SELECT a ? 'key' AND b = %s::int4"),
        (POSTGRESQL, "SELECT a LIKE '%x%' AND b % 2 = ?", "SELECT a LIKE '%%x%%' AND b %% 2 = %s::int4"),
        (MYSQL, r"UPDATE t SET a = 'it\'s ?', b = ?", r"UPDATE t SET a = 'it\'s ?', b = %s"),
        (MYSQL, "SELECT `a?`, ? # why?\n, 5--?", "SELECT `a?`, %s # why?\n, 5--%s"),
        (MYSQL, "SELECT a LIKE '%', ?", "SELECT a LIKE '%%', %s"),
        (SQLITE, "SELECT '?', [a?], ? % 2", "SELECT '?', [a?], ? % 2"),
    ],
)
def test_placeholders_of_the_client(system: Database, sql: str, client: str) -> None:
    statement = system.statement(sql)
    assert system.prepared(statement, [ColumnKind.INTEGER] * statement.arity) == client


def test_a_text_has_the_type_of_its_place_in_postgresql() -> None:
    statement = POSTGRESQL.statement("INSERT INTO t VALUES (?, ?)")
    kinds = [ColumnKind.TEXT, ColumnKind.INSTANT]
    assert POSTGRESQL.prepared(statement, kinds) == "INSERT INTO t VALUES (%s, %s::timestamptz)"


@pytest.mark.parametrize(
    ("database", "columns", "upsert"),
    [
        (POSTGRESQL, ["a", "b"], "I ON CONFLICT (a) DO UPDATE SET b = excluded.b"),
        (POSTGRESQL, ["a"], "I ON CONFLICT (a) DO NOTHING"),
        (SQLITE, ["a", "b"], "I ON CONFLICT (a) DO UPDATE SET b = excluded.b"),
        (MYSQL, ["a", "b"], "I ON DUPLICATE KEY UPDATE b = VALUES(b)"),
        (MYSQL, ["a"], "I ON DUPLICATE KEY UPDATE a = VALUES(a)"),
    ],
)
def test_upserts(database: Database, columns: list[str], upsert: str) -> None:
    assert database.upsert("I", columns, ["a"]) == upsert


def test_names_are_quoted() -> None:
    assert POSTGRESQL.table("Public.order") == '"public"."order"'
    assert POSTGRESQL.table('public."Order"') == '"public"."Order"'
    assert POSTGRESQL.quoted('my "own"') == '"my ""own"""'
    assert MYSQL.table("shop.order") == "`shop`.`order`"
    assert SQLITE.quoted("Order") == '"Order"'
