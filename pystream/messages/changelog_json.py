"""Rows of all kinds as JSON messages that tell the changes of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import Declaration
from pystream.engine.formats.json_nodes import NodeCompiler
from pystream.engine.formats.json_reader import JsonReader, json_reader
from pystream.engine.formats.json_writer import json_writer
from pystream.engine.formats.times import TimeStyle
from pystream.errors import DeserializationError
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind, make_row

__all__ = [
    "ChangelogDialect",
    "ChangelogJsonDeserializationSchema",
    "ChangelogJsonSerializationSchema",
    "ChangelogReading",
    "MessageMetadata",
]

_FAULTS = (FieldError, ValueError, RecursionError)
_RETRACTED = (RowKind.UPDATE_BEFORE, RowKind.DELETE)


@dataclass(frozen=True, slots=True)
class ChangelogDialect:
    """The envelope of a format: the members of a message that hold the kind and the rows of a change.

    Attributes:
        name: the name of the format.
        kind_field: the member that tells the kind of the change.
        inserts: its values for insertions; the first one is written.
        update: its value for updates.
        delete: its value for deletions.
        ignored: its values for messages without changes of rows.
        has_images: whether rows are in the members ``before`` and ``after``; else they are in ``data``, and
            in ``old`` the members that an update has changed, with their former values.
        has_lists: whether ``data`` and ``old`` are lists.
    """

    name: str
    kind_field: str
    inserts: tuple[str, ...]
    update: str
    delete: str
    ignored: tuple[str, ...] = ()
    has_images: bool = True
    has_lists: bool = False


class MessageMetadata(NamedTuple):
    """A part of messages beside the rows.

    Attributes:
        path: the names of the members that lead to it.
        type: the type by which it is read.
        convert: makes the value of the column.
    """

    path: tuple[str, ...]
    type: TypeInformation[Any]
    convert: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class ChangelogReading:
    """Options of reading messages.

    Attributes:
        has_schema: whether the change is the member ``payload``, beside its schema.
        ignores_errors: whether input that cannot be read becomes null, or is left out.
        time_style: how times and timestamps are written.
        included: for members of messages the regular expressions that their texts must match entirely; other
            messages are left out.
        metadata: the parts of messages that rows hold behind their own fields.
    """

    has_schema: bool = False
    ignores_errors: bool = False
    time_style: TimeStyle = "SQL"
    included: tuple[tuple[str, str], ...] = ()
    metadata: tuple[MessageMetadata, ...] = ()


class ChangelogJsonDeserializationSchema(DeserializationSchema[Row[Any]]):
    """Decode messages to the rows that they insert, update and delete; an update has two rows.

    Args:
        dialect: the envelope of the format.
        type_info: the type of the rows, without metadata.
        declarations: what the table declares of its columns.
        reading: the options.
    """

    def __init__(
        self,
        dialect: ChangelogDialect,
        type_info: RowTypeInfo[Any],
        declarations: tuple[Declaration, ...],
        reading: ChangelogReading,
    ) -> None:
        self._arguments = (dialect, type_info, declarations, reading)
        self._dialect = dialect
        self._type = type_info
        self._names = tuple(type_info.get_field_names())
        self._reading = reading
        style, ignores = reading.time_style, reading.ignores_errors
        self._rows = json_reader(type_info, False, ignores, style, declarations)
        partial_rows = tuple(declared._replace(is_nullable=True) for declared in declarations)
        self._old = json_reader(type_info, False, ignores, style, partial_rows)
        self._included = [(name, re.compile(pattern)) for name, pattern in reading.included]
        compiler = NodeCompiler(False, ignores, style)
        self._metadata = [
            (path, compiler.slot(t, True, f".{'.'.join(path)}"), convert)
            for path, t, convert in reading.metadata
        ]

    def __reduce__(self) -> Any:
        return type(self), self._arguments

    def deserialize(self, message: bytes) -> Row[Any] | None:
        """Decode a message of one row, or return ``None`` if it holds none.

        Raises:
            DeserializationError: the message cannot be read, or holds several rows.
        """
        rows = self.deserialize_all(message)
        if len(rows) > 1:
            raise DeserializationError(
                f"the {self._dialect.name} message {excerpt(message)} holds {len(rows)} rows; read them by "
                "deserialize_all"
            )
        return rows[0] if rows else None

    def deserialize_all(self, message: bytes) -> Sequence[Row[Any]]:
        """Decode a message to its rows.

        Raises:
            DeserializationError: the message cannot be read; the error names the field.
        """
        rows: list[Row[Any]] = []
        try:
            for row in self._changes(self._rows.node(message)):
                rows.append(row)
        except _FAULTS as error:
            if not self._reading.ignores_errors or (isinstance(error, FieldError) and error.is_fatal):
                raise DeserializationError(
                    f"cannot read the {self._dialect.name} message {excerpt(message)}: {error}"
                ) from error
        return rows

    def get_produced_type(self) -> RowTypeInfo[Any]:
        """Return the type of the rows, without metadata."""
        return self._type

    def _changes(self, node: Any) -> Iterator[Row[Any]]:
        """Yield the rows of a parsed message.

        Raises:
            FieldError: the message has no valid kind of change, or lacks a row.
        """
        if node is None:
            return
        message = _object(node)
        change = _object(message.get("payload"), "payload") if self._reading.has_schema else message
        if not all(self._is_included(change, name, pattern) for name, pattern in self._included):
            return
        kind = self._kind_of(change)
        if kind is None:
            return
        metadata = [
            None if (value := read(_at(message if path == ("schema",) else change, path))) is None
            else convert(value)
            for path, read, convert in self._metadata
        ]  # fmt: skip
        rows = self._images(change, kind) if self._dialect.has_images else self._data(change, kind)
        for row in rows:
            yield make_row([*row, *metadata], None, row.get_row_kind()) if metadata else row

    def _is_included(self, change: dict[str, Any], name: str, pattern: re.Pattern[str]) -> bool:
        if name not in change:
            raise FieldError("missing, but the table includes messages by it").under(f".{name}")
        return pattern.fullmatch(str(change[name])) is not None

    def _kind_of(self, change: dict[str, Any]) -> RowKind | None:
        """Return the kind of a change, UPDATE_AFTER for updates; ``None`` for no change of rows."""
        dialect = self._dialect
        code = change.get(dialect.kind_field)
        if code in dialect.inserts:
            return RowKind.INSERT
        if code == dialect.update:
            return RowKind.UPDATE_AFTER
        if code == dialect.delete:
            return RowKind.DELETE
        if code in dialect.ignored:
            return None
        known = ", ".join((*dialect.inserts, dialect.update, dialect.delete, *dialect.ignored))
        found = "missing" if code is None else f"{code!r} is unknown"
        raise FieldError(f"{found}; there are {known}").under(f".{dialect.kind_field}")

    def _images(self, change: dict[str, Any], kind: RowKind) -> list[Row[Any]]:
        rows = []
        if kind is not RowKind.INSERT:
            before = change.get("before")
            if before is None:
                raise FieldError(
                    "null, but updates and deletions need the whole row; in PostgreSQL, set REPLICA IDENTITY "
                    "of the table to FULL"
                ).under(".before")
            is_update = kind is RowKind.UPDATE_AFTER
            first = RowKind.UPDATE_BEFORE if is_update else RowKind.DELETE
            rows.append(self._row(self._rows, before, ".before", first))
        if kind is not RowKind.DELETE:
            rows.append(self._row(self._rows, change.get("after"), ".after", kind))
        return rows

    def _data(self, change: dict[str, Any], kind: RowKind) -> Iterator[Row[Any]]:
        if not self._dialect.has_lists:
            yield from self._data_row(change.get("data"), change.get("old"), kind, "")
            return
        data, old = change.get("data"), change.get("old")
        if type(data) is not list:
            raise FieldError("expected a list of rows").under(".data")
        if kind is RowKind.UPDATE_AFTER and type(old) is not list:
            raise FieldError("expected a list of rows, as for all updates").under(".old")
        for number, node in enumerate(data):
            former = old[number] if type(old) is list and number < len(old) else None
            yield from self._data_row(node, former, kind, f"[{number}]")

    def _data_row(self, node: Any, old: Any, kind: RowKind, place: str) -> Iterator[Row[Any]]:
        row = self._row(self._rows, node, f".data{place}", kind)
        if kind is RowKind.UPDATE_AFTER:
            path = f".old{place}"
            former = self._row(self._old, old, path, kind)
            values = [
                value if name in old else now
                for name, value, now in zip(self._names, former, row, strict=True)
            ]
            yield make_row(values, self._names, RowKind.UPDATE_BEFORE)
        yield row

    def _row(self, reader: JsonReader, node: Any, path: str, kind: RowKind) -> Row[Any]:
        try:
            row: Row[Any] = reader.of_node(_object(node))
        except FieldError as error:
            raise error.under(path) from None
        row.set_row_kind(kind)
        return row


def _object(node: Any, name: str = "") -> dict[str, Any]:
    if type(node) is dict:
        return node
    error = FieldError(f"expected an object, not {excerpt(node)}")
    raise error.under(f".{name}") if name else error


def _at(node: Any, path: Sequence[str]) -> Any:
    for name in path:
        node = node.get(name) if type(node) is dict else None
    return node


class ChangelogJsonSerializationSchema(SerializationSchema[Row[Any]]):
    """Encode rows of all kinds as messages, an update as the deletion and the insertion that it is.

    Args:
        dialect: the envelope of the format.
        type_info: the type of the rows.
        time_style: how times and timestamps are written.
        skips_nulls: whether members that are null are left out.
        has_exponents: whether decimals are written with the exponent that is left without trailing zeros.
    """

    def __init__(
        self,
        dialect: ChangelogDialect,
        type_info: RowTypeInfo[Any],
        time_style: TimeStyle,
        skips_nulls: bool,
        has_exponents: bool,
    ) -> None:
        self._arguments = (dialect, type_info, time_style, skips_nulls, has_exponents)
        self._write = json_writer(type_info, time_style, skips_nulls, has_exponents)
        before, after = (b"", b"") if skips_nulls else (b'"before":null,', b'"after":null,')
        insert = f'"{dialect.kind_field}":"{dialect.inserts[0]}"}}'.encode()
        delete = f'"{dialect.kind_field}":"{dialect.delete}"}}'.encode()
        if dialect.has_images:
            self._inserted = (b"{%b" % before + b'"after":', b"," + insert)
            self._deleted = (b'{"before":', b",%b" % after + delete)
        else:
            start, end = (b'{"data":[', b"],") if dialect.has_lists else (b'{"data":', b",")
            self._inserted = (start, end + insert)
            self._deleted = (start, end + delete)

    def __reduce__(self) -> Any:
        return type(self), self._arguments

    def serialize(self, element: Row[Any]) -> bytes:
        """Encode a row as a message.

        Raises:
            SerializationError: the row does not fit the type; the error names the field.
        """
        start, end = self._deleted if element.get_row_kind() in _RETRACTED else self._inserted
        return start + self._write(element) + end
