"""Parquet files."""

from collections.abc import Iterator, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Self, TypeAlias

from pyarrow import NativeFile, RecordBatch, Schema, Table
from pyarrow.fs import FileSystem

_Where: TypeAlias = str | PathLike[str] | NativeFile | Any

class ParquetWriter:
    schema: Schema
    def __init__(
        self,
        where: _Where,
        schema: Schema,
        filesystem: FileSystem | None = None,
        *,
        compression: str | dict[str, str] = "snappy",
        **options: Any,
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, tb: TracebackType | None
    ) -> None: ...
    def close(self) -> None: ...
    def write(self, table_or_batch: Table | RecordBatch, row_group_size: int | None = None) -> None: ...
    def write_batch(self, batch: RecordBatch, row_group_size: int | None = None) -> None: ...
    def write_table(self, table: Table, row_group_size: int | None = None) -> None: ...

class ColumnChunkMetaData:
    dictionary_page_offset: int | None
    data_page_offset: int
    total_compressed_size: int
    compression: str
    has_dictionary_page: bool

class RowGroupMetaData:
    num_rows: int
    num_columns: int
    def column(self, i: int) -> ColumnChunkMetaData: ...

class FileMetaData:
    num_rows: int
    num_row_groups: int
    num_columns: int
    created_by: str
    def row_group(self, i: int) -> RowGroupMetaData: ...

class ColumnSchema:
    physical_type: str

class ParquetSchema:
    def __len__(self) -> int: ...
    def column(self, i: int) -> ColumnSchema: ...

class ParquetFile:
    schema: ParquetSchema
    schema_arrow: Schema
    metadata: FileMetaData
    num_row_groups: int
    def __init__(self, source: _Where, **options: Any) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object, **kwargs: object) -> None: ...
    def close(self, force: bool = False) -> None: ...
    def iter_batches(
        self,
        batch_size: int = 65536,
        row_groups: Sequence[int] | None = None,
        columns: Sequence[str] | None = None,
        use_threads: bool = True,
        use_pandas_metadata: bool = False,
    ) -> Iterator[RecordBatch]: ...
    def read(self, columns: Sequence[str] | None = None, use_threads: bool = True) -> Table: ...
    def read_row_group(
        self, i: int, columns: Sequence[str] | None = None, use_threads: bool = True
    ) -> Table: ...

def read_table(
    source: _Where, *, columns: Sequence[str] | None = None, schema: Schema | None = None, **options: Any
) -> Table: ...
def read_schema(where: _Where, memory_map: bool = False) -> Schema: ...
def read_metadata(where: _Where, memory_map: bool = False) -> FileMetaData: ...
def write_table(table: Table, where: _Where, row_group_size: int | None = None, **options: Any) -> None: ...
