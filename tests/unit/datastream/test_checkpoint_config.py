"""CheckpointConfig: defaults, ranges and keys, as PyFlink 2.3 has them unless said otherwise."""

from __future__ import annotations

import pytest

from pystream.common.configuration import Configuration
from pystream.common.time import Duration
from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.checkpoint_storage import FileSystemCheckpointStorage, JobManagerCheckpointStorage
from pystream.datastream.checkpointing_mode import CheckpointingMode
from pystream.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention
from pystream.errors import ConfigurationError
from pystream.settings.modes import ExternalizedCheckpointCleanup


@pytest.mark.promise(
    "beh:checkpoint-interval-minus-one",
    "beh:checkpoint-default-mode",
    "beh:fail-on-errors-default-true",
    "beh:tolerable-default-0",
)
def test_defaults() -> None:
    config = CheckpointConfig()
    assert config.is_checkpointing_enabled() is False
    assert config.get_checkpoint_interval() == -1
    # PyFlink says AT_LEAST_ONCE for as long as checkpoints are off; the documented default is this one.
    assert config.get_checkpointing_mode() is CheckpointConfig.DEFAULT_MODE is CheckpointingMode.EXACTLY_ONCE
    assert config.get_checkpoint_timeout() == CheckpointConfig.DEFAULT_TIMEOUT == 600_000
    assert config.get_min_pause_between_checkpoints() == 0
    assert CheckpointConfig.DEFAULT_MIN_PAUSE_BETWEEN_CHECKPOINTS == 0
    assert config.get_max_concurrent_checkpoints() == 1
    assert CheckpointConfig.DEFAULT_MAX_CONCURRENT_CHECKPOINTS == 1
    assert config.get_tolerable_checkpoint_failure_number() == 0
    assert config.is_fail_on_checkpointing_errors() is True
    assert config.get_externalized_checkpoint_cleanup() is None
    assert (
        config.get_externalized_checkpoint_retention()
        is ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS
    )
    assert config.is_externalized_checkpoints_enabled() is False
    assert config.is_unaligned_checkpoints_enabled() is False
    assert config.is_force_unaligned_checkpoints() is False
    assert config.get_alignment_timeout() == config.get_aligned_checkpoint_timeout() == Duration.of_millis(0)
    assert config.get_checkpoint_storage() is None


@pytest.mark.parametrize(
    ("setter", "value", "key", "text"),
    [
        ("set_checkpoint_interval", 300_000, "execution.checkpointing.interval", "5 min"),
        ("set_checkpoint_timeout", 10, "execution.checkpointing.timeout", "10 ms"),
        ("set_min_pause_between_checkpoints", 500, "execution.checkpointing.min-pause", "500 ms"),
        ("set_max_concurrent_checkpoints", 2, "execution.checkpointing.max-concurrent-checkpoints", "2"),
        (
            "set_tolerable_checkpoint_failure_number",
            2,
            "execution.checkpointing.tolerable-failed-checkpoints",
            "2",
        ),
        (
            "set_fail_on_checkpointing_errors",
            False,
            "execution.checkpointing.tolerable-failed-checkpoints",
            "2147483647",
        ),
        (
            "set_checkpointing_mode",
            CheckpointingMode.AT_LEAST_ONCE,
            "execution.checkpointing.mode",
            "AT_LEAST_ONCE",
        ),
        (
            "set_externalized_checkpoint_retention",
            ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION,
            "execution.checkpointing.externalized-checkpoint-retention",
            "RETAIN_ON_CANCELLATION",
        ),
        ("enable_unaligned_checkpoints", True, "execution.checkpointing.unaligned.enabled", "true"),
        (
            "set_alignment_timeout",
            Duration.of_seconds(90),
            "execution.checkpointing.aligned-checkpoint-timeout",
            "90 s",
        ),
        ("set_force_unaligned_checkpoints", True, "execution.checkpointing.unaligned.forced", "true"),
    ],
)
def test_settings_stand_under_flinks_keys(setter: str, value: object, key: str, text: str) -> None:
    configuration = Configuration()
    config = CheckpointConfig(configuration)
    assert getattr(config, setter)(value) is config
    assert configuration.to_dict() == {key: text}


