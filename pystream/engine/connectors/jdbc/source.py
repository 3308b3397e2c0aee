"""The source: a query, executed once for each set of parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.jdbc.columns import ColumnKind, decoders_of
from pystream.engine.connectors.jdbc.database import Connection, Database
from pystream.engine.connectors.jdbc.statements import shown_sql
from pystream.engine.exception_encoding import summarize
from pystream.engine.formats.fields import maker_of
from pystream.errors import SourceError
from pystream.kinds import SourceColumns
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import TypeCheckError, short_repr

__all__ = ["QueryInput"]


@dataclass(frozen=True, slots=True)
class QueryInput:
    """The rows of a query; picklable. A split is the parameters of one execution.

    Attributes:
        database: the database.
        sql: the query.
        parameters: the values of its placeholders for each execution.
        type_info: the type of the elements, whose fields are the columns by position.
        kinds: the kinds of the columns.
        fetch_size: the number of rows that are read at once.
    """

    database: Database
    sql: str
    parameters: tuple[tuple[Any, ...], ...]
    type_info: FieldsTypeInfo[Any]
    kinds: tuple[ColumnKind, ...]
    fetch_size: int

    @property
    def is_bounded(self) -> bool:
        """True: the query has an end."""
        return True

    @property
    def columns(self) -> SourceColumns:
        """Nowhere: clients return rows."""
        return SourceColumns.NONE

    def splits(self, parallelism: int) -> Sequence[Sequence[tuple[Any, ...]]]:
        """Deal the executions to the subtasks in turn.

        Raises:
            DependencyError: the client is not installed.
        """
        self.database.library()
        return [self.parameters[subtask::parallelism] for subtask in range(parallelism)]

    def read(self, split: tuple[Any, ...]) -> Iterator[list[Any]]:
        """Yield the rows of one execution, in the order of the query.

        Raises:
            SourceError: the query fails, or a value is not of the type.
        """
        connection = self.connected()
        try:
            yield from self.batches(connection, split)
        finally:
            connection.close()

    def connected(self) -> Connection:
        """Return a new connection.

        Raises:
            SourceError: the database does not accept it.
        """
        try:
            return self.database.connect()
        except Exception as error:  # noqa: BLE001 - clients raise other errors than their own, too
            raise self._failure(error, "connect to") from None

    def batches(self, connection: Connection, parameters: tuple[Any, ...]) -> Iterator[list[Any]]:
        """Yield the rows of one execution on a connection that nothing else uses meanwhile.

        Raises:
            SourceError: the query fails, or a value is not of the type.
        """
        return map(self.converter(), self.fetched(connection, parameters))

    def fetched(self, connection: Connection, parameters: tuple[Any, ...]) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of one execution as the client returns them.

        Raises:
            SourceError: the query fails.
        """
        statement = self.database.statement(self.sql)
        batches = self.database.query(connection, statement, parameters, self.fetch_size)
        while (rows := self._next(batches)) is not None:
            yield rows

    def converter(self) -> Callable[[list[tuple[Any, ...]]], list[Any]]:
        """Return the function that makes elements of rows.

        It raises a SourceError if a value is not of the type.
        """
        from typeinfo.serde import serializer_for

        conform = serializer_for(self.type_info).conform
        decode = _RowDecoder(self.type_info, self.kinds)

        def converted(rows: list[tuple[Any, ...]]) -> list[Any]:
            try:
                return conform(decode(rows))
            except TypeCheckError as error:
                raise SourceError(f"{self._place()}: {error}") from error
            except _ValueError as error:
                raise SourceError(f"{self._place()}: {error}") from None

        return converted

    def _next(self, batches: Iterator[list[tuple[Any, ...]]]) -> list[tuple[Any, ...]] | None:
        try:
            return next(batches, None)
        except Exception as error:  # noqa: BLE001 - clients raise other errors than their own, too
            raise self._failure(error, "read from") from None

    def _failure(self, error: Exception, verb: str) -> SourceError:
        reason = self.database.redacted(summarize(error))
        return SourceError(f"cannot {verb} {self._place()}: {reason}")

    def _place(self) -> str:
        return f"{self.database.place} by {shown_sql(self.sql)}"


class _ValueError(Exception):
    """A value is not of the type of its field."""


class _RowDecoder:
    """Make elements of the rows that a client returns."""

    def __init__(self, type_info: FieldsTypeInfo[Any], kinds: Sequence[ColumnKind]) -> None:
        self._type = type_info
        self._decoders = decoders_of(kinds)
        self._make = maker_of(type_info)

    def __call__(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the elements.

        Raises:
            _ValueError: the columns are not those of the type.
        """
        if not rows:
            return []
        columns: list[Sequence[Any]] = list(zip(*rows, strict=True))
        if len(columns) != len(self._decoders):
            raise _ValueError(
                f"the query has {len(columns)} columns, but {self._type} has {len(self._decoders)} fields"
            )
        decoded = [self._decoded(number, column) for number, column in enumerate(columns)]
        return [self._make(list(values)) for values in zip(*decoded, strict=True)]

    def _decoded(self, number: int, column: Sequence[Any]) -> Sequence[Any]:
        plain, decode = self._decoders[number]
        if {*map(type, column)} <= {plain, type(None)}:
            return column
        values: list[Any] = []
        try:
            for value in column:
                values.append(None if value is None else decode(value))
        except (ValueError, OverflowError):
            name = self._type.get_field_names()[number]
            wanted = self._type.get_field_types()[number]
            value = short_repr(column[len(values)])
            raise _ValueError(
                f"{value} in column {number + 1} is not a value of {wanted} for field {name!r}"
            ) from None
        return values
