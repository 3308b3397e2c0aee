"""File sources."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from pystream.common.serialization import DeserializationSchema, charset_named
from pystream.datastream.connectors.base import Source
from pystream.engine.connectors.file_source import DirectoryFilter, FileReader, FilesInput
from pystream.engine.connectors.files import absolute_location
from pystream.engine.connectors.monitored_files import MonitoredFiles
from pystream.engine.connectors.text_files import LineMessageReader, TextLineReader
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments
from typeinfo.basic import STRING
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.durations import Duration

__all__ = [
    "BulkFormat",
    "FileEnumeratorProvider",
    "FileSource",
    "FileSourceBuilder",
    "FileSplitAssignerProvider",
    "StreamFormat",
    "TypedFormat",
]

OUT = TypeVar("OUT", covariant=True, default=Any)
T = TypeVar("T", default=Any)  # also for static methods, where pyright treats the class's own as unknown


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class FileEnumeratorProvider:
    """Choose how files are found and split.

    Both enumerators walk directories recursively, in the order of names, and skip files and directories
    whose name starts with ``.`` or ``_``. A path that the program names itself is always read.

    Attributes:
        splits_files: whether large files are split.

    Mirrors ``org.apache.flink.connector.file.src.enumerate.FileEnumerator.Provider``.
    """

    splits_files: bool

    @staticmethod
    def default_splittable_file_enumerator() -> FileEnumeratorProvider:
        """Return an enumerator that splits large files, so that several subtasks read one.

        Compressed files, and text whose line ends cannot be found from the middle (UTF-16), stay whole.
        """
        return FileEnumeratorProvider(splits_files=True)

    @staticmethod
    def default_non_splittable_file_enumerator() -> FileEnumeratorProvider:
        """Return an enumerator that keeps files whole: one subtask reads all of a file, in order."""
        return FileEnumeratorProvider(splits_files=False)


class FileSplitAssignerProvider:
    """Choose which subtask reads which split.

    Mirrors ``org.apache.flink.connector.file.src.assigners.FileSplitAssigner.Provider``.
    """

    @staticmethod
    def locality_aware_split_assigner() -> FileSplitAssignerProvider:
        """Return an assigner that prefers local files.

        It has no effect here: splits are assigned by size, before subtasks are placed on
        machines.
        """
        return FileSplitAssignerProvider()


class _FileFormat(ABC, Generic[OUT]):
    """Base class of stream and bulk formats."""

    @abstractmethod
    def reader(self, locations: Sequence[str]) -> FileReader:
        """Return the reader that workers use for the files at the given locations."""

    @abstractmethod
    def get_produced_type(self, locations: Sequence[str]) -> TypeInformation[OUT]:
        """Return the type of the elements in the files at the given locations."""


@checks_arguments(ArgumentTypeError, methods=False)
class StreamFormat(_FileFormat[OUT]):
    """Read a file element by element.

    Mirrors ``org.apache.flink.connector.file.src.reader.StreamFormat``.
    """

    @staticmethod
    def text_line_format(charset_name: str = "UTF-8", ignore_parse_errors: bool = False) -> StreamFormat[str]:
        r"""Return a format of text lines, as STRING.

        A line ends with ``\n``, ``\r\n`` or ``\r``, which are not part of it; a last line without an end
        counts, empty lines too. A byte order mark at the start of a file is left out. Bytes that are not
        text in the charset are an error that names file, offset and line.

        Args:
            charset_name: the charset of the files.
            ignore_parse_errors: whether lines that are not text in the charset are skipped, with one warning
                per file in the log, and counted in ``numRecordsInErrors``, instead of an error.

        Raises:
            ConfigurationError: the charset is unknown.

        Mirrors ``org.apache.flink.connector.file.src.reader.TextLineInputFormat``.
        """
        return TypedFormat(TextLineReader(charset_named(charset_name), ignore_parse_errors), STRING)

    @staticmethod
    def deserialized_lines(
        deserialization_schema: DeserializationSchema[T], ignore_parse_errors: bool = False
    ) -> StreamFormat[T]:
        """Return a format of messages, one per line, as in JSON Lines.

        A line that cannot be read is an error that names file and line; a message that holds no element is
        left out. Lines end as those of `text_line_format` do.

        Args:
            deserialization_schema: reads a line without its end, e.g. a ``JsonRowDeserializationSchema``.
            ignore_parse_errors: whether lines that cannot be read are skipped, with one warning per file in
                the log, and counted in ``numRecordsInErrors``, instead of an error.

        Raises:
            ConfigurationError: it is not a DeserializationSchema.
        """
        if not isinstance(deserialization_schema, DeserializationSchema):
            raise ConfigurationError(
                "deserialized_lines takes a DeserializationSchema such as "
                "JsonRowDeserializationSchema.builder().type_info(…).build(), not "
                f"{short_repr(deserialization_schema)}"
            )
        t = deserialization_schema.get_produced_type()
        return TypedFormat(
            LineMessageReader(
                deserialization_schema.deserialize_all,
                t,
                ignore_parse_errors,
                deserialization_schema.at_once(),
            ),
            t,
        )


class BulkFormat(_FileFormat[OUT]):
    """Read a file in batches; ``ParquetColumnarRowInputFormat`` is one.

    Mirrors ``org.apache.flink.connector.file.src.reader.BulkFormat``.
    """


class TypedFormat(StreamFormat[OUT]):
    """Read files with a reader of elements of one type.

    Args:
        reader: the reader that workers use.
        type_info: the type of the elements.
    """

    def __init__(self, reader: FileReader, type_info: TypeInformation[OUT]) -> None:
        self._reader = reader
        self._type = type_info

    def reader(self, locations: Sequence[str]) -> FileReader:
        """Return the reader that workers use."""
        return self._reader

    def get_produced_type(self, locations: Sequence[str]) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return self._type


@checks_arguments(ArgumentTypeError)
class FileSource(Source[OUT]):
    """Read files, and directories recursively.

    Files that end in ``.deflate``, ``.xz``, ``.bz2``, ``.gz``, ``.gzip`` or ``.zst`` are decompressed by
    the text format. The source is bounded: it reads the files that exist when the job starts, unless
    `FileSourceBuilder.monitor_continuously` is called. Each file is read in order by one subtask, unless
    `FileSourceBuilder.set_file_enumerator` has it cut. A path that does not exist is an error when the job
    starts.

    Mirrors ``org.apache.flink.connector.file.src.FileSource``.
    """

    def __init__(
        self,
        locations: tuple[str, ...],
        format: _FileFormat[OUT],
        splits_files: bool,
        discovery_interval: Duration | None,
        path_pattern: str | None = None,
        directories: DirectoryFilter | None = None,
    ) -> None:
        self._path_pattern = path_pattern
        self._directories = directories
        self._locations = locations
        self._format = format
        self._splits_files = splits_files
        self._discovery_interval = discovery_interval

    @staticmethod
    def for_record_stream_format(
        stream_format: StreamFormat[T], *paths: str | os.PathLike[str]
    ) -> FileSourceBuilder[T]:
        """Return the builder of a source that reads record by record.

        Args:
            stream_format: e.g. ``StreamFormat.text_line_format()``.
            paths: files, directories, and patterns such as ``/data/*.csv`` or ``/data/**/*.csv``: paths,
                ``file:`` URIs or those of other file systems.

        Raises:
            ConfigurationError: no path, or no StreamFormat.
            ConnectorError: one of the paths is not a path.
        """
        return _builder(stream_format, StreamFormat, paths, splits_files=False)

    @staticmethod
    def for_bulk_file_format(
        bulk_format: BulkFormat[T], *paths: str | os.PathLike[str]
    ) -> FileSourceBuilder[T]:
        """Return the builder of a source that reads in batches.

        Args:
            bulk_format: e.g. ``ParquetColumnarRowInputFormat()``.
            paths: files, directories, and patterns such as ``/data/*.csv`` or ``/data/**/*.csv``: paths,
                ``file:`` URIs or those of other file systems.

        Raises:
            ConfigurationError: no path, or no BulkFormat.
            ConnectorError: one of the paths is not a path.
        """
        return _builder(bulk_format, BulkFormat, paths, splits_files=True)

    def is_bounded(self) -> bool:
        """Return whether the source is bounded, which it is unless it monitors its paths."""
        return self._discovery_interval is None

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements; if not declared, it is read from the schema of a Parquet file."""
        return self._format.get_produced_type(self._locations)

    def reader(self) -> FilesInput | MonitoredFiles:
        """Return the input that the runtime reads."""
        files = FilesInput(
            self._locations,
            self._format.reader(self._locations),
            self._splits_files,
            self._path_pattern,
            self._directories,
        )
        if self._discovery_interval is None:
            return files
        return MonitoredFiles(files, self._discovery_interval.to_millis())


