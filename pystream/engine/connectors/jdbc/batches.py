"""Execution of statements in batches, each of them a transaction that is retried."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from pystream.engine.connectors.jdbc.columns import ColumnKind
from pystream.engine.connectors.jdbc.database import Connection, Database, Execute
from pystream.engine.connectors.jdbc.statements import shown_sql
from pystream.engine.exception_encoding import summarize
from pystream.errors import SinkError

__all__ = ["Batch", "Batches", "BoundStatement", "RowError"]

_WAIT = 1.0  # seconds before the second retry, twice that before the third, and so on


@dataclass(frozen=True, slots=True)
class BoundStatement:
    """A statement and what its placeholders take.

    Attributes:
        sql: the statement.
        positions: the field of a row that each placeholder takes.
        kinds: the kinds of all fields.
    """

    sql: str
    positions: tuple[int, ...]
    kinds: tuple[ColumnKind, ...]


class Batch(NamedTuple):
    """Rows to execute a statement with, in order.

    Attributes:
        statement: the statement.
        rows: the field values of each.
    """

    statement: BoundStatement
    rows: Sequence[Sequence[Any]]


class RowError(Exception):
    """A row is at fault; the cause says why.

    Args:
        row: its field values.
    """

    def __init__(self, row: Sequence[Any]) -> None:
        super().__init__("a row cannot be written")
        self.row = row


class Batches:
    """Execute batches on one connection, which is opened when it is needed, and again after it was lost.

    Args:
        database: the database.
        max_retries: how often a transaction is tried again if an error may be gone then; first at once, then
            with a second more to wait each time.
    """

    def __init__(self, database: Database, max_retries: int) -> None:
        self._database = database
        self._max_retries = max_retries
        self._connection: Connection | None = None
        self._execute: Execute | None = None
        self._statements: dict[BoundStatement, _Prepared] = {}

    def run(self, batches: Sequence[Batch]) -> None:
        """Execute batches in one transaction.

        Raises:
            RowError: a row is at fault; nothing was written.
            SinkError: the database cannot be written to, also after the retries.
        """
        work = [(self._prepared(batch.statement), batch) for batch in batches if batch.rows]
        encoded = [(prepared, prepared.encoded(batch.rows), batch) for prepared, batch in work]
        for attempt in range(self._max_retries + 1):
            try:
                connection, execute = self._connected()
                for prepared, rows, _ in encoded:
                    execute(prepared.text, rows)
                connection.commit()
                return
            except Exception as error:  # noqa: BLE001 - clients raise other errors than their own, too
                if not self._database.is_transient(error):
                    self._fail(error, encoded)
                self.close()
                if attempt == self._max_retries:
                    tries = f"{attempt + 1} tries" if attempt else "one try"
                    raise self._failure(error, encoded[0][0], f", after {tries}") from None
                time.sleep(attempt * _WAIT)

    def close(self) -> None:
        """Close the connection; what was not committed is rolled back."""
        connection, self._connection, self._execute = self._connection, None, None
        if connection is not None:
            with suppress(Exception):  # one that was lost may fail to close
                connection.close()

    def _connected(self) -> tuple[Connection, Execute]:
        if self._connection is None or self._execute is None:
            self._connection = self._database.connect()
            self._execute = self._database.executor(self._connection)
        return self._connection, self._execute

    def _prepared(self, statement: BoundStatement) -> _Prepared:
        if statement not in self._statements:
            self._statements[statement] = _Prepared(statement, self._database)
        return self._statements[statement]

    def _fail(
        self, error: Exception, encoded: Sequence[tuple[_Prepared, list[tuple[Any, ...]], Batch]]
    ) -> NoReturn:
        """Raise an error that names the row at fault: the first one that fails if each is executed alone."""
        try:
            connection, execute = self._connected()
            connection.rollback()
            for prepared, row, values in _each(encoded):
                try:
                    execute(prepared.text, [row])
                except Exception as again:  # noqa: BLE001
                    raise RowError(values) from self._failure(again, prepared)
        except RowError:
            raise
        except Exception:  # noqa: BLE001, S110 - the connection is lost: only the first error is known
            pass
        finally:
            self.close()
        raise self._failure(error, encoded[0][0]) from None

    def _failure(self, error: Exception, prepared: _Prepared, more: str = "") -> SinkError:
        reason = self._database.redacted(summarize(error))
        return SinkError(
            f"cannot write to {self._database.place}{more}: {reason}; the statement is "
            f"{shown_sql(prepared.statement.sql)}"
        )


def _each(
    encoded: Sequence[tuple[_Prepared, list[tuple[Any, ...]], Batch]],
) -> Iterator[tuple[_Prepared, tuple[Any, ...], Sequence[Any]]]:
    for prepared, rows, batch in encoded:
        for row, values in zip(rows, batch.rows, strict=True):
            yield prepared, row, values


class _Prepared:
    """A statement for the client, and how its values are made."""

    def __init__(self, statement: BoundStatement, database: Database) -> None:
        kinds = [statement.kinds[position] for position in statement.positions]
        self.statement = statement
        self.text = database.prepared(database.statement(statement.sql), kinds)
        encoders = [database.encoder(kind) for kind in kinds]
        self._columns = list(zip(statement.positions, encoders, strict=True))
        self._place = database.place

    def encoded(self, rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """Return the values of the placeholders for each row.

        Raises:
            RowError: the system has no such value.
        """
        if not self._columns:
            return [()] * len(rows)
        try:
            return self._encoded(rows)
        except (ValueError, OverflowError):
            for row in rows:
                try:
                    self._encoded([row])
                except (ValueError, OverflowError) as error:
                    raise RowError(row) from SinkError(f"cannot write to {self._place}: {error}")
            raise

    def _encoded(self, rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
        fields = list(zip(*rows, strict=True))
        columns: list[Sequence[Any]] = []
        for position, encode in self._columns:
            column = fields[position]
            if encode is None:
                columns.append(column)
            else:
                columns.append([None if value is None else encode(value) for value in column])
        return list(zip(*columns, strict=True))
