"""Parquet files: columnar part files, and a reader of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.engine.connectors.columns import ColumnParts, ColumnReader
from pystream.engine.connectors.splits import FileSplit

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile
    from pyarrow.parquet import ParquetFile, ParquetWriter

__all__ = ["ParquetParts", "ParquetReader"]


@dataclass(frozen=True, slots=True)
class ParquetParts(ColumnParts):
    """Part files in Parquet."""

    options: tuple[tuple[str, Any], ...] = (("compression", "zstd"),)

    def writer(self, stream: NativeFile, schema: pa.Schema) -> _ParquetWriter:
        """Open the writer of a file with the given columns."""
        from pyarrow.parquet import ParquetWriter

        return _ParquetWriter(ParquetWriter(stream, schema, **dict(self.options)))

    def batches(self, file: NativeFile) -> Iterator[pa.RecordBatch]:
        """Yield all rows of a Parquet file."""
        from pyarrow.parquet import ParquetFile

        return ParquetFile(file).iter_batches()


class _ParquetWriter:
    def __init__(self, writer: ParquetWriter) -> None:
        self._writer = writer

    def write(self, table: pa.Table) -> None:
        self._writer.write_table(table, row_group_size=table.num_rows)

    def close(self) -> None:
        self._writer.close()


@dataclass(frozen=True, slots=True)
class ParquetReader(ColumnReader):
    """Read rows of Parquet files, by row groups."""

    format: ClassVar[str] = "Parquet"

    @staticmethod
    def open(file: NativeFile) -> _ParquetFile:
        """Open a Parquet file."""
        from pyarrow.parquet import ParquetFile

        return _ParquetFile(ParquetFile(file))


class _ParquetFile:
    def __init__(self, file: ParquetFile) -> None:
        self._file = file

    @property
    def schema(self) -> pa.Schema:
        return self._file.schema_arrow

    def batches(self, split: FileSplit, columns: list[str], batch_size: int) -> Iterator[pa.RecordBatch]:
        indices = range(self._file.num_row_groups)
        groups = [i for i in indices if split.start <= self._middle(i) < split.end]
        return self._file.iter_batches(batch_size, row_groups=groups, columns=columns)

    def _middle(self, index: int) -> int:
        """Return the offset of the middle of a row group; it decides the byte range that owns the group."""
        group = self._file.metadata.row_group(index)
        first = group.column(0)
        offsets = (first.dictionary_page_offset, first.data_page_offset)
        start = min(offset for offset in offsets if offset is not None)
        return start + sum(group.column(i).total_compressed_size for i in range(group.num_columns)) // 2
