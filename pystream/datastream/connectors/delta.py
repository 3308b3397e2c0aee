"""Tables of Delta Lake as sources and sinks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from typing_extensions import TypeVar

from pystream.arguments.checks import require, require_int
from pystream.datastream.connectors.base import Sink, Source
from pystream.datastream.connectors.file_system.columnar import declared_columns
from pystream.engine.connectors.delta.files import DeltaRows, columns_of, require_readable
from pystream.engine.connectors.delta.location import DeltaLocation
from pystream.engine.connectors.delta.log import OnChange
from pystream.engine.connectors.delta.sink import DeltaOutput
from pystream.engine.connectors.delta.source import DeltaAppends, DeltaSnapshot, Place
from pystream.engine.connectors.delta.target import columns_of_type, target_of
from pystream.engine.connectors.files import absolute_location
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanTypeError
from pystream.sql_types.data_types import DataType
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = ["DeltaSink", "DeltaSource"]

IN = TypeVar("IN", contravariant=True, default=Any)

_LATEST = "latest"


@checks_arguments(ArgumentTypeError)
class DeltaSource(Source[Row[Any]]):
    """The rows of a Delta table, as ROW_NAMED of its columns.

    Files of the table are divided among the subtasks; the rows of a file come in order. A bounded source
    reads one version; a continuous one then reads the rows that later versions append, exactly once if the
    job is resumed. Values are null where the table has none. It needs
    ``pip install 'pystream-spark[delta]'``, and neither Java nor a Spark package.

    Mirrors ``io.delta.flink.source.DeltaSource``.

    Examples:
        >>> import tempfile
        >>> from pystream.common import Row, Types, WatermarkStrategy
        >>> from pystream.datastream.connectors import DeltaSink, DeltaSource
        >>> path = tempfile.mkdtemp() + "/visits"
        >>> visit = Types.ROW_NAMED(["id", "page"], [Types.LONG(), Types.STRING()])
        >>> visits = env.from_collection([Row(id=1, page="/")], visit)
        >>> _ = visits.sink_to(DeltaSink.for_row_data(path).build())
        >>> _ = env.execute()
        >>> source = DeltaSource.for_bounded_row_data(path).build()
        >>> env.from_source(source, WatermarkStrategy.no_watermarks(), "visits").take(1)
        [Row(id=1, page='/')]
    """

    def __init__(self, reader: DeltaSnapshot | DeltaAppends) -> None:
        self._reader = reader

    @staticmethod
    def for_bounded_row_data(table_path: str) -> DeltaSourceBuilder:
        """Return the builder of a source of the rows of one version, the latest when it is built.

        Args:
            table_path: the directory of the table, or its URI in an object store, such as ``s3://…``.

        Raises:
            DependencyError: the client library is not installed.
        """
        return DeltaSourceBuilder(DeltaLocation(absolute_location(table_path)), is_bounded=True)

    @staticmethod
    def for_continuous_row_data(table_path: str) -> DeltaSourceBuilder:
        """Return the builder of an unbounded source: the rows of the latest version, then appended ones.

        Args:
            table_path: the directory of the table, or its URI in an object store, such as ``s3://…``.

        Raises:
            DependencyError: the client library is not installed.
        """
        return DeltaSourceBuilder(DeltaLocation(absolute_location(table_path)), is_bounded=False)

    def is_bounded(self) -> bool:
        """Return whether the source reads one version only."""
        return self._reader.is_bounded

    def get_produced_type(self) -> TypeInformation[Row[Any]]:
        """Return the type of the rows."""
        return self._reader.rows.type_info

    def reader(self) -> DeltaSnapshot | DeltaAppends:
        """Return the reader of the files."""
        return self._reader


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings that the builder of a source collects."""

    location: DeltaLocation
    names: tuple[str, ...] | None = None
    version: int | datetime | None = None
    start: int | str | None = None
    interval: int = 5_000
    on_change: OnChange = OnChange.FAIL


