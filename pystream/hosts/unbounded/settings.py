"""UnboundedSettings: the settings that act on unbounded jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from pystream.engine.connectors.files import absolute_location
from pystream.settings import options
from pystream.settings.configuration import Configuration
from pystream.settings.modes import ExternalizedCheckpointCleanup

__all__ = ["UnboundedSettings", "spark_settings"]

_ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
_STATE_STORE = "spark.sql.streaming.stateStore"
_LEAST_BATCHES = 2  # the last committed batch, and the current one


@dataclass(frozen=True, slots=True)
class UnboundedSettings:
    """The settings that act on unbounded jobs; times are in ms.

    Attributes:
        directory: location of the directory of all jobs; ``None`` for a temporary one.
        resume: whether the job resumes from the state in its directory.
        savepoint: location of the savepoint to start from; empty for none.
        allow_non_restored_state: whether to drop the state of operators that the program no longer has.
        savepoint_directory: location of new savepoints, if none is given; ``None`` if it is not set.
        retention: whether the state of a cancelled job stays.
        publish_interval: time between epochs at whose end sinks publish; 0 for every epoch.
        min_pause: time from the end of such an epoch to the next one.
        batch_interval: the target duration of an epoch.
        buffer_timeout: minimum time from the start of an epoch to the next one with new input.
        spark: settings of Spark for the query.
        real_time: whether the job runs in Spark's Real-Time Mode.
    """

    directory: str | None = None
    resume: bool = False
    savepoint: str = ""
    allow_non_restored_state: bool = False
    savepoint_directory: str | None = None
    retention: ExternalizedCheckpointCleanup | None = None
    publish_interval: int = 0
    min_pause: int = 0
    batch_interval: int = 2000
    buffer_timeout: int = 0
    spark: Mapping[str, str] = field(default_factory=dict)
    real_time: bool = False

    @classmethod
    def of(cls, configuration: Configuration) -> Self:
        """Return the settings in a configuration."""
        interval = configuration.get(options.CHECKPOINT_INTERVAL)
        return cls(
            directory=configuration.get(options.CHECKPOINT_DIRECTORY),
            resume=configuration.get(options.RESUME),
            savepoint=_savepoint(configuration.get(options.SAVEPOINT_PATH)),
            allow_non_restored_state=configuration.get(options.IGNORE_UNCLAIMED_STATE),
            savepoint_directory=configuration.get(options.SAVEPOINT_DIRECTORY),
            retention=configuration.get(options.EXTERNALIZED_CHECKPOINT_RETENTION),
            publish_interval=0 if interval is None else interval.to_millis(),
            min_pause=configuration.get(options.MIN_PAUSE_BETWEEN_CHECKPOINTS).to_millis(),
            batch_interval=configuration.get(options.BATCH_INTERVAL).to_millis(),
            buffer_timeout=_buffer_timeout(configuration),
            spark=spark_settings(configuration),
            real_time=configuration.get(options.REAL_TIME),
        )

    def publishes(self, now: int, begin: int, end: int) -> bool:
        """Return whether sinks publish at the end of an epoch that starts now.

        Args:
            now: processing time in ms.
            begin: when the last epoch started at whose end they did.
            end: when it ended.
        """
        return now >= begin + self.publish_interval and now >= end + self.min_pause


def spark_settings(configuration: Configuration) -> dict[str, str]:
    """Return the settings of Spark that correspond to those of checkpoints and state backends.

    State is always kept in RocksDB, the only store that ``transformWithState`` supports.
    """
    found = {f"{_STATE_STORE}.providerClass": _ROCKSDB}
    if configuration.contains(options.RETAINED_CHECKPOINTS):
        retained = max(configuration.get(options.RETAINED_CHECKPOINTS), _LEAST_BATCHES)
        found["spark.sql.streaming.minBatchesToRetain"] = str(retained)
    if configuration.contains(options.INCREMENTAL_CHECKPOINTS):
        incremental = configuration.get(options.INCREMENTAL_CHECKPOINTS)
        found[f"{_STATE_STORE}.rocksdb.changelogCheckpointing.enabled"] = str(incremental).lower()
    return found


def _savepoint(path: str | None) -> str:
    """Return the location of a savepoint, given that of its directory or of the description in it."""
    return absolute_location(path).rstrip("/").removesuffix("/_metadata") if path else ""


def _buffer_timeout(configuration: Configuration) -> int:
    """Return the minimum time in ms between epochs with new input: 0 unless set, an epoch if set to -1."""
    if not configuration.get(options.BUFFER_TIMEOUT_ENABLED):
        return configuration.get(options.BATCH_INTERVAL).to_millis()
    if not configuration.contains(options.BUFFER_TIMEOUT):
        return 0
    return configuration.get(options.BUFFER_TIMEOUT).to_millis()
