"""Message and file formats, one module each; the names are loaded when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.datastream.formats.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
    from pystream.datastream.formats.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
    from pystream.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
    from pystream.datastream.formats.parquet import (
        ParquetBulkWriters,
        ParquetColumnarRowInputFormat,
        ParquetWriterFactory,
    )

__all__ = [
    "AvroRowDeserializationSchema",
    "AvroRowSerializationSchema",
    "CsvRowDeserializationSchema",
    "CsvRowSerializationSchema",
    "JsonRowDeserializationSchema",
    "JsonRowSerializationSchema",
    "ParquetBulkWriters",
    "ParquetColumnarRowInputFormat",
    "ParquetWriterFactory",
]

if not TYPE_CHECKING:  # else checkers would take every name for one of the package
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "AvroRowDeserializationSchema": "pystream.datastream.formats.avro",
            "AvroRowSerializationSchema": "pystream.datastream.formats.avro",
            "CsvRowDeserializationSchema": "pystream.datastream.formats.csv",
            "CsvRowSerializationSchema": "pystream.datastream.formats.csv",
            "JsonRowDeserializationSchema": "pystream.datastream.formats.json",
            "JsonRowSerializationSchema": "pystream.datastream.formats.json",
            "ParquetBulkWriters": "pystream.datastream.formats.parquet",
            "ParquetColumnarRowInputFormat": "pystream.datastream.formats.parquet",
            "ParquetWriterFactory": "pystream.datastream.formats.parquet",
        },
    )
