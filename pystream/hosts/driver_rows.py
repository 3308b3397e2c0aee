"""DriverRows: the rows of a job sent to the driver: messages of sink writers, and metrics."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import Any, NamedTuple

from pystream.engine.exchange.rows import END_OF_CHANNEL
from pystream.engine.metrics.values import merge_snapshots, plain

__all__ = ["DriverRow", "DriverRows"]


class DriverRow(NamedTuple):
    """A row sent to the driver.

    Attributes:
        edge: number of the edge within the job.
        channel: the subtask that sent it.
        seq: its position within the channel.
        payload: the message or metrics, pickled.
    """

    edge: int
    channel: int
    seq: int
    payload: bytes


class DriverRows:
    """The rows of one attempt sent to the driver, ordered by position, then by channel.

    Args:
        rows: the rows, in any order.
    """

    def __init__(self, rows: Iterable[DriverRow]) -> None:
        self._rows = sorted(rows, key=lambda row: (row.seq, row.channel))

    def messages(self, edge: int) -> list[Any]:
        """Return the messages of a sink's writers.

        Args:
            edge: number of the edge that ends at the sink.
        """
        return [
            pickle.loads(row.payload) for row in self._rows if row.edge == edge and row.seq != END_OF_CHANNEL
        ]

    def metrics(self) -> dict[str, Any]:
        """Return the values of all metrics by scope and name, merged over the subtasks."""
        snapshots = [
            pickle.loads(row.payload) for row in self._rows if row.seq == END_OF_CHANNEL and row.payload
        ]
        return plain(merge_snapshots(snapshots))
