"""Columnar files: elements buffered and written in large row groups, and rows read back by type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pystream.engine.connectors.files import InputFile, resolve
from pystream.engine.connectors.splits import FileSplit
from pystream.errors import SinkError, SourceError
from typeinfo.errors import TypeCheckError, UnsupportedTypeError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = [
    "GROUP_BYTES",
    "ColumnFile",
    "ColumnParts",
    "ColumnReader",
    "DamagedFileError",
    "TableWriter",
    "batches_in",
]

_GROUP_ROWS = 256 * 1024
GROUP_BYTES = 128 * 1024 * 1024
"""Default size of a row group, in bytes."""


class TableWriter(Protocol):
    """Write tables to a columnar file."""

    def write(self, table: pa.Table) -> None:
        """Write a table as one row group."""
        ...

    def close(self) -> None:
        """Write the footer of the file."""
        ...


@dataclass(frozen=True, slots=True)
class ColumnParts(ABC):
    """Write columnar part files.

    Attributes:
        type_info: the type of the elements; its fields are the columns, or one column ``value``.
        schema: the columns of the file where they differ from those of the type, as decimals of a fixed scale
            do.
        options: arguments of pyarrow's writer.
        group_bytes: how large a group of rows becomes before it is written.
    """

    type_info: TypeInformation[Any]
    schema: pa.Schema | None = None
    options: tuple[tuple[str, Any], ...] = ()
    group_bytes: int = GROUP_BYTES

    @abstractmethod
    def writer(self, stream: NativeFile, schema: pa.Schema) -> TableWriter:
        """Open the writer of a file with the given columns."""

    @abstractmethod
    def batches(self, file: NativeFile) -> Iterator[pa.RecordBatch]:
        """Yield all rows of a file of this format."""

    def encoder(self) -> Callable[[Sequence[Any]], pa.RecordBatch]:
        """Return a function that returns elements as columns of the file."""
        from pystream.engine.vectorised.parts import batch_of
        from typeinfo.serde import serializer_for

        to_batch = partial(batch_of, serializer_for(self.type_info))
        return to_batch if self.schema is None else partial(_cast, to_batch, self.schema)

    def open(self, stream: NativeFile) -> ColumnPart:
        """Open a part file."""
        return ColumnPart(stream, self.writer(stream, self._columns()), self.group_bytes)

    def merge(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Write the rows of part files to a single one, in large row groups."""
        schema = self._columns()
        part = self.open(output)
        try:
            for path in paths:
                with filesystem.open_input_file(path) as file:
                    for batch in self.batches(file):
                        part.write(batch.cast(schema), 0, None)
        finally:
            part.close()

    def _columns(self) -> pa.Schema:
        from typeinfo.serde import serializer_for

        return serializer_for(self.type_info).schema if self.schema is None else self.schema


def _cast(
    to_batch: Callable[[Sequence[Any]], pa.RecordBatch], schema: pa.Schema, values: Sequence[Any]
) -> pa.RecordBatch:
    """Convert elements to columns, cast to the schema of the file."""
    from pyarrow import ArrowException, RecordBatch

    arrays = []
    for column, field in zip(to_batch(values).columns, schema, strict=True):
        try:
            arrays.append(_as_column(column, field.type))
        except ArrowException as error:
            raise SinkError(f"column {field.name} of type {field.type}: {error}") from error
    return RecordBatch.from_arrays(arrays, schema=schema)


def _as_column(column: pa.Array, target: pa.DataType) -> pa.Array:
    """Return a column in a type: decimals rounded as Flink does, save for those inside lists and rows."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from typeinfo.serde.decimal_arrays import cast_decimals

    if not (isinstance(target, pa.Decimal128Type) and isinstance(column.type, pa.Decimal128Type)):
        return column.cast(target)
    rounded: pa.Array = cast_decimals(pc.round(column, target.scale, "half_towards_infinity"), target)
    return rounded


class ColumnPart:
    """An open columnar file that buffers elements for the next row group."""

    def __init__(self, stream: NativeFile, writer: TableWriter, group_bytes: int) -> None:
        self._stream = stream
        self._writer = writer
        self._group_bytes = group_bytes
        self._batches: list[pa.RecordBatch] = []
        self._rows = 0
        self._bytes = 0

    def size(self) -> int:
        """Return the bytes of the row groups written so far."""
        return self._stream.tell()

    def write(self, encoded: pa.RecordBatch, start: int, size_limit: int | None) -> int:
        """Add elements to the row group; return their number, as all are taken."""
        self._batches.append(encoded)
        self._rows += encoded.num_rows
        self._bytes += encoded.nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= self._group_bytes:
            self._end_group()
        return encoded.num_rows

    def close(self) -> None:
        """Write the last row group and the footer."""
        if self._batches:
            self._end_group()
        self._writer.close()

    def _end_group(self) -> None:
        import pyarrow as pa

        self._writer.write(pa.Table.from_batches(self._batches))
        self._batches.clear()
        self._rows = self._bytes = 0


class DamagedFileError(Exception):
    """The content of a columnar file is not as its metadata says, or cannot be kept."""


class ColumnFile(Protocol):
    """An open columnar file."""

    @property
    def schema(self) -> pa.Schema:
        """The schema of the file."""
        ...

    @property
    def units(self) -> int:
        """The number of its row groups or stripes."""
        ...

    def rows(self, units: list[int]) -> int | None:
        """Return the number of rows in some units, ``None`` if the metadata does not say."""
        ...

    def batches(self, units: list[int], columns: list[str], batch_size: int) -> Iterator[pa.RecordBatch]:
        """Yield the rows of some units, in order."""
        ...


def batches_in(
    file: ColumnFile, split: FileSplit, columns: list[str], batch_size: int
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the units of a file that belong to a range, in order.

    Raises:
        DamagedFileError: these are not as many as the metadata says.
    """
    units = split.units(file.units)
    planned, found = file.rows(units), 0
    for batch in file.batches(units, columns, batch_size):
        found += batch.num_rows
        yield batch
    if planned is not None and found != planned:
        raise DamagedFileError(f"it has {found} rows where its metadata says {planned}")


