"""Bucket assigners: choose the directory below the base path for each element."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import Any, Protocol

from pystream.engine.connectors.datetime_pattern import DateTimePattern
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.failure import ElementFailure
from pystream.zones import time_zone

__all__ = ["BasePathBuckets", "BucketContext", "Buckets", "DateTimeBuckets", "ElementBuckets", "time_zone"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class BucketContext:
    """The times at which a bucket assigner sees an element, in ms since the Unix epoch.

    Mirrors ``org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner.Context``.
    """

    processing_time: int
    watermark: int = NO_TIMESTAMP
    element_timestamp: int | None = None

    def current_processing_time(self) -> int:
        """Return the processing time."""
        return self.processing_time

    def current_watermark(self) -> int:
        """Return the watermark; -2**63 before the first one."""
        return self.watermark

    def timestamp(self) -> int | None:
        """Return the timestamp of the element; ``None`` if it has none."""
        return self.element_timestamp


class Buckets(Protocol):
    """Assign elements to directories; picklable."""

    def divide(
        self, values: Sequence[Any], context: BucketContext, timestamps: Timestamps | None = None
    ) -> Iterable[tuple[str, Sequence[Any]]]:
        """Group the elements by directory, relative to the base path, keeping their order.

        Args:
            values: the elements.
            context: the times, except for the timestamps of the elements.
            timestamps: the event time of each element, or ``None`` where none has one.
        """
        ...


@dataclass(frozen=True, slots=True)
class BasePathBuckets:
    """Assign all elements to the base path itself."""

    def divide(
        self, values: Sequence[Any], context: BucketContext, timestamps: Timestamps | None = None
    ) -> Iterable[tuple[str, Sequence[Any]]]:
        """Return all elements under the empty directory name."""
        return [("", values)]


@dataclass(frozen=True, slots=True)
class DateTimeBuckets:
    """Assign elements to a directory named by processing time and a pattern.

    Attributes:
        pattern: the pattern of directory names.
        zone: the name of the time zone; ``None`` for that of the machine that writes.
    """

    pattern: DateTimePattern
    zone: str | None = None

    def divide(
        self, values: Sequence[Any], context: BucketContext, timestamps: Timestamps | None = None
    ) -> Iterable[tuple[str, Sequence[Any]]]:
        """Return all elements under the directory of the current time."""
        zone = None if self.zone is None else time_zone(self.zone)
        moment = (_EPOCH + timedelta(milliseconds=context.processing_time)).astimezone(zone)
        return [(self.pattern.format(moment), values)]


class ElementAssigner(Protocol):
    """Interface of user-defined bucket assigners."""

    def get_bucket_id(self, element: Any, context: BucketContext, /) -> str: ...


@dataclass(frozen=True, slots=True)
class ElementBuckets:
    """Assign each element to the directory that a user-defined assigner returns."""

    assigner: ElementAssigner

    def divide(
        self, values: Sequence[Any], context: BucketContext, timestamps: Timestamps | None = None
    ) -> Iterable[tuple[str, Sequence[Any]]]:
        """Group the elements by directory, in order of first occurrence.

        Raises:
            ElementFailure: the assigner raised.
        """
        from pystream.engine.vectorised.parts import taken

        bucket_id = self.assigner.get_bucket_id
        buckets: dict[str, list[int]] = {}
        for position, (value, seen) in enumerate(zip(values, _contexts(context, timestamps), strict=False)):
            try:
                bucket = bucket_id(value, seen)
            except BaseException as error:
                raise ElementFailure(value) from error
            buckets.setdefault(bucket, []).append(position)
        if len(buckets) == 1:
            return [(bucket, values) for bucket in buckets]
        return [(bucket, taken(values, positions)) for bucket, positions in buckets.items()]


def _contexts(context: BucketContext, timestamps: Timestamps | None) -> Iterator[BucketContext]:
    """Yield the context of each element."""
    if timestamps is None:
        yield from repeat(context)
    else:
        for timestamp in timestamps:
            yield replace(context, element_timestamp=None if timestamp == NO_TIMESTAMP else timestamp)
