"""PostgreSQL, through psycopg."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.database import Connection, Database, Encode, Execute, client_options
from pystream.engine.connectors.jdbc.iso_texts import date_text, instant_text, time_text, timestamp_text
from pystream.engine.connectors.jdbc.postgresql_copy import copy_of
from pystream.engine.connectors.jdbc.statements import Statement
from pystream.engine.connectors.jdbc.url import JdbcUrl
from pystream.errors import ConfigurationError

__all__ = ["Postgresql"]

_OPTIONS = {
    "sslmode": "sslmode",
    "sslrootcert": "sslrootcert",
    "sslcert": "sslcert",
    "sslkey": "sslkey",
    "ApplicationName": "application_name",
    "connectTimeout": "connect_timeout",
    "loginTimeout": "connect_timeout",
    "options": "options",
    "targetServerType": "target_session_attrs",
    "gssEncMode": "gssencmode",
    "channelBinding": "channel_binding",
    "currentSchema": "search_path",
    "ssl": "ssl",
}
_IGNORED = frozenset(
    {
        "adaptiveFetch",
        "binaryTransfer",
        "defaultRowFetchSize",
        "prepareThreshold",
        "preparedStatementCacheQueries",
        "reWriteBatchedInserts",
        "stringtype",
        "tcpKeepAlive",
    }
)
_TARGETS = {"primary": "primary", "master": "primary", "secondary": "standby", "any": "any"}
_CASTS = {
    ColumnKind.BOOLEAN: "bool",
    ColumnKind.SMALLINT: "int2",
    ColumnKind.INTEGER: "int4",
    ColumnKind.BIGINT: "int8",
    ColumnKind.REAL: "float4",
    ColumnKind.DOUBLE: "float8",
    ColumnKind.WHOLE_NUMBER: "numeric",
    ColumnKind.DECIMAL: "numeric",
    ColumnKind.UUID: "uuid",
    ColumnKind.DATE: "date",
    ColumnKind.TIME: "time",
    ColumnKind.TIMESTAMP: "timestamp",
    ColumnKind.INSTANT: "timestamptz",
    ColumnKind.BYTES: "bytea",
}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


@dataclass(frozen=True, slots=True)
class Postgresql(Database):
    """A database of PostgreSQL.

    Values are sent as text, and the statement casts them to their types. So each placeholder has one type
    whatever the values are, nulls too, and one prepared statement serves all rows. A text has the type
    that its place in the statement gives it, such as ``jsonb``.
    """

    client: ClassVar[str] = "psycopg"
    extra: ClassVar[str] = "postgresql"
    opaque: ClassVar[Sequence[str]] = (
        r"[eE]'(?:[^'\\]|\\.|'')*'",
        r"'(?:[^']|'')*'",
        r'"(?:[^"]|"")*"',
        r"--[^\n]*",
        r"/\*.*?\*/",
        r"\$(?P<tag>[A-Za-z_\x80-\U0010ffff]?[\w]*)\$.*?\$(?P=tag)\$",
        r"\?\?",
    )

    @classmethod
    def of(cls, url: JdbcUrl, user: str | None, password: str | None) -> Postgresql:
        """Return the database of a URL such as ``jdbc:postgresql://host:5432/db``."""
        options: dict[str, Any] = dict(client_options(url, _OPTIONS, _IGNORED))
        if options.pop("ssl", "false").lower() != "false":
            options.setdefault("sslmode", "verify-full")
        if "target_session_attrs" in options:
            target = options["target_session_attrs"]
            if target.lower() not in _TARGETS:
                raise ConfigurationError(
                    f"{url}: targetServerType must be one of {', '.join(_TARGETS)}, not {target!r}"
                )
            options["target_session_attrs"] = _TARGETS[target.lower()]
        login = {
            "host": ",".join(host.name for host in url.hosts) or "localhost",
            "port": ",".join(str(host.port or 5432) for host in url.hosts) or "5432",
            "user": user,
            "password": password,
            "dbname": url.path or user,
            **options,
        }
        return cls(str(url), {key: value for key, value in login.items() if value is not None})

    def connect(self) -> Connection:
        """Open a connection, which reads JSON as text."""
        psycopg: Any = self.library()
        login = dict(self.login)
        schemas = login.pop("search_path", None)
        connection = psycopg.connect(**login, client_encoding="utf8")
        for name in ("json", "jsonb"):
            connection.adapters.register_loader(name, psycopg.types.string.TextLoader)
        connection.execute("SELECT set_config('TimeZone', 'UTC', false)")
        if schemas is not None:
            connection.execute("SELECT set_config('search_path', %s, false)", [schemas])
        connection.commit()
        return connection

    def prepared(self, statement: Statement, kinds: Sequence[ColumnKind]) -> str:
        """Return the statement with casts to the types of the values."""
        casts = [f"%s::{_CASTS[kind]}" if kind in _CASTS else "%s" for kind in kinds]
        return _with_operators(statement, casts)

    def encoder(self, kind: ColumnKind) -> Encode | None:
        """Return the function for a kind."""
        return _ENCODERS[kind]

    def executor(self, connection: Connection) -> Execute:
        """Return a function that copies the rows of an INSERT if it can, and pipelines other statements."""
        return _Execution(connection).run

    def query(
        self, connection: Connection, statement: Statement, parameters: Sequence[Any], fetch_size: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query, from a cursor of the server."""
        cursor = connection.cursor(name="pystream")
        cursor.execute(_with_operators(statement, ["%s"] * statement.arity), parameters)
        while rows := cursor.fetchmany(fetch_size):
            yield rows

    def is_transient(self, error: Exception) -> bool:
        """Return whether the connection is lost, the server is busy, or transactions are in conflict."""
        psycopg: Any = self.library()
        return isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))

    def quoted(self, name: str) -> str:
        """Return the name in double quotes, in lower case unless it could not be written without them."""
        if _PLAIN_NAME.fullmatch(name):
            name = name.lower()
        return '"' + name.replace('"', '""') + '"'

    def upsert(self, insert: str, columns: Sequence[str], key: Sequence[str]) -> str:
        """Return the INSERT with ON CONFLICT."""
        others = [f"{column} = excluded.{column}" for column in columns if column not in key]
        update = f"UPDATE SET {', '.join(others)}" if others else "NOTHING"
        return f"{insert} ON CONFLICT ({', '.join(key)}) DO {update}"


class _Execution:
    """Execute statements on a connection, and remember which can be a COPY."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._copies: dict[str, str | None] = {}

    def run(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        if sql not in self._copies:
            self._copies[sql] = copy_of(self._connection, sql)
        copy = self._copies[sql]
        with self._connection.cursor() as cursor:
            if copy is None:
                cursor.executemany(sql, rows)  # without waiting for one before the next is sent
                return
            with cursor.copy(copy) as copying:
                for row in rows:
                    copying.write_row(row)


def _with_operators(statement: Statement, placeholders: Sequence[str]) -> str:
    """Return a statement with other placeholders, in which ``??`` is the operator ``?``."""
    texts = [part.replace("??", "?") for part in statement.parts]
    return Statement(statement.sql, tuple(texts)).with_placeholders(placeholders)


def _boolean(value: bool) -> str:
    return "t" if value else "f"


def _bytes(value: bytes) -> str:
    return f"\\x{value.hex()}"


_ENCODERS: dict[ColumnKind, Encode | None] = {
    ColumnKind.BOOLEAN: _boolean,
    ColumnKind.SMALLINT: str,
    ColumnKind.INTEGER: str,
    ColumnKind.BIGINT: str,
    ColumnKind.REAL: repr,
    ColumnKind.DOUBLE: repr,
    ColumnKind.TEXT: None,
    ColumnKind.WHOLE_NUMBER: str,
    ColumnKind.DECIMAL: str,
    ColumnKind.UUID: str,
    ColumnKind.DATE: date_text,
    ColumnKind.TIME: time_text,
    ColumnKind.TIMESTAMP: timestamp_text,
    ColumnKind.INSTANT: instant_text,
    ColumnKind.BYTES: _bytes,
}
