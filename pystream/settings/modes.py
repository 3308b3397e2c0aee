"""Modes of programs, hosts, checkpoints and time: the enumerations that settings take."""

from __future__ import annotations

from enum import Enum

__all__ = [
    "CheckpointingMode",
    "ExecutionMode",
    "ExternalizedCheckpointCleanup",
    "PredefinedOptions",
    "ProgressMode",
    "Runner",
    "RuntimeExecutionMode",
    "TimeCharacteristic",
]


class CheckpointingMode(Enum):
    """Guarantee of how often a record is reflected in the state after recovery.

    Spark recovers exactly once whichever is chosen. Mirrors
    ``org.apache.flink.core.execution.CheckpointingMode``.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1


class ExecutionMode(Enum):
    """Choose between pipelined and batched data exchange.

    It has no effect on Spark, whose exchanges are always batched in a bounded job. Mirrors
    ``org.apache.flink.api.common.ExecutionMode``.
    """

    PIPELINED = 0
    PIPELINED_FORCED = 1
    BATCH = 2
    BATCH_FORCED = 3


class ExternalizedCheckpointCleanup(Enum):
    """Choose whether checkpoints outlive the cancellation of their job; those of a failed job always stay.

    Flink 2 calls it ``ExternalizedCheckpointRetention``. Mirrors
    ``org.apache.flink.configuration.ExternalizedCheckpointRetention``.
    """

    DELETE_ON_CANCELLATION = 0
    RETAIN_ON_CANCELLATION = 1
    NO_EXTERNALIZED_CHECKPOINTS = 2


class PredefinedOptions(Enum):
    """Name a RocksDB tuning profile.

    It has no effect on Spark, whose own settings (``spark.sql.streaming.stateStore.rocksdb.*``) tune its
    state store. Mirrors ``org.apache.flink.state.rocksdb.PredefinedOptions``.
    """

    DEFAULT = 0
    SPINNING_DISK_OPTIMIZED = 1
    SPINNING_DISK_OPTIMIZED_HIGH_MEM = 2
    FLASH_SSD_OPTIMIZED = 3


class ProgressMode(Enum):
    """When a job shows on standard error how far it is; AUTO is when that is a terminal."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class Runner(Enum):
    """The host of a program's jobs: Spark, or this process."""

    SPARK = "spark"
    LOCAL = "local"

    def __str__(self) -> str:
        return "Spark" if self is Runner.SPARK else "the local host"


class RuntimeExecutionMode(Enum):
    """Choose the semantics a program runs with.

    ``STREAMING`` works in arrival order and emits rolling results; ``BATCH`` needs bounded sources, works
    key by key and emits final results only; ``AUTOMATIC`` is ``BATCH`` when all sources are bounded, else
    ``STREAMING``. Mirrors ``org.apache.flink.api.common.RuntimeExecutionMode``.
    """

    STREAMING = 0
    BATCH = 1
    AUTOMATIC = 2


class TimeCharacteristic(Enum):
    """Name the clock a program goes by: the machine's, the arrival's, or the one in its elements.

    Mirrors ``org.apache.flink.streaming.api.TimeCharacteristic``.
    """

    ProcessingTime = 0
    IngestionTime = 1
    EventTime = 2
