"""RowReader: decodes the rows sent to a subtask into events."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pystream.engine.events import MAX_WATERMARK, Arrival, EndOfGroup, Watermark
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import END_OF_CHANNEL, END_OF_EPOCH
from pystream.engine.exchange.send_buffer import read_frame
from pystream.engine.metrics.registry import MetricRegistry
from typeinfo.info import TypeInformation

__all__ = ["ReceivedRow", "RowReader"]


class ReceivedRow(NamedTuple):
    """An ``OutputRow`` as received; its attributes are those of that class."""

    edge: int
    group: int
    channel: int
    seq: int
    payload: bytes


class RowReader:
    """Decode the rows sent to one subtask.

    Args:
        edges: for each edge, the input that it is for and the type of its elements.
        metrics: receives the metrics of the tasks that sent the rows.
        by_group: whether rows are ordered by key group.
    """

    def __init__(
        self,
        edges: Mapping[int, tuple[int, TypeInformation[object]]],
        metrics: MetricRegistry,
        *,
        by_group: bool,
    ) -> None:
        self._sides = {
            edge: (side, ElementsFormat(type_info).load) for edge, (side, type_info) in edges.items()
        }
        self._metrics = metrics
        self._by_group = by_group
        self._group: int | None = None

    def arrivals(self, row: ReceivedRow) -> Iterator[Arrival]:
        """Yield the events of a row; the last row of a channel holds metrics and ends its event time."""
        if self._by_group and self._group not in (None, row.group):
            yield Arrival(EndOfGroup())
        self._group = row.group
        side, load_elements = self._sides[row.edge]
        channel = row.edge, row.channel
        if row.seq == END_OF_CHANNEL:
            if row.payload:
                self._metrics.take_over(pickle.loads(row.payload))
            yield Arrival(Watermark(MAX_WATERMARK), side, channel)
            return
        if row.seq == END_OF_EPOCH:
            return
        for event in read_frame(row.payload, load_elements):
            yield Arrival(event, side, channel)
