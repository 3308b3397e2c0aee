"""Policies of file sinks: bucket assigners, rolling policies and names of part files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pystream.engine.connectors.buckets import (
    BasePathBuckets,
    BucketContext,
    Buckets,
    DateTimeBuckets,
    ElementBuckets,
    time_zone,
)
from pystream.engine.connectors.datetime_pattern import DateTimePattern
from pystream.engine.connectors.files import HIDDEN
from pystream.engine.connectors.part_file import Rolling
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.program_warnings import warn_program
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = [
    "BucketAssigner",
    "DefaultRollingPolicy",
    "OnCheckpointRollingPolicy",
    "OutputFileConfig",
    "RollingPolicy",
]

IN = TypeVar("IN", contravariant=True)

_MINUTE = 60 * 1000
_PART_SIZE = 128 * 1024 * 1024


@checks_arguments(ArgumentTypeError, methods=False)
class BucketAssigner(ABC, Generic[IN]):
    """Choose the directory below the base path that each element is written to.

    Subclass it and implement ``get_bucket_id`` for your own buckets.
    Mirrors ``org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner``.
    """

    @abstractmethod
    def get_bucket_id(self, element: IN, context: BucketContext, /) -> str:
        """Return the directory of an element, relative to the base path; the empty string is the base path.

        Args:
            element: the element.
            context: has the processing time, the watermark and the timestamp of the element.
        """

    def buckets(self) -> Buckets:
        """Return the bucket assigner that workers use."""
        return ElementBuckets(self)

    @staticmethod
    def base_path_bucket_assigner() -> BucketAssigner[Any]:
        """Return an assigner that writes all elements directly into the base path.

        Mirrors ``BasePathBucketAssigner``.
        """
        return _GivenBuckets(BasePathBuckets())

    @staticmethod
    def date_time_bucket_assigner(
        format_str: str = "yyyy-MM-dd--HH", timezone_id: str | None = None
    ) -> BucketAssigner[Any]:
        """Return an assigner by processing time: one directory an hour, unless the pattern says otherwise.

        Args:
            format_str: a pattern of Java's DateTimeFormatter; ``/`` in it makes directories in directories.
            timezone_id: e.g. ``America/Los_Angeles`` or ``GMT-08:00``; ``None`` for the zone of the machine.

        Raises:
            ConfigurationError: the pattern or the zone is invalid.

        Mirrors ``DateTimeBucketAssigner``.
        """
        if any(part.lstrip("'").startswith(HIDDEN) for part in format_str.split("/")):
            warn_program(
                "date_time_bucket_assigner: readers skip directories whose names begin with . or _; choose "
                f"another pattern than {format_str!r}"
            )
        try:
            if timezone_id is not None:
                time_zone(timezone_id)
            return _GivenBuckets(DateTimeBuckets(DateTimePattern(format_str), timezone_id))
        except ValueError as error:
            raise ConfigurationError(f"date_time_bucket_assigner: {error}") from error


class _GivenBuckets(BucketAssigner[Any]):
    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    def get_bucket_id(self, element: Any, context: BucketContext) -> str:
        ((bucket_id, _),) = self._buckets.divide([element], context)
        return bucket_id

    def buckets(self) -> Buckets:
        return self._buckets


@checks_arguments(ArgumentTypeError, methods=False)
class RollingPolicy(ABC):
    """Decide when a part file is closed and the next one started.

    Mirrors ``org.apache.flink.streaming.api.functions.sink.filesystem.RollingPolicy``.
    """

    @abstractmethod
    def rolling(self) -> Rolling:
        """Return the rolling policy that workers use."""

    @staticmethod
    def default_rolling_policy(
        part_size: int = _PART_SIZE, rollover_interval: int = _MINUTE, inactivity_interval: int = _MINUTE
    ) -> DefaultRollingPolicy:
        """Return a policy by size, age and inactivity.

        Args:
            part_size: bytes; a file that has grown beyond takes no further element.
            rollover_interval: milliseconds a file may stay open.
            inactivity_interval: milliseconds a file may stay open without being written to.

        Raises:
            ConfigurationError: one of them is not a positive int.

        Mirrors ``DefaultRollingPolicy``.
        """
        return DefaultRollingPolicy(part_size, rollover_interval, inactivity_interval)

    @staticmethod
    def on_checkpoint_rolling_policy() -> OnCheckpointRollingPolicy:
        """Return a policy that starts a new file only at checkpoints.

        A bounded job has one checkpoint: its end. Mirrors ``OnCheckpointRollingPolicy``.
        """
        return OnCheckpointRollingPolicy()


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class DefaultRollingPolicy(RollingPolicy):
    """Close a part file by size, age or inactivity.

    Made by ``RollingPolicy.default_rolling_policy``.
    """

    part_size: int
    rollover_interval: int
    inactivity_interval: int

    def __post_init__(self) -> None:
        for name in ("part_size", "rollover_interval", "inactivity_interval"):
            require_positive(getattr(self, name), f"default_rolling_policy: {name}")

    def rolling(self) -> Rolling:
        """Return the rolling policy that workers use."""
        return Rolling(self.part_size, self.rollover_interval, self.inactivity_interval)


@dataclass(frozen=True, slots=True)
class OnCheckpointRollingPolicy(RollingPolicy):
    """Close part files only at checkpoints.

    Made by ``RollingPolicy.on_checkpoint_rolling_policy``.
    """

    def rolling(self) -> Rolling:
        """Return the rolling policy that workers use."""
        return Rolling(on_checkpoint=True)


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class OutputFileConfig:
    """Names of part files, ``<prefix>-<uid>-<counter><suffix>``; no dot is added before the suffix.

    In an unbounded job, the counter is the number of the epoch that completes the file, and one within it.

    Args:
        part_prefix: start of the name.
        part_suffix: end of the name, including a dot if wanted.

    Raises:
        ConfigurationError: one of them is not a str, or contains ``/``.

    Mirrors ``org.apache.flink.streaming.api.functions.sink.filesystem.OutputFileConfig``.
    """

    part_prefix: str
    part_suffix: str

    def __post_init__(self) -> None:
        for name, part in (("part_prefix", self.part_prefix), ("part_suffix", self.part_suffix)):
            if not isinstance(part, str) or "/" in part or "\0" in part:
                raise ConfigurationError(
                    f"OutputFileConfig: {name} must be a str without '/' and null characters, not {part!r}"
                )
        if self.part_prefix.startswith(HIDDEN):
            warn_program(
                f"OutputFileConfig: readers of directories skip files whose names begin with . or _; choose "
                f"another part_prefix than {self.part_prefix!r}"
            )

    def get_part_prefix(self) -> str:
        """Return the prefix of the names of part files."""
        return self.part_prefix

    def get_part_suffix(self) -> str:
        """Return the suffix of the names of part files."""
        return self.part_suffix

    @staticmethod
    def builder() -> OutputFileConfig.OutputFileConfigBuilder:
        """Return a builder with the prefix ``part`` and an empty suffix."""
        return OutputFileConfig.OutputFileConfigBuilder()

    @checks_arguments(ArgumentTypeError)
    class OutputFileConfigBuilder:
        """Build an `OutputFileConfig`."""

        def __init__(self) -> None:
            self._config = OutputFileConfig("part", "")

        def with_part_prefix(self, prefix: str) -> OutputFileConfig.OutputFileConfigBuilder:
            """Set the prefix of the names of part files."""
            self._config = OutputFileConfig(prefix, self._config.part_suffix)
            return self

        def with_part_suffix(self, suffix: str) -> OutputFileConfig.OutputFileConfigBuilder:
            """Set the suffix of the names of part files."""
            self._config = OutputFileConfig(self._config.part_prefix, suffix)
            return self

        def build(self) -> OutputFileConfig:
            """Return the configuration."""
            return self._config


def require_positive(value: object, name: str) -> None:
    """Check that a number is a positive int.

    Raises:
        ConfigurationError: it is not a positive int.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ConfigurationError(f"{name} must be a positive int, not {short_repr(value)}")
