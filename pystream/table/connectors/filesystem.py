"""Tables in the files of a directory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.common.serialization import Encoder
from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.connectors.file_system import (
    BucketAssigner,
    FileSink,
    FileSource,
    FileSourceBuilder,
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
from pystream.engine.connectors.file_lookup import FileLookup
from pystream.engine.connectors.file_sink import Replaced
from pystream.engine.connectors.file_source import FileReader, FilesInput
from pystream.engine.connectors.lookup import Lookup
from pystream.engine.connectors.row_parts import RowParts
from pystream.engine.connectors.text_files import LineMessageReader
from pystream.errors import UnsupportedOperationError
from pystream.settings.config_values import BOOLEAN, DURATION, STRING, named
from pystream.settings.options import RUNTIME_MODE
from pystream.sql_types.decimals import as_read
from pystream.table.column_casts import declarations
from pystream.table.column_paths import ColumnPath, narrowed_column
from pystream.table.columns import row_data_type, row_type
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.filesystem_options import (
    POLICY_KIND,
    SINK_OPTIONS,
    check_sink_options,
    marker_of,
    rolling_policy,
)
from pystream.table.connectors.options import PATTERN, POSITIVE, Option
from pystream.table.connectors.partitions import PartitionCondition, Partitions
from pystream.table.formats.avro_records import RecordOfRow, RecordsOfRows, RowOfRecord, avro_schema_of
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
    changes, such as those of ``debezium-json``, are read and written one a line. Columns of the partition
    keys are in the names of directories.
    Mirrors Flink's connector ``filesystem``.
    """

    name = "filesystem"
    reads_declared_types = True
    has_partitions = True
    options: ClassVar[Mapping[str, Option]] = {
        "path": Option(STRING, is_required=True),
        "format": Option(named(*_LINES, "avro", "parquet", "orc"), is_required=True),
        "partition.default-name": Option(STRING, default="__DEFAULT_PARTITION__"),
        "source.monitor-interval": Option(DURATION),
        "source.path.regex-pattern": Option(PATTERN),
        "sink.parallelism": Option(POSITIVE),
        **SINK_OPTIONS,
        **format_options(*_LINES),
        "csv.header": Option(BOOLEAN, default=False),
    }

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        super().__init__(table, values)
        self._format = values["format"].lower()
        require_options_of(self._format, table)
        self.reads_changes: bool = self._format in CHANGELOG_FORMATS
        self.takes_updates: bool = self.reads_changes
        self._partitions: Partitions | None = None
        self._conditions: Sequence[PartitionCondition] = ()
        self._columns = table.columns
        owner = f"table {table.path!r}"
        if table.partition_keys:
            default_name = values["partition.default-name"]
            self._partitions = Partitions(table.columns, table.partition_keys, default_name, owner)
            self._columns = self._partitions.inner_columns
        self._in_files = self._columns
        check_sink_options(table, is_by_line=self._format in _LINES, owner=owner)
        self._marker = marker_of(values, owner)

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the rows in the files."""
        builder = self._source()
        if self.values["source.monitor-interval"] is not None:
            builder.monitor_continuously(self.values["source.monitor-interval"])
        chosen = "".join(f"({name}=[{value}])" for name, value in self.scan_details)
        name = f"{self.table.path}{chosen}"
        return environment.from_source(builder.build(), WatermarkStrategy.no_watermarks(), name)

    def pruned(self, paths: Collection[ColumnPath], conditions: Sequence[PartitionCondition]) -> FileSystem:
        """Return a connector that lists the partitions of some rows, and reads some columns of their files.

        Changes need the columns before them: these are read whole. Rows in columns of JSON are read without
        the fields that are not needed.
        """
        table, columns = self.table, [*self.table.columns]
        if self.can_read_less:
            kept = {*(path[0] for path in paths), *table.partition_keys, *table.schema.primary_key_columns}
            columns = [column for column in table.columns if column.name in kept]
            if not {column.name for column in columns} - {*table.partition_keys}:
                first = next(column for column in table.columns if column.name not in table.partition_keys)
                columns = [column for column in table.columns if column in (*columns, first)]
        if self._format == "json":
            columns = [narrowed_column(column, paths) for column in columns]
        if not conditions and columns == [*table.columns]:
            return self
        numbered = tuple(replace(column, position=number) for number, column in enumerate(columns))
        table = replace(table, columns=numbered)
        pruned = FileSystem(table, self.values)
        pruned._conditions = conditions
        pruned._in_files = self._in_files
        return pruned

    @property
    def can_read_less(self) -> bool:
        return not self.reads_changes

    @property
    def scan_details(self) -> Sequence[tuple[str, str]]:
        """The conditions on the partitions that are read."""
        texts = " AND ".join(condition.text for condition in self._conditions)
        return [("partitions", texts)] if texts else ()

    def lookup(self, keys: Sequence[int]) -> Lookup:
        """Return a lookup in all rows of the files, which are read again when they change."""
        if self.reads_changes:
            return super().lookup(keys)
        files = self._source().build().reader()
        assert isinstance(files, FilesInput)
        return FileLookup(files, keys)

    def _source(self) -> FileSourceBuilder[Row[Any]]:
        reader = self._lines() if self._format in _LINES else self._records()
        if self._partitions is not None:
            reader = self._partitions.reader(reader)
        format = TypedFormat(reader, self.table.row_type)
        builder = FileSource.for_record_stream_format(format, self.values["path"])
        chosen = self._partitions.chosen(self._conditions) if self._partitions and self._conditions else None
        return builder._match(self.values["source.path.regex-pattern"], chosen)

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Write the rows to new files."""
        return self._write(rows, Replaced.NONE)

    def overwrite(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Write the rows to new files, which replace all others, or those of the partitions of the rows.

        Raises:
            UnsupportedOperationError: the job runs in streaming mode, which only adds files.
        """
        if not rows.get_execution_environment()._is_batch([rows._node_id]):
            raise UnsupportedOperationError(
                f"INSERT OVERWRITE: the files of table {self.table.path!r} are replaced in batch mode only: "
                f"jobs in streaming mode add files as rows arrive; set {RUNTIME_MODE.key} to BATCH"
            )
        return self._write(rows, Replaced.ALL if self._partitions is None else Replaced.BUCKETS)

    def _write(self, rows: DataStream[Row[Any]], replaced: Replaced) -> DataStreamSink:
        path, partitions = self.values["path"], self._partitions
        if self._marker and rows._environment._builder.plan([rows._node_id]).unbounded_sources:
            raise UnsupportedOperationError(
                f"table {self.table.path!r}: unbounded jobs cannot tell that a partition is complete; leave "
                f"out the option {POLICY_KIND!r}"
            )
        assigner: BucketAssigner[Any] = BucketAssigner.base_path_bucket_assigner()
        if partitions is not None:
            assigner = partitions.assigner()
        sink: FileSink[Any]
        elements: DataStream[Any] = rows
        if self._format in _LINES:
            encoder = self._encoder()
            encoder = encoder if partitions is None else partitions.encoder(encoder)
            lines = FileSink.for_row_format(path, encoder).with_bucket_assigner(assigner)
            lines.with_rolling_policy(rolling_policy(self.values))
            lines.with_bucket_check_interval(self.values["sink.rolling-policy.check-interval"].to_millis())
            sink = lines._replace(replaced)._mark(self._marker).build()
        else:
            schema = str(self._avro_schema()) if self._format == "avro" else None
            writers = self._writers()
            if partitions is not None:
                writers = partitions.writers(writers, None if schema is None else RecordsOfRows(schema))
            elif schema is not None:
                elements = rows.map(RecordOfRow(schema), GenericRecordAvroTypeInfo(self._avro_schema()))
            bulk = FileSink.for_bulk_format(path, writers).with_bucket_assigner(assigner)
            sink = bulk._replace(replaced)._mark(self._marker).build()
        end = elements.sink_to(sink)
        parallelism = self.values["sink.parallelism"]
        return end if parallelism is None else end.set_parallelism(parallelism)

    def _lines(self) -> FileReader:
        if self._format == "csv":
            return self._cells()
        format = message_format(self._format, self.table, self.values, columns=self._columns)
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

    def _cells(self) -> FileReader:
        """Return the reader of CSV, whose columns correspond by position."""
        format = message_format("csv", self.table, self.values, columns=self._in_files)
        assert isinstance(format, CsvFormat)
        names = [column.name for column in self._columns]
        kept = tuple(n for n, column in enumerate(self._in_files) if column.name in names)
        is_whole = len(kept) == len(self._in_files)
        return format.file_reader(has_header=self.values["csv.header"], kept=None if is_whole else kept)

    def _records(self) -> FileReader:
        schema = str(self._avro_schema()) if self._format == "avro" else None
        before = None if schema is None else RowOfRecord(schema)
        rows = DeclaredRows(row_type(self._columns), declarations(self._columns), before)
        reader = self._columnar() if schema is None else AvroReader(schema)
        return reader if rows.converter() is None else ConvertedReader(reader, rows)

    def _encoder(self) -> Encoder[Row[Any]]:
        format = message_format(self._format, self.table, self.values, columns=self._columns)
        if isinstance(format, CsvFormat):
            return _Records(format.file_parts(has_header=self.values["csv.header"]))
        return Encoder.serialized_lines(format.serialization_schema())

    def _columnar(self) -> FileReader:
        rows = row_type(self._columns)
        if self._format == "parquet":
            from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat

            reader = ParquetColumnarRowInputFormat(as_read(rows)).reader(())
        else:
            from pystream.datastream.formats.orc import OrcColumnarRowInputFormat

            reader = OrcColumnarRowInputFormat(as_read(rows)).reader(())
        return replace(reader, declared=rows)

    def _writers(self) -> Any:
        if self._format == "avro":
            return AvroBulkWriters.for_generic_record(self._avro_schema())
        rows = row_type(self._columns)
        if self._format == "parquet":
            from pystream.datastream.formats.parquet import ParquetBulkWriters

            return ParquetBulkWriters.for_row_type(rows)
        from pystream.datastream.formats.orc import OrcBulkWriters

        return OrcBulkWriters.for_row_type(rows)

    def _avro_schema(self) -> AvroSchema:
        return AvroSchema.parse_string(avro_schema_of(row_data_type(self._columns)))
