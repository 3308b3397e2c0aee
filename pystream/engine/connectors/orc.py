"""ORC files: columnar part files, and a reader of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pystream.engine.connectors.columns import ColumnParts, ColumnReader

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile
    from pyarrow.orc import ORCFile, ORCWriter

__all__ = ["OrcParts", "OrcReader"]


@dataclass(frozen=True, slots=True)
class OrcParts(ColumnParts):
    """Part files in ORC."""

    def writer(self, stream: NativeFile, schema: pa.Schema) -> _OrcWriter:
        """Open the writer of a file with the given columns."""
        from pyarrow.orc import ORCWriter

        return _OrcWriter(ORCWriter(stream, **dict(self.options)))

    def batches(self, file: NativeFile) -> Iterator[pa.RecordBatch]:
        """Yield all rows of an ORC file."""
        from pyarrow.orc import ORCFile

        opened = ORCFile(file)
        return (opened.read_stripe(i) for i in range(opened.nstripes))


class _OrcWriter:
    """Write tables; those with nested columns are copied, as pyarrow writes wrong fields of sliced rows."""

    def __init__(self, writer: ORCWriter) -> None:
        self._writer = writer

    def write(self, table: pa.Table) -> None:
        """Write a table."""
        import numpy as np
        import pyarrow as pa

        if any(map(pa.types.is_nested, table.schema.types)):
            table = table.take(pa.array(np.arange(table.num_rows)))
        self._writer.write(table)

    def close(self) -> None:
        """Write the footer."""
        self._writer.close()


@dataclass(frozen=True, slots=True)
class OrcReader(ColumnReader):
    """Read rows of ORC files, stripe by stripe."""

    format: ClassVar[str] = "ORC"

    @staticmethod
    def open(file: NativeFile) -> _OrcFile:
        """Open an ORC file."""
        from pyarrow.orc import ORCFile

        return _OrcFile(ORCFile(file))


class _OrcFile:
    def __init__(self, file: ORCFile) -> None:
        self._file = file

    @property
    def schema(self) -> pa.Schema:
        return self._file.schema

    @property
    def units(self) -> int:
        return self._file.nstripes

    def rows(self, units: list[int]) -> int | None:
        return self._file.nrows if len(units) == self.units else None

    def batches(self, units: list[int], columns: list[str], batch_size: int) -> Iterator[pa.RecordBatch]:
        for unit in units:
            stripe = self._file.read_stripe(unit, columns=columns)
            for start in range(0, stripe.num_rows, batch_size):
                yield stripe.slice(start, batch_size)
