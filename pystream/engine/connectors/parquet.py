"""Parquet files: columnar part files, and a reader of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, cast

from pystream.engine.connectors.columns import ColumnParts, ColumnReader, DamagedFileError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile
    from pyarrow.parquet import ParquetFile, ParquetWriter

__all__ = ["ParquetParts", "ParquetReader"]

_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime.min - _EPOCH) // _MICROSECOND
_LAST = (datetime.max - _EPOCH) // _MICROSECOND


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
        return _ParquetFile(file)


class _ParquetFile:
    def __init__(self, file: NativeFile) -> None:
        from pyarrow.parquet import ParquetFile

        self._file = ParquetFile(file, coerce_int96_timestamp_unit="us")
        self._metadata = self._file.metadata
        self._nanos = _nanos(file, self._file)

    @property
    def schema(self) -> pa.Schema:
        return self._file.schema_arrow

    @property
    def units(self) -> int:
        return self._file.num_row_groups

    def rows(self, units: list[int]) -> int:
        return sum(self._metadata.row_group(unit).num_rows for unit in units)

    def batches(self, units: list[int], columns: list[str], batch_size: int) -> Iterator[pa.RecordBatch]:
        batches = self._file.iter_batches(batch_size, row_groups=units, columns=columns)
        if self._nanos is None:
            return batches
        types = self._nanos.schema_arrow
        exact = [name for name in columns if types.field(name).type != self.schema.field(name).type]
        nanos = self._nanos.iter_batches(batch_size, row_groups=units, columns=exact)
        return map(_without_nanos, batches, nanos)


def _nanos(file: NativeFile, opened: ParquetFile) -> ParquetFile | None:
    """Return a file that reads its timestamps in 96 bits as nanoseconds; ``None`` if it has none.

    As nanoseconds, those before 1677 and after 2262 overflow; as microseconds, they lose parts of one.
    """
    from pyarrow.parquet import ParquetFile

    schema = opened.schema
    if all(schema.column(i).physical_type != "INT96" for i in range(len(schema))):
        return None
    return ParquetFile(file, metadata=opened.metadata, coerce_int96_timestamp_unit="ns")


def _without_nanos(batch: pa.RecordBatch, nanos: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch, checked that its timestamps have no parts of a microsecond.

    Raises:
        DamagedFileError: one has.
    """
    import pyarrow.compute as pc

    for name in nanos.schema.names:
        for coarse, fine in zip(_numbers(batch.column(name)), _numbers(nanos.column(name)), strict=True):
            # Both overflow alike: they differ by these parts alone, save for years that are refused later.
            is_date = pc.and_(pc.greater_equal(coarse, _FIRST), pc.less_equal(coarse, _LAST))
            if pc.any(pc.and_(is_date, pc.not_equal(pc.multiply(coarse, 1000), fine))).as_py():
                raise DamagedFileError(
                    f"column {name!r} has timestamps with parts of a microsecond, which are not kept; "
                    "write it with microseconds"
                )
    return batch


def _numbers(timestamps: pa.Array) -> Iterator[pa.Array]:
    """Yield the numbers of all timestamps in a column, which may be nested."""
    import pyarrow as pa

    if pa.types.is_timestamp(timestamps.type):
        yield timestamps.view(pa.int64())
    elif pa.types.is_nested(timestamps.type):
        flat: Any = cast("pa.ListArray | pa.StructArray", timestamps).flatten()
        for part in flat if isinstance(flat, list) else [flat]:
            yield from _numbers(part)
