"""The settings of unbounded jobs, from Flink's keys."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.datastream import (
    CheckpointConfig,
    EmbeddedRocksDBStateBackend,
    ExternalizedCheckpointCleanup,
    FileSystemCheckpointStorage,
    HashMapStateBackend,
    StreamExecutionEnvironment,
)
from pystream.errors import ConfigurationError
from pystream.hosts.unbounded.settings import UnboundedSettings, spark_settings
from pystream.settings.configuration import Configuration

PROVIDER = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )
}


def environment(values: dict[str, str] | None = None) -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(values or {}))


def of(env: StreamExecutionEnvironment) -> UnboundedSettings:
    return UnboundedSettings.of(env.get_configuration())


def test_defaults() -> None:
    assert of(environment()) == UnboundedSettings(spark=PROVIDER)


@pytest.mark.parametrize(
    ("values", "attribute", "expected"),
    [
        ({"execution.checkpointing.dir": "file:///tmp/jobs"}, "directory", "file:///tmp/jobs"),
        ({"state.checkpoints.dir": "file:///tmp/jobs"}, "directory", "file:///tmp/jobs"),
        ({"execution.savepoint.path": "file:///tmp/s"}, "savepoint", "/tmp/s"),
        ({"execution.state-recovery.path": "file:///tmp/s"}, "savepoint", "/tmp/s"),
        ({"execution.savepoint.ignore-unclaimed-state": "true"}, "allow_non_restored_state", True),
        ({"state.savepoints.dir": "file:///tmp/s"}, "savepoint_directory", "file:///tmp/s"),
        ({"pystream.resume": "true"}, "resume", True),
        ({"pystream.batch-interval": "250 ms"}, "batch_interval", 250),
        ({"execution.checkpointing.interval": "1 min"}, "publish_interval", 60_000),
        ({"execution.checkpointing.min-pause": "5 s"}, "min_pause", 5000),
        ({"execution.buffer-timeout": "50 ms"}, "buffer_timeout", 50),
    ],
)
def test_keys(values: dict[str, str], attribute: str, expected: Any) -> None:
    assert getattr(of(environment(values)), attribute) == expected


def test_calls_of_the_api() -> None:
    env = environment()
    env.enable_checkpointing(2000).set_buffer_timeout(-1)
    config: CheckpointConfig = env.get_checkpoint_config()
    config.set_checkpoint_storage(FileSystemCheckpointStorage("file:///tmp/jobs"))
    config.set_externalized_checkpoint_cleanup(ExternalizedCheckpointCleanup.RETAIN_ON_CANCELLATION)
    env.set_default_savepoint_directory("file:///tmp/s")
    found = of(env)
    assert (found.publish_interval, found.directory) == (2000, "file:/tmp/jobs")
    assert found.retention is ExternalizedCheckpointCleanup.RETAIN_ON_CANCELLATION
    assert found.savepoint_directory == "file:///tmp/s"
    assert found.buffer_timeout == found.batch_interval == 2000


@pytest.mark.parametrize("interval", ["0 ms", "soon"])
def test_a_batch_interval_is_a_duration(interval: str) -> None:
    with pytest.raises(ConfigurationError, match=r"pystream\.batch-interval.*at least 1 ms"):
        environment({"pystream.batch-interval": interval})


def test_state_is_in_rocksdb_with_each_backend() -> None:
    for backend in (HashMapStateBackend(), EmbeddedRocksDBStateBackend()):
        env = environment()
        env.set_state_backend(backend)
        assert of(env).spark == PROVIDER


@pytest.mark.parametrize(
    ("values", "key", "expected"),
    [
        ({"execution.checkpointing.num-retained": "1"}, "minBatchesToRetain", "2"),
        ({"state.checkpoints.num-retained": "20"}, "minBatchesToRetain", "20"),
        ({"state.backend.incremental": "true"}, "stateStore.rocksdb.changelogCheckpointing.enabled", "true"),
        (
            {"execution.checkpointing.incremental": "false"},
            "stateStore.rocksdb.changelogCheckpointing.enabled",
            "false",
        ),
    ],
)
def test_settings_of_spark(values: dict[str, str], key: str, expected: str) -> None:
    found = spark_settings(environment(values).get_configuration())
    assert found == {**PROVIDER, f"spark.sql.streaming.{key}": expected}


@pytest.mark.promise("beh:min-pause-single")
def test_when_sinks_publish() -> None:
    at_each_epoch = UnboundedSettings()
    assert at_each_epoch.publishes(5, 5, 5)
    rarely = UnboundedSettings(publish_interval=100, min_pause=50)
    assert not rarely.publishes(99, begin=0, end=10)
    assert rarely.publishes(100, begin=0, end=50)
    assert not rarely.publishes(100, begin=0, end=51)