class DeltaSourceBuilder:
    """Build a `DeltaSource`; every method returns the builder.

    Mirrors ``io.delta.flink.source.RowDataBoundedDeltaSourceBuilder`` and
    ``RowDataContinuousDeltaSourceBuilder``.
    """

    def __init__(self, location: DeltaLocation, *, is_bounded: bool) -> None:
        self._settings = _Settings(location)
        self._is_bounded = is_bounded

    def with_storage_options(self, options: Mapping[str, str]) -> DeltaSourceBuilder:
        """Set options of the object store, in the names of delta-rs, such as ``AWS_REGION``."""
        return self._with(location=_with_options(self._settings.location, options))

    def column_names(self, *names: str) -> DeltaSourceBuilder:
        """Read some columns only, in this order."""
        return self._with(names=names)

    def version_as_of(self, version: int) -> DeltaSourceBuilder:
        """Read this version, and not the latest.

        Raises:
            ConfigurationError: the source is continuous, or the version is not an int of 0 or more.
        """
        self._require("version_as_of", is_bounded=True)
        return self._with(version=require_int(version, "version_as_of", 0))

    def timestamp_as_of(self, timestamp: datetime) -> DeltaSourceBuilder:
        """Read the version that was the latest at a time, in UTC unless it has a time zone.

        Raises:
            ConfigurationError: the source is continuous.
            PlanTypeError: it is not a datetime.
        """
        self._require("timestamp_as_of", is_bounded=True)
        if not isinstance(timestamp, datetime):
            raise PlanTypeError(f"timestamp_as_of takes a datetime, not {short_repr(timestamp)}")
        return self._with(version=timestamp)

    def starting_version(self, version: int | str) -> DeltaSourceBuilder:
        """Start with the rows that a version appended, without those of earlier ones.

        Args:
            version: its number; ``latest`` for what is appended after the source is built.

        Raises:
            ConfigurationError: the source is bounded, or the version is neither.
        """
        self._require("starting_version", is_bounded=False)
        if version != _LATEST:
            require_int(version, "starting_version: a version that is not 'latest'", 0)  # type: ignore[arg-type]
        return self._with(start=version)

    def update_check_interval_millis(self, interval: int) -> DeltaSourceBuilder:
        """Set the time in ms between two looks for a new version; 5 seconds by default.

        Raises:
            ConfigurationError: the source is bounded, or the interval is not an int of 1 or more.
        """
        self._require("update_check_interval_millis", is_bounded=False)
        return self._with(interval=require_int(interval, "update_check_interval_millis", 1))

    def ignore_deletes(self) -> DeltaSourceBuilder:
        """Skip versions that only delete rows; they fail the job otherwise.

        Raises:
            ConfigurationError: the source is bounded.
        """
        self._require("ignore_deletes", is_bounded=False)
        if self._settings.on_change is OnChange.IGNORE_CHANGES:
            return self
        return self._with(on_change=OnChange.IGNORE_DELETES)

    def ignore_changes(self) -> DeltaSourceBuilder:
        """Read the files that a version has rewritten as if they were appended; it fails the job otherwise.

        Unchanged rows in them come again. Versions that only delete rows are skipped.

        Raises:
            ConfigurationError: the source is bounded.
        """
        self._require("ignore_changes", is_bounded=False)
        return self._with(on_change=OnChange.IGNORE_CHANGES)

    def build(self) -> DeltaSource:
        """Return the source.

        Raises:
            ConnectorError: there is no table, no such version, or it cannot be read.
        """
        from typeinfo.formats.arrow import from_arrow_schema

        settings = self._settings
        table = settings.location.open(settings.version)
        require_readable(table)
        schema = columns_of(table, settings.names)
        rows = DeltaRows(settings.location, schema, from_arrow_schema(schema))
        if self._is_bounded:
            return DeltaSource(DeltaSnapshot(rows, table.version()))
        start = settings.start
        if start is None:
            place = Place(table.version(), is_snapshot=True)
        else:
            place = Place(table.version(), None) if start == _LATEST else Place(int(start))
        return DeltaSource(DeltaAppends(rows, place, settings.interval, settings.on_change))

    def _require(self, method: str, *, is_bounded: bool) -> None:
        if self._is_bounded != is_bounded:
            kind, other = ("bounded", "for_bounded_row_data"), ("continuous", "for_continuous_row_data")
            found, wanted = (kind, other) if self._is_bounded else (other, kind)
            raise ConfigurationError(f"{method}: the source is {found[0]}; use DeltaSource.{wanted[1]}()")

    def _with(self, **changes: Any) -> DeltaSourceBuilder:
        self._settings = replace(self._settings, **changes)
        return self


