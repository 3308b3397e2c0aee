"""Enumerations of settings: modes of execution, hosts, checkpoints and time."""

from __future__ import annotations

from enum import Enum

__all__ = [
    "CheckpointingMode",
    "ExecutionMode",
    "ExternalizedCheckpointCleanup",
    "NotNullEnforcer",
    "PredefinedOptions",
    "ProgressMode",
    "RetryStrategy",
    "Runner",
    "RuntimeExecutionMode",
    "TimeCharacteristic",
]


class CheckpointingMode(Enum):
    """How often a record is reflected in state after recovery.

    It has no effect: an unbounded job is always exactly once. A bounded one restarts at the start of its
    input, and its sinks publish only the output of the successful attempt. Mirrors
    ``org.apache.flink.core.execution.CheckpointingMode``.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1


class ExecutionMode(Enum):
    """Pipelined or batched data exchange.

    It has no effect: the host decides how tasks exchange elements. Mirrors
    ``org.apache.flink.api.common.ExecutionMode``.
    """

    PIPELINED = 0
    PIPELINED_FORCED = 1
    BATCH = 2
    BATCH_FORCED = 3


class ExternalizedCheckpointCleanup(Enum):
    """Whether the state of a cancelled unbounded job is retained; that of a failed job always is.

    Flink 2 calls it ``ExternalizedCheckpointRetention``. Mirrors
    ``org.apache.flink.configuration.ExternalizedCheckpointRetention``.
    """

    DELETE_ON_CANCELLATION = 0
    RETAIN_ON_CANCELLATION = 1
    NO_EXTERNALIZED_CHECKPOINTS = 2


class NotNullEnforcer(Enum):
    """Handling of rows with a null in a NOT NULL column of the table they are written to.

    ``ERROR`` fails the job, ``DROP`` drops the row. Mirrors
    ``org.apache.flink.table.api.config.ExecutionConfigOptions.NotNullEnforcer``.
    """

    ERROR = 0
    DROP = 1


class RetryStrategy(Enum):
    """Retry strategies of asynchronous functions in queries.

    Mirrors ``org.apache.flink.table.api.config.ExecutionConfigOptions.RetryStrategy``.
    """

    NO_RETRY = 0
    FIXED_DELAY = 1


class PredefinedOptions(Enum):
    """RocksDB tuning profiles.

    They have no effect: Spark has its own settings of RocksDB.
    Mirrors ``org.apache.flink.state.rocksdb.PredefinedOptions``.
    """

    DEFAULT = 0
    SPINNING_DISK_OPTIMIZED = 1
    SPINNING_DISK_OPTIMIZED_HIGH_MEM = 2
    FLASH_SSD_OPTIMIZED = 3


class ProgressMode(Enum):
    """When a job shows its progress on standard error; AUTO if that is a terminal."""

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
    """Streaming or batch semantics.

    ``STREAMING`` processes in arrival order and emits rolling results; ``BATCH`` needs bounded sources,
    processes key by key and emits only final results; ``AUTOMATIC`` is ``BATCH`` if all sources are
    bounded, else ``STREAMING``. Mirrors ``org.apache.flink.api.common.RuntimeExecutionMode``.
    """

    STREAMING = 0
    BATCH = 1
    AUTOMATIC = 2


class TimeCharacteristic(Enum):
    """The time that a program uses: processing time, ingestion time or event time.

    Mirrors ``org.apache.flink.streaming.api.TimeCharacteristic``.
    """

    ProcessingTime = 0
    IngestionTime = 1
    EventTime = 2
