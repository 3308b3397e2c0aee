"""The outputs of a task: to the driver, to a sink, to a cache, or as columns."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.interfaces import SinkWriter
from pystream.engine.connectors.job_record import epoch_transaction_of, transaction_of
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Watermark, as_list, list_of
from pystream.engine.exchange.batch_encoder import ROW_BYTES, BatchEncoder, encoding_failure, in_parts
from pystream.engine.exchange.elements_format import bytes_of
from pystream.engine.exchange.exchange import Exchange
from pystream.engine.exchange.rows import END_OF_CHANNEL, Item, Output, OutputRow
from pystream.engine.exchange.send_buffer import SendBuffer
from pystream.engine.failure import (
    ElementFailure,
    OperatorLabel,
    TaskFailure,
    call_each,
)
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.results.copies import misfit
from pystream.engine.spec import (
    CacheOutput,
    CollectOutput,
    ColumnsOutput,
    DroppingOutput,
    ExchangeOutput,
    PrintOutput,
    SinkOutput,
)
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.engine.vectorised.parts import joined
from typeinfo.errors import TypeCheckError
from typeinfo.formats.arrow import spark_layout
from typeinfo.serde import serializer_for
from typeinfo.text import text_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Columns", "make_output"]

_ROWS_PER_BATCH = 8_192
_BYTES_PER_BATCH = 4 << 20
_EARLY = 128  # number of initial elements that are sent to the driver at once
_INTERVAL = 0.1  # seconds after which results are sent to the driver, however few


class _ToDriver(Output):
    """Base class of outputs to the driver, which needs no row at the end of a channel."""

    def __init__(self, edge: int, subtask: SubtaskInfo) -> None:
        self._edge = edge
        self._channel = subtask.index

    def end(self, metrics: bytes) -> Iterator[OutputRow]:
        if metrics:
            yield OutputRow(self._edge, 0, 0, self._channel, END_OF_CHANNEL, metrics)


class Collect(_ToDriver):
    """Send elements to the driver, at most ``limit`` of them."""

    takes_columns = True
    is_watched = True

    def __init__(self, spec: CollectOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._left = spec.limit
        self._encoder = BatchEncoder(label, spec.type_info, in_process=subtask.job.in_process)
        self._pending = SendBuffer()
        self._seq = 0
        self._taken = 0
        self._due = time.monotonic() + _INTERVAL

    def open(self, environment: OperatorEnvironment) -> None:
        self._encoder.open(environment.metrics)

    @property
    def done(self) -> bool:
        return self._left == 0

    @property
    def ends(self) -> tuple[Output, ...] | None:
        return None if self._left is None else (self,)

    def write(self, elements: Elements) -> Iterator[OutputRow]:
        values = elements.values
        if self._left is not None:
            values = values[: self._left]
            self._left -= len(values)
        self._encoder.sample(values)
        self._pending.add(values, None)
        self._taken += len(values)
        for frame in self._pending.cut(self._encoder.limit):
            yield self._row(frame)
        if self._taken <= _EARLY or time.monotonic() >= self._due:
            yield from self.finish()

    def finish(self) -> Iterator[OutputRow]:
        frame, self._pending = self._pending, SendBuffer()
        if not frame.is_empty:
            yield self._row(frame)

    def _row(self, frame: SendBuffer) -> OutputRow:
        payload = self._encoder.payload(frame.values)
        row = OutputRow(self._edge, 0, 0, self._channel, self._seq, payload)
        self._seq += 1
        self._due = time.monotonic() + _INTERVAL
        return row

    def finish_epoch(self) -> Iterator[OutputRow]:
        yield from self.finish()
        self._seq = 0


class Print(_ToDriver):
    """Send the lines to print to the driver."""

    is_watched = True

    def __init__(self, spec: PrintOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._label = label
        self._text = text_of(spec.type_info, "print")
        number = str(subtask.index + 1) if spec.show_subtask else ""
        prefix = ":".join(filter(None, (spec.identifier, number)))
        self._prefix = f"{prefix}> " if prefix else ""
        self._seq = 0

    def write(self, elements: Elements) -> Iterator[OutputRow]:
        values = elements.values
        prefix = self._prefix
        try:
            lines = [prefix + text for text in call_each(self._text, values)]
        except ElementFailure as failure:
            raise TaskFailure.of(self._label, failure) from failure.__cause__
        longest = max(map(len, lines))
        for part in in_parts(lines, max(1, ROW_BYTES // (longest + 1))):
            payload = pickle.dumps(part, pickle.HIGHEST_PROTOCOL)
            yield OutputRow(self._edge, 0, 0, self._channel, self._seq, payload)
            self._seq += 1

    def finish_epoch(self) -> Iterator[OutputRow]:
        self._seq = 0
        return iter(())


class Drop(_ToDriver):
    """Drop the elements."""

    takes_columns = True
    keeps_batches = True
    is_watched = True  # the effects of the operators before it may be

    def write(self, elements: Elements) -> Iterator[OutputRow]:
        return iter(())


class WriteCache(Output):
    """Write elements to a cache, with timestamps and watermarks, as sent to other tasks."""

    def __init__(self, spec: CacheOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        self._edge = spec.edge
        self._channel = subtask.index
        self._encoder = BatchEncoder(label, spec.type_info)
        self._buffer = SendBuffer()
        self._seq = 0

    def write(self, elements: Elements) -> Iterator[OutputRow]:
        self._encoder.sample(elements.values)
        self._buffer.add(elements.values, elements.timestamps)
        for frame in self._buffer.cut(self._encoder.limit):
            yield self._row(frame)

    def advance(self, watermark: int) -> None:
        if watermark != MAX_WATERMARK:
            self._buffer.mark(Watermark(watermark))

    def finish(self) -> Iterator[OutputRow]:
        buffer, self._buffer = self._buffer, SendBuffer()
        if not buffer.is_empty:
            yield self._row(buffer)

    def _row(self, frame: SendBuffer) -> OutputRow:
        payload = frame.dump(self._encoder.payload)
        row = OutputRow(self._edge, 0, 0, self._channel, self._seq, payload)
        self._seq += 1
        return row


class Columns(Output):
    """Return elements to the host as columns; validate them unless already done."""

    takes_columns = True
    keeps_batches = True

    def __init__(self, spec: ColumnsOutput, label: OperatorLabel, *, conformed: bool) -> None:
        self._label = label
        self._conformed = conformed
        self._type = spec.type_info
        self._serializer = serializer_for(spec.as_type or spec.type_info)
        layout = spark_layout(self._serializer.schema)
        self._layout = layout if layout != self._serializer.schema else None
        self._encoder = BatchEncoder(label, spec.type_info)
        self._pending: list[pa.RecordBatch] = []
        self._rows, self._bytes = 0, 0

    def write(self, elements: Elements) -> Iterator[Item]:
        values = elements.values
        if isinstance(values, ColumnValues) and values.layout.type == self._type:
            with suppress(TypeCheckError):  # reported below, with the element
                batch = values.batch
                yield from self._added(batch)
                return
        values = list_of(values)
        with suppress(TaskFailure):  # invalid elements are reported in the conversion to columns
            self._encoder.sample(values)
        first = 0
        for part in in_parts(values, self._encoder.limit):
            try:
                batch = self._to_batch(part)
            except TypeCheckError as error:
                raise misfit(self._label, error, as_list(elements), self._serializer.type, first) from error
            except BaseException as error:
                raise encoding_failure(self._label, self._to_batch, part, error) from error
            first += len(part)
            yield from self._added(batch)

    def finish(self) -> Iterator[Item]:
        batches, self._pending = self._pending, []
        self._rows, self._bytes = 0, 0
        for batch in joined(batches):
            yield batch if self._layout is None else batch.cast(self._layout)

    def _added(self, batch: pa.RecordBatch) -> Iterator[Item]:
        self._pending.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= _ROWS_PER_BATCH or self._bytes >= _BYTES_PER_BATCH:
            yield from self.finish()

    def _to_batch(self, values: list[Any]) -> pa.RecordBatch:
        return self._serializer.to_batch(values, self._conformed)


class CollectColumns(Columns):
    """Send elements to the driver as batches of columns."""

    def __init__(
        self, spec: CollectOutput, label: OperatorLabel, subtask: SubtaskInfo, *, conformed: bool
    ) -> None:
        super().__init__(ColumnsOutput(spec.type_info), label, conformed=conformed)
        self._in_process = subtask.job.in_process
        self._layout = None
        self._elements = layout_of(spec.type_info)
        self._edge = spec.edge
        self._channel = subtask.index
        self._seq = 0

    def finish(self) -> Iterator[Item]:
        for batch in super().finish():
            assert not isinstance(batch, OutputRow)
            values = ColumnValues(self._elements, batch)
            payload = values if self._in_process else bytes_of(values)
            yield OutputRow(self._edge, 0, 0, self._channel, self._seq, payload)
            self._seq += 1

    def end(self, metrics: bytes) -> Iterator[OutputRow]:
        if metrics:
            yield OutputRow(self._edge, 0, 0, self._channel, END_OF_CHANNEL, metrics)


class WriteSink(_ToDriver):
    """Write elements to a sink, and send the writer's messages, for the commit, to the driver.

    The writer stays open from epoch to epoch.
    """

    takes_columns = True

    def __init__(self, spec: SinkOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec.edge, subtask)
        self._spec = spec
        self._subtask = subtask
        self._label = spec.label
        self._watermark = NO_TIMESTAMP
        self._writer: SinkWriter | None = self._new_writer()

    def _new_writer(self) -> SinkWriter:
        sink: Any = self._spec.sink
        job_id = self._subtask.job.job_id
        try:
            writer: SinkWriter
            if self._spec.by_epochs:
                writer = sink.epoch_writer(epoch_transaction_of(job_id, self._label.uid), self._subtask)
            else:
                writer = sink.writer(transaction_of(job_id, self._spec.edge))
        except BaseException as error:
            raise TaskFailure.of(self._label, error) from error
        return writer

    def write(self, elements: Elements) -> Iterator[OutputRow]:
        try:
            self._opened().write(elements.values, elements.timestamps, self._watermark)
        except ElementFailure as failure:
            raise TaskFailure.of(self._label, failure) from failure.__cause__
        except BaseException as error:
            raise TaskFailure.of(self._label, error) from error
        return iter(())

    def advance(self, watermark: int) -> None:
        self._watermark = watermark

    def finish(self) -> Iterator[OutputRow]:
        yield self._message(end_of_input=True)

    def finish_epoch(self) -> Iterator[OutputRow]:
        yield self._message(end_of_input=False)

    def abort(self) -> None:
        if self._writer is not None:
            self._writer.abort()
            self.close()

    def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            try:
                writer.close()
            except BaseException as error:
                raise TaskFailure.of(self._label, error) from error

    def _opened(self) -> SinkWriter:
        if self._writer is None:
            self._writer = self._new_writer()
        return self._writer

    def _message(self, *, end_of_input: bool) -> OutputRow:
        try:
            message = self._opened().finish(end_of_input=end_of_input)
        except BaseException as error:
            raise TaskFailure.of(self._label, error) from error
        return OutputRow(self._edge, 0, 0, self._channel, 0, pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def make_output(
    spec: ExchangeOutput
    | CollectOutput
    | PrintOutput
    | CacheOutput
    | ColumnsOutput
    | DroppingOutput
    | SinkOutput,
    label: OperatorLabel,
    subtask: SubtaskInfo,
    *,
    conformed: bool,
) -> Output:
    """Create an output of a subtask.

    Args:
        spec: the output.
        label: the operator before it.
        subtask: the subtask.
        conformed: whether elements were validated already.
    """
    match spec:
        case ExchangeOutput():
            return Exchange(spec, label, subtask)
        case CollectOutput(as_columns=True):
            return CollectColumns(spec, label, subtask, conformed=conformed)
        case CollectOutput():
            return Collect(spec, label, subtask)
        case PrintOutput():
            return Print(spec, label, subtask)
        case CacheOutput():
            return WriteCache(spec, label, subtask)
        case ColumnsOutput():
            return Columns(spec, label, conformed=conformed)
        case DroppingOutput():
            return Drop(spec.edge, subtask)
        case SinkOutput():
            return WriteSink(spec, subtask)