@dataclass(frozen=True, slots=True)
class _Target:
    """The settings that the builder of a sink collects."""

    location: DeltaLocation
    row_type: DataType | None = None
    partition_columns: tuple[str, ...] | None = None


@checks_arguments(ArgumentTypeError)
class DeltaSink(Sink[IN]):
    """Append elements to a Delta table, which is created if there is none.

    The fields of the elements are the columns; an element of another type is one column ``value``. Each
    subtask writes files, and a checkpoint makes those of all subtasks a version of the table, exactly
    once: the version has the number of the checkpoint, and one that is repeated after a failure is
    recognised by it. A bounded job appends one version at its end. Elements of a subtask stay in order.
    Null values are kept. It needs ``pip install 'pystream-spark[delta]'``, and neither Java nor a Spark
    package.

    Mirrors ``io.delta.flink.sink.DeltaSink``.
    """

    def __init__(
        self,
        location: DeltaLocation,
        partition_columns: tuple[str, ...] | None = None,
        row_type: DataType | None = None,
    ) -> None:
        self._location = location
        self._partition_columns = partition_columns
        self._row_type = row_type

    @staticmethod
    def for_row_data(table_path: str, row_type: DataType | None = None) -> DeltaSinkBuilder:
        """Return the builder of a sink.

        Args:
            table_path: the directory of the table, or its URI in an object store, such as ``s3://…``.
            row_type: declares the columns of a new table, such as the precision of decimals; by default they
                are those of the elements.

        Raises:
            DependencyError: the client library is not installed.
            PlanTypeError: ``row_type`` is not a DataType.
        """
        if row_type is not None:
            require(row_type, DataType, "for_row_data", "a DataType such as DataTypes.ROW([…])")
        return DeltaSinkBuilder(DeltaLocation(absolute_location(table_path)), row_type)

    def bind(self, type_info: TypeInformation[IN]) -> DeltaOutput:
        """Return the writer for elements of a type.

        Raises:
            UnsupportedTypeError: the type is not known, or a column has none in Delta tables.
            ConfigurationError: the table cannot be partitioned by the columns.
            SinkError: there is a table, and it has other columns.
        """
        columns = declared_columns(self._row_type) or columns_of_type(type_info)
        schema, partition_columns = target_of(self._location, columns, self._partition_columns)
        return DeltaOutput(self._location, type_info, schema, partition_columns)


class DeltaSinkBuilder:
    """Build a `DeltaSink`; every method returns the builder.

    Mirrors ``io.delta.flink.sink.RowDataDeltaSinkBuilder``.
    """

    def __init__(self, location: DeltaLocation, row_type: DataType | None) -> None:
        self._target = _Target(location, row_type)

    def with_partition_columns(self, *names: str) -> DeltaSinkBuilder:
        """Partition a new table by these columns; a table that exists must be partitioned by them."""
        self._target = replace(self._target, partition_columns=names)
        return self

    def with_storage_options(self, options: Mapping[str, str]) -> DeltaSinkBuilder:
        """Set options of the object store, in the names of delta-rs, such as ``AWS_REGION``."""
        location = _with_options(self._target.location, options)
        self._target = replace(self._target, location=location)
        return self

    def build(self) -> DeltaSink[Any]:
        """Return the sink."""
        target = self._target
        return DeltaSink(target.location, target.partition_columns, target.row_type)


def _with_options(location: DeltaLocation, options: Mapping[str, str]) -> DeltaLocation:
    for key, value in options.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise PlanTypeError(f"with_storage_options takes a dict of str; the value of {key!r} is none")
    return replace(location, options=tuple(options.items()))