@checks_arguments(ArgumentTypeError)
class FileSourceBuilder(Generic[T]):
    """Build a `FileSource`; every method returns the builder.

    Mirrors ``org.apache.flink.connector.file.src.FileSource.FileSourceBuilder``.
    """

    def __init__(self, format: _FileFormat[T], locations: tuple[str, ...], splits_files: bool) -> None:
        self._format = format
        self._locations = locations
        self._splits_files = splits_files
        self._path_pattern: str | None = None
        self._directories: DirectoryFilter | None = None
        self._discovery_interval: Duration | None = None

    def monitor_continuously(self, discovery_interval: Duration) -> FileSourceBuilder[T]:
        """Monitor the paths for new files; the source is then unbounded.

        Each file is read once, the files of a listing in the order of their modification: one that is changed
        after it was seen is not read again, as in Flink, and one of no bytes counts as seen. Move complete
        files into the directory: a file that grows while it is read, or that is removed before it was read,
        fails the job. A pattern may match no file yet. A listing that fails while the job runs is logged, and
        repeated after the interval.

        Large files are read piece by piece, so that a backlog delays neither results nor checkpoints; the
        pieces of a file go to one subtask in order, unless `set_file_enumerator` has files cut.

        Args:
            discovery_interval: time between two listings of the paths, positive.

        Raises:
            ConfigurationError: the interval is not positive.
        """
        if discovery_interval.to_millis() <= 0:
            raise ConfigurationError(
                f"monitor_continuously: the interval must be a millisecond or more, not {discovery_interval}"
            )
        self._discovery_interval = discovery_interval
        return self

    def process_static_file_set(self) -> FileSourceBuilder[T]:
        """Read the files that exist when the job starts, then end; the default."""
        self._discovery_interval = None
        return self

    def set_file_enumerator(self, file_enumerator: FileEnumeratorProvider) -> FileSourceBuilder[T]:
        """Choose whether large files are split.

        Unless set, files of a stream format stay whole and those of a bulk format are cut.
        """
        self._splits_files = file_enumerator.splits_files
        return self

    def set_split_assigner(self, split_assigner: FileSplitAssignerProvider) -> FileSourceBuilder[T]:
        """Choose which subtask reads which split; it has no effect here, splits are assigned by size."""
        return self

    def build(self) -> FileSource[T]:
        """Return the source."""
        return FileSource(
            self._locations,
            self._format,
            self._splits_files,
            self._discovery_interval,
            self._path_pattern,
            self._directories,
        )

    def _match(self, path_pattern: str | None, directories: DirectoryFilter | None) -> FileSourceBuilder[T]:
        """Leave out files whose paths do not entirely match a regular expression, and some directories."""
        self._path_pattern = path_pattern
        self._directories = directories
        return self


def _builder(
    format: _FileFormat[T],
    kind: type[Any],
    paths: tuple[str | os.PathLike[str], ...],
    splits_files: bool,
) -> FileSourceBuilder[T]:
    if not isinstance(format, kind):
        raise ConfigurationError(
            f"a file source takes a {kind.__name__} before its paths, not {short_repr(format)}"
        )
    if not paths:
        raise ConfigurationError("a file source needs at least one path")
    return FileSourceBuilder(format, tuple(map(absolute_location, paths)), splits_files)
