"""What functions log on workers reaches the loggers of the program, at the levels that are set."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import ConfigurationError, JobExecutionError

LEVELS = ("debug", "info", "warning", "error")


def run(env: StreamExecutionEnvironment, function: Any, *elements: Any) -> None:
    with env.from_collection(elements).map(function).name("talking").execute_and_collect() as results:
        list(results)


def configured(env: StreamExecutionEnvironment, **settings: str) -> StreamExecutionEnvironment:
    configuration = Configuration()
    for name, value in settings.items():
        configuration.set_string(f"python.logging.{name.replace('_', '.')}", value)
    env.configure(configuration)
    return env


def talk(value: Any) -> Any:
    for name in ("some.library", "some.library.part", "other"):
        for level in LEVELS:
            getattr(logging.getLogger(name), level)("%s %s", level, value)
    return value


def said(caplog: pytest.LogCaptureFixture, name: str) -> list[str]:
    return [record.getMessage().rpartition("] ")[2] for record in caplog.records if record.name == name]


@pytest.mark.time_limit(60)
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
        run(env, talk, 1)
    assert said(caplog, "other") == ["info 1", "warning 1", "error 1"]
    caplog.clear()
    overrides = {"level_overrides": "some.library: DEBUG, some.library.part: OFF"}
    with caplog.at_level(logging.DEBUG):
        run(configured(env, default_level="error", **overrides), talk, 2)
    assert said(caplog, "other") == ["error 2"]
    assert said(caplog, "some.library") == ["debug 2", "info 2", "warning 2", "error 2"]
    assert said(caplog, "some.library.part") == []


@pytest.mark.time_limit(60)
def test_the_loggers_of_the_program_decide_what_is_shown(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        run(env, talk, 1)
    assert said(caplog, "other") == ["warning 1", "error 1"]


@pytest.mark.time_limit(60)
def test_a_function_that_logs_without_end_slows_nothing_down_for_long(
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
    assert len(said(caplog, "chatty")) + dropped == 20_000


@pytest.mark.time_limit(60)
def test_what_a_failing_function_logged_is_not_lost(
    env: StreamExecutionEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(value: Any) -> Any:
        logging.warning("about to fail")
        raise ValueError

    with caplog.at_level(logging.INFO), pytest.raises(JobExecutionError):
        run(env, failing, 1)
    assert said(caplog, "root") == ["about to fail"]


@pytest.mark.parametrize(("setting", "value"), [("default_level", "loud"), ("level_overrides", "a: loud")])
def test_a_level_that_does_not_exist_is_refused(
    env: StreamExecutionEnvironment, setting: str, value: str
) -> None:
    with pytest.raises(ConfigurationError, match=r"python\.logging\..*'loud'.*ERROR"):
        run(configured(env, **{setting: value}), talk, 1)
