"""Compaction of small part files before a file sink commits them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from pystream.datastream.connectors.file_system.policies import require_positive
from pystream.engine.connectors.compaction import Compactor, Concatenation, Copy
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["FileCompactStrategy", "FileCompactor"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class FileCompactStrategy:
    """Decide which part files of a bucket are merged.

    Made by `builder`. Mirrors ``org.apache.flink.connector.file.sink.compactor.FileCompactStrategy``.
    """

    size_threshold: int | None = None
    checkpoints: int | None = None
    threads: int = 1

    @staticmethod
    def builder() -> FileCompactStrategy.Builder:
        """Return a builder; a strategy needs a size threshold, compaction on checkpoints, or both."""
        return FileCompactStrategy.Builder()

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build a compaction strategy; every method returns the builder."""

        def __init__(self) -> None:
            self._strategy = FileCompactStrategy()

        def set_size_threshold(self, size_threshold: int) -> FileCompactStrategy.Builder:
            """Merge files once their total size reaches a threshold, and the rest when the job ends.

            Args:
                size_threshold: in bytes; a negative number means no threshold.

            Raises:
                ConfigurationError: it is not an int.
            """
            if not isinstance(size_threshold, int) or isinstance(size_threshold, bool):
                raise ConfigurationError(
                    f"set_size_threshold: size_threshold must be an int, not {short_repr(size_threshold)}"
                )
            threshold = size_threshold if size_threshold >= 0 else None
            self._strategy = replace(self._strategy, size_threshold=threshold)
            return self

        def enable_compaction_on_checkpoint(
            self, num_checkpoints_before_compaction: int
        ) -> FileCompactStrategy.Builder:
            """Merge all files every given number of checkpoints, and at the end of the job in any case.

            A bounded job has one checkpoint, its end.

            Raises:
                ConfigurationError: the number is not a positive int.
            """
            require_positive(
                num_checkpoints_before_compaction,
                "enable_compaction_on_checkpoint: num_checkpoints_before_compaction",
            )
            self._strategy = replace(self._strategy, checkpoints=num_checkpoints_before_compaction)
            return self

        def set_num_compact_threads(self, num_compact_threads: int) -> FileCompactStrategy.Builder:
            """Set the number of threads that write merged files; 1 by default.

            Raises:
                ConfigurationError: the number is not a positive int.
            """
            require_positive(num_compact_threads, "set_num_compact_threads: num_compact_threads")
            self._strategy = replace(self._strategy, threads=num_compact_threads)
            return self

        def build(self) -> FileCompactStrategy:
            """Return the strategy.

            Raises:
                ConfigurationError: neither a size threshold nor compaction on checkpoints is set.
            """
            if self._strategy.size_threshold is None and self._strategy.checkpoints is None:
                raise ConfigurationError(
                    "a FileCompactStrategy needs a condition: call set_size_threshold with a number of "
                    "bytes, or enable_compaction_on_checkpoint"
                )
            return self._strategy


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class FileCompactor:
    """Merge several files into one.

    Made by `concat_file_compactor` and `identical_file_compactor`.
    Mirrors ``org.apache.flink.connector.file.sink.compactor.FileCompactor``.
    """

    _example: ClassVar[str] = "FileCompactor.concat_file_compactor()"

    compactor: Compactor

    @staticmethod
    def concat_file_compactor(file_delimiter: bytes | None = None) -> FileCompactor:
        """Return a compactor that concatenates files; not for columnar formats.

        Args:
            file_delimiter: written after each file; ``None`` for nothing.

        Raises:
            ConfigurationError: the delimiter is not bytes.

        Mirrors ``ConcatFileCompactor``.
        """
        if not isinstance(file_delimiter, (bytes, bytearray, type(None))):
            raise ConfigurationError(
                f"concat_file_compactor: file_delimiter must be bytes, not {short_repr(file_delimiter)}"
            )
        return FileCompactor(Concatenation(bytes(file_delimiter or b"")))

    @staticmethod
    def identical_file_compactor() -> FileCompactor:
        """Return a compactor that copies single files; the job fails if several files must be merged.

        Mirrors ``IdenticalFileCompactor``.
        """
        return FileCompactor(Copy())
