"""Closing an iterator over results, also while it is read."""

from __future__ import annotations

from collections.abc import Generator

from pystream.datastream.streams.closeable_iterator import CloseableIterator


def test_close_stops_the_job_and_drops_the_rest() -> None:
    calls = []
    iterator = CloseableIterator((number for number in (1, 2, 3)), lambda: calls.append("stopped"))
    assert next(iterator) == 1
    iterator.close()
    assert calls == ["stopped"]
    assert list(iterator) == []


def test_close_stops_the_job_while_an_element_is_awaited() -> None:
    calls = []

    def elements() -> Generator[int]:
        iterator.close()  # as a signal handler does that interrupts the waiting
        yield 1

    iterator = CloseableIterator(elements(), lambda: calls.append("stopped"))
    assert next(iterator) == 1
    assert calls == ["stopped"]
