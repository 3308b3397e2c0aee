"""QueryLookup: the rows of a table of a database by key."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.database import Connection, Encode
from pystream.engine.connectors.jdbc.source import QueryInput
from pystream.engine.connectors.lookup import Key
from pystream.errors import SourceError

__all__ = ["QueryLookup"]

_WAIT = 1.0  # seconds before the second retry, twice that before the third, and so on


class QueryLookup:
    """Executes a query for each key, on a connection of its own.

    Mirrors ``org.apache.flink.connector.jdbc.core.table.source.JdbcRowDataLookupFunction``.

    Args:
        query: the query, whose placeholders take the values of a key.
        kinds: the kinds of these values.
        max_retries: how often a query that fails is tried again; first at once, then with a second more to
            wait each time.
    """

    def __init__(self, query: QueryInput, kinds: Sequence[ColumnKind], max_retries: int) -> None:
        self._query = query
        self._kinds = tuple(kinds)
        self._max_retries = max_retries
        self._connection: Connection | None = None
        self._encoders: Sequence[Encode | None] = ()
        self._converted: Callable[[list[tuple[Any, ...]]], list[Any]]

    def open(self) -> None:
        """Find out how the client takes the values of a key, and returns those of rows."""
        self._encoders = [self._query.database.encoder(kind) for kind in self._kinds]
        self._converted = self._query.converter()

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # one that was lost may fail to close
                connection.close()

    def rows(self, key: Key) -> Sequence[Any]:
        """Return the rows with a key, none with a value that the database does not have.

        Raises:
            SourceError: the query fails, also after the retries, or a value is not of the type of its column.
        """
        try:
            values = tuple(
                value if encode is None else encode(value)
                for encode, value in zip(self._encoders, key, strict=True)
            )
        except ValueError:
            return ()
        return self._converted(self._fetched(values))

    def _fetched(self, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        for attempt in range(self._max_retries):
            try:
                return self._fetched_once(values)
            except SourceError:
                self.close()
                time.sleep(attempt * _WAIT)
        return self._fetched_once(values)

    def _fetched_once(self, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        connection = self._connection
        if connection is None:
            connection = self._connection = self._query.connected()
        found = [row for batch in self._query.fetched(connection, values) for row in batch]
        try:
            connection.rollback()  # so that the next lookup sees what is committed until then
        except Exception:  # noqa: BLE001 - the rows are there; the next lookup connects again
            self.close()
        return found
