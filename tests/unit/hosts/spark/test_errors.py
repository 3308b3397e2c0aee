"""Errors of Spark as errors of jobs: the cause and its remedy in one line."""

from __future__ import annotations

import re
import traceback

import pytest
from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.errors.exceptions import captured

from pystream.errors import JobExecutionError
from pystream.hosts.spark.errors import error_to_report, expression_failure, gist
from pystream.hosts.spark.jvm import cause_of_death
from pystream.hosts.spark.slow_starts import SlowStarts
from pystream.lifting import GUARD_MARK

FRAMES = "\n\tat org.apache.spark.Some.method(Some.scala:1)\n\tat java.lang.Thread.run(Thread.java:840)"
CALL = "An error occurred while calling o64.getResult.\n: "
STAGE = (
    "org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 1 times, "
    "most recent failure: Lost task 0.0 in stage 0.0 (TID 0) (10.0.0.1 executor driver): "
)
NO_PYTHON = 'java.io.IOException: Cannot run program "/no/python": error=2, No such file or directory'
LOST = "ExecutorLostFailure (executor 1 exited) Reason: Container killed by YARN for exceeding memory limits."
NO_MODULE = "Traceback (most recent call last):\n  line 1\nModuleNotFoundError: No module named 'pystream'"
SLOW = "org.apache.spark.SparkException: Python worker failed to connect back."
ODD = "java.lang.IllegalStateException: odd"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{CALL}java.lang.OutOfMemoryError: Java heap space", "(Java heap space).*set spark.driver.memory"),
        (f"{CALL}{STAGE}java.io.IOException: No space left on device", "set spark.local.dir"),
        (f"{CALL}{STAGE}{NO_PYTHON}", "/no/python, .*No such file or directory.*set PYSPARK_PYTHON"),
        (f"{STAGE}{LOST}", "Container killed by YARN.*set spark.executor.memory"),
        (f"{STAGE}{SLOW}", "did not start in the time that Spark gives it; the machine is too busy"),
        (NO_MODULE, "no module pystream; install pystream for it, or set PYSPARK_PYTHON"),
        (
            f"{CALL}org.apache.spark.SparkException: Could not parse Master URL: 'x'",
            "spark.master is not a master URL",
        ),
        (f"{CALL}{STAGE}{ODD}{FRAMES}\nCaused by: java.net.Odd: inner", "^Odd: inner$"),
        (f"{CALL}{STAGE}{ODD}", "^IllegalStateException: odd$"),
        (f"{CALL}{ODD}", "^IllegalStateException: odd$"),
        ("[UNRESOLVED_COLUMN] There is no column a.", r"^\[UNRESOLVED_COLUMN\] There is no column a\.$"),
        (CALL, "it gave no reason"),
        ("", "it gave no reason"),
    ],
)
def test_the_message_is_the_cause_with_its_remedy(text: str, expected: str) -> None:
    message = gist(text + FRAMES)
    assert re.search(expected, message, re.DOTALL)
    for alien in ("An error occurred while calling", "\tat ", "org.apache"):
        assert alien not in message


def test_the_error_names_the_job_and_the_cause() -> None:
    failure = error_to_report("name", Py4JError(f"{CALL}{ODD}{FRAMES}"))
    assert traceback.format_exception(failure) == [
        "pystream.errors.JobExecutionError: job 'name' failed in Spark: IllegalStateException: odd\n"
    ]


def test_an_unbounded_job_continues_a_few_times_if_a_worker_starts_slowly(
    caplog: pytest.LogCaptureFixture,
) -> None:
    starts = SlowStarts("name")
    assert not starts.allow(Py4JError(f"{STAGE}{ODD}"), -1)
    assert not starts.allow(OSError("Python worker failed to connect back."), -1)
    slow = Py4JError(f"{STAGE}{SLOW}{FRAMES}")
    for epoch in (-1, 7):  # the count starts again once an epoch is committed
        assert [starts.allow(slow, epoch) for _ in range(6)] == [True] * 5 + [False]
    assert "job 'name' continues from its last epoch: a Python worker did not start" in caplog.text


class Unreadable(Py4JError):  # noqa: N818
    """Has its message in a Java process that is about to end."""

    def __str__(self) -> str:
        raise ConnectionRefusedError(111, "Connection refused")


def test_an_error_without_a_readable_message_means_that_java_died() -> None:
    failure = error_to_report("name", Unreadable())
    assert isinstance(failure, JobExecutionError)
    assert "job 'name': Spark's Java process died" in str(failure)


def connect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow errors of Spark to be created without a Java process."""
    monkeypatch.setattr(SparkContext, "_gateway", object())
    monkeypatch.setattr(SparkContext, "_jvm", object())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[DIVIDE_BY_ZERO] Division by zero.", "[DIVIDE_BY_ZERO] Division by zero."),
        (f"[USER_RAISED_EXCEPTION] {GUARD_MARK}: a < 2 SQLSTATE: P0001", "a < 2"),
    ],
)
def test_an_expression_fails_with_its_guard_or_its_message(
    text: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(monkeypatch)
    assert expression_failure(captured.ArithmeticException(text, FRAMES)) == expected
    assert expression_failure(captured.PythonException(text, FRAMES)) is None
    assert expression_failure(Py4JError(text)) is None


def test_an_error_of_a_forgotten_java_process_means_that_java_died(monkeypatch: pytest.MonkeyPatch) -> None:
    connect(monkeypatch)
    error = captured.ArithmeticException("overflow", FRAMES)
    monkeypatch.undo()  # as another job does that starts a new one
    assert expression_failure(error) is None
    assert "job 'name': Spark's Java process died" in str(error_to_report("name", error))


def test_the_cause_of_death_of_another_java_process_is_unknown() -> None:
    assert "spark.driver.memory" in cause_of_death()
