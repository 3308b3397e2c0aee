"""OutputRow, the unit sent between tasks, and the base class of a task's outputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from pystream.engine.events import NO_TIMESTAMP, Elements, WatermarkStatus
from pystream.engine.operators.operator import OperatorEnvironment

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["END_OF_CHANNEL", "END_OF_EPOCH", "END_OF_GROUPS", "REPORTS", "Item", "Output", "OutputRow"]

END_OF_CHANNEL = 2**63 - 1
"""The position of a channel's last row, which holds no elements but metrics, if any."""

END_OF_EPOCH = END_OF_CHANNEL - 1
"""The position of a channel's last row in an epoch of an unbounded job, which holds nothing."""

END_OF_GROUPS = 2**31 - 1
"""The group of a channel's last row, which sorts after all key groups."""


REPORTS = -1
"""The number of the edge on which the subtasks of an unbounded job report to the driver, once an epoch."""


class OutputRow(NamedTuple):
    """A batch of elements sent to another task or to the driver.

    Attributes:
        edge: number of the edge within the job.
        target: receiving subtask; 0 for the driver.
        group: key group of all its elements if they are sorted by key group, else 0.
        channel: sending subtask.
        seq: position among the rows the channel sends on this edge (in an epoch), or ``END_OF_CHANNEL`` or
            ``END_OF_EPOCH``.
        payload: the batch as bytes, or as a ``Payload`` for the driver if the job runs in its process; at the
            end of a channel a pickled snapshot of metrics, or nothing.
    """

    edge: int
    target: int
    group: int
    channel: int
    seq: int
    payload: Any


Item: TypeAlias = "OutputRow | pa.RecordBatch"


class Output(ABC):
    """An output of a subtask.

    Attributes:
        takes_columns: whether elements may reach it as ``ColumnValues``.
        keeps_batches: whether batches reach it undivided.
        is_watched: whether a consumer waits for single elements, not only for the end.
        taken: number of elements written so far.
        watermark: the last one written.
        is_idle: whether it is marked as idle.
    """

    takes_columns: ClassVar[bool] = False
    keeps_batches: ClassVar[bool] = False
    is_watched: ClassVar[bool] = False
    taken: int = 0
    watermark: int = NO_TIMESTAMP
    is_idle: bool = False

    @property
    def done(self) -> bool:
        """Whether the output needs no further elements."""
        return False

    @property
    def ends(self) -> tuple[Output, ...] | None:
        """The output itself if it may be done before the input ends, else ``None``."""
        return None

    def open(self, environment: OperatorEnvironment) -> None:  # noqa: B027 - few outputs call user functions
        """Prepare user functions; called once, before anything is written."""

    def close(self) -> None:  # noqa: B027
        """Release the resources of user functions; called once, after a failure too."""

    @abstractmethod
    def write(self, elements: Elements) -> Iterator[Item]:
        """Write a non-empty batch, which must not be changed; yield the rows that are full."""

    def advance(self, watermark: int) -> None:  # noqa: B027 - only other tasks are told
        """Write a watermark."""

    def mark(self, status: WatermarkStatus) -> None:  # noqa: B027
        """Write the watermark status: idle or active."""

    def flush(self) -> Iterator[Item]:
        """Yield rows for the buffered elements."""
        return iter(())

    def finish(self) -> Iterator[Item]:
        """Yield the remaining rows at the end of the input."""
        return iter(())

    def finish_epoch(self) -> Iterator[Item]:
        """Yield the remaining rows at the end of an epoch, after which more elements may come."""
        return self.finish()

    def end(self, metrics: bytes) -> Iterator[OutputRow]:
        """Yield the rows that end the channel, one of them with the metrics."""
        return iter(())

    def abort(self) -> None:  # noqa: B027 - most outputs write nothing outside the engine
        """Undo external writes after a failure."""
