"""Files in partitions: directories whose names, ``key=value``, are columns of the rows in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pystream.engine.connectors.file_source import FileReader
from pystream.engine.connectors.files import InputFile, resolve
from pystream.engine.connectors.part_file import PartFile, PartFormat
from pystream.engine.connectors.row_parts import RowParts
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import Cast
from pystream.errors import SourceError
from typeinfo.row import make_row

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = [
    "ChosenPartitions",
    "PartitionedParts",
    "PartitionedReader",
    "PartitionedRowParts",
    "PartitionReads",
    "escaped",
    "unescaped",
]

_ESCAPED = re.compile(r"""[\x00-\x1f\x7f"#%'*/:=?\\{}\[\]^]""")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")


def escaped(text: str) -> str:
    """Return a text as a part of the name of a directory."""
    return _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", text)


def unescaped(name: str) -> str:
    """Return the text that a part of the name of a directory is."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), name)


class PartitionReads(Protocol):
    """Makes the values of columns from the names of directories; picklable."""

    def readers(self) -> Mapping[str, Callable[[str], Any]]:
        """Return for each key the function that makes a value of its text, or raises `FieldError`."""
        ...


@dataclass(frozen=True, slots=True)
class PartitionedReader:
    """Read rows whose last directories are some of their columns.

    Attributes:
        reader: reads the other columns.
        names: the names of all columns, in the order of the rows.
        inner: the positions of those that are in files.
        keys: the positions of those that are directories, in the order of these.
        reads: makes the values of directories.
        null: the text of nulls in the names of directories.
    """

    reader: FileReader
    names: tuple[str, ...]
    inner: tuple[int, ...]
    keys: tuple[int, ...]
    reads: PartitionReads
    null: str

    def yields_columns(self) -> bool:
        """Return False: elements are rows."""
        return False

    def can_split(self, file: InputFile) -> bool:
        """Return whether the file may be read from the middle."""
        return self.reader.can_split(file)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the rows in the range, in order.

        Raises:
            SourceError: the file is in no partition, or the name of a directory is no value of its column.
        """
        known = self._partition(split.file)
        fields: list[Any] = [None] * len(self.names)
        for position, value in zip(self.keys, known, strict=True):
            fields[position] = value
        for rows in self.reader.read(file, split):
            elements = []
            for row in rows:
                for position, value in zip(self.inner, row, strict=True):
                    fields[position] = value
                elements.append(make_row(fields, self.names, row.get_row_kind()))
            yield elements

    def _partition(self, file: InputFile) -> list[Any]:
        _, root = resolve(file.root)
        directories = file.path.removeprefix(root).strip("/").split("/")[:-1]
        keys = [self.names[position] for position in self.keys]
        pairs = [directory.partition("=") for directory in directories]
        if [unescaped(key) for key, _, _ in pairs] != keys or not all(equals for _, equals, _ in pairs):
            raise SourceError(
                f"{file.path} is in no partition of the table, which are directories "
                f"{'/'.join(f'{key}=…' for key in keys)}/; move the file into one"
            )
        readers = self.reads.readers()
        values = []
        for key, (_, _, name) in zip(keys, pairs, strict=True):
            try:
                values.append(None if name == self.null else readers[key](unescaped(name)))
            except FieldError as error:
                raise SourceError(f"{file.path}: the directory {key}={name}: {error}") from error
        return values


@dataclass(frozen=True, slots=True)
class ChosenPartitions:
    """Filter directories by conditions on the columns that they are.

    Attributes:
        keys: the names of the columns, in the order of the directories.
        reads: makes the values of directories.
        null: the text of nulls in the names of directories.
        conditions: functions of values, with the columns whose values they take.
    """

    keys: tuple[str, ...]
    reads: PartitionReads
    null: str
    conditions: tuple[tuple[tuple[str, ...], Callable[[tuple[Any, ...]], Any]], ...]

    def admits(self, names: Sequence[str]) -> bool:
        """Return whether no condition on a directory and those above it is known to be false or null.

        A condition that fails does so again for the rows; names that are no values are errors of the reader.
        """
        values: dict[str, Any] = {}
        readers = self.reads.readers()
        for key, name in zip(self.keys, names, strict=False):
            own, equals, text = name.partition("=")
            if unescaped(own) != key or not equals:
                return True
            try:
                values[key] = None if text == self.null else readers[key](unescaped(text))
            except FieldError:
                return True
        return all(
            self._may_be_true(condition, tuple(values[key] for key in keys))
            for keys, condition in self.conditions
            if values.keys() >= set(keys)
        )

    @staticmethod
    def _may_be_true(condition: Callable[[tuple[Any, ...]], Any], values: tuple[Any, ...]) -> bool:
        try:
            return condition(values) is True
        except Exception:  # noqa: BLE001 - the condition on the rows fails, too
            return True


@dataclass(frozen=True, slots=True)
class PartitionedParts:
    """Write rows to part files without the columns that are directories.

    Attributes:
        parts: writes the other columns.
        names: their names.
        inner: their positions in the rows.
        records: makes what is written of rows, ``None`` if these are rows.
    """

    parts: PartFormat
    names: tuple[str, ...]
    inner: tuple[int, ...]
    records: Cast | None = None

    def encoder(self) -> Callable[[Sequence[Any]], Any]:
        """Return a function that encodes a batch."""
        convert = None if self.records is None else self.records.converter()
        return _inner_encoder(self.parts, self.names, self.inner, convert)

    def open(self, stream: NativeFile) -> PartFile:
        """Open a part file."""
        return self.parts.open(stream)

    def merge(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Write the rows of several part files to a single one."""
        self.parts.merge(filesystem, paths, output)


@dataclass(frozen=True)
class PartitionedRowParts(RowParts):
    """Write rows to part files in row format, as `PartitionedParts` does."""

    parts: RowParts
    names: tuple[str, ...]
    inner: tuple[int, ...]

    def header(self) -> bytes:
        """Return the bytes at the start of every file."""
        return self.parts.header()

    def encoder(self) -> Callable[[Sequence[Any]], Any]:
        """Return a function that encodes a batch."""
        return _inner_encoder(self.parts, self.names, self.inner, None)


def _inner_encoder(
    parts: PartFormat, names: tuple[str, ...], inner: tuple[int, ...], convert: Callable[[Any], Any] | None
) -> Callable[[Sequence[Any]], Any]:
    encode = parts.encoder()

    def encoded(rows: Sequence[Any]) -> Any:
        chosen = [make_row([row[position] for position in inner], names, row.get_row_kind()) for row in rows]
        return encode(chosen if convert is None else list(map(convert, chosen)))

    return encoded
