"""Exchange: sends the elements of a task to the subtasks of another task."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TypeAlias

from pystream.engine.events import MAX_WATERMARK, Elements, Watermark, WatermarkStatus
from pystream.engine.exchange.batch_encoder import BatchEncoder
from pystream.engine.exchange.partitioners import PARTITIONERS
from pystream.engine.exchange.rows import END_OF_CHANNEL, END_OF_EPOCH, END_OF_GROUPS, Output, OutputRow
from pystream.engine.exchange.send_buffer import SendBuffer
from pystream.engine.failure import OperatorLabel
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.spec import ExchangeOutput
from pystream.engine.task_info import SubtaskInfo
from pystream.kinds import PartitionKind

__all__ = ["Exchange"]

_Address: TypeAlias = "tuple[int, int]"
_MAX_BUFFERED = 131_072  # elements over all addresses, exceeded until the next sample


class Exchange(Output):
    """Send elements to the subtasks of another task, in batches of bounded size.

    Watermarks follow the elements to every subtask, except for the last one: at the end, and at the end of
    each epoch, every subtask gets a row without elements, which marks the end and ensures that each subtask
    has at least one row.

    Receivers read the first row of each channel, then the second ones, and so on. So rows are cut after a
    number of elements that depends only on the elements sent before, not on the batches in which they came,
    and are numbered for each receiver: the order of elements and watermarks is the same in every run.
    """

    takes_columns = True

    def __init__(self, spec: ExchangeOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        self._edge = spec.edge
        self._channel = subtask.index
        self._partitioner = PARTITIONERS[spec.kind](spec, subtask)
        self._receivers = [subtask.index] if spec.kind is PartitionKind.FORWARD else range(spec.targets)
        self._encoder = BatchEncoder(label, spec.type_info)
        self._marked = not spec.by_group
        self._buffers: defaultdict[_Address, SendBuffer] = defaultdict(SendBuffer)
        self._buffered = 0  # elements
        self._sent: Counter[_Address] = Counter()  # rows
        self._is_ended = False

    def open(self, environment: OperatorEnvironment) -> None:
        self._partitioner.open(environment)
        self._encoder.open(environment.metrics)

    def close(self) -> None:
        self._partitioner.close()

    def write(self, elements: Elements) -> Iterator[OutputRow]:
        for part in self._encoder.parts(elements):
            for address, share in self._partitioner.route(part):
                buffer = self._buffers[address]
                buffer.add(share.values, share.timestamps)
                self._buffered += len(share.values)
                for frame in buffer.cut(self._encoder.limit):
                    self._buffered -= len(frame)
                    yield self._row(address, frame)
            if self._buffered >= _MAX_BUFFERED and self._encoder.samples_next:
                yield from self.flush()

    def advance(self, watermark: int) -> None:
        self._is_ended = watermark == MAX_WATERMARK
        if not self._is_ended:
            self._mark(Watermark(watermark))

    def mark(self, status: WatermarkStatus) -> None:
        self._mark(status)

    def _mark(self, event: Watermark | WatermarkStatus) -> None:
        if self._marked:
            for target in self._receivers:
                self._buffers[target, 0].mark(event)

    def flush(self) -> Iterator[OutputRow]:
        for address, buffer in self._buffers.items():
            if not buffer.is_empty:
                yield self._row(address, buffer)
        self._buffers.clear()
        self._buffered = 0

    def finish(self) -> Iterator[OutputRow]:
        return self.flush()

    def finish_epoch(self) -> Iterator[OutputRow]:
        yield from self.flush()
        self._sent.clear()
        mark = END_OF_CHANNEL if self._is_ended else END_OF_EPOCH
        self._is_ended = False
        for target in self._receivers:
            yield OutputRow(self._edge, target, 0, self._channel, mark, b"")

    def end(self, metrics: bytes) -> Iterator[OutputRow]:
        for target in self._receivers:
            yield OutputRow(self._edge, target, END_OF_GROUPS, self._channel, END_OF_CHANNEL, metrics)
            metrics = b""

    def _row(self, address: _Address, buffer: SendBuffer) -> OutputRow:
        number = self._sent[address]
        self._sent[address] += 1
        payload = buffer.dump(self._encoder.payload)
        return OutputRow(self._edge, *address, self._channel, number, payload)
