"""Deliveries: the results of committed epochs, printed or passed to the program."""

from __future__ import annotations

import pickle
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from typing import Any

from tqdm import tqdm

from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.worker import standard_output
from pystream.plan.nodes import CollectTarget, SinkNode

__all__ = ["Deliveries"]

_EPOCHS_AHEAD = 2  # unread by the program, before the job waits
_PAUSE = 0.1


class Deliveries:
    """Print and collect the results of an unbounded job, epoch by epoch, each of them once.

    Args:
        sinks: the printing and collecting sinks, by the numbers of the edges that end at them.
        enough: called once the program has all elements that a collecting sink with a limit takes.
    """

    def __init__(self, sinks: Mapping[int, SinkNode], enough: Callable[[], object]) -> None:
        self._sinks = sinks
        self._enough = enough
        self._decoders = {
            number: ElementsFormat(node.type_info).load_list if _collects(node) else pickle.loads
            for number, node in sinks.items()
        }
        self._held: tuple[int, dict[int, list[OutputRow]]] = (-1, {})
        self._queues: dict[int, queue.Queue[list[Any]]] = {
            number: queue.Queue(_EPOCHS_AHEAD) for number, node in sinks.items() if _collects(node)
        }
        self._over = threading.Event()
        self._satisfied: set[int] = set()  # the edges of sinks that need no further elements

    @property
    def edges(self) -> Set[int]:
        """The edges whose rows are results."""
        return self._sinks.keys()

    def hold(self, epoch: int, rows: Mapping[int, list[OutputRow]]) -> None:
        """Hold the results of an epoch until it is committed; they replace those held before.

        Args:
            epoch: its number.
            rows: its rows by edge, in order.
        """
        self._held = epoch, {edge: rows[edge] for edge in self._sinks if edge in rows}

    def release(self, epoch: int) -> None:
        """Print and pass on the results of an epoch if they are held; wait while the program is slow to read.

        Raises:
            OSError: standard output cannot be written.
        """
        held, rows_by_edge = self._held
        self._held = -1, {}
        if held != epoch:
            return
        for edge, rows in rows_by_edge.items():
            values = [value for row in rows for value in self._decoders[edge](row.payload)]
            if edge in self._queues:
                self._put(edge, values)
            else:
                with tqdm.external_write_mode():  # the live view is redrawn below them
                    standard_output.write("".join(f"{line}\n" for line in values))

    def _put(self, number: int, values: list[Any]) -> None:
        while not self._over.is_set() and number not in self._satisfied:
            try:
                self._queues[number].put(values, timeout=_PAUSE)
            except queue.Full:
                continue
            return

    def end(self) -> None:
        """End the results, and stop waiting for the program to read them."""
        self._over.set()
        for batches in self._queues.values():
            with suppress(queue.Full):
                batches.put_nowait([])  # wakes the reader

    def ready(self, sink_id: int) -> list[Any]:
        """Return the elements of a collecting sink in epochs committed since the last call, without waiting.

        Args:
            sink_id: the id of its node.
        """
        number, _ = self._sink(sink_id)
        values: list[Any] = []
        with suppress(queue.Empty):
            while True:
                values += self._queues[number].get_nowait()
        return values

    def read(self, sink_id: int) -> Iterator[list[Any]]:
        """Yield the elements of a collecting sink as their epochs are committed, until the job ends.

        Args:
            sink_id: the id of its node.
        """
        number, node = self._sink(sink_id)
        left = node.target.limit
        while left is None or left > 0:
            if self._over.is_set() and self._queues[number].empty():
                return
            try:
                values = self._queues[number].get(timeout=_PAUSE)
            except queue.Empty:
                continue
            if left is not None:
                values = values[:left]
                left -= len(values)
            yield values
        self._satisfied.add(number)
        self._enough()

    def _sink(self, sink_id: int) -> tuple[int, SinkNode]:
        """Return the number of the edge of a sink, and its node."""
        return next(sink for sink in self._sinks.items() if sink[1].id == sink_id)


def _collects(node: SinkNode) -> bool:
    return isinstance(node.target, CollectTarget)
