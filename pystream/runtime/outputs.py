"""The ends of a task: where elements leave it.

All outputs but the columnar one give rows of one shape, ``OutputRow``: a batch of elements each.
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pystream.runtime.failure import (
    USER_ERRORS,
    ElementFailure,
    OperatorLabel,
    TaskFailure,
    call_each,
    short_repr,
)
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
from typeinfo.formats.arrow import spark_layout
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.text import text_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["END_OF_CHANNEL", "Columns", "Item", "Output", "OutputRow", "make_output"]

END_OF_CHANNEL = 2**63 - 1
"""The position of a channel's last row, which holds no elements but what was measured, if anything."""

_BATCH = 8_192
_ROW_BYTES = 16 << 20
_SAMPLED_EVERY = 32_768


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


class _Encoder:
    """Serializes elements in rows of useful size: neither many small ones nor one beyond what Arrow can hold.

    Sizes are known from samples, so that large elements that stand among many small ones are not noticed.
    """

    def __init__(self, label: OperatorLabel, type_info: TypeInformation[Any]) -> None:
        self._label = label
        self._serialize = serializer_for(type_info).serialize
        self._until_sample = 0
        self.limit = _BATCH
        """How many elements make a row."""

    def look_at(self, values: list[Any]) -> None:
        """Learn the size of elements from a batch, if it is time to."""
        self._until_sample -= len(values)
        if self._until_sample <= 0:
            self._until_sample = _SAMPLED_EVERY
            samples = values[0], values[len(values) // 2], values[-1]
            size = max(len(self.payload([value])) for value in samples)
            self.limit = max(1, min(_BATCH, _ROW_BYTES // size))

    def payload(self, values: list[Any]) -> bytes:
        """Return elements as bytes.

        Raises:
            TaskFailure: one cannot be serialized.
        """
        try:
            return self._serialize(values)
        except USER_ERRORS as error:
            raise _failure(self._label, self._serialize, values, error) from error


def _failure(
    label: OperatorLabel, encode: Callable[[list[Any]], object], values: list[Any], error: BaseException
) -> TaskFailure:
    """Describe the failure to encode a batch by the first element that cannot be encoded alone either."""
    for value in values:
        try:
            encode([value])
        except USER_ERRORS as own_error:
            return TaskFailure.of(label, own_error, short_repr(value))
    return TaskFailure.of(label, error)


class Exchange(Output):
    """Sends elements to the subtasks of another task, gathered into batches of useful size.

    At the end every subtask it may send to gets a row without elements, so that it knows of the end and,
    having got one row at least, of its own number.
    """

    def __init__(self, spec: ExchangeOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        self._edge = spec.edge
        self._channel = subtask.index
        self._route = make_partitioner(spec, subtask).route
        self._encoder = _Encoder(label, spec.type_info)
        self._forward = spec.kind is PartitionKind.FORWARD
        self._targets = spec.targets
        self._pending: dict[int, list[Any]] = {}
        self._seq = 0

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        pending = self._pending
        self._encoder.look_at(values)
        for target, share in self._route(values):
            gathered = pending.setdefault(target, [])
            gathered += share
            if len(gathered) >= self._encoder.limit:
                yield from self._rows(target, pending.pop(target))

    def finish(self) -> Iterator[OutputRow]:
        for target, gathered in self._pending.items():
            yield from self._rows(target, gathered)

    def end(self, measured: bytes) -> Iterator[OutputRow]:
        for target in [self._channel] if self._forward else range(self._targets):
            yield OutputRow(self._edge, target, self._channel, END_OF_CHANNEL, measured)
            measured = b""

    def _rows(self, target: int, values: list[Any]) -> Iterator[OutputRow]:
        for part in _cut(values, self._encoder.limit):
            yield OutputRow(self._edge, target, self._channel, self._seq, self._encoder.payload(part))
            self._seq += 1


def _cut(values: list[Any], limit: int) -> Iterator[list[Any]]:
    return (values[start : start + limit] for start in range(0, len(values), limit))


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

    def __init__(self, spec: CollectOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._left = spec.limit
        self._encoder = _Encoder(label, spec.type_info)
        self._pending: list[Any] = []
        self._seq = 0

    @property
    def done(self) -> bool:
        return self._left == 0

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        if self._left is not None:
            values = values[: self._left]
            self._left -= len(values)
        self._encoder.look_at(values)
        self._pending += values
        if len(self._pending) >= self._encoder.limit:
            yield from self.finish()

    def finish(self) -> Iterator[OutputRow]:
        for part in _cut(self._pending, self._encoder.limit):
            yield OutputRow(self._edge, 0, self._channel, self._seq, self._encoder.payload(part))
            self._seq += 1
        self._pending = []


class Print(_ToDriver):
    """Hands the lines to print to the driver."""

    def __init__(self, spec: PrintOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._label = label
        self._text = text_of(spec.type_info, "print")
        number = str(subtask.index + 1) if spec.show_subtask else ""
        prefix = ":".join(filter(None, (spec.identifier, number)))
        self._prefix = f"{prefix}> " if prefix else ""
        self._seq = 0

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        prefix = self._prefix
        try:
            lines = [prefix + text for text in call_each(self._text, values)]
        except ElementFailure as failure:
            raise TaskFailure.of(self._label, failure) from failure.__cause__
        longest = max(map(len, lines))
        for part in _cut(lines, max(1, _ROW_BYTES // (longest + 1))):
            payload = pickle.dumps(part, pickle.HIGHEST_PROTOCOL)
            yield OutputRow(self._edge, 0, self._channel, self._seq, payload)
            self._seq += 1


class Columns(Output):
    """Gives elements to the engine as columns; checks them first unless that was done."""

    def __init__(self, spec: ColumnsOutput, label: OperatorLabel, *, conformed: bool) -> None:
        self._label = label
        self._conformed = conformed
        self._serializer = serializer_for(spec.type_info)
        layout = spark_layout(self._serializer.schema)
        self._layout = layout if layout != self._serializer.schema else None
        self._encoder = _Encoder(label, spec.type_info)

    def write(self, values: list[Any]) -> Iterator[Item]:
        with suppress(TaskFailure):  # an element that does not fit is told when it becomes columns
            self._encoder.look_at(values)
        for part in _cut(values, self._encoder.limit):
            try:
                batch = self._to_batch(part)
            except TypeCheckError as error:
                element = "" if error.index is None else short_repr(part[error.index])
                raise TaskFailure.of(self._label, error, element) from error
            except USER_ERRORS as error:
                raise _failure(self._label, self._to_batch, part, error) from error
            yield batch

    def _to_batch(self, values: list[Any]) -> pa.RecordBatch:
        batch = self._serializer.to_batch(values, self._conformed)
        return batch if self._layout is None else batch.cast(self._layout)


class Sink(_ToDriver):
    """Writes elements to a sink and hands the driver the message it commits them by."""

    def __init__(self, spec: SinkOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._label = spec.label
        transaction = transaction_of(subtask.job.job_id, spec.edge)
        context = WriterContext(transaction, subtask.index, subtask.attempt_number)
        try:
            self._writer = spec.sink.writer(context)
        except USER_ERRORS as error:
            raise TaskFailure.of(self._label, error) from error

    def write(self, values: list[Any]) -> Iterator[OutputRow]:
        try:
            self._writer.write(values)
        except ElementFailure as failure:
            raise TaskFailure.of(self._label, failure) from failure.__cause__
        except USER_ERRORS as error:
            raise TaskFailure.of(self._label, error) from error
        return iter(())

    def finish(self) -> Iterator[OutputRow]:
        try:
            message = self._writer.finish()
        except USER_ERRORS as error:
            raise TaskFailure.of(self._label, error) from error
        yield OutputRow(self._edge, 0, self._channel, 0, pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    def abort(self) -> None:
        self._writer.abort()


def make_output(
    spec: ExchangeOutput | CollectOutput | PrintOutput | SinkOutput,
    label: OperatorLabel,
    subtask: SubtaskInfo,
) -> Output:
    """Return the output a spec describes, for one subtask; ``label`` is the operator that feeds it."""
    match spec:
        case ExchangeOutput():
            return Exchange(spec, label, subtask)
        case CollectOutput():
            return Collect(spec, label, subtask)
        case PrintOutput():
            return Print(spec, label, subtask)
        case SinkOutput():
            return Sink(spec, subtask)
