"""MySQL and MariaDB, through PyMySQL."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.database import Connection, Database, Encode, Execute, client_options
from pystream.engine.connectors.jdbc.statements import Statement
from pystream.engine.connectors.jdbc.url import JdbcUrl
from pystream.errors import ConfigurationError
from typeinfo.instant import Instant

__all__ = ["Mysql"]

_OPTIONS = {
    "connectTimeout": "connect_timeout",
    "socketTimeout": "read_timeout",
    "sslMode": "ssl_mode",
    "useSSL": "use_ssl",
    "serverSslCert": "ssl_ca",
    "sessionVariables": "session",
    "connectionTimeZone": "time_zone",
    "serverTimezone": "time_zone",
}
_IGNORED = frozenset(
    {
        "allowPublicKeyRetrieval",
        "autoReconnect",
        "cachePrepStmts",
        "characterEncoding",
        "defaultFetchSize",
        "prepStmtCacheSize",
        "prepStmtCacheSqlLimit",
        "rewriteBatchedStatements",
        "tcpKeepAlive",
        "useBatchMultiSend",
        "useBulkStmts",
        "useCompression",
        "useCursorFetch",
        "useServerPrepStmts",
        "useUnicode",
        "zeroDateTimeBehavior",
    }
)
_UTC = ("utc", "gmt", "z", "+00:00", "etc/utc")
_SSL: Mapping[str, Mapping[str, Any]] = {
    "disabled": {"ssl_disabled": True},
    "disable": {"ssl_disabled": True},
    "preferred": {},
    "required": {"ssl": {"check_hostname": False, "verify_mode": "none"}},
    "trust": {"ssl": {"check_hostname": False, "verify_mode": "none"}},
    "verify_ca": {"ssl_verify_cert": True},
    "verify_identity": {"ssl_verify_cert": True, "ssl_verify_identity": True},
    "verify-full": {"ssl_verify_cert": True, "ssl_verify_identity": True},
}
_TRANSIENT = frozenset(
    {
        1040,  # too many connections
        1053,  # the server shuts down
        1205,  # a lock is not available in time
        1213,  # a deadlock
        1317,  # interrupted
        1927,  # the connection was killed
        *range(2002, 2007),  # it cannot be reached, or has gone away
        2013,  # the connection is lost
    }
)
_VALUES = re.compile(
    r"\s*(?:INSERT|REPLACE)\b.+\bVALUES?\s*\(\s*%s\s*(?:,\s*%s\s*)*\)\s*(?:ON DUPLICATE[^%]*)?;?\s*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Mysql(Database):
    """A database of MySQL or MariaDB. Rows of INSERT … VALUES go in statements of many rows each."""

    client: ClassVar[str] = "pymysql"
    extra: ClassVar[str] = "mysql"
    opaque: ClassVar[Sequence[str]] = (
        r"'(?:[^'\\]|\\.|'')*'",
        r'"(?:[^"\\]|\\.|"")*"',
        r"`(?:[^`]|``)*`",
        r"--(?=\s)[^\n]*",
        r"#[^\n]*",
        r"/\*.*?\*/",
    )

    @classmethod
    def of(cls, url: JdbcUrl, user: str | None, password: str | None) -> Mysql:
        """Return the database of a URL such as ``jdbc:mysql://host:3306/db``."""
        if len(url.hosts) != 1:
            raise ConfigurationError(f"{url} must name one host, such as jdbc:mysql://host:3306/db")
        options = client_options(url, _OPTIONS, _IGNORED)
        zone = options.pop("time_zone", "UTC")
        if zone.lower() not in _UTC:
            raise ConfigurationError(
                f"{url}: the time zone of the session is UTC, so that connectionTimeZone cannot be {zone!r}; "
                "leave it out"
            )
        (host,) = url.hosts
        login = {
            "host": host.name,
            "port": host.port or 3306,
            "user": user,
            "password": password,
            "database": url.path or None,
            "session": options.pop("session", None),
            **_ssl(url, options),
            **{name: _seconds(url, name, value) for name, value in options.items()},
        }
        return cls(str(url), {key: value for key, value in login.items() if value is not None})

    def connect(self) -> Connection:
        """Open a connection."""
        pymysql: Any = self.library()
        login = dict(self.login)
        session = login.pop("session", None)
        connection = pymysql.connect(
            **login,
            charset="utf8mb4",
            conv={**pymysql.converters.conversions, Decimal: _decimal_literal},
            init_command="SET time_zone = '+00:00'" + (f", {session}" if session else ""),
        )
        connection.autocommit(False)
        return connection

    def prepared(self, statement: Statement, kinds: Sequence[ColumnKind]) -> str:
        """Return the statement with the placeholders of PyMySQL, which makes them literals by class."""
        return statement.with_placeholders(["%s"] * statement.arity)

    def encoder(self, kind: ColumnKind) -> Encode | None:
        """Return the function for a kind."""
        return _ENCODERS.get(kind)

    def executor(self, connection: Connection) -> Execute:
        """Return a function that executes an INSERT for many rows at once."""
        return partial(_execute, connection)

    def query(
        self, connection: Connection, statement: Statement, parameters: Sequence[Any], fetch_size: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query, as the server sends them."""
        pymysql: Any = self.library()
        cursor = connection.cursor(pymysql.cursors.SSCursor)
        cursor.execute(statement.with_placeholders(["%s"] * statement.arity), tuple(parameters))
        while rows := cursor.fetchmany(fetch_size):
            yield list(rows)

    def is_transient(self, error: Exception) -> bool:
        """Return whether the connection is lost, the server is busy, or transactions are in conflict."""
        pymysql: Any = self.library()
        if isinstance(error, pymysql.err.InterfaceError):
            return True
        return (
            isinstance(error, pymysql.err.MySQLError) and error.args[:1] != () and error.args[0] in _TRANSIENT
        )

    def quoted(self, name: str) -> str:
        """Return the name in backquotes."""
        return "`" + name.replace("`", "``") + "`"

    def upsert(self, insert: str, columns: Sequence[str], key: Sequence[str]) -> str:
        """Return the INSERT with ON DUPLICATE KEY UPDATE."""
        others = [column for column in columns if column not in key] or key
        return f"{insert} ON DUPLICATE KEY UPDATE {', '.join(f'{c} = VALUES({c})' for c in others)}"


def _execute(connection: Connection, sql: str, rows: Sequence[Sequence[Any]]) -> None:
    with connection.cursor() as cursor:
        if _VALUES.fullmatch(sql):
            cursor.executemany(sql, rows)
        else:  # PyMySQL would not fill in placeholders after VALUES
            for row in rows:
                cursor.execute(sql, row)


def _ssl(url: JdbcUrl, options: dict[str, str]) -> dict[str, Any]:
    """Return the arguments for the encryption of the connection; removes its options."""
    encrypts = options.pop("use_ssl", "true" if "ssl_ca" in options else "").lower()
    mode = options.pop("ssl_mode", {"true": "required", "false": "disabled"}.get(encrypts, "preferred"))
    if mode.lower() not in _SSL:
        raise ConfigurationError(f"{url}: sslMode must be one of {', '.join(_SSL)}, not {mode!r}")
    authority = {"ssl_ca": options.pop("ssl_ca")} if "ssl_ca" in options else {}
    return {**_SSL[mode.lower()], **authority}


def _seconds(url: JdbcUrl, name: str, value: str) -> int | None:
    if not value.isdecimal():
        option = next(known for known, own in _OPTIONS.items() if own == name)
        raise ConfigurationError(f"{url}: {option} must be a number of ms, not {value!r}")
    return math.ceil(int(value) / 1000) or None


def _decimal_literal(value: Decimal, mapping: object) -> str:
    """Return a decimal without an exponent, with which it would be approximated."""
    return format(value, "f")


def _number(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"MySQL has no number {value}")
    return value


def _decimal(value: Decimal) -> Decimal:
    if not value.is_finite():
        raise ValueError(f"MySQL has no number {value}")
    return value


def _instant(value: Instant) -> datetime:
    return value.to_datetime().replace(tzinfo=None)


_ENCODERS: dict[ColumnKind, Encode] = {
    ColumnKind.REAL: _number,
    ColumnKind.DOUBLE: _number,
    ColumnKind.DECIMAL: _decimal,
    ColumnKind.UUID: str,
    ColumnKind.INSTANT: _instant,
}
