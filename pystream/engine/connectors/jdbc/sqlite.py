"""SQLite, through Python's own client."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.database import Connection, Database, Encode, Execute, client_options
from pystream.engine.connectors.jdbc.iso_texts import date_text, instant_text, time_text, timestamp_text
from pystream.engine.connectors.jdbc.statements import ANSI_TEXT, Statement
from pystream.engine.connectors.jdbc.url import JdbcUrl
from pystream.errors import ConfigurationError

__all__ = ["Sqlite"]

_BUSY, _LOCKED = 5, 6
_TIMEOUT = 5_000  # ms that the client waits for a lock


@dataclass(frozen=True, slots=True)
class Sqlite(Database):
    """A file of SQLite; decimals, dates, times and UUIDs are kept as text, in the form of ISO 8601."""

    client: ClassVar[str] = "sqlite3"
    extra: ClassVar[str] = "jdbc"
    opaque: ClassVar[Sequence[str]] = (*ANSI_TEXT, r"`(?:[^`]|``)*`", r"\[[^\]]*\]")

    @classmethod
    def of(cls, url: JdbcUrl, user: str | None, password: str | None) -> Sqlite:
        """Return the file of a URL such as ``jdbc:sqlite:/data/shop.db``, with its absolute path."""
        if url.hosts or not url.path or url.path == ":memory:":
            raise ConfigurationError(
                f"{url} does not name a file, such as jdbc:sqlite:/data/shop.db; a database in memory would "
                "be another one for each connection"
            )
        timeout = client_options(url, {"busy_timeout": "timeout"}).get("timeout", str(_TIMEOUT))
        if not timeout.isdecimal():
            raise ConfigurationError(f"{url}: busy_timeout must be a number of ms, not {timeout!r}")
        path = os.path.abspath(url.path)
        return cls(f"jdbc:sqlite:{path}", {"database": path, "timeout": int(timeout) / 1000})

    def connect(self) -> Connection:
        """Open the file, which must exist."""
        import sqlite3
        from pathlib import Path

        path = Path(self.login["database"])
        return sqlite3.connect(
            f"{path.as_uri()}?mode=rw",
            uri=True,
            timeout=self.login["timeout"],
            isolation_level="IMMEDIATE",
            check_same_thread=False,
        )

    def prepared(self, statement: Statement, kinds: Sequence[ColumnKind]) -> str:
        """Return the statement itself: its placeholders are those of SQLite."""
        return statement.sql

    def encoder(self, kind: ColumnKind) -> Encode | None:
        """Return the function for a kind."""
        return _ENCODERS.get(kind)

    def executor(self, connection: Connection) -> Execute:
        """Return the client's own function."""
        execute: Execute = connection.executemany
        return execute

    def query(
        self, connection: Connection, statement: Statement, parameters: Sequence[Any], fetch_size: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query."""
        cursor = connection.execute(statement.sql, parameters)
        while rows := cursor.fetchmany(fetch_size):
            yield rows

    def is_transient(self, error: Exception) -> bool:
        """Return whether another connection holds a lock."""
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in (_BUSY, _LOCKED)

    def quoted(self, name: str) -> str:
        """Return the name in double quotes."""
        return '"' + name.replace('"', '""') + '"'

    def upsert(self, insert: str, columns: Sequence[str], key: Sequence[str]) -> str:
        """Return the INSERT with ON CONFLICT."""
        others = [f"{column} = excluded.{column}" for column in columns if column not in key]
        update = f"UPDATE SET {', '.join(others)}" if others else "NOTHING"
        return f"{insert} ON CONFLICT ({', '.join(key)}) DO {update}"


def _number(value: float) -> float:
    if value != value:
        raise ValueError("SQLite has no NaN, and would store NULL")
    return value


def _integer_or_text(value: int) -> int | str:
    return value if -(2**63) <= value < 2**63 else str(value)


def _decimal(value: Decimal) -> str:
    return format(value, "f")


_ENCODERS: dict[ColumnKind, Encode] = {
    ColumnKind.REAL: _number,
    ColumnKind.DOUBLE: _number,
    ColumnKind.WHOLE_NUMBER: _integer_or_text,
    ColumnKind.DECIMAL: _decimal,
    ColumnKind.UUID: str,
    ColumnKind.DATE: date_text,
    ColumnKind.TIME: time_text,
    ColumnKind.TIMESTAMP: timestamp_text,
    ColumnKind.INSTANT: instant_text,
}