@dataclass(frozen=True, slots=True)
class ColumnReader(ABC):
    """Read columnar files, by row groups or stripes.

    Attributes:
        type_info: the type of the elements; of the columns of a file, those it names are read.
        batch_size: how many rows are read at once.
        is_case_sensitive: whether the names of columns are compared as written.
        declared: the same type with the digits of decimals, in which rows of no more digits are read.
    """

    format: ClassVar[str]

    type_info: TypeInformation[Any]
    batch_size: int
    is_case_sensitive: bool = True
    declared: TypeInformation[Any] | None = None

    @staticmethod
    @abstractmethod
    def open(file: NativeFile) -> ColumnFile:
        """Open a file of this format.

        Raises:
            ArrowException: it is of another format.
        """

    def yields_columns(self) -> bool:
        """Return True: elements are columns."""
        return True

    def can_split(self, file: InputFile) -> bool:
        """Return True: row groups can be read separately."""
        return True

    @classmethod
    def opened(cls, file: NativeFile, path: str) -> ColumnFile:
        """Open a file, with errors reported as SourceError.

        Raises:
            SourceError: it is of another format, or has no columns.
        """
        from pyarrow import ArrowException

        try:
            opened = cls.open(file)
            names = opened.schema.names
        except (ArrowException, OSError, ValueError, MemoryError) as error:
            raise SourceError(f"cannot read {path} as {cls.format}: {error}") from error
        if not names:
            raise SourceError(f"{path} has no columns, so that its rows cannot be read")
        return opened

    @classmethod
    def type_of(cls, file: InputFile) -> TypeInformation[Any]:
        """Return the row type of a file, from its schema.

        Raises:
            SourceError: it is of another format.
            UnsupportedTypeError: a column has a type that Python lacks; the message names both.
        """
        from typeinfo.formats.arrow import from_arrow_schema

        filesystem, _ = resolve(file.root)
        with filesystem.open_input_file(file.path) as stream:
            schema = cls.opened(stream, file.path).schema
        try:
            return from_arrow_schema(schema)
        except UnsupportedTypeError as error:
            raise UnsupportedTypeError(
                f"cannot read {file.path} as {cls.format}: {error}; declare a row type without this column"
            ) from error

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements of the units that belong to the range, in order.

        They stay columns until their values are accessed, if their type allows validation of columns.

        Raises:
            SourceError: the file is of another format, or its columns are not those of the type.
        """
        from pyarrow import ArrowException

        from pystream.engine.vectorised.columns import ColumnValues, layout_of
        from pystream.engine.vectorised.parts import elements_of

        path = split.file.path
        layout = layout_of(self.type_info)
        declared = None if self.declared is None else layout_of(self.declared)
        opened = self.opened(file, path)
        columns = self._columns(layout.schema.names, opened.schema.names, path)
        try:
            for batch in batches_in(opened, split, columns, self.batch_size):
                arrays = [batch.column(name) for name in columns]
                if declared is not None and declared.fits(arrays):
                    yield ColumnValues(declared, declared.batch(arrays))
                    continue
                for elements in elements_of(layout, arrays):
                    yield elements.values
        except (ArrowException, OSError, ValueError, MemoryError, TypeCheckError, DamagedFileError) as error:
            raise SourceError(f"cannot read {path} as {self.type_info}: {error}") from error

    def _columns(self, wanted: list[str], present: list[str], path: str) -> list[str]:
        def key(name: str) -> str:
            return name if self.is_case_sensitive else name.lower()

        found = {name: [other for other in present if key(other) == key(name)] for name in wanted}
        missing = [name for name, others in found.items() if not others]
        if missing:
            raise SourceError(f"{path} has no columns {missing}; it has {present}")
        for name, others in found.items():
            if len(others) > 1:
                raise SourceError(
                    f"{path} has several columns for {name!r}, {others}; compare their case: "
                    "is_case_sensitive=True"
                )
        return [others[0] for others in found.values()]
