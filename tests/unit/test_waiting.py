"""Waits that signals can end, also those that the system gives to another thread."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from pystream.common.completable_future import CompletableFuture
from pystream.waiting import ended, joined


class SignalError(Exception):
    """A signal was handled."""


def raise_it(number: int, frame: object) -> None:
    raise SignalError


def wait_for_a_job() -> None:
    """Wait for a job that does not end."""
    CompletableFuture(Future[None]()).result()


def wait_for_a_thread() -> None:
    """Wait for a thread that does not end."""
    thread = threading.Thread(target=threading.Event().wait, daemon=True)
    thread.start()
    joined(thread, 3600)


@pytest.mark.time_limit(30)
@pytest.mark.parametrize("wait", [wait_for_a_job, wait_for_a_thread])
def test_a_signal_that_another_thread_gets_ends_a_wait(wait: Callable[[], object]) -> None:
    def signalled() -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)  # does not wake the main thread

    before = signal.signal(signal.SIGUSR1, raise_it)
    threading.Timer(0.3, signalled).start()
    try:
        with pytest.raises(SignalError):
            wait()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_wait_ends_with_the_future_or_in_time() -> None:
    future: Future[int] = Future()
    assert not ended(future, 0.01)
    threading.Timer(0.01, future.set_result, [1]).start()
    assert ended(future, 60)
