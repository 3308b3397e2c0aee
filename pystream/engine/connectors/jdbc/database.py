"""Database: what the connector knows of one database system and its Python client."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ClassVar

from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.statements import Statement
from pystream.engine.connectors.jdbc.url import JdbcUrl
from pystream.engine.connectors.packages import client_library
from pystream.errors import ConfigurationError

__all__ = ["Connection", "Database", "Encode", "Execute", "client_options"]

Connection = Any
"""A connection of a client, as PEP 249 has it."""

Encode = Callable[[Any], Any]

Execute = Callable[[str, Sequence[Sequence[Any]]], None]
"""Executes a prepared statement with the values of each row."""


@dataclass(frozen=True, slots=True)
class Database(ABC):
    """A database and how to log in to it; picklable.

    Attributes:
        place: the database without credentials, for messages.
        login: the arguments of the client's ``connect``.
    """

    place: str
    login: Mapping[str, Any] = field(repr=False)

    client: ClassVar[str]
    extra: ClassVar[str]
    opaque: ClassVar[Sequence[str]]

    @classmethod
    @abstractmethod
    def of(cls, url: JdbcUrl, user: str | None, password: str | None) -> Database:
        """Return the database of a URL.

        Raises:
            ConfigurationError: a part of the URL is wrong; the message does not have its options.
        """

    @abstractmethod
    def connect(self) -> Connection:
        """Open a connection, in whose session the time zone is UTC."""

    def library(self) -> ModuleType:
        """Return the client.

        Raises:
            DependencyError: it is not installed.
        """
        return client_library(self.client, self.extra)

    @abstractmethod
    def prepared(self, statement: Statement, kinds: Sequence[ColumnKind]) -> str:
        """Return a statement as the client takes it, with values of these kinds for the placeholders."""

    @abstractmethod
    def encoder(self, kind: ColumnKind) -> Encode | None:
        """Return a function from values of the type, other than ``None``, to what the client takes.

        It is ``None`` where the client takes the values themselves; it raises ValueError where the system
        has no such value.
        """

    @abstractmethod
    def executor(self, connection: Connection) -> Execute:
        """Return a function that executes prepared statements on a connection, without a commit."""

    @abstractmethod
    def query(
        self, connection: Connection, statement: Statement, parameters: Sequence[Any], fetch_size: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query in batches; the first one may be empty.

        Args:
            connection: a connection of its own.
            statement: the query.
            parameters: the values of its placeholders.
            fetch_size: the number of rows of a batch, of which the client holds one at a time.
        """

    @abstractmethod
    def is_transient(self, error: Exception) -> bool:
        """Return whether an error may be gone when the same is tried again with a new connection."""

    @abstractmethod
    def quoted(self, name: str) -> str:
        """Return the name of a column as an identifier."""

    @abstractmethod
    def upsert(self, insert: str, columns: Sequence[str], key: Sequence[str]) -> str:
        """Return an INSERT that replaces the row with the same key.

        Args:
            insert: the INSERT.
            columns: all columns, as identifiers.
            key: those of the key.
        """

    def table(self, name: str) -> str:
        """Return the name of a table as an identifier; a dot separates it from that of its schema."""
        return ".".join(part if part[:1] in '"`' else self.quoted(part) for part in name.split("."))

    def statement(self, sql: str) -> Statement:
        """Divide a statement at its placeholders."""
        return Statement.of(sql, self.opaque)

    def redacted(self, text: str) -> str:
        """Return a text of the client without the password."""
        password = self.login.get("password")
        return text.replace(password, "***") if password else text


def client_options(
    url: JdbcUrl, known: Mapping[str, str], ignored: frozenset[str] = frozenset()
) -> dict[str, str]:
    """Return the options of a URL by their names in the client.

    Args:
        url: the URL.
        known: the names in the client by those in the URL.
        ignored: options that have no meaning for the client.

    Raises:
        ConfigurationError: there is another option.
    """
    by_name = {name.lower(): other for name, other in known.items()}
    unneeded = {name.lower() for name in ignored}
    found = {}
    for name, value in url.options.items():
        if name.lower() in by_name:
            found[by_name[name.lower()]] = value
        elif name.lower() not in unneeded and name.lower() not in ("user", "password"):
            options = ", ".join(["user", "password", *known])
            raise ConfigurationError(
                f"{url} has the option {name!r}, which is not supported; there are {options}"
            )
    return found
