"""Parquet: part files of columns, and their rows read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.errors import SourceError
from pystream.runtime.connectors.files import InputFile
from pystream.runtime.connectors.splits import FileSplit
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile
    from pyarrow.parquet import ParquetFile

__all__ = ["ParquetParts", "ParquetReader", "parquet_type"]

_GROUP_ROWS = 256 * 1024
_GROUP_BYTES = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ParquetParts:
    """Part files in Parquet.

    Attributes:
        type_info: the type of the elements; its fields are the columns, or one column ``value``.
        compression: a codec Parquet knows.
    """

    type_info: TypeInformation[Any]
    compression: str

    def encoder(self) -> Callable[[list[Any]], pa.RecordBatch]:
        """Return a function from elements to columns."""
        from typeinfo.serde import serializer_for

        return serializer_for(self.type_info).to_batch

    def open(self, stream: NativeFile) -> ParquetPart:
        """Begin a part file."""
        return ParquetPart(stream, self.type_info, self.compression)


class ParquetPart:
    """One open Parquet file; elements are gathered into row groups."""

    def __init__(self, stream: NativeFile, type_info: TypeInformation[Any], compression: str) -> None:
        from pyarrow.parquet import ParquetWriter

        from typeinfo.serde import serializer_for

        self._stream = stream
        schema = serializer_for(type_info).schema
        self._writer = ParquetWriter(stream, schema, compression=compression)
        self._batches: list[pa.RecordBatch] = []
        self._rows = 0
        self._bytes = 0

    def size(self) -> int:
        """Return the bytes of the row groups written so far."""
        return self._stream.tell()

    def write(self, encoded: pa.RecordBatch, start: int, size_limit: int | None) -> int:
        """Add elements to the row group; return how many, which is all of them."""
        self._batches.append(encoded)
        self._rows += encoded.num_rows
        self._bytes += encoded.nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._end_group()
        return encoded.num_rows

    def close(self) -> None:
        """Write the last row group and the footer."""
        if self._batches:
            self._end_group()
        self._writer.close()

    def _end_group(self) -> None:
        import pyarrow as pa

        table = pa.Table.from_batches(self._batches)
        self._writer.write_table(table, row_group_size=self._rows)
        self._batches.clear()
        self._rows = self._bytes = 0


def parquet_type(file: InputFile) -> TypeInformation[Any]:
    """Return the type of the rows of a Parquet file, from its schema.

    Raises:
        SourceError: it is no Parquet file.
    """
    from pystream.runtime.connectors.files import resolve
    from typeinfo.formats.arrow import from_arrow_schema

    filesystem, _ = resolve(file.root)
    with filesystem.open_input_file(file.path) as stream:
        return from_arrow_schema(_opened(stream, file.path).schema_arrow)


@dataclass(frozen=True, slots=True)
class ParquetReader:
    """Rows of Parquet files; a byte range has the row groups whose middle lies in it.

    Attributes:
        type_info: the type of the elements; of the columns of a file, those it names are read.
        batch_size: how many rows are read at once.
    """

    gives_columns: ClassVar[bool] = True

    type_info: TypeInformation[Any]
    batch_size: int

    def can_split(self, file: InputFile) -> bool:
        """Tell that row groups can be read one by one."""
        return True

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the elements of the row groups whose middle lies in the range, in order.

        They stay columns until someone asks for their values, if their type can be checked so.

        Raises:
            SourceError: the file is no Parquet, or its columns are not those of the type.
        """
        from pyarrow import ArrowException

        from pystream.runtime.vectorised.columns import layout_of
        from pystream.runtime.vectorised.parts import elements_of

        path = split.file.path
        layout = layout_of(self.type_info)
        columns = layout.schema.names
        parquet = _opened(file, path)
        missing = [name for name in columns if name not in parquet.schema_arrow.names]
        if missing:
            raise SourceError(f"{path} has no columns {missing}; it has {parquet.schema_arrow.names}")
        groups = [i for i in range(parquet.num_row_groups) if split.start <= _middle(parquet, i) < split.end]
        try:
            for batch in parquet.iter_batches(self.batch_size, row_groups=groups, columns=columns):
                batch.validate(full=True)  # that text is UTF-8, which nobody tells once it is a column
                for elements in elements_of(layout, [batch.column(name) for name in columns]):
                    yield elements.values
        except (ArrowException, OSError, TypeCheckError) as error:
            raise SourceError(f"cannot read {path} as {self.type_info}: {error}") from error


def _opened(stream: NativeFile, path: str) -> ParquetFile:
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(stream)
    except (ArrowException, OSError) as error:
        raise SourceError(f"{path} is no Parquet file: {error}") from error


def _middle(parquet: ParquetFile, index: int) -> int:
    """Return the offset halfway through a row group: groups of one size then fall to as many equal ranges."""
    group = parquet.metadata.row_group(index)
    first = group.column(0)
    start = min(
        offset for offset in (first.dictionary_page_offset, first.data_page_offset) if offset is not None
    )
    return start + sum(group.column(i).total_compressed_size for i in range(group.num_columns)) // 2
