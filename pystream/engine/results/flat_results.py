"""FlatResults: the results of functions with any number of results for each element, in one sequence."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice, repeat
from operator import length_hint
from typing import Any

from pystream.engine.events import MAX_BATCH, Elements, Timestamps
from pystream.engine.failure import short_repr
from pystream.engine.results.collections import COLLECTIONS, are_results

__all__ = ["FlatResults", "in_batches"]


class FlatResults:
    """Iterate over the results of a function for each element.

    Args:
        calls: calls the function with each element; a call returns a collection of results or ``None``.
        values: the elements.
    """

    def __init__(self, calls: Iterator[Any], values: Sequence[Any]) -> None:
        self._calls = calls
        self._values = values
        self._left: list[int] = []  # the counter's value, at each call

    def __iter__(self) -> Iterator[Any]:
        counter = repeat(True, sys.maxsize)  # one for each result, consumed without running Python code
        return compress(chain.from_iterable(self._collections(counter)), counter)

    def _collections(self, counter: repeat[bool]) -> Iterator[Iterable[Any]]:
        note, left = self._left.append, counter.__length_hint__
        for results in self._calls:
            note(left())
            if type(results) in COLLECTIONS or are_results(results):
                yield results

    def origin(self, first: int, index: int) -> str:
        """Describe the element of a result, for messages; ``first`` is the index of the first result."""
        results_before = [sys.maxsize - left for left in self._left]
        return short_repr(self._values[bisect_right(results_before, first + index) - 1])


def in_batches(
    flat: Iterable[Any], remaining: Iterator[Any], timestamps: Timestamps | None
) -> Iterator[Elements]:
    """Yield results in batches, each with the timestamp of its element.

    Args:
        flat: computes the results.
        remaining: iterates over the elements while results are computed.
        timestamps: those of the elements.
    """
    flat = iter(flat)
    if timestamps is None:
        while batch := list(islice(flat, MAX_BATCH)):
            yield Elements(batch)
        return
    last = len(timestamps) - 1
    while True:
        values: list[Any] = []
        times: list[int] = []
        for value in islice(flat, MAX_BATCH):
            values.append(value)
            times.append(timestamps[last - length_hint(remaining)])
        if not values:
            return
        yield Elements(values, times)
