"""Events between operators: batches of elements with timestamps, watermarks, and ends of key groups."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeAlias

__all__ = [
    "MAX_BATCH",
    "MAX_WATERMARK",
    "NO_TIMESTAMP",
    "Arrival",
    "Elements",
    "EndOfGroup",
    "Event",
    "RecordErrors",
    "Timestamps",
    "Watermark",
    "WatermarkStatus",
    "as_list",
    "list_of",
]

MAX_BATCH = 16_384
"""Maximum number of elements in a batch, however many results one element has."""

NO_TIMESTAMP = -(2**63)
"""The event time of an element that has none, and the watermark before the first one."""

MAX_WATERMARK = 2**63 - 1
"""The watermark after which no element comes."""


Timestamps: TypeAlias = "list[int] | array[int]"
"""Event times in ms since the Unix epoch; those that come from columns or from other tasks are packed."""


class Elements(NamedTuple):
    """A batch of results of an operator.

    Attributes:
        values: the elements, in order: a list, or ``ColumnValues`` where the receiver accepts columns.
        timestamps: the event time of each in ms since the Unix epoch, or ``None`` where none has one.
        tag: id of the side output they go to, or ``None`` for the main output.
        origin: returns, for messages, the text of the input element of the value at an index, empty if
            unknown; ``None`` if unknown for all values.
    """

    values: Sequence[Any]
    timestamps: Timestamps | None = None
    tag: str | None = None
    origin: Callable[[int], str] | None = None


def list_of(values: Sequence[Any]) -> list[Any]:
    """Return the elements of a batch as a list, without a copy if they are one already."""
    return values if type(values) is list else list(values)


def as_list(elements: Elements) -> Elements:
    """Return a batch with its elements in a list."""
    values = list_of(elements.values)
    return elements if values is elements.values else elements._replace(values=values)


class Watermark(NamedTuple):
    """A watermark: no element with a timestamp up to this one follows.

    Attributes:
        timestamp: event time in ms since the Unix epoch.
    """

    timestamp: int


class WatermarkStatus(NamedTuple):
    """The status of a channel, idle or active; a watermark also makes its channel active.

    Mirrors ``org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus``.

    Attributes:
        idle: whether the channel is idle, so that it must not hold back event time.
    """

    idle: bool


class EndOfGroup(NamedTuple):
    """The end of the elements of a key group, in batch execution."""


class RecordErrors(NamedTuple):
    """Records that a source has skipped because they cannot be read.

    Attributes:
        skipped: their number.
    """

    skipped: int


class Arrival(NamedTuple):
    """An event at the input of a task.

    Attributes:
        event: elements, a watermark or the status of one channel, the end of a key group, or records that a
            source has skipped.
        side: the input of the first operator that it is for.
        channel: the channel of a watermark or status.
    """

    event: Elements | Watermark | WatermarkStatus | EndOfGroup | RecordErrors
    side: int = 0
    channel: Hashable = None


Event: TypeAlias = Elements | Watermark | WatermarkStatus
