"""Base class of the connectors of tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.connectors.lookup import Lookup
from pystream.errors import PlanError, UnsupportedOperationError
from pystream.sql_types.decimals import in_streams
from pystream.table.column_paths import ColumnPath
from pystream.table.columns import TableColumn, row_type
from pystream.table.connectors.metadata import Metadata
from pystream.table.connectors.options import Option
from pystream.table.schema import ComputedColumn, MetadataColumn, PhysicalColumn, Schema
from typeinfo.composite import RowTypeInfo
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.streams.stream_ends import DataStreamSink
    from pystream.table.connectors.partitions import PartitionCondition

__all__ = ["Connector", "SplitConnector", "TableDefinition"]


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """What ``CREATE TABLE`` says of a table.

    Attributes:
        path: its name.
        columns: its columns, with those of metadata and without computed ones.
        schema: the whole schema.
        options: the options of its connector as text, without ``connector``.
        partition_keys: the names of the columns that it is partitioned by.
    """

    path: str
    columns: tuple[TableColumn, ...]
    schema: Schema
    options: Mapping[str, str] = field(repr=False)
    partition_keys: tuple[str, ...] = ()

    @property
    def row_type(self) -> RowTypeInfo[Any]:
        """The type of the rows."""
        return row_type(self.columns)

    @property
    def read_type(self) -> RowTypeInfo[Any]:
        """The type of the rows that are read, before their values get the declared types."""
        names = [column.name for column in self.columns]
        return RowTypeInfo([in_streams(column.type_info) for column in self.columns], names)

    @property
    def metadata(self) -> dict[str, MetadataColumn]:
        """The columns of metadata by name."""
        return {column.name: column for column in self.schema.columns if isinstance(column, MetadataColumn)}

    @property
    def physical_columns(self) -> tuple[TableColumn, ...]:
        """The columns that the connector holds in its messages or files."""
        names = {column.name for column in self.schema.columns if isinstance(column, PhysicalColumn)}
        return tuple(column for column in self.columns if column.name in names)

    @property
    def written_columns(self) -> tuple[TableColumn, ...]:
        """The columns of rows that are written: all but virtual ones."""
        virtual = {name for name, column in self.metadata.items() if column.is_virtual}
        return tuple(column for column in self.columns if column.name not in virtual)


class Connector:
    """A table outside the program, made of the sources and sinks of streams.

    Args:
        table: what the program says of the table.
        values: the values of `options`.

    Attributes:
        metadata: what it knows of rows, by name.
        reads_declared_types: whether the values that it reads have the declared precision, scale and length.
        reads_upserts: whether the rows that it reads replace those with the same primary key, or delete them
            if they are of kind DELETE.
        reads_changes: whether the rows that it reads are of all kinds, each update with the row before it.
        takes_updates: whether it takes rows of all kinds.
        has_partitions: whether it divides tables by their partition keys.
        for_updates: what to do with rows that it does not take.
    """

    name: ClassVar[str]
    metadata: ClassVar[Mapping[str, Metadata]] = {}
    reads_declared_types: ClassVar[bool] = False
    reads_upserts: ClassVar[bool] = False
    reads_changes: bool = False
    takes_updates: bool = False
    has_partitions: ClassVar[bool] = False
    for_updates: ClassVar[str] = "group them by windows of event time, or write to 'print'"
    options: ClassVar[Mapping[str, Option]] = {}

    def __init__(self, table: TableDefinition, values: Mapping[str, Any]) -> None:
        self.table = table
        self.values = values

    @classmethod
    def known_metadata(cls, options: Mapping[str, str]) -> Mapping[str, Metadata]:
        """Return the metadata columns of a table with certain options, by name."""
        return cls.metadata

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the rows of the table.

        Raises:
            PlanError: the table is only written to.
        """
        raise PlanError(f"table {self.table.path!r} cannot be read: connector {self.name!r} only writes")

    def pruned(self, paths: Collection[ColumnPath], conditions: Sequence[PartitionCondition]) -> Connector:
        """Return a connector that reads less, this one if it always reads all columns and partitions.

        Mirrors ``SupportsProjectionPushDown`` and ``SupportsPartitionPushDown`` in
        ``org.apache.flink.table.connector.source.abilities``.

        Args:
            paths: the columns, and fields of rows in them, that are needed.
            conditions: conditions on the partition keys, which are true of all rows that are needed.
        """
        return self

    @property
    def can_read_less(self) -> bool:
        """Whether it can skip columns that are not needed."""
        return False

    def undeclared(self) -> Connector:
        """Return the connector without the computed columns and the watermark that its schema declares."""
        schema = self.table.schema
        columns = tuple(column for column in schema.columns if not isinstance(column, ComputedColumn))
        undeclared = copy(self)
        undeclared.table = replace(self.table, schema=replace(schema, columns=columns, watermarks=()))
        return undeclared

    @property
    def scan_details(self) -> Sequence[tuple[str, str]]:
        """Details of the scan that plans show, by name."""
        return ()

    def lookup(self, keys: Sequence[int]) -> Lookup:
        """Return a lookup of rows of the table by the values of some columns.

        Mirrors ``org.apache.flink.table.connector.source.LookupTableSource``.

        Args:
            keys: the numbers of the columns.

        Raises:
            PlanError: the connector looks no rows up.
        """
        raise PlanError(
            f"rows of table {self.table.path!r} are not looked up by key: that is for the connectors "
            f"'filesystem' and 'jdbc', not {self.name!r}"
        )

    def write(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Write rows to the table when the program is executed.

        Raises:
            PlanError: the table is only read.
        """
        raise PlanError(f"table {self.table.path!r} cannot be written to: connector {self.name!r} only reads")

    def overwrite(self, rows: DataStream[Row[Any]]) -> DataStreamSink:
        """Write rows in place of those of the table when the program is executed.

        Mirrors ``org.apache.flink.table.connector.sink.abilities.SupportsOverwrite``.

        Raises:
            UnsupportedOperationError: the connector only adds rows.
        """
        raise UnsupportedOperationError(
            f"INSERT OVERWRITE: connector {self.name!r} of table {self.table.path!r} only adds rows; the "
            "connector 'filesystem' replaces them"
        )


class SplitConnector(Connector, ABC):
    """A connector that reads splits, such as partitions, which have watermarks of their own.

    It reads values of the declared types, of which the watermarks are computed.
    """

    reads_declared_types = True

    def read(self, environment: StreamExecutionEnvironment) -> DataStream[Row[Any]]:
        """Return the stream of the rows of the table, without watermarks."""
        return self.read_by_split(environment, WatermarkStrategy.no_watermarks())

    @abstractmethod
    def read_by_split(
        self, environment: StreamExecutionEnvironment, watermarks: WatermarkStrategy[Any]
    ) -> DataStream[Row[Any]]:
        """Return the stream of the rows of the table.

        Args:
            environment: the environment of the stream.
            watermarks: assigns timestamps and generates the watermarks of each split.
        """
