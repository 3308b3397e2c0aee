"""Message and file formats, one module each, loaded when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.datastream.formats.avro import AvroBulkWriters as AvroBulkWriters
    from pystream.datastream.formats.avro import AvroInputFormat as AvroInputFormat
    from pystream.datastream.formats.avro import AvroReaders as AvroReaders
    from pystream.datastream.formats.avro import AvroRowDeserializationSchema as AvroRowDeserializationSchema
    from pystream.datastream.formats.avro import AvroRowSerializationSchema as AvroRowSerializationSchema
    from pystream.datastream.formats.avro import AvroSchema as AvroSchema
    from pystream.datastream.formats.avro import GenericRecordAvroTypeInfo as GenericRecordAvroTypeInfo
    from pystream.datastream.formats.avro_confluent import (
        ConfluentRegistryAvroDeserializationSchema as ConfluentRegistryAvroDeserializationSchema,
    )
    from pystream.datastream.formats.avro_confluent import (
        ConfluentRegistryAvroSerializationSchema as ConfluentRegistryAvroSerializationSchema,
    )
    from pystream.datastream.formats.csv import CsvBulkWriters as CsvBulkWriters
    from pystream.datastream.formats.csv import CsvReaderFormat as CsvReaderFormat
    from pystream.datastream.formats.csv import CsvRowDeserializationSchema as CsvRowDeserializationSchema
    from pystream.datastream.formats.csv import CsvRowSerializationSchema as CsvRowSerializationSchema
    from pystream.datastream.formats.csv import CsvSchema as CsvSchema
    from pystream.datastream.formats.csv import CsvSchemaBuilder as CsvSchemaBuilder
    from pystream.datastream.formats.orc import OrcBulkWriters as OrcBulkWriters
    from pystream.datastream.formats.orc import OrcColumnarRowInputFormat as OrcColumnarRowInputFormat
    from pystream.datastream.formats.parquet import AvroParquetReaders as AvroParquetReaders
    from pystream.datastream.formats.parquet import AvroParquetWriters as AvroParquetWriters
    from pystream.datastream.formats.parquet import ParquetBulkWriters as ParquetBulkWriters
    from pystream.datastream.formats.parquet import (
        ParquetColumnarRowInputFormat as ParquetColumnarRowInputFormat,
    )
    from pystream.datastream.formats.parquet import ParquetWriterFactory as ParquetWriterFactory
    from pystream.messages.json import JsonRowDeserializationSchema as JsonRowDeserializationSchema
    from pystream.messages.json import JsonRowSerializationSchema as JsonRowSerializationSchema
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
