"""The environment of the Jython guide and its factory."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Configuration
from pystream.datastream import TimeCharacteristic
from pystream.errors import ConfigurationError, PlanError, PlanTypeError, UnsupportedOperationError
from pystream.jython import PythonEnvironmentFactory, PythonStreamExecutionEnvironment


@pytest.fixture
def local() -> PythonStreamExecutionEnvironment:
    return PythonEnvironmentFactory().create_local_execution_environment(3)


def test_a_local_environment_runs_without_spark(
    local: PythonStreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    assert local.get_parallelism() == 3
    local.generate_sequence(1, 3).output()
    assert local.execute("numbers").get_net_runtime() >= 0
    assert sorted(capsys.readouterr().out.split()) == ["1", "2", "3"]


def test_a_local_environment_has_the_given_settings() -> None:
    settings = Configuration().set_string("my.key", "value").set_integer("parallelism.default", 5)
    factory = PythonEnvironmentFactory()
    for environment in (
        factory.create_local_execution_environment(settings),
        factory.create_local_execution_environment(5, settings),
    ):
        assert environment.get_parallelism() == 5
        assert environment._environment.get_configuration().get_string("my.key", "") == "value"
        assert environment._environment.get_configuration().get_string("pystream.runner", "") == "LOCAL"
    assert not settings.contains_key("pystream.runner")
    with pytest.raises(PlanTypeError, match="one configuration, not two"):
        factory.create_local_execution_environment(settings, settings)


def test_a_remote_environment_is_refused_with_the_remedy() -> None:
    with pytest.raises(
        UnsupportedOperationError, match=r"host:6123 .*get_execution_environment\(\).*spark-submit"
    ):
        PythonEnvironmentFactory().create_remote_execution_environment("host", 6123, "a.jar")


def test_each_environment_is_new() -> None:
    factory = PythonEnvironmentFactory()
    one, other = factory.get_execution_environment(), factory.get_execution_environment()
    assert one.set_parallelism(4) is one
    assert (one.get_parallelism(), other.get_parallelism() == 4) == (4, False)


def test_checkpointing(local: PythonStreamExecutionEnvironment) -> None:
    assert local.enable_checkpointing(5000) is local
    assert local._environment.get_checkpoint_interval() == 5000


def test_only_processing_time(local: PythonStreamExecutionEnvironment) -> None:
    local.set_stream_time_characteristic(TimeCharacteristic.ProcessingTime)
    with pytest.raises(UnsupportedOperationError, match="have no timestamps"):
        local.set_stream_time_characteristic(TimeCharacteristic.EventTime)


def test_mistakes(local: PythonStreamExecutionEnvironment) -> None:
    local_flag: Any = True
    with pytest.raises(PlanTypeError, match=r"execute takes the name of the job .*--local.*not True"):
        local.execute(local_flag)
    with pytest.raises(PlanError, match="nothing to run"):
        local.execute()
    with pytest.raises(ConfigurationError, match="parallelism"):
        local.set_parallelism(0)
    text: Any = "text"
    with pytest.raises(PlanTypeError, match="from_collection"):
        local.from_collection(text)
    with pytest.raises(ConfigurationError, match="port"):
        local.socket_text_stream("localhost", -1)
