"""Statements for which PostgreSQL is sent a COPY."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pystream.common import Types
from pystream.engine.connectors.jdbc.columns import column_kinds
from pystream.engine.connectors.jdbc.postgresql_copy import copy_of
from tests.servers.databases import Database
from typeinfo import TypeInformation

INT, LONG, STRING = Types.INT(), Types.LONG(), Types.STRING()
TABLES = """
CREATE TABLE plain (n INT DEFAULT 7, s VARCHAR(9), "Total" BIGINT);
CREATE TABLE numbered (id INT GENERATED ALWAYS AS IDENTITY, n INT);
CREATE TABLE derived (n INT, twice INT GENERATED ALWAYS AS (n * 2) STORED);
CREATE TABLE ruled (n INT);
CREATE RULE none AS ON INSERT TO ruled DO INSTEAD NOTHING;
CREATE TABLE secured (n INT);
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE VIEW viewed AS SELECT n FROM ruled;
"""


@pytest.fixture(scope="module")
def tables(postgresql: Database) -> Iterator[Database]:
    postgresql.execute("DROP SCHEMA IF EXISTS copies CASCADE", "CREATE SCHEMA copies")
    postgresql.execute("SET search_path = copies", *(one for one in TABLES.split(";") if one.strip()))
    yield postgresql
    postgresql.execute("DROP SCHEMA copies CASCADE")


@pytest.mark.parametrize(
    ("sql", "types", "copy"),
    [
        ("INSERT INTO plain VALUES (?, ?)", [INT, STRING], 'COPY plain ("n", "s") FROM STDIN'),
        ("insert into copies.plain(S) values(?);", [STRING], 'COPY copies.plain ("s") FROM STDIN'),
        (
            'INSERT INTO plain ("Total", n)\nVALUES (?, ?)',
            [LONG, INT],
            'COPY plain ("Total", "n") FROM STDIN',
        ),
        ("INSERT INTO numbered (n) VALUES (?)", [INT], 'COPY numbered ("n") FROM STDIN'),
        ("INSERT INTO plain VALUES (?, ?)", [LONG, STRING], None),  # it may be out of range
        ("INSERT INTO plain VALUES (?, ?)", [STRING, STRING], 'COPY plain ("n", "s") FROM STDIN'),
        ("INSERT INTO plain (s) VALUES (?)", [INT], None),
        ("INSERT INTO plain VALUES (?, ?, 0)", [INT, STRING], None),
        ("INSERT INTO plain VALUES (?), (?)", [INT, INT], None),
        ("INSERT INTO plain (n) VALUES (? + 1)", [INT], None),
        ("INSERT INTO plain VALUES (?) ON CONFLICT DO NOTHING", [INT], None),
        ("INSERT INTO plain VALUES (?) RETURNING n", [INT], None),
        ("UPDATE plain SET n = ?", [INT], None),
        ("INSERT INTO plain (m) VALUES (?)", [INT], None),
        ("INSERT INTO plain VALUES (?, ?, ?, ?)", [INT] * 4, None),
        ("INSERT INTO missing VALUES (?)", [INT], None),
        ("INSERT INTO numbered (id) VALUES (?)", [INT], None),
        ("INSERT INTO derived (twice) VALUES (?)", [INT], None),
        ("INSERT INTO ruled VALUES (?)", [INT], None),
        ("INSERT INTO secured VALUES (?)", [INT], None),
        ("INSERT INTO viewed VALUES (?)", [INT], None),
    ],
)
def test_the_copy_of_a_statement(
    tables: Database, sql: str, types: list[TypeInformation[int]], copy: str | None
) -> None:
    database = tables.options._database
    prepared = database.prepared(database.statement(sql), column_kinds(Types.ROW(types), "test"))
    with tables.connect() as connection:
        connection.execute("SET search_path = copies")
        assert copy_of(connection, prepared) == copy
