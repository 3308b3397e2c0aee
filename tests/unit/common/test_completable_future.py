"""CompletableFuture."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future

import pytest

from pystream.common.completable_future import CompletableFuture


def test_a_completed_future() -> None:
    future = CompletableFuture.completed(5)
    assert future.done()
    assert future.result() == 5
    assert future.exception() is None
    assert not future.cancelled()
    assert not future.cancel()
    assert str(future) == "CompletableFuture[completed normally]"


def test_a_future_that_is_completed_later() -> None:
    source: Future[int] = Future()
    future = CompletableFuture(source)
    assert not future.done()
    assert future.exception() is None
    assert str(future) == "CompletableFuture[not completed]"
    source.set_result(7)
    assert future.done()
    assert future.result() == 7


def test_a_failed_future() -> None:
    source: Future[int] = Future()
    future = CompletableFuture(source)
    error = ValueError("boom")
    source.set_exception(error)
    assert future.done()
    assert not future.cancelled()
    assert future.exception() is error
    assert "ValueError('boom')" in str(future)
    with pytest.raises(ValueError, match="boom"):
        future.result()


def test_a_cancelled_future() -> None:
    source: Future[int] = Future()
    future = CompletableFuture(source)
    assert future.cancel()
    assert future.cancelled()
    assert future.done()
    assert isinstance(future.exception(), CancelledError)
    with pytest.raises(CancelledError):
        future.result()


def test_callbacks_run_on_completion_or_at_once() -> None:
    source: Future[int] = Future()
    future = CompletableFuture(source)
    seen: list[object] = []
    future.add_done_callback(lambda done: seen.append((done is future, done.result())))
    assert seen == []
    source.set_result(1)
    future.add_done_callback(lambda done: seen.append("again"))
    assert seen == [(True, 1), "again"]
