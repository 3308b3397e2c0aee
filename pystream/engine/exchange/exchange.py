"""Exchange: sends the elements of a task to the subtasks of another task."""

from __future__ import annotations

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
_MAX_BUFFERED = 131_072  # elements, over all addresses


class Exchange(Output):
    """Send elements to the subtasks of another task, in batches of bounded size.

    Watermarks follow the elements to every subtask, except for the last one: at the end, and at the end of
    each epoch, every subtask gets a row without elements, which marks the end and ensures that each subtask
    has at least one row.
    """

    def __init__(self, spec: ExchangeOutput, label: OperatorLabel, subtask: SubtaskInfo) -> None:
        self._edge = spec.edge
        self._channel = subtask.index
        self._partitioner = PARTITIONERS[spec.kind](spec, subtask)
        self._encoder = BatchEncoder(label, spec.type_info)
        self._receivers = [subtask.index] if spec.kind is PartitionKind.FORWARD else range(spec.targets)
        self._marked = not spec.by_group
        self._buffers: dict[_Address, SendBuffer] = {}
        self._buffered = 0
        self._seq = 0
        self._is_ended = False

    def open(self, environment: OperatorEnvironment) -> None:
        self._partitioner.open(environment)

    def close(self) -> None:
        self._partitioner.close()

    def write(self, elements: Elements) -> Iterator[OutputRow]:
        self._encoder.sample(elements.values)
        buffers, limit = self._buffers, self._encoder.limit
        for address, share in self._partitioner.route(elements):
            buffer = buffers.get(address)
            if buffer is None:
                buffer = buffers[address] = SendBuffer()
            buffer.add(share.values, share.timestamps)
            if len(buffer.values) >= limit:
                self._buffered -= len(buffer.values) - len(share.values)
                yield from self._rows(address, buffers.pop(address))
            else:
                self._buffered += len(share.values)
        if self._buffered >= _MAX_BUFFERED:
            yield from self.flush()

    def advance(self, watermark: int) -> None:
        self._is_ended = watermark == MAX_WATERMARK
        if self._is_ended or not self._marked:
            return
        for target in self._receivers:
            self._buffers.setdefault((target, 0), SendBuffer()).mark(Watermark(watermark))

    def mark(self, status: WatermarkStatus) -> None:
        if self._marked:
            for target in self._receivers:
                self._buffers.setdefault((target, 0), SendBuffer()).mark(status)

    def finish(self) -> Iterator[OutputRow]:
        return self.flush()

    def finish_epoch(self) -> Iterator[OutputRow]:
        yield from self.flush()
        self._seq = 0
        mark = END_OF_CHANNEL if self._is_ended else END_OF_EPOCH
        self._is_ended = False
        for target in self._receivers:
            yield OutputRow(self._edge, target, 0, self._channel, mark, b"")

    def flush(self) -> Iterator[OutputRow]:
        buffers, self._buffers = self._buffers, {}
        self._buffered = 0
        for address, buffer in buffers.items():
            yield from self._rows(address, buffer)

    def end(self, metrics: bytes) -> Iterator[OutputRow]:
        for target in self._receivers:
            yield OutputRow(self._edge, target, END_OF_GROUPS, self._channel, END_OF_CHANNEL, metrics)
            metrics = b""

    def _rows(self, address: _Address, buffer: SendBuffer) -> Iterator[OutputRow]:
        for part in buffer.parts(self._encoder.limit):
            payload = part.dump(self._encoder.payload)
            yield OutputRow(self._edge, *address, self._channel, self._seq, payload)
            self._seq += 1
