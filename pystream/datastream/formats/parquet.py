"""Parquet files, read as rows and written from elements of any type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from pystream.common.serialization import BulkWriterFactory
from pystream.datastream.connectors.file_source import BulkFormat
from pystream.errors import ConfigurationError, SourceError
from pystream.runtime.connectors.files import list_files
from pystream.runtime.connectors.parquet import ParquetParts, ParquetReader, parquet_type
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["ParquetBulkWriters", "ParquetColumnarRowInputFormat", "ParquetWriterFactory"]

IN = TypeVar("IN", contravariant=True, default=Any)
OUT = TypeVar("OUT", covariant=True, default=Any)
T = TypeVar("T")

_COMPRESSIONS = ("zstd", "snappy", "gzip", "brotli", "lz4", "none")


class ParquetColumnarRowInputFormat(BulkFormat[OUT]):
    """Read the rows of Parquet files.

    Args:
        row_type: the type of the elements; its fields are the columns to read, found by name, and other
            columns are left alone. ``None`` takes the type from the schema of the first file: what was
            written from elements of a type comes back as that type, records as named rows.
        hadoop_config: it has no effect here.
        batch_size: how many rows are read at once.
        is_utc_timestamp: it has no effect here: whether a timestamp is in UTC stands in the file.
        is_case_sensitive: names of columns are always compared as written; ``False`` is refused.

    Raises:
        ConfigurationError: ``batch_size`` is not positive, or ``is_case_sensitive`` is ``False``.
        UnsupportedTypeError: ``row_type`` is no type.

    Mirrors ``org.apache.flink.formats.parquet.ParquetColumnarRowInputFormat``.
    """

    def __init__(
        self,
        row_type: TypeInformation[OUT] | None = None,
        hadoop_config: object = None,
        batch_size: int = 2048,
        is_utc_timestamp: bool = False,
        is_case_sensitive: bool = True,
    ) -> None:
        if not isinstance(batch_size, int) or batch_size <= 0:
            raise ConfigurationError(f"batch_size must be a positive int, not {batch_size!r}")
        if not is_case_sensitive:
            raise ConfigurationError(
                "names of Parquet columns are compared as written: leave is_case_sensitive True"
            )
        self._row_type = None if row_type is None else require_type(row_type, "row_type")
        self._batch_size = batch_size

    def get_produced_type(self, locations: Sequence[str]) -> TypeInformation[OUT]:
        """Return the type of the elements.

        Raises:
            SourceError: there is no file to take it from.
        """
        if self._row_type is not None:
            return self._row_type
        for location in locations:
            for file in list_files(location):
                return parquet_type(file)
        raise SourceError(
            f"there is no Parquet file at {', '.join(locations)} to take the type from; give row_type"
        )

    def reader(self, locations: Sequence[str]) -> ParquetReader:
        """Return what the workers read files with."""
        return ParquetReader(self.get_produced_type(locations), self._batch_size)


class ParquetWriterFactory(BulkWriterFactory[IN]):
    """Write elements of a type to Parquet: one column a field, or one column ``value``.

    pandas, Spark and `ParquetColumnarRowInputFormat` read the files; the type stands in their metadata.
    Spark reads a column of SQL_TIME only where ``spark.sql.timeType.enabled`` is true.

    Args:
        type_info: the type of the elements; ``None`` takes that of the stream.
        compression: zstd, snappy, gzip, brotli, lz4 or none.

    Raises:
        ConfigurationError: the compression is none of these.
        UnsupportedTypeError: ``type_info`` is no type.

    Mirrors ``org.apache.flink.formats.parquet.ParquetWriterFactory``.
    """

    def __init__(self, type_info: TypeInformation[IN] | None = None, compression: str = "zstd") -> None:
        if compression not in _COMPRESSIONS:
            raise ConfigurationError(
                f"compression must be one of {', '.join(_COMPRESSIONS)}, not {compression!r}"
            )
        self._type = None if type_info is None else require_type(type_info, "type_info")
        self._compression = compression

    def bind(self, type_info: TypeInformation[IN]) -> ParquetParts:
        """Return what the workers write elements with.

        Raises:
            UnsupportedTypeError: neither the stream nor the factory declares a type.
        """
        t = type_info if self._type is None else self._type
        if isinstance(t, PickledBytesTypeInfo):
            raise UnsupportedTypeError(
                "Parquet needs the type of the elements: give output_type to the operator before the sink, "
                "or a type to the writer factory"
            )
        return ParquetParts(t, self._compression)


class ParquetBulkWriters:
    """Make writers of Parquet files.

    Mirrors ``org.apache.flink.formats.parquet.row.ParquetRowDataBuilder`` as PyFlink names it.
    """

    @staticmethod
    def for_row_type(
        row_type: TypeInformation[T], hadoop_config: object = None, utc_timestamp: bool = False
    ) -> ParquetWriterFactory[T]:
        """Return a writer of elements of a type.

        Args:
            row_type: the type of the elements, usually of rows.
            hadoop_config: it has no effect here.
            utc_timestamp: it has no effect here: SQL_TIMESTAMP is written without a zone, INSTANT in UTC.
        """
        return ParquetWriterFactory(row_type)
