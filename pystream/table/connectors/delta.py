"""Tables of Delta Lake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.connectors.delta import DeltaSink, DeltaSource, DeltaSourceBuilder
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ConfigurationError
from pystream.settings.config_values import BOOLEAN, LONG, MAP, STRING, named
from pystream.table.columns import row_data_type
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.options import POSITIVE, Option
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.stream_ends import DataStreamSink

__all__ = ["Delta"]

_STREAMING = ("startingVersion", "updateCheckIntervalMillis", "ignoreDeletes", "ignoreChanges")


class Delta(Connector):
    """Read and append to a Delta table; columns correspond by name.

    A table is bounded unless its ``mode`` is ``streaming``. Options are those of Flink's connector
    ``delta``, which takes some of them as hints, and ``storage-options``.
    """

    name = "delta"
    options: ClassVar[Mapping[str, Option]] = {
        "table-path": Option(STRING, is_required=True),
        "mode": Option(named("batch", "streaming"), default="batch"),
        "versionAsOf": Option(LONG),
        "startingVersion": Option(STRING),
        "updateCheckIntervalMillis": Option(POSITIVE),
        "ignoreDeletes": Option(BOOLEAN, default=False),
        "ignoreChanges": Option(BOOLEAN, default=False),
        "storage-options": Option(MAP, default={}),
        "sink.parallelism": Option(POSITIVE),
    }

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        super().__init__(table, values)
        self._is_streaming = values["mode"].lower() == "streaming"
        for key in ("versionAsOf",) if self._is_streaming else _STREAMING:
            if key in table.options:
                other = "batch" if self._is_streaming else "streaming"
                raise ConfigurationError(f"table {table.path!r}: the option {key!r} needs the mode {other}")

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the rows of the table.

        Raises:
            ConfigurationError: it has other types than the statement says.
        """
        path = self.values["table-path"]
        if self._is_streaming:
            builder = self._continuous(DeltaSource.for_continuous_row_data(path))
        else:
            builder = DeltaSource.for_bounded_row_data(path)
            if self.values["versionAsOf"] is not None:
                builder.version_as_of(self.values["versionAsOf"])
        builder.with_storage_options(self.values["storage-options"])
        source = builder.column_names(*self.table.row_type.get_field_names()).build()
        found = source.get_produced_type()
        if found != self.table.read_type:
            raise ConfigurationError(
                f"table {self.table.path!r} has the type {self.table.read_type}, but its Delta table has "
                f"{found}"
            )
        return environment.from_source(source, WatermarkStrategy.no_watermarks(), self.table.path)

    def _continuous(self, builder: DeltaSourceBuilder) -> DeltaSourceBuilder:
        start = self.values["startingVersion"]
        if start is not None:
            builder.starting_version(int(start) if start.isdecimal() else start)
        if self.values["updateCheckIntervalMillis"] is not None:
            builder.update_check_interval_millis(self.values["updateCheckIntervalMillis"])
        if self.values["ignoreDeletes"]:
            builder.ignore_deletes()
        if self.values["ignoreChanges"]:
            builder.ignore_changes()
        return builder

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Append the rows."""
        builder = DeltaSink.for_row_data(self.values["table-path"], row_data_type(self.table.columns))
        builder.with_storage_options(self.values["storage-options"])
        end = rows.sink_to(builder.build())
        parallelism = self.values["sink.parallelism"]
        return end if parallelism is None else end.set_parallelism(parallelism)
