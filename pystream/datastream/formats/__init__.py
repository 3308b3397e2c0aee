"""Message and file formats, one module each; the names are loaded when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.datastream.formats.avro import (
        AvroBulkWriters,
        AvroInputFormat,
        AvroRowDeserializationSchema,
        AvroRowSerializationSchema,
        AvroSchema,
        GenericRecordAvroTypeInfo,
    )
    from pystream.datastream.formats.csv import (
        CsvBulkWriters,
        CsvReaderFormat,
        CsvRowDeserializationSchema,
        CsvRowSerializationSchema,
        CsvSchema,
        CsvSchemaBuilder,
    )
    from pystream.datastream.formats.orc import OrcBulkWriters, OrcColumnarRowInputFormat
    from pystream.datastream.formats.parquet import (
        AvroParquetReaders,
        AvroParquetWriters,
        ParquetBulkWriters,
        ParquetColumnarRowInputFormat,
        ParquetWriterFactory,
    )
    from pystream.messages.json import JsonRowDeserializationSchema, JsonRowSerializationSchema

__all__ = [
    "AvroBulkWriters",
    "AvroInputFormat",
    "AvroParquetReaders",
    "AvroParquetWriters",
    "AvroRowDeserializationSchema",
    "AvroRowSerializationSchema",
    "AvroSchema",
    "CsvBulkWriters",
    "CsvReaderFormat",
    "CsvRowDeserializationSchema",
    "CsvRowSerializationSchema",
    "CsvSchema",
    "CsvSchemaBuilder",
    "GenericRecordAvroTypeInfo",
    "JsonRowDeserializationSchema",
    "JsonRowSerializationSchema",
    "OrcBulkWriters",
    "OrcColumnarRowInputFormat",
    "ParquetBulkWriters",
    "ParquetColumnarRowInputFormat",
    "ParquetWriterFactory",
]

if not TYPE_CHECKING:  # else checkers would take every name for one of the package
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "AvroBulkWriters": "pystream.datastream.formats.avro",
            "AvroInputFormat": "pystream.datastream.formats.avro",
            "AvroParquetReaders": "pystream.datastream.formats.parquet",
            "AvroParquetWriters": "pystream.datastream.formats.parquet",
            "AvroSchema": "pystream.datastream.formats.avro",
            "GenericRecordAvroTypeInfo": "pystream.datastream.formats.avro",
            "AvroRowDeserializationSchema": "pystream.datastream.formats.avro",
            "AvroRowSerializationSchema": "pystream.datastream.formats.avro",
            "CsvBulkWriters": "pystream.datastream.formats.csv",
            "CsvReaderFormat": "pystream.datastream.formats.csv",
            "CsvSchema": "pystream.datastream.formats.csv",
            "CsvSchemaBuilder": "pystream.datastream.formats.csv",
            "CsvRowDeserializationSchema": "pystream.datastream.formats.csv",
            "CsvRowSerializationSchema": "pystream.datastream.formats.csv",
            "JsonRowDeserializationSchema": "pystream.messages.json",
            "JsonRowSerializationSchema": "pystream.messages.json",
            "OrcBulkWriters": "pystream.datastream.formats.orc",
            "OrcColumnarRowInputFormat": "pystream.datastream.formats.orc",
            "ParquetBulkWriters": "pystream.datastream.formats.parquet",
            "ParquetColumnarRowInputFormat": "pystream.datastream.formats.parquet",
            "ParquetWriterFactory": "pystream.datastream.formats.parquet",
        },
    )
