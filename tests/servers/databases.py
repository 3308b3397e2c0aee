"""Databases of every system that JDBC URLs name, as one interface for tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pystream.datastream.connectors.jdbc import JdbcConnectionOptions
from pystream.engine.connectors.jdbc.columns import ColumnKind
from tests.servers import mariadb, postgresql
from tests.servers.mariadb import MariadbServer
from tests.servers.postgresql import PostgresqlServer

__all__ = ["Database", "database_at"]

_SAME = {kind: kind.value for kind in ColumnKind}
_COLUMNS: dict[str, Mapping[ColumnKind, str]] = {
    "sqlite": {
        **dict.fromkeys(ColumnKind, "TEXT"),
        **dict.fromkeys((ColumnKind.SMALLINT, ColumnKind.INTEGER, ColumnKind.BIGINT), "INTEGER"),
        **dict.fromkeys((ColumnKind.REAL, ColumnKind.DOUBLE), "REAL"),
        ColumnKind.BOOLEAN: "INTEGER",
        ColumnKind.BYTES: "BLOB",
    },
    "postgresql": {**_SAME, ColumnKind.WHOLE_NUMBER: "NUMERIC", ColumnKind.BYTES: "BYTEA"},
    "mariadb": {
        **_SAME,
        ColumnKind.REAL: "DOUBLE",
        ColumnKind.TEXT: "LONGTEXT",
        ColumnKind.WHOLE_NUMBER: "DECIMAL(65, 0)",
        ColumnKind.DECIMAL: "DECIMAL(38, 18)",
        ColumnKind.UUID: "CHAR(36)",
        ColumnKind.TIME: "TIME(6)",
        ColumnKind.TIMESTAMP: "DATETIME(6)",
        ColumnKind.INSTANT: "DATETIME(6)",
        ColumnKind.BYTES: "LONGBLOB",
    },
}


@dataclass(frozen=True)
class Database:
    """A database to write to and read from.

    Attributes:
        system: the name of the system.
        url: its JDBC URL.
        user: the user.
        password: the password.
        connect: opens a connection that commits each statement.
        server: the server; ``None`` if there is none.
    """

    system: str
    url: str
    user: str
    password: str = field(repr=False)
    connect: Callable[[], Any]
    server: PostgresqlServer | MariadbServer | None = None

    @property
    def options(self) -> JdbcConnectionOptions:
        """The options of a connection."""
        builder = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(self.url)
        return builder.with_user_name(self.user).with_password(self.password).build()

    @property
    def types(self) -> Mapping[ColumnKind, str]:
        """The types of columns that keep values of each kind as they are."""
        return _COLUMNS[self.system]

    def execute(self, *statements: str) -> None:
        """Execute statements."""
        with closing(self.connect()) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with closing(self.connect()) as connection:
            cursor = connection.cursor()
            cursor.execute(query)
            return [tuple(row) for row in cursor.fetchall()]

    def create(self, table: str, columns: Sequence[str]) -> str:
        """Create a table anew, and return its name."""
        self.execute(f"DROP TABLE IF EXISTS {table}", f"CREATE TABLE {table} ({', '.join(columns)})")
        return table


def database_at(server: PostgresqlServer | MariadbServer | Path) -> Database:
    """Return the database of a server, or of a file of SQLite."""
    if isinstance(server, PostgresqlServer):
        login = postgresql.USER, postgresql.PASSWORD
        return Database("postgresql", server.url, *login, server.connect, server)
    if isinstance(server, MariadbServer):
        return Database("mariadb", server.url, mariadb.USER, mariadb.PASSWORD, server.connect, server)

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(server, isolation_level=None)

    connect().close()
    return Database("sqlite", f"jdbc:sqlite:{server}", "", "", connect)
