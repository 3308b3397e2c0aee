"""Log records of functions go to the loggers of the program, at the levels of the settings."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from pystream.common import Configuration, Time
from pystream.datastream import AsyncDataStream, AsyncFunction, StreamExecutionEnvironment
from pystream.errors import ConfigurationError, JobExecutionError

LEVELS = ("debug", "info", "warning", "error")


def run(env: StreamExecutionEnvironment, function: Any, *elements: Any) -> None:
    with env.from_collection(elements).map(function).name("talking").execute_and_collect() as results:
        list(results)


def with_log_settings(env: StreamExecutionEnvironment, **settings: str) -> StreamExecutionEnvironment:
    configuration = Configuration()
    for name, value in settings.items():
        configuration.set_string(f"python.logging.{name.replace('_', '.')}", value)
    env.configure(configuration)
    return env


def log_at_every_level(value: Any) -> Any:
    for name in ("some.library", "some.library.part", "other"):
        for level in LEVELS:
            getattr(logging.getLogger(name), level)("%s %s", level, value)
    return value


def messages_of(caplog: pytest.LogCaptureFixture, name: str) -> list[str]:
    return [record.getMessage().rpartition("] ")[2] for record in caplog.records if record.name == name]


@pytest.mark.time_limit(60)
@pytest.mark.spark_only("records of workers name the subtask")
def test_records_reach_the_program_with_operator_and_subtask(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(value: Any) -> Any:
        try:
            return 1 // value
        except ZeroDivisionError:
            logging.getLogger("mine").exception("caf\udce9 %s", value)
        return value

    with caplog.at_level(logging.DEBUG):
        run(env, failing, 0)
    (record,) = (record for record in caplog.records if record.name == "mine")
    assert (record.levelno, record.funcName) == (logging.ERROR, "failing")
    assert "-> talking ->" in record.getMessage()
    assert "(1/1)] caf\\udce9 0\n" in record.getMessage()
    assert "ZeroDivisionError" in record.getMessage()


@pytest.mark.spark_only("the local host has no Java")
def test_the_connection_to_java_is_not_logged(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        run(env, lambda value: value, 1)
    assert [record for record in caplog.records if record.name.startswith(("py4j", "pyspark"))] == []


@pytest.mark.time_limit(60)
def test_the_settings_choose_the_levels(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        run(env, log_at_every_level, 1)
    assert messages_of(caplog, "other") == ["info 1", "warning 1", "error 1"]
    caplog.clear()
    overrides = {"level_overrides": "some.library: DEBUG, some.library.part: OFF"}
    with caplog.at_level(logging.DEBUG):
        run(with_log_settings(env, default_level="error", **overrides), log_at_every_level, 2)
    assert messages_of(caplog, "other") == ["error 2"]
    assert messages_of(caplog, "some.library") == ["debug 2", "info 2", "warning 2", "error 2"]
    assert messages_of(caplog, "some.library.part") == []


def test_the_settings_do_not_affect_the_log_of_the_program(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        with (
            with_log_settings(env, default_level="off")
            .from_elements(1, 2)
            .map(log_at_every_level)
            .execute_and_collect() as results
        ):
            assert results.next() == 1
            logging.getLogger("program").debug("meanwhile")
            assert results.next() == 2
        log_at_every_level(3)
    assert messages_of(caplog, "program") == ["meanwhile"]
    assert messages_of(caplog, "other") == ["debug 3", "info 3", "warning 3", "error 3"]


def test_asynchronous_functions_log_at_the_levels_of_the_settings(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    class Talking(AsyncFunction[int, int]):
        async def async_invoke(self, value: int) -> list[int]:
            return [log_at_every_level(value)]

    numbers = with_log_settings(env, default_level="warning").from_elements(1)
    with caplog.at_level(logging.DEBUG):
        waited = AsyncDataStream.unordered_wait(numbers, Talking(), Time.seconds(10), 2)
        with waited.execute_and_collect() as results:
            assert list(results) == [1]
    assert messages_of(caplog, "other") == ["warning 1", "error 1"]


@pytest.mark.time_limit(60)
def test_the_loggers_of_the_program_decide_what_is_shown(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        run(env, log_at_every_level, 1)
    assert messages_of(caplog, "other") == ["warning 1", "error 1"]


@pytest.mark.time_limit(60)
@pytest.mark.spark_only("workers drop records")
def test_a_function_that_logs_too_much_does_not_slow_the_job_down_for_long(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    def chatty(value: Any) -> Any:
        for number in range(20_000):
            logging.getLogger("chatty").info("%d", number)
        return value

    with caplog.at_level(logging.INFO):
        run(env, chatty, 1)
    counts = [record for record in caplog.records if "records were dropped" in record.getMessage()]
    dropped = sum(int(record.getMessage().partition("] ")[2].split()[0]) for record in counts)
    assert dropped > 0
    assert len(messages_of(caplog, "chatty")) + dropped == 20_000


@pytest.mark.time_limit(60)
def test_log_records_of_a_failing_function_are_not_lost(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(value: Any) -> Any:
        logging.warning("about to fail")
        raise ValueError

    with caplog.at_level(logging.INFO), pytest.raises(JobExecutionError):
        run(env, failing, 1)
    assert messages_of(caplog, "root") == ["about to fail"]


@pytest.mark.parametrize(("setting", "value"), [("default_level", "loud"), ("level_overrides", "a: loud")])
def test_a_level_that_does_not_exist_is_refused(
    env: StreamExecutionEnvironment, setting: str, value: str
) -> None:
    with pytest.raises(ConfigurationError, match=r"python\.logging\..*'loud'.*ERROR"):
        run(with_log_settings(env, **{setting: value}), log_at_every_level, 1)
