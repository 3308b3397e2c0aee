"""File sinks, which write part files into bucket directories."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self

from typing_extensions import TypeVar

from pystream.arguments.batches import refuse_batches
from pystream.common.serialization import BulkWriterFactory, Encoder
from pystream.datastream.connectors.base import Sink
from pystream.datastream.connectors.file_system.compaction import FileCompactor, FileCompactStrategy
from pystream.datastream.connectors.file_system.policies import (
    BucketAssigner,
    OnCheckpointRollingPolicy,
    OutputFileConfig,
    RollingPolicy,
    require_positive,
)
from pystream.datastream.functions import SinkFunction
from pystream.engine.connectors.compaction import Compaction, Concatenation
from pystream.engine.connectors.file_sink import FilesOutput, Replaced
from pystream.engine.connectors.files import absolute_location
from pystream.engine.connectors.part_file import PartFormat
from pystream.engine.connectors.row_parts import RowParts
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.program_warnings import warn_program
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

__all__ = ["FileSink", "StreamingFileSink"]

IN = TypeVar("IN", contravariant=True, default=Any)
T = TypeVar("T", default=Any)  # also for static methods, where pyright treats the class's own as unknown

_MINUTE = 60 * 1000
_FILE_CONFIG = OutputFileConfig("part", "")


@dataclass(frozen=True, slots=True)
class _Target(Generic[T]):
    """The settings that a builder collects."""

    base_path: str
    writer: Encoder[T] | BulkWriterFactory[T]
    rolling_policy: RollingPolicy
    bucket_assigner: BucketAssigner[T] = field(default_factory=BucketAssigner.date_time_bucket_assigner)
    file_config: OutputFileConfig = _FILE_CONFIG
    check_interval: int = _MINUTE
    compaction: Compaction | None = None
    replaced: Replaced = Replaced.NONE
    marker: str = ""

    @staticmethod
    def of_rows(base_path: str, encoder: Encoder[T]) -> _Target[T]:
        _require(encoder, Encoder, "an Encoder such as Encoder.simple_string_encoder()")
        return _Target(absolute_location(base_path), encoder, RollingPolicy.default_rolling_policy())

    @staticmethod
    def of_batches(base_path: str, writer_factory: BulkWriterFactory[T]) -> _Target[T]:
        _require(writer_factory, BulkWriterFactory, "a BulkWriterFactory such as one of ParquetBulkWriters")
        policy = RollingPolicy.on_checkpoint_rolling_policy()
        return _Target(absolute_location(base_path), writer_factory, policy)

    def bind(self, type_info: TypeInformation[T]) -> FilesOutput:
        refuse_batches("a file sink", self.bucket_assigner, BucketAssigner, type_info)
        if isinstance(self.writer, Encoder):
            refuse_batches("a file sink", self.writer, Encoder, type_info)
        format: PartFormat = self.writer.bind(type_info)
        return FilesOutput(
            base_path=self.base_path,
            format=format,
            buckets=self.bucket_assigner.buckets(),
            rolling=self.rolling_policy.rolling(),
            check_interval=self.check_interval,
            prefix=self.file_config.part_prefix,
            suffix=self.file_config.part_suffix,
            compaction=self.compaction and _with_single_header(self.compaction, format),
            replaced=self.replaced,
            marker=self.marker,
        )


def _with_single_header(compaction: Compaction, format: PartFormat) -> Compaction:
    """Return a compaction that keeps the header of the first file only.

    Raises:
        ConfigurationError: files of that format cannot be joined.
    """
    match compaction.compactor, format:
        case Concatenation() as joining, RowParts() as rows:
            return replace(compaction, compactor=replace(joining, header_size=len(rows.header())))
        case Concatenation(), _:
            raise ConfigurationError(
                "concat_file_compactor joins files of rows only: those of a columnar format, one after the "
                "other, cannot be read; call disable_compact()"
            )
    return compaction


def _require(value: object, kind: type[Any], wanted: str) -> None:
    if not isinstance(value, kind):
        raise ConfigurationError(f"a file sink takes {wanted}, not {short_repr(value)}")


class _SinkBuilder(Generic[T]):
    """Base class of the builders of file sinks; every method returns the builder."""

    def __init__(self, target: _Target[T]) -> None:
        self._target = target

    def with_bucket_check_interval(self, interval: int) -> Self:
        """Set the interval in ms at which the age of open part files is checked; one minute by default."""
        require_positive(interval, "with_bucket_check_interval: interval")
        return self._set(check_interval=interval)

    def with_bucket_assigner(self, bucket_assigner: BucketAssigner[T]) -> Self:
        """Set the bucket assigner; one directory per hour by default."""
        _require(bucket_assigner, BucketAssigner, "a BucketAssigner")
        return self._set(bucket_assigner=bucket_assigner)

    def with_output_file_config(self, output_file_config: OutputFileConfig) -> Self:
        """Set the names of part files; ``part-<uid>-<counter>`` by default."""
        _require(output_file_config, OutputFileConfig, "an OutputFileConfig")
        return self._set(file_config=output_file_config)

    def _roll_by(self, policy: RollingPolicy) -> Self:
        if isinstance(self._target.writer, BulkWriterFactory):
            wanted = "for a bulk format only RollingPolicy.on_checkpoint_rolling_policy()"
            _require(policy, OnCheckpointRollingPolicy, wanted)
        _require(policy, RollingPolicy, "a RollingPolicy")
        return self._set(rolling_policy=policy)

    def _set(self, **settings: Any) -> Self:
        self._target = replace(self._target, **settings)
        return self


class _FileSinkBuilder(_SinkBuilder[T]):
    def enable_compact(self, strategy: FileCompactStrategy, compactor: FileCompactor) -> Self:
        """Merge small part files of the job, within their bucket, before they become visible.

        A merged file is named ``compacted-`` and the name of the first one in it. The driver merges them, in
        the order of subtasks. Joined files have one header, that of the first. In an unbounded job, files
        become visible at the checkpoint at which they are merged.

        Args:
            strategy: decides which files are merged.
            compactor: makes one file of them.
        """
        _require(strategy, FileCompactStrategy, "a FileCompactStrategy")
        _require(compactor, FileCompactor, "a FileCompactor such as FileCompactor.concat_file_compactor()")
        return self._set(
            compaction=Compaction(
                strategy.size_threshold, strategy.threads, compactor.compactor, strategy.checkpoints
            )
        )

    def _replace(self, replaced: Replaced) -> Self:
        """Set the earlier files that those of a bounded job replace."""
        return self._set(replaced=replaced)

    def _mark(self, marker: str) -> Self:
        """Set the name of the file that tells that those of a bounded job in its directory are complete."""
        return self._set(marker=marker)

    def disable_compact(self) -> Self:
        """Leave part files as they are, which is the default."""
        return self._set(compaction=None)

    def with_rolling_policy(self, rolling_policy: RollingPolicy) -> Self:
        """Set when a part file is closed and the next one started.

        Raises:
            ConfigurationError: a bulk format, whose files roll at checkpoints only, was given another policy.
        """
        return self._roll_by(rolling_policy)

    def build(self) -> FileSink[T]:
        """Return the sink."""
        return FileSink(self._target)


class _StreamingFileSinkBuilder(_SinkBuilder[T]):
    def with_rolling_policy(self, policy: RollingPolicy) -> Self:
        """Set when a part file is closed and the next one started.

        Raises:
            ConfigurationError: a bulk format, whose files roll at checkpoints only, was given another policy.
        """
        return self._roll_by(policy)

    def build(self) -> StreamingFileSink[T]:
        """Return the sink."""
        return StreamingFileSink(self._target)


@checks_arguments(ArgumentTypeError)
class FileSink(Sink[IN]):
    """Write elements to part files in bucket directories below a base path, each exactly once.

    Part files of a bounded job become visible when it succeeds, each file atomically; until then they are
    hidden, and a job that fails leaves none. Those of an unbounded job become visible at the first checkpoint
    after the rolling policy has closed them. A base path that exists already is added to. A bucket is one
    hour of processing time unless `with_bucket_assigner` says otherwise. Order is that of the elements within
    a subtask and bucket.

    Mirrors ``org.apache.flink.connector.file.sink.FileSink``.
    """

    def __init__(self, target: _Target[IN]) -> None:
        self._target = target

    def bind(self, type_info: TypeInformation[IN]) -> FilesOutput:
        """Return the output that the runtime writes elements of a type to."""
        return self._target.bind(type_info)

    class RowFormatBuilder(_FileSinkBuilder[T]):
        """Build a row-format sink."""

    class BulkFormatBuilder(_FileSinkBuilder[T]):
        """Build a bulk-format sink."""

    @staticmethod
    def for_row_format(base_path: str, encoder: Encoder[T]) -> FileSink.RowFormatBuilder[T]:
        """Return the builder of a sink that writes element by element.

        Args:
            base_path: a directory, which need not exist: a path, a ``file:`` URI or that of another file
                system.
            encoder: turns an element into bytes.

        Raises:
            ConnectorError: ``base_path`` is not a path.
        """
        return FileSink.RowFormatBuilder(_Target.of_rows(base_path, encoder))

    @staticmethod
    def for_bulk_format(
        base_path: str, writer_factory: BulkWriterFactory[T]
    ) -> FileSink.BulkFormatBuilder[T]:
        """Return the builder of a sink that writes batches of elements, as Parquet needs.

        Args:
            base_path: a directory, which need not exist: a path, a ``file:`` URI or that of another file
                system.
            writer_factory: makes the writer of a part file.

        Raises:
            ConnectorError: ``base_path`` is not a path.
        """
        return FileSink.BulkFormatBuilder(_Target.of_batches(base_path, writer_factory))


@checks_arguments(ArgumentTypeError)
class StreamingFileSink(SinkFunction[IN]):
    """Write elements to part files as `FileSink` does; for ``DataStream.add_sink``.

    Flink has deprecated it in favour of `FileSink`.
    Mirrors ``org.apache.flink.streaming.api.functions.sink.filesystem.legacy.StreamingFileSink``.
    """

    def __init__(self, target: _Target[IN]) -> None:
        warn_program("StreamingFileSink is deprecated: use FileSink", DeprecationWarning)
        self._target = target

    def bind(self, type_info: TypeInformation[IN]) -> FilesOutput:
        """Return the output that the runtime writes elements of a type to."""
        return self._target.bind(type_info)

    class DefaultRowFormatBuilder(_StreamingFileSinkBuilder[T]):
        """Build a row-format sink."""

    class DefaultBulkFormatBuilder(_StreamingFileSinkBuilder[T]):
        """Build a bulk-format sink."""

    @staticmethod
    def for_row_format(base_path: str, encoder: Encoder[T]) -> StreamingFileSink.DefaultRowFormatBuilder[T]:
        """Return the builder of a sink that writes single elements, as `FileSink.for_row_format` does."""
        return StreamingFileSink.DefaultRowFormatBuilder(_Target.of_rows(base_path, encoder))

    @staticmethod
    def for_bulk_format(
        base_path: str, writer_factory: BulkWriterFactory[T]
    ) -> StreamingFileSink.DefaultBulkFormatBuilder[T]:
        """Return the builder of a sink that writes batches, as `FileSink.for_bulk_format` does."""
        return StreamingFileSink.DefaultBulkFormatBuilder(_Target.of_batches(base_path, writer_factory))
