"""Getters and setters of ExecutionConfig, CheckpointConfig and SerializerConfig over a configuration."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common.configuration import Configuration
from pystream.common.execution_config import ExecutionConfig
from pystream.common.execution_mode import ExecutionMode
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.time import Duration
from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.checkpointing_mode import CheckpointingMode
from pystream.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention
from pystream.errors import ConfigurationError
from pystream.settings.config_view import ConfigView

RETAIN = ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION

# A setting without set_ and get_, a value, and Flink's key and text of it.
SETTINGS: list[tuple[type[ConfigView], str, Any, str, str]] = [
    (ExecutionConfig, "parallelism", 5, "parallelism.default", "5"),
    (ExecutionConfig, "parallelism", -1, "parallelism.default", "-1"),
    (ExecutionConfig, "max_parallelism", 32767, "pipeline.max-parallelism", "32767"),
    (ExecutionConfig, "auto_watermark_interval", 500, "pipeline.auto-watermark-interval", "500 ms"),
    (ExecutionConfig, "latency_tracking_interval", 5, "metrics.latency.interval", "5 ms"),
    (ExecutionConfig, "task_cancellation_interval", 5, "task.cancellation.interval", "5 ms"),
    (ExecutionConfig, "task_cancellation_timeout", 60_000, "task.cancellation.timeout", "1 min"),
    (ExecutionConfig, "execution_mode", ExecutionMode.BATCH, "pystream.execution-mode", "BATCH"),
    (ExecutionConfig, "global_job_parameters", {"a": "1"}, "pipeline.global-job-parameters", "{a: '1'}"),
    (CheckpointConfig, "checkpoint_interval", 300_000, "execution.checkpointing.interval", "5 min"),
    (CheckpointConfig, "checkpoint_timeout", 10, "execution.checkpointing.timeout", "10 ms"),
    (CheckpointConfig, "min_pause_between_checkpoints", 5, "execution.checkpointing.min-pause", "5 ms"),
    (
        CheckpointConfig,
        "max_concurrent_checkpoints",
        2,
        "execution.checkpointing.max-concurrent-checkpoints",
        "2",
    ),
    (
        CheckpointConfig,
        "tolerable_checkpoint_failure_number",
        2,
        "execution.checkpointing.tolerable-failed-checkpoints",
        "2",
    ),
    (
        CheckpointConfig,
        "checkpointing_mode",
        CheckpointingMode.AT_LEAST_ONCE,
        "execution.checkpointing.mode",
        "AT_LEAST_ONCE",
    ),
    *(
        (
            CheckpointConfig,
            name,
            RETAIN,
            "execution.checkpointing.externalized-checkpoint-retention",
            "RETAIN_ON_CANCELLATION",
        )
        for name in ("externalized_checkpoint_cleanup", "externalized_checkpoint_retention")
    ),
    *(
        (
            CheckpointConfig,
            name,
            Duration.of_seconds(90),
            "execution.checkpointing.aligned-checkpoint-timeout",
            "90 s",
        )
        for name in ("aligned_checkpoint_timeout", "alignment_timeout")
    ),
]


@pytest.mark.parametrize(("view", "name", "value", "key", "text"), SETTINGS)
def test_a_setting_is_stored_under_flinks_key_and_read_back(
    view: type[ConfigView], name: str, value: object, key: str, text: str
) -> None:
    configuration = Configuration()
    config = view(configuration)
    assert getattr(config, f"set_{name}")(value) is config
    assert getattr(config, f"get_{name}")() == value
    assert configuration.to_dict() == {key: text}
    assert getattr(view(Configuration.from_dict({key: text})), f"get_{name}")() == value


@pytest.mark.parametrize(
    ("view", "switch", "getter", "when_enabled"),
    [
        (ExecutionConfig, "closure_cleaner", "is_closure_cleaner_enabled", True),
        (ExecutionConfig, "object_reuse", "is_object_reuse_enabled", True),
        (ExecutionConfig, "auto_generated_uids", "has_auto_generated_uids_enabled", True),
        (ExecutionConfig, "force_kryo", "is_force_kryo_enabled", True),
        (ExecutionConfig, "force_avro", "is_force_avro_enabled", True),
        (ExecutionConfig, "generic_types", "has_generic_types_disabled", False),
        (CheckpointConfig, "unaligned_checkpoints", "is_unaligned_checkpoints_enabled", True),
    ],
)
def test_a_switch_is_read_back(view: type[ConfigView], switch: str, getter: str, when_enabled: bool) -> None:
    config = view()
    assert getattr(config, f"disable_{switch}")() is config
    assert getattr(config, getter)() is not when_enabled
    assert getattr(config, f"enable_{switch}")() is config
    assert getattr(config, getter)() is when_enabled


@pytest.mark.parametrize(
    ("view", "setter", "value", "message"),
    [
        (ExecutionConfig, "set_parallelism", 0, "parallelism.default: 0 is not allowed.*at least 1 or -1"),
        (ExecutionConfig, "set_parallelism", 2**31, "parallelism.default"),
        (ExecutionConfig, "set_parallelism", True, "an int .*not True"),
        (
            ExecutionConfig,
            "set_max_parallelism",
            32768,
            "max-parallelism: 32768.*at least 1 and at most 32767",
        ),
        (ExecutionConfig, "set_auto_watermark_interval", -1, "auto-watermark-interval: .*at least 0 ms"),
        (ExecutionConfig, "set_auto_watermark_interval", 1.5, "an int .*not 1.5"),
        (ExecutionConfig, "set_task_cancellation_timeout", -1, "task.cancellation.timeout"),
        (ExecutionConfig, "set_task_cancellation_interval", -1, "task.cancellation.interval"),
        (ExecutionConfig, "set_global_job_parameters", {3: "x"}, "each key is a str, not {3"),
        (ExecutionConfig, "set_execution_mode", "fast", "one of PIPELINED, .* not 'fast'"),
        (CheckpointConfig, "set_checkpoint_interval", 9, "interval: 9 ms .* at least 10 ms"),
        (CheckpointConfig, "set_checkpoint_interval", 10.5, "an int .*not 10.5"),
        (CheckpointConfig, "set_checkpoint_timeout", 9, "timeout: 9 ms .* at least 10 ms"),
        (CheckpointConfig, "set_min_pause_between_checkpoints", -1, "min-pause: .* at least 0 ms"),
        (CheckpointConfig, "set_max_concurrent_checkpoints", 0, "max-concurrent-.*: 0 .* at least 1"),
        (CheckpointConfig, "set_tolerable_checkpoint_failure_number", -1, "tolerable-.*: -1 .* at least 0"),
        (CheckpointConfig, "set_alignment_timeout", Duration.of_seconds(-90), "aligned-checkpoint-timeout"),
        (CheckpointConfig, "set_alignment_timeout", 5, "a Duration .*not 5 .* as alignment_timeout"),
        (CheckpointConfig, "set_checkpointing_mode", 0, "one of EXACTLY_ONCE, AT_LEAST_ONCE.* not 0"),
        (CheckpointConfig, "set_checkpoint_storage", 5, "a CheckpointStorage .*not 5 .* as storage"),
        (CheckpointConfig, "set_checkpoint_storage_dir", "/tmp/x", "has no scheme"),
    ],
)
def test_a_value_out_of_range_is_refused_and_changes_nothing(
    view: type[ConfigView], setter: str, value: object, message: str
) -> None:
    configuration = Configuration()
    with pytest.raises(ConfigurationError, match=message):
        getattr(view(configuration), setter)(value)
    assert configuration.to_dict() == {}


def test_parallelism_unknown_keeps_the_parallelism() -> None:
    config = ExecutionConfig().set_parallelism(5)
    assert config.set_parallelism(ExecutionConfig.PARALLELISM_UNKNOWN).get_parallelism() == 5


def test_job_parameters_are_converted_to_text_and_replace_earlier_ones() -> None:
    config = ExecutionConfig().set_global_job_parameters({"a": 1, "b": True, "c": "x: y"})
    assert config.get_global_job_parameters() == {"a": "1", "b": "True", "c": "x: y"}
    assert config.set_global_job_parameters({"d": None}).get_global_job_parameters() == {"d": "None"}


def test_the_restart_strategy_is_read_back() -> None:
    strategy = RestartStrategies.fixed_delay_restart(3, 1000)
    assert ExecutionConfig().set_restart_strategy(strategy).get_restart_strategy() == strategy


def test_views_of_equal_configurations_are_equal() -> None:
    one, other = ExecutionConfig().set_parallelism(2), ExecutionConfig().set_parallelism(2)
    assert one == other
    assert hash(one) == hash(other)
    assert one != ExecutionConfig()
    assert ExecutionConfig() != CheckpointConfig()