@pytest.mark.parametrize(
    ("setter", "value", "message"),
    [
        ("set_checkpoint_interval", 9, "execution.checkpointing.interval: 9 ms .* at least 10 ms"),
        ("set_checkpoint_interval", -1, "execution.checkpointing.interval"),
        ("set_checkpoint_interval", 10.5, "10.5 is not an integer"),
        ("set_checkpoint_timeout", 9, "execution.checkpointing.timeout: 9 ms .* at least 10 ms"),
        ("set_min_pause_between_checkpoints", -1, "min-pause: .* at least 0 ms"),
        ("set_max_concurrent_checkpoints", 0, "max-concurrent-checkpoints: 0 .* at least 1"),
        ("set_tolerable_checkpoint_failure_number", -1, "tolerable-failed-checkpoints: -1 .* at least 0"),
        ("set_alignment_timeout", Duration.of_seconds(-90), "aligned-checkpoint-timeout"),
        ("set_alignment_timeout", 5, "aligned-checkpoint-timeout: 5 .* a duration"),
        ("set_checkpointing_mode", 0, "execution.checkpointing.mode: 0 .* EXACTLY_ONCE, AT_LEAST_ONCE"),
        ("set_checkpoint_storage", 5, "execution.checkpointing.storage: 5 .* a CheckpointStorage"),
        ("set_checkpoint_storage_dir", "/tmp/x", "has no scheme"),
    ],
)
def test_bad_values_are_refused_and_change_nothing(setter: str, value: object, message: str) -> None:
    configuration = Configuration()
    with pytest.raises(ConfigurationError, match=message):
        getattr(CheckpointConfig(configuration), setter)(value)
    assert configuration.to_dict() == {}


def test_what_is_set_is_read() -> None:
    config = CheckpointConfig()
    config.set_checkpoint_interval(300_000).set_checkpointing_mode(CheckpointingMode.AT_LEAST_ONCE)
    assert config.is_checkpointing_enabled()
    assert config.get_checkpoint_interval() == 300_000
    assert str(config.get_checkpointing_mode()) == "CheckpointingMode.AT_LEAST_ONCE"
    config.set_checkpoint_timeout(20).set_min_pause_between_checkpoints(30).set_max_concurrent_checkpoints(4)
    assert config.get_checkpoint_timeout() == 20
    assert config.get_min_pause_between_checkpoints() == 30
    assert config.get_max_concurrent_checkpoints() == 4
    assert config.set_force_unaligned_checkpoints().is_force_unaligned_checkpoints() is True
    assert config.set_force_unaligned_checkpoints(False).is_force_unaligned_checkpoints() is False
    assert config.set_aligned_checkpoint_timeout(Duration.of_seconds(1)).get_alignment_timeout() == (
        Duration.of_seconds(1)
    )


def test_externalized_checkpoints_and_failures() -> None:
    config = CheckpointConfig()
    config.enable_externalized_checkpoints(ExternalizedCheckpointCleanup.DELETE_ON_CANCELLATION)
    assert (
        config.get_externalized_checkpoint_cleanup() is ExternalizedCheckpointCleanup.DELETE_ON_CANCELLATION
    )
    config.set_externalized_checkpoint_cleanup(ExternalizedCheckpointCleanup.RETAIN_ON_CANCELLATION)
    config.set_fail_on_checkpointing_errors(False)
    assert config.is_fail_on_checkpointing_errors() is False
    config.set_tolerable_checkpoint_failure_number(2)
    assert config.get_externalized_checkpoint_cleanup() is (
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION
    )
    assert config.is_externalized_checkpoints_enabled() is True
    assert config.is_fail_on_checkpointing_errors() is False
    assert config.get_tolerable_checkpoint_failure_number() == 2
    assert config.set_fail_on_checkpointing_errors(True).get_tolerable_checkpoint_failure_number() == 0
    config.set_externalized_checkpoint_cleanup(ExternalizedCheckpointCleanup.NO_EXTERNALIZED_CHECKPOINTS)
    assert config.is_externalized_checkpoints_enabled() is False


@pytest.mark.promise("beh:exactly-once-unaligned")
def test_unaligned_checkpoints_need_exactly_once() -> None:
    config = CheckpointConfig().set_checkpointing_mode(CheckpointingMode.AT_LEAST_ONCE)
    assert config.enable_unaligned_checkpoints().is_unaligned_checkpoints_enabled() is False
    config.set_checkpointing_mode(CheckpointingMode.EXACTLY_ONCE)
    assert config.is_unaligned_checkpoints_enabled() is True
    assert config.disable_unaligned_checkpoints().is_unaligned_checkpoints_enabled() is False


@pytest.mark.promise("beh:set-storage-string")
def test_storage_by_object_directory_and_text() -> None:
    config = CheckpointConfig()
    assert config.set_checkpoint_storage(JobManagerCheckpointStorage()) is config
    assert isinstance(config.get_checkpoint_storage(), JobManagerCheckpointStorage)
    assert config.set_checkpoint_storage_dir("file:///tmp/chk") is config
    assert config.get_checkpoint_storage() == FileSystemCheckpointStorage(
        "file:///tmp/chk", file_state_size_threshold=20480, write_buffer_size=4096
    )
    storage = config.set_checkpoint_storage("hdfs://checkpoints").get_checkpoint_storage()
    assert isinstance(storage, FileSystemCheckpointStorage)
    assert storage.get_checkpoint_path() == "hdfs://checkpoints"


def test_view_and_configuration_agree_both_ways() -> None:
    configuration = Configuration.from_dict({"execution.checkpointing.interval": "3 min"})
    config = CheckpointConfig(configuration)
    assert config.get_checkpoint_interval() == 180_000
    config.set_checkpoint_interval(10)
    assert CheckpointConfig(configuration).get_checkpoint_interval() == 10
