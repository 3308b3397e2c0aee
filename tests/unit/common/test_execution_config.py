"""ExecutionConfig: ranges and keys, as PyFlink 2.3 has them unless said otherwise."""

from __future__ import annotations

import pytest

from pystream.common.configuration import Configuration
from pystream.common.execution_config import ExecutionConfig
from pystream.common.execution_mode import ExecutionMode
from pystream.common.restart_strategy import RestartStrategies
from pystream.errors import ConfigurationError
from pystream.settings import options


@pytest.mark.parametrize(
    ("name", "value", "key", "text"),
    [
        ("parallelism", 5, "parallelism.default", "5"),
        ("parallelism", -1, "parallelism.default", "-1"),
        ("max_parallelism", 32767, "pipeline.max-parallelism", "32767"),
        ("auto_watermark_interval", 500, "pipeline.auto-watermark-interval", "500 ms"),
        ("latency_tracking_interval", 5, "metrics.latency.interval", "5 ms"),
        ("task_cancellation_interval", 5, "task.cancellation.interval", "5 ms"),
        ("task_cancellation_timeout", 60_000, "task.cancellation.timeout", "1 min"),
        ("execution_mode", ExecutionMode.BATCH_FORCED, "pystream.execution-mode", "BATCH_FORCED"),
        (
            "global_job_parameters",
            {"a": "1", "c": "x"},
            "pipeline.global-job-parameters",
            "{a: '1', c: x}",
        ),
    ],
)
def test_settings_stand_under_flinks_keys(name: str, value: object, key: str, text: str) -> None:
    configuration = Configuration()
    config = ExecutionConfig(configuration)
    assert getattr(config, f"set_{name}")(value) is config
    assert getattr(config, f"get_{name}")() == value
    assert configuration.to_dict() == {key: text}


def test_the_restart_strategy_is_kept() -> None:
    strategy = RestartStrategies.fixed_delay_restart(3, 1000)
    assert ExecutionConfig().set_restart_strategy(strategy).get_restart_strategy() == strategy


@pytest.mark.parametrize(
    ("switch", "getter", "when_enabled"),
    [
        ("closure_cleaner", "is_closure_cleaner_enabled", True),
        ("object_reuse", "is_object_reuse_enabled", True),
        ("auto_generated_uids", "has_auto_generated_uids_enabled", True),
        ("force_kryo", "is_force_kryo_enabled", True),
        ("force_avro", "is_force_avro_enabled", True),
        ("generic_types", "has_generic_types_disabled", False),
    ],
)
def test_switches(switch: str, getter: str, when_enabled: bool) -> None:
    config = ExecutionConfig()
    assert getattr(config, f"disable_{switch}")() is config
    assert getattr(config, getter)() is not when_enabled
    assert getattr(config, f"enable_{switch}")() is config
    assert getattr(config, getter)() is when_enabled


@pytest.mark.parametrize(
    ("setter", "value", "message"),
    [
        ("set_parallelism", 0, "parallelism.default: 0 is not allowed.*at least 1 or -1"),
        ("set_parallelism", -3, "parallelism.default: -3"),
        ("set_parallelism", 2**31, "parallelism.default"),
        ("set_parallelism", True, "parallelism.default: True"),
        ("set_parallelism", 1.5, "parallelism.default: 1.5"),
        ("set_max_parallelism", 0, "pipeline.max-parallelism: 0.*at least 1 and at most 32767"),
        ("set_max_parallelism", -1, "pipeline.max-parallelism: -1"),
        ("set_max_parallelism", 32768, "pipeline.max-parallelism: 32768"),
        ("set_auto_watermark_interval", -1, "pipeline.auto-watermark-interval: .*at least 0 ms"),
        ("set_auto_watermark_interval", 1.5, "1.5 is not an integer"),
        ("set_task_cancellation_timeout", -1, "task.cancellation.timeout"),
        ("set_task_cancellation_interval", -1, "task.cancellation.interval"),
        ("set_global_job_parameters", {3: "x"}, "pipeline.global-job-parameters: key 3"),
        ("set_execution_mode", "fast", "pystream.execution-mode: 'fast' .* one of PIPELINED, "),
    ],
)
def test_bad_values_are_refused_and_change_nothing(setter: str, value: object, message: str) -> None:
    configuration = Configuration()
    with pytest.raises(ConfigurationError, match=message):
        getattr(ExecutionConfig(configuration), setter)(value)
    assert configuration.to_dict() == {}


def test_unknown_parallelism_keeps_the_number() -> None:
    config = ExecutionConfig().set_parallelism(5)
    assert config.set_parallelism(ExecutionConfig.PARALLELISM_UNKNOWN).get_parallelism() == 5


def test_job_parameters_are_texts_and_replace_each_other() -> None:
    config = ExecutionConfig().set_global_job_parameters({"a": 1, "b": True, "c": "x: y"})
    assert config.get_global_job_parameters() == {"a": "1", "b": "True", "c": "x: y"}
    assert config.set_global_job_parameters({"d": None}).get_global_job_parameters() == {"d": "None"}


def test_view_and_configuration_agree_both_ways() -> None:
    configuration = Configuration()
    config = ExecutionConfig(configuration)
    configuration.set_string("parallelism.default", "7")
    assert config.get_parallelism() == 7
    config.set_parallelism(8)
    assert configuration.get(options.PARALLELISM) == 8
    assert ExecutionConfig(configuration).get_parallelism() == 8


def test_views_over_equal_settings_are_equal() -> None:
    one, other = ExecutionConfig().set_parallelism(2), ExecutionConfig().set_parallelism(2)
    assert one == other
    assert hash(one) == hash(other)
    assert one != ExecutionConfig()
    assert one != 2
