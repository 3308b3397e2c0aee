"""Signals stop an unbounded job cleanly, and a second interrupt cancels it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pystream.hosts.unbounded.signals import stopping_on_signals

# A job that ends its epoch when told "end epoch" on standard input, and that prints all that happens to it.
JOB = """
import signal, sys, threading
from concurrent.futures import Future
from pystream.datastream.environment.execution import wait
from pystream.errors import JobCancelledError
from pystream.hosts.unbounded.signals import stopping_on_signals

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored in the background
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and nohup this one
{before}

future = Future()

def epoch():
    if sys.stdin.readline():
        future.set_result("result")

def stop():
    print("stop", threading.current_thread() is threading.main_thread(), flush=True)

def cancel():
    print("cancel", flush=True)
    if not future.done():
        future.set_exception(JobCancelledError("cancelled"))

threading.Thread(target=epoch, daemon=True).start()
before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]

def result():
    with stopping_on_signals(stop):
        if threading.current_thread() is threading.main_thread():
            print("waiting", flush=True)
        return future.result()

try:
    print(wait(result, cancel), flush=True)
finally:
    after = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    print("restored", after == before, flush=True)
"""


class Program:
    """A program that waits for a fake job in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end_epoch(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("end epoch\n")
        self._process.stdin.flush()

    def end(self) -> tuple[list[str], str, int]:
        output, errors = self._process.communicate()
        return output.splitlines(), errors, self._process.returncode


@contextmanager
def program(before: str = "") -> Iterator[Program]:
    command = [sys.executable, "-c", JOB.replace("{before}", before)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield Program(process)
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_job_is_stopped_and_its_result_returned(number: signal.Signals) -> None:
    with program() as job:
        assert job.line() == "waiting"
        job.signal(number)
        assert job.line() == "stop False"
        job.end_epoch()
        assert job.end() == (["result", "restored True"], "", 0)


def test_a_second_interrupt_cancels_the_job() -> None:
    with program() as job:
        assert job.line() == "waiting"
        job.signal(signal.SIGTERM)
        assert job.line() == "stop False"
        job.signal(signal.SIGINT)
        output, errors, status = job.end()
        assert output == ["cancel", "restored True"]
        assert errors.endswith("KeyboardInterrupt\n")
        assert status != 0


def test_further_termination_signals_are_ignored() -> None:
    with program() as job:
        assert job.line() == "waiting"
        job.signal(signal.SIGINT)
        assert job.line() == "stop False"
        job.signal(signal.SIGTERM)
        job.signal(signal.SIGHUP)
        job.end_epoch()
        assert job.end() == (["result", "restored True"], "", 0)


def test_a_job_without_signals_is_not_stopped() -> None:
    with program() as job:
        assert job.line() == "waiting"
        job.end_epoch()
        assert job.end() == (["result", "restored True"], "", 0)


def test_handlers_of_the_program_are_left_alone() -> None:
    own = "signal.signal(signal.SIGTERM, lambda number, frame: print('own', flush=True))"
    with program(own) as job:
        assert job.line() == "waiting"
        job.signal(signal.SIGTERM)
        assert job.line() == "own"
        job.end_epoch()
        assert job.end() == (["result", "restored True"], "", 0)


@pytest.mark.parametrize(
    "handler",
    ["(lambda n, f: 1 / 0)", "__import__('pystream.hosts.process').hosts.process._exit"],
    ids=["spark", "bounded-jobs"],
)
def test_handlers_of_spark_and_of_bounded_jobs_are_replaced(handler: str) -> None:
    set_up = f"handler = {handler}; signal.signal(signal.SIGTERM, handler)"
    if "lambda" in handler:
        set_up += "; handler.__module__ = 'pyspark.core.context'"
    with program(set_up) as job:
        assert job.line() == "waiting"
        job.signal(signal.SIGTERM)
        assert job.line() == "stop False"
        job.end_epoch()
        assert job.end() == (["result", "restored True"], "", 0)


def test_ignored_signals_stay_ignored() -> None:
    with program("signal.signal(signal.SIGHUP, signal.SIG_IGN)") as job:
        assert job.line() == "waiting"
        job.signal(signal.SIGHUP)
        job.end_epoch()
        assert job.end() == (["result", "restored True"], "", 0)


def test_other_threads_leave_handlers_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    handlers = []

    def wait() -> None:
        with stopping_on_signals(lambda: None):
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=wait)
    thread.start()
    thread.join()
    assert handlers == [before]
