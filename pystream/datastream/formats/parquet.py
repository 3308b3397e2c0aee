"""Parquet format: files read as rows, and written from elements of any type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import TypeVar

from pystream.common.serialization import BulkWriterFactory, PartsFactory
from pystream.datastream.connectors.file_system.columnar import (
    ColumnarRowInputFormat,
    ColumnarWriterFactory,
    Option,
    chosen,
    flag,
    positive,
    writer_options,
)
from pystream.datastream.connectors.file_system.source import StreamFormat, TypedFormat
from pystream.datastream.formats.avro import AvroSchema, GenericRecordAvroTypeInfo, require_schema
from pystream.engine.connectors.avro_parquet import AvroParquetParts, AvroParquetReader, arrow_schema
from pystream.engine.connectors.parquet import ParquetParts, ParquetReader
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.lazy import re_exports
from pystream.settings.configuration import Configuration
from pystream.sql_types.data_types import DataType
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.datastream.connectors.file_system import BulkFormat as BulkFormat
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "AvroParquetReaders",
    "AvroParquetWriters",
    "ParquetBulkWriters",
    "ParquetColumnarRowInputFormat",
    "ParquetWriterFactory",
]

IN = TypeVar("IN", contravariant=True, default=Any)
OUT = TypeVar("OUT", covariant=True, default=Any)
T = TypeVar("T", default=Any)

_COMPRESSIONS = ("zstd", "snappy", "gzip", "brotli", "lz4", "none")
_OPTIONS: dict[str, Option] = {
    "parquet.compression": (
        "compression",
        chosen(uncompressed="none", lz4_raw="lz4", **{name: name for name in _COMPRESSIONS[:-1]}),
    ),
    "parquet.compression.codec.zstd.level": ("compression_level", positive),
    "parquet.block.size": ("group_bytes", positive),
    "parquet.page.size": ("data_page_size", positive),
    "parquet.dictionary.page.size": ("dictionary_pagesize_limit", positive),
    "parquet.enable.dictionary": ("use_dictionary", flag),
    "parquet.writer.version": (
        "data_page_version",
        chosen(parquet_1_0="1.0", v1="1.0", parquet_2_0="2.0", v2="2.0"),
    ),
}


@checks_arguments(ArgumentTypeError)
class ParquetColumnarRowInputFormat(ColumnarRowInputFormat[OUT]):
    """Read the rows of Parquet files.

    Args:
        row_type: the type of the elements; its fields are the columns to read, found by name, and other
            columns are ignored. ``None`` takes the type from the schema of the first file: elements are
            read with the type they were written with, records as named rows.
        hadoop_config: an empty configuration; reading has no options.
        batch_size: how many rows are read at once; Flink reads 2,048 unless told otherwise.
        is_utc_timestamp: it has no effect here: the file says whether a timestamp is in UTC.
        is_case_sensitive: whether the names of columns are compared as written; those of nested rows always
            are.

    Raises:
        ConfigurationError: ``batch_size`` is not positive, or ``hadoop_config`` holds an option.
        UnsupportedTypeError: ``row_type`` is not a type.

    Mirrors ``org.apache.flink.formats.parquet.ParquetColumnarRowInputFormat``.
    """

    _reader_class = ParquetReader

    def __init__(
        self,
        row_type: TypeInformation[OUT] | DataType | None = None,
        hadoop_config: Configuration | None = None,
        batch_size: int = 16_384,
        is_utc_timestamp: bool = False,
        is_case_sensitive: bool = True,
    ) -> None:
        super().__init__(row_type, batch_size, is_case_sensitive)
        writer_options(hadoop_config, {}, "hadoop_config")


class ParquetWriterFactory(ColumnarWriterFactory[IN]):
    """Write elements of a type to Parquet: one column per field, or a single column ``value``.

    pandas, Spark and `ParquetColumnarRowInputFormat` read the files; their metadata contains the type.
    Spark reads a column of SQL_TIME only where ``spark.sql.timeType.enabled`` is true.

    Args:
        type_info: the type of the elements; ``None`` takes that of the stream.
        compression: zstd, snappy, gzip, brotli, lz4 or none.

    Raises:
        ConfigurationError: the compression is another one.
        UnsupportedTypeError: ``type_info`` is not a type.

    Mirrors ``org.apache.flink.formats.parquet.ParquetWriterFactory``.
    """

    _format = "Parquet"
    _parts_class = ParquetParts

    def __init__(
        self, type_info: TypeInformation[IN] | DataType | None = None, compression: str = "zstd"
    ) -> None:
        if compression not in _COMPRESSIONS:
            raise ConfigurationError(
                f"compression must be one of {', '.join(_COMPRESSIONS)}, not {compression!r}"
            )
        super().__init__(type_info, {"compression": compression})


@checks_arguments(ArgumentTypeError)
class ParquetBulkWriters:
    """Factory of writers of Parquet files.

    Mirrors ``org.apache.flink.formats.parquet.row.ParquetRowDataBuilder`` as PyFlink names it.
    """

    @staticmethod
    def for_row_type(
        row_type: TypeInformation[T] | DataType,
        hadoop_config: Configuration | None = None,
        utc_timestamp: bool = False,
    ) -> ParquetWriterFactory[T]:
        """Return a writer of elements of a type.

        Args:
            row_type: the type of the elements, usually ``DataTypes.ROW([…])``.
            hadoop_config: Parquet's options ``parquet.compression`` (ZSTD unless set),
                ``parquet.compression.codec.zstd.level``, ``parquet.block.size``, ``parquet.page.size``,
                ``parquet.dictionary.page.size``, ``parquet.enable.dictionary``, ``parquet.writer.version``.
            utc_timestamp: it has no effect here: SQL_TIMESTAMP is written without a zone, INSTANT in UTC.

        Raises:
            ConfigurationError: an option is not one of these, or its value is not valid.
            UnsupportedTypeError: ``row_type`` is not a type.
        """
        factory: ParquetWriterFactory[T] = ParquetWriterFactory(row_type)
        factory._options = {**factory._options, **writer_options(hadoop_config, _OPTIONS, "hadoop_config")}
        return factory


@checks_arguments(ArgumentTypeError)
class AvroParquetReaders:
    """Factory of formats that read records of an Avro schema from Parquet files.

    Mirrors ``org.apache.flink.formats.parquet.avro.AvroParquetReaders``.
    """

    @staticmethod
    def for_generic_record(schema: AvroSchema) -> StreamFormat[dict[str, Any]]:
        """Return a format of dicts; fields are matched by name, and missing ones get their defaults.

        Raises:
            ConfigurationError: it is not an `AvroSchema`.
            UnsupportedTypeError: Parquet has no columns for the schema, as for a recursive one.
        """
        t = GenericRecordAvroTypeInfo(require_schema(schema, "AvroParquetReaders.for_generic_record"))
        arrow_schema(str(schema))
        return TypedFormat(AvroParquetReader(str(schema)), t)


@checks_arguments(ArgumentTypeError)
class AvroParquetWriters:
    """Factory of writers of records of an Avro schema to Parquet files.

    Mirrors ``org.apache.flink.formats.parquet.avro.AvroParquetWriters``.
    """

    @staticmethod
    def for_generic_record(schema: AvroSchema) -> BulkWriterFactory[Any]:
        """Return a writer of dicts, one column per field.

        Raises:
            ConfigurationError: it is not an `AvroSchema`.
            UnsupportedTypeError: Parquet has no columns for the schema, as for a recursive one.
        """
        t = GenericRecordAvroTypeInfo(require_schema(schema, "AvroParquetWriters.for_generic_record"))
        text = str(schema)
        return PartsFactory(AvroParquetParts(t, arrow_schema(text), avro=text))
