"""Sources written in Python: what they emit, wait for, fail with, and resume at."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

import pytest

from pystream.common import Types
from pystream.datastream import SourceFunction
from pystream.datastream.environment.function_sources import function_source
from pystream.engine.connectors import function_source as module
from pystream.engine.connectors.function_source import FunctionEnumerator, FunctionSource
from pystream.engine.connectors.interfaces import Backlog
from pystream.engine.events import Elements, Watermark
from pystream.errors import SourceError
from pystream.plan.function import FunctionPicklingError

Run = Callable[[Any, Any], None]


class Scripted(SourceFunction[Any]):
    """Run a function of this object and the context."""

    events: ClassVar[list[threading.Event]] = []

    def __init__(self, run: Run) -> None:
        self.function = run
        self.is_running = True

    def run(self, ctx: Any) -> None:
        self.function(self, ctx)

    def cancel(self) -> None:
        self.is_running = False


class Numbers(SourceFunction[int]):
    """Count up to an end, with state; ``burst`` numbers at a time belong together."""

    def __init__(self, end: int, burst: int = 1) -> None:
        self.next, self.end, self.burst = 0, end, burst
        self.is_running = True

    def run(self, ctx: Any) -> None:
        while self.is_running and self.next < self.end:
            with ctx.get_checkpoint_lock():
                for number in range(self.next, self.next + self.burst):
                    ctx.collect(number)
                self.next += self.burst

    def cancel(self) -> None:
        self.is_running = False

    def snapshot_state(self) -> int:
        return self.next

    def restore_state(self, state: int) -> None:
        self.next = state


def source_of(function: Any, type_info: Any = None) -> FunctionSource:
    source, _ = function_source(function, type_info)
    return source


@contextmanager
def running(source: FunctionSource, *args: Any) -> Iterator[FunctionEnumerator]:
    enumerator = source.enumerator(1, *args)
    try:
        yield enumerator
    finally:
        enumerator.close()


def polled(enumerator: FunctionEnumerator, limit: int = 10_000) -> Any:
    """Return the next poll with input, for which a thread may have to run first."""
    while (poll := enumerator.poll(0, limit)) is None:
        assert enumerator.next_poll(0) is not None
        time.sleep(0.001)
    return poll


def events_of(source: FunctionSource, enumerator: FunctionEnumerator) -> list[Any]:
    """Return all events of a function that returns."""
    events: list[Any] = []
    while not enumerator.is_ended:
        events += [event for split in polled(enumerator).splits[0] for event in source.read(split)]
    return events


def values_of(source: FunctionSource, enumerator: FunctionEnumerator) -> list[Any]:
    events = events_of(source, enumerator)
    return [value for event in events if isinstance(event, Elements) for value in event.values]


def test_elements_timestamps_and_watermarks_come_in_their_order() -> None:
    def run(self: Any, ctx: Any) -> None:
        with ctx.get_checkpoint_lock():
            ctx.collect("a")
            ctx.collect("b")
            ctx.emit_watermark(3)
            ctx.collect_with_timestamp("c", 5)
            ctx.mark_as_temporarily_idle()
            ctx.close()

    source = source_of(Scripted(run), Types.STRING())
    with running(source) as enumerator:
        events = events_of(source, enumerator)
    assert events == [Elements(["a", "b"]), Watermark(3), Elements(["c"], [5])]
    assert enumerator.next_poll(0) is None
    assert enumerator.poll(0, 10) is None


def test_a_split_carries_its_elements_in_batches_of_bounded_length() -> None:
    source = source_of(Numbers(20_000, burst=20_000), Types.LONG())
    with running(source) as enumerator:
        while enumerator.backlog(0) != Backlog(20_000, "records"):
            assert enumerator.backlog(0) == Backlog(0, "records")
            time.sleep(0.001)
        poll = polled(enumerator)
        assert enumerator.backlog(0) == Backlog(0, "records")
    batches = [[len(event.values) for event in source.read(split)] for split in poll.splits[0]]
    assert batches == [[8_192], [8_192], [3_616]]
    assert poll.size == 20_000


def test_a_function_waits_while_the_job_is_behind() -> None:
    source = source_of(Numbers(1_000_000_000))
    with running(source) as enumerator:
        sizes = []
        for _ in range(5):
            sizes.append(polled(enumerator, limit=100).size)
            time.sleep(0.02)  # in which it would emit thousands
    assert max(sizes[1:]) <= 100


def test_elements_emitted_under_one_lock_are_never_separated() -> None:
    source = source_of(Numbers(1_000_000_000, burst=7))
    with running(source) as enumerator:
        for _ in range(50):
            poll = polled(enumerator, limit=10)
            assert poll.size % 7 == 0
            assert pickle.loads(poll.change.state) % 7 == 0


def test_a_function_with_state_resumes_where_it_was() -> None:
    source = source_of(Numbers(5_000))
    changes: list[Any] = []
    read: list[int] = []
    is_ended = False
    while not is_ended:
        with running(source, None, changes) as enumerator:
            poll = polled(enumerator, limit=100)
            changes.append(pickle.loads(pickle.dumps(poll.change)))
            read += [v for split in poll.splits[0] for event in source.read(split) for v in event.values]
            is_ended = enumerator.is_ended
            assert enumerator.snapshot() == poll.change
    assert read == list(range(5_000))
    assert source.enumerator(1, changes[-1]).is_ended


def test_a_function_without_state_starts_over() -> None:
    source = source_of(Scripted(lambda self, ctx: ctx.collect("first")))
    with running(source) as enumerator:
        change = polled(enumerator).change
    with running(source, None, [change._replace(is_ended=False)]) as again:
        assert values_of(source, again) == ["first"]


def test_a_function_that_has_returned_is_not_run_again() -> None:
    source = source_of(Scripted(lambda self, ctx: None))
    with running(source) as enumerator:
        poll = polled(enumerator)
    assert (poll.splits, poll.size, enumerator.is_ended) == ([[]], 0, True)
    resumed = source.enumerator(1, None, [poll.change])
    assert resumed.is_ended
    resumed.close()


def test_an_exception_in_run_surfaces_with_the_function_and_its_trace() -> None:
    def run(self: Any, ctx: Any) -> None:
        ctx.collect("a")
        raise ValueError("no such topic")

    source = source_of(Scripted(run))
    message = r"(?s)Scripted at .*: run failed: ValueError: no such topic.*in run"
    with running(source) as enumerator, pytest.raises(SourceError, match=message):
        events_of(source, enumerator)


@pytest.mark.parametrize("method", ["snapshot_state", "restore_state"])
def test_an_exception_with_state_names_the_method(method: str) -> None:
    class Bad(Numbers):
        pass

    def fail(self: Any, *state: Any) -> None:
        raise ValueError("bad")

    setattr(Bad, method, fail)
    source = source_of(Bad(10))
    progress = module.FunctionProgress(pickle.dumps(3))
    with (
        pytest.raises(SourceError, match=f"Bad at .*: {method} failed: ValueError: bad"),
        running(source, progress) as enumerator,
    ):
        polled(enumerator)


def test_an_element_of_another_type_is_an_error_that_names_the_function() -> None:
    source = source_of(Scripted(lambda self, ctx: ctx.collect("x")), Types.LONG())
    with running(source) as enumerator, pytest.raises(SourceError, match=r"Scripted at .*'x'.*LONG"):
        polled(enumerator)


def test_closing_ends_a_function_that_waits_to_emit_even_if_it_catches_exceptions() -> None:
    def run(self: Any, ctx: Any) -> None:
        while True:  # ignores cancel()
            with suppress(Exception):
                ctx.collect(1)

    with running(source_of(Scripted(run))) as enumerator:
        polled(enumerator, limit=1)
    assert not enumerator._thread.is_alive()


def test_a_function_that_does_not_end_is_left_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "_SECONDS_TO_END", 0.01)
    release = threading.Event()
    Scripted.events[:] = [release]

    def run(self: Any, ctx: Any) -> None:
        type(self).events[0].wait()

    def cancel(self: Any) -> None:
        raise ValueError("no")

    monkeypatch.setattr(Scripted, "cancel", cancel)
    with running(source_of(Scripted(run))):
        pass
    release.set()
    assert "cancel failed: ValueError: no" in caplog.text
    assert "still runs after cancel()" in caplog.text


def test_a_function_that_cannot_be_pickled_is_refused() -> None:
    function = Scripted(lambda self, ctx: None)
    function.lock = threading.Lock()  # type: ignore[attr-defined]
    with pytest.raises(FunctionPicklingError, match=r"Scripted at .* cannot be pickled.*in run\(\)"):
        source_of(function)
