"""Deliveries: results reach the program once, after their epoch is committed."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable

import pytest

from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import OutputRow
from pystream.hosts.unbounded import deliveries
from pystream.hosts.unbounded.deliveries import Deliveries
from pystream.plan.nodes import CollectTarget, NodeSettings, PrintTarget, SinkNode
from typeinfo import Types

EDGE, PRINTED = 3, 5
ID = 30  # of the collecting sink
INTS = ElementsFormat(Types.INT())


def delivering(limit: int | None = None, enough: Callable[[], object] = lambda: None) -> Deliveries:
    sinks = {EDGE: CollectTarget(limit), PRINTED: PrintTarget("")}
    nodes = {
        number: SinkNode(
            id=number * 10,
            inputs=(0,),
            type_info=Types.INT(),
            settings=NodeSettings(name="sink", uid=f"sink-{number}"),
            target=target,
        )
        for number, target in sinks.items()
    }
    return Deliveries(nodes, enough)


def rows(*batches: list[int]) -> dict[int, list[OutputRow]]:
    return {EDGE: [OutputRow(EDGE, 0, 0, 0, seq, INTS.dump(batch)) for seq, batch in enumerate(batches)]}


def test_results_wait_for_the_commit_of_their_epoch() -> None:
    results = delivering()
    results.hold(0, rows([1, 2], [3]))
    assert results.ready(ID) == []
    results.release(0)
    assert results.ready(ID) == [1, 2, 3]
    assert results.ready(ID) == []


def test_a_repeated_epoch_replaces_its_results() -> None:
    results = delivering()
    results.hold(0, rows([1]))
    results.hold(0, rows([2]))
    results.release(0)
    results.release(0)
    assert results.ready(ID) == [2]


def test_results_of_an_epoch_that_is_not_committed_are_dropped() -> None:
    results = delivering()
    results.hold(1, rows([1]))
    results.release(0)  # the job resumes after the epoch before
    results.release(1)
    assert results.ready(ID) == []


def test_lines_are_printed_with_their_epoch(capsys: pytest.CaptureFixture[str]) -> None:
    results = delivering()
    assert results.edges == {EDGE, PRINTED}
    results.hold(0, {PRINTED: [OutputRow(PRINTED, 0, 0, 0, 0, pickle.dumps(["1> a", "1> b"]))]})
    assert capsys.readouterr().out == ""
    results.release(0)
    assert capsys.readouterr().out == "1> a\n1> b\n"


def test_the_program_reads_epoch_by_epoch_until_the_end() -> None:
    results = delivering()
    for epoch in range(2):
        results.hold(epoch, rows([epoch], [epoch]))
        results.release(epoch)
    reading = results.read(ID)
    assert [next(reading), next(reading)] == [[0, 0], [1, 1]]
    results.end()
    assert [value for batch in reading for value in batch] == []


def test_a_limit_ends_the_reading_and_says_so() -> None:
    said: list[str] = []
    results = delivering(limit=3, enough=lambda: said.append("enough"))
    for epoch in range(2):
        results.hold(epoch, rows([1, 2]))
        results.release(epoch)
    reading = results.read(ID)
    assert [next(reading), next(reading)] == [[1, 2], [1]]
    assert said == []
    assert list(reading) == []
    assert said == ["enough"]


def test_the_job_does_not_wait_for_a_program_that_has_enough() -> None:
    results = delivering(limit=1)
    results.hold(0, rows([1]))
    results.release(0)
    assert list(results.read(ID)) == [[1]]

    def release() -> None:
        for epoch in range(1, 9):
            results.hold(epoch, rows([epoch]))
            results.release(epoch)

    releasing = threading.Thread(target=release, daemon=True)
    releasing.start()
    releasing.join(5)
    assert not releasing.is_alive()


def test_the_job_waits_for_a_slow_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "_PAUSE", 0.001)
    results = delivering()
    released: list[int] = []

    def release() -> None:
        for epoch in range(5):
            results.hold(epoch, rows([epoch]))
            results.release(epoch)
            released.append(epoch)

    job = threading.Thread(target=release)
    job.start()
    reading = results.read(ID)
    for epoch in range(5):
        assert len(released) <= epoch + 3
        assert next(reading) == [epoch]
    job.join()
    results.end()


def test_a_job_that_ends_does_not_wait_for_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "_PAUSE", 0.001)
    results = delivering()

    def release() -> None:
        for epoch in range(5):
            results.hold(epoch, rows([epoch]))
            results.release(epoch)

    job = threading.Thread(target=release)
    job.start()
    results.end()
    job.join(10)
    assert not job.is_alive()
