"""The ends of a task: where elements leave it.

All outputs but the columnar one give rows of one shape, ``OutputRow``: a batch of elements each.
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pystream.runtime.failure import OperatorLabel, TaskFailure, short_repr
from pystream.runtime.io import WriterContext, transaction_of
from pystream.runtime.partitioners import make_partitioner
from pystream.runtime.spec import (
    CollectOutput,
    ColumnsOutput,
    ExchangeOutput,
    PartitionKind,
    PrintOutput,
    SinkOutput,
)
from pystream.runtime.task_info import SubtaskInfo
from typeinfo.errors import TypeCheckError
from typeinfo.serde import serializer_for
from typeinfo.text import text_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["END_OF_CHANNEL", "Columns", "Item", "Output", "OutputRow", "make_output"]

END_OF_CHANNEL = 2**63 - 1
"""The position of a channel's last row, which holds no elements but what was measured, if anything."""

_BATCH = 8_192


class OutputRow(NamedTuple):
    """A batch of elements on its way to another task or to the driver.

    Attributes:
        edge: number of the edge within the job.
        target: receiving subtask; 0 for the driver.
        channel: sending subtask.
        seq: position among the rows the channel sends on this edge, or ``END_OF_CHANNEL``.
        payload: the batch, serialized; at the end of a channel a pickled snapshot of metrics, or nothing.
    """

    edge: int
    target: int
    channel: int
    seq: int
    payload: bytes


Item: TypeAlias = "OutputRow | pa.RecordBatch"


class Output(ABC):
    """One end of one subtask."""

    @property
    def done(self) -> bool:
        """Whether no further element makes a difference."""
        return False

    @abstractmethod
    def write(self, values: list[Any]) -> Iterator[Item]:
        """Take a non-empty batch, which must not be changed; yield the items that are full."""

    def finish(self) -> Iterator[Item]:
        """Yield what is left at the end of the input."""
        return iter(())

    def end(self, measured: bytes) -> Iterator[OutputRow]:
        """Yield the rows that end the channel, one of them with what was measured."""
        return iter(())

    def abort(self) -> None:  # noqa: B027 - most outputs write nothing outside the engine
        """Undo what was written outside the engine, after a failure."""


class Exchange(Output):
    """Sends elements to the subtasks of another task, gathered into batches of useful size.

    At the end every subtask it may send to gets a row without elements, so that it knows of the end and,
    having got one row at least, of its own number.
    """

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        self._edge = spec.edge
        self._channel = subtask.index
        self._route = make_partitioner(spec, subtask).route
        self._serialize = serializer_for(spec.type_info).serialize
        self._forward = spec.kind is PartitionKind.FORWARD
        self._targets = spec.targets
        self._pending: dict[int, list[Any]] = {}
        self._seq = 0

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        pending = self._pending
        for target, share in self._route(values):
            gathered = pending.setdefault(target, [])
            gathered += share
            if len(gathered) >= _BATCH:
                yield self._row(target, pending.pop(target))

    def finish(self) -> Iterator[OutputRow]:
        for target, gathered in self._pending.items():
            yield self._row(target, gathered)

    def end(self, measured: bytes) -> Iterator[OutputRow]:
        for target in [self._channel] if self._forward else range(self._targets):
            yield OutputRow(self._edge, target, self._channel, END_OF_CHANNEL, measured)
            measured = b""

    def _row(self, target: int, values: list[Any]) -> OutputRow:
        row = OutputRow(self._edge, target, self._channel, self._seq, self._serialize(values))
        self._seq += 1
        return row


class _ToDriver(Output):
    """Hands what it makes of elements to the driver, which waits for no end."""

    def __init__(self, edge: int, subtask: SubtaskInfo) -> None:
        self._edge = edge
        self._channel = subtask.index

    def end(self, measured: bytes) -> Iterator[OutputRow]:
        if measured:
            yield OutputRow(self._edge, 0, self._channel, END_OF_CHANNEL, measured)


class Collect(_ToDriver):
    """Hands elements to the driver, at most ``limit`` of them."""

    def __init__(self, spec: CollectOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._left = spec.limit
        self._serialize = serializer_for(spec.type_info).serialize
        self._pending: list[Any] = []
        self._seq = 0

    @property
    def done(self) -> bool:
        return self._left == 0

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        if self._left is not None:
            values = values[: self._left]
            self._left -= len(values)
        self._pending += values
        if len(self._pending) >= _BATCH:
            yield from self.finish()

    def finish(self) -> Iterator[OutputRow]:
        if self._pending:
            yield OutputRow(self._edge, 0, self._channel, self._seq, self._serialize(self._pending))
            self._seq += 1
            self._pending = []


class Print(_ToDriver):
    """Hands the lines to print to the driver."""

    def __init__(self, spec: PrintOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._text = text_of(spec.type_info, "print")
        number = str(subtask.index + 1) if spec.show_subtask else ""
        prefix = ":".join(filter(None, (spec.identifier, number)))
        self._prefix = f"{prefix}> " if prefix else ""
        self._seq = 0

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        prefix, text = self._prefix, self._text
        payload = pickle.dumps([prefix + text(value) for value in values], pickle.HIGHEST_PROTOCOL)
        yield OutputRow(self._edge, 0, self._channel, self._seq, payload)
        self._seq += 1


class Columns(Output):
    """Gives elements to the engine as columns; checks them first unless that was done."""

    def __init__(self, spec: ColumnsOutput, label: OperatorLabel, *, conformed: bool) -> None:
        self._label = label
        self._conformed = conformed
        self._to_batch = serializer_for(spec.type_info).to_batch

    def write(self, values: list[Any]) -> Iterator[Item]:
        try:
            yield self._to_batch(values, self._conformed)
        except TypeCheckError as error:
            element = "" if error.index is None else short_repr(values[error.index])
            raise TaskFailure.of(self._label, error, element) from error


class Sink(_ToDriver):
    """Writes elements to a sink and hands the driver the message it commits them by."""

    def __init__(self, spec: SinkOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._label = spec.label
        transaction = transaction_of(subtask.job.job_id, spec.edge)
        context = WriterContext(transaction, subtask.index, subtask.attempt_number)
        try:
            self._writer = spec.sink.writer(context)
        except Exception as error:
            raise TaskFailure.of(self._label, error) from error

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        try:
            self._writer.write(values)
        except Exception as error:
            raise TaskFailure.of(self._label, error) from error
        return iter(())

    def finish(self) -> Iterator[OutputRow]:
        try:
            message = self._writer.finish()
        except Exception as error:
            raise TaskFailure.of(self._label, error) from error
        yield OutputRow(self._edge, 0, self._channel, 0, pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    def abort(self) -> None:
        self._writer.abort()


def make_output(
    spec: ExchangeOutput | CollectOutput | PrintOutput | SinkOutput, subtask: SubtaskInfo
) -> Output:
    """Return the output a spec describes, for one subtask."""
    match spec:
        case ExchangeOutput():
            return Exchange(spec, subtask)
        case CollectOutput():
            return Collect(spec, subtask)
        case PrintOutput():
            return Print(spec, subtask)
        case SinkOutput():
            return Sink(spec, subtask)
