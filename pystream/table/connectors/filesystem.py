"""Tables in the files of a directory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.common.serialization import Encoder
from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.connectors.file_system import (
    BucketAssigner,
    FileSink,
    FileSource,
)
from pystream.datastream.connectors.file_system.source import TypedFormat
from pystream.datastream.formats.avro import (
    AvroBulkWriters,
    AvroSchema,
    GenericRecordAvroTypeInfo,
)
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.connectors.avro_files import AvroReader
from pystream.engine.connectors.converted_files import ConvertedReader
from pystream.engine.connectors.file_source import FileReader
from pystream.engine.connectors.row_parts import RowParts
from pystream.engine.connectors.text_files import LineMessageReader
from pystream.settings.config_values import BOOLEAN, DURATION, STRING, named
from pystream.table.column_casts import declarations
from pystream.table.columns import row_data_type
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.options import POSITIVE, Option
from pystream.table.formats.avro_records import RecordOfRow, RowOfRecord, avro_schema_of
from pystream.table.formats.csv import CsvFormat
from pystream.table.formats.declared_rows import DeclaredRows
from pystream.table.formats.registry import (
    CHANGELOG_FORMATS,
    format_options,
    message_format,
    require_options_of,
)
from typeinfo.info import TypeInformation
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.stream_ends import DataStreamSink

__all__ = ["FileSystem"]

_LINES = ("csv", "json", *CHANGELOG_FORMATS)
_JSON_REMEDY = (
    "set '{}.ignore-parse-errors' = 'true', by which values that do not fit are NULL, unless their column "
    "is NOT NULL, and lines without a {} are skipped"
)


class _Records(Encoder[Row[Any]]):
    """Write rows as the records of part files."""

    def __init__(self, parts: RowParts) -> None:
        self._parts = parts

    def encode(self, element: Row[Any]) -> bytes:
        """Return a row as a record."""
        return self._parts.encoder()([element]).data

    def bind(self, type_info: TypeInformation[Row[Any]]) -> RowParts:
        """Return the writer that workers use."""
        return self._parts


class FileSystem(Connector):
    """Read and write the files of a directory in one format.

    A table is bounded unless ``source.monitor-interval`` is given. What is written is added to the
    directory. Columns of CSV correspond by position, those of the other formats by name. With ``csv.header``,
    the first record of a file holds the names of the columns, in reading and writing. Messages that are
    changes, such as those of ``debezium-json``, are read and written one a line.
    Mirrors Flink's connector ``filesystem``.
    """

    name = "filesystem"
    reads_declared_types = True
    options: ClassVar[Mapping[str, Option]] = {
        "path": Option(STRING, is_required=True),
        "format": Option(named(*_LINES, "avro", "parquet", "orc"), is_required=True),
        "source.monitor-interval": Option(DURATION),
        "sink.parallelism": Option(POSITIVE),
        **format_options(*_LINES),
        "csv.header": Option(BOOLEAN, default=False),
    }

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        super().__init__(table, values)
        self._format = values["format"].lower()
        require_options_of(self._format, table)
        self.reads_changes = self.takes_updates = self._format in CHANGELOG_FORMATS

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the rows in the files."""
        path = self.values["path"]
        files = TypedFormat(self._lines() if self._format in _LINES else self._records(), self.table.row_type)
        builder = FileSource.for_record_stream_format(files, path)
        if self.values["source.monitor-interval"] is not None:
            builder.monitor_continuously(self.values["source.monitor-interval"])
        return environment.from_source(builder.build(), WatermarkStrategy.no_watermarks(), self.table.path)

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Write the rows to new files."""
        path = self.values["path"]
        assigner = BucketAssigner.base_path_bucket_assigner()
        sink: FileSink[Any]
        if self._format in _LINES:
            sink = FileSink.for_row_format(path, self._encoder()).with_bucket_assigner(assigner).build()
        else:
            sink = FileSink.for_bulk_format(path, self._writers()).with_bucket_assigner(assigner).build()
        elements: DataStream[Any] = rows
        if self._format == "avro":
            schema = self._avro_schema()
            elements = rows.map(RecordOfRow(str(schema)), GenericRecordAvroTypeInfo(schema))
        end = elements.sink_to(sink)
        parallelism = self.values["sink.parallelism"]
        return end if parallelism is None else end.set_parallelism(parallelism)

    def _lines(self) -> FileReader:
        format = message_format(self._format, self.table, self.values)
        if isinstance(format, CsvFormat):
            return format.file_reader(has_header=self.values["csv.header"])
        schema = format.deserialization_schema()
        remedy = _JSON_REMEDY.format(format.name, "change" if self.reads_changes else "JSON object")
        return LineMessageReader(
            schema.deserialize_all,
            format.row_type,
            False,
            schema.at_once(),
            remedy,
            keeps_order=self.reads_changes,
        )

    def _records(self) -> FileReader:
        schema = str(self._avro_schema()) if self._format == "avro" else None
        before = None if schema is None else RowOfRecord(schema)
        rows = DeclaredRows(self.table.row_type, declarations(self.table.columns), before)
        reader = self._columns() if schema is None else AvroReader(schema)
        return reader if rows.converter() is None else ConvertedReader(reader, rows)

    def _encoder(self) -> Encoder[Row[Any]]:
        format = message_format(self._format, self.table, self.values)
        if isinstance(format, CsvFormat):
            return _Records(format.file_parts(has_header=self.values["csv.header"]))
        return Encoder.serialized_lines(format.serialization_schema())

    def _columns(self) -> FileReader:
        if self._format == "parquet":
            from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat

            return ParquetColumnarRowInputFormat(self.table.row_type).reader(())
        from pystream.datastream.formats.orc import OrcColumnarRowInputFormat

        return OrcColumnarRowInputFormat(self.table.row_type).reader(())

    def _writers(self) -> Any:
        if self._format == "avro":
            return AvroBulkWriters.for_generic_record(self._avro_schema())
        data_type = row_data_type(self.table.columns)
        if self._format == "parquet":
            from pystream.datastream.formats.parquet import ParquetBulkWriters

            return ParquetBulkWriters.for_row_type(data_type)
        from pystream.datastream.formats.orc import OrcBulkWriters

        return OrcBulkWriters.for_row_type(data_type)

    def _avro_schema(self) -> AvroSchema:
        return AvroSchema.parse_string(avro_schema_of(row_data_type(self.table.columns)))
