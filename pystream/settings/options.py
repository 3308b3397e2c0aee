"""All configuration options: Flink's keys, types, defaults and ranges."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from difflib import get_close_matches
from enum import Enum
from typing import Any, TypeVar

from pystream.durations import Duration
from pystream.errors import ConfigurationError
from pystream.program_warnings import warn_program
from pystream.settings.config_options import ConfigOption, Range
from pystream.settings.config_values import (
    BOOLEAN,
    DOUBLE,
    DURATION,
    INT,
    MAP,
    MEMORY,
    STRING,
    STRING_LIST,
    ValueType,
    checked,
    enum_of,
    named,
)
from pystream.settings.configuration import Configuration
from pystream.settings.memory_size import MemorySize
from pystream.settings.modes import (
    CheckpointingMode,
    ExecutionMode,
    ExternalizedCheckpointCleanup,
    NotNullEnforcer,
    PredefinedOptions,
    ProgressMode,
    RetryStrategy,
    Runner,
    RuntimeExecutionMode,
    TimeCharacteristic,
)
from pystream.settings.places import require_directory_place, require_file_place
from pystream.zones import time_zone

__all__ = ["apply_configuration"]

T = TypeVar("T")
D = TypeVar("D")

_ZERO = Duration(0)
_STATE_BACKENDS = ("hashmap", "rocksdb", "forst", "jobmanager", "filesystem")


def _check_zone(name: str) -> None:
    if name != "default":
        time_zone(name)


def _check_state_backend(name: str) -> None:
    if name.lower() not in _STATE_BACKENDS and "." not in name:
        raise ValueError(name)


_DIRECTORY = checked(
    STRING, "the path of a directory, which is created if it does not exist", require_directory_place
)
_FILE = checked(STRING, "the path of a file, in a directory", require_file_place)
_ZONE = checked(STRING, "a time zone such as Europe/Rome or GMT-08:00, or 'default'", _check_zone)
_STATE_BACKEND = checked(
    STRING, f"one of {', '.join(_STATE_BACKENDS)}, or the name of a factory class", _check_state_backend
)


class ClosureCleanerLevel(Enum):
    """How deep Flink searches for references to clean in a function."""

    NONE = 0
    TOP_LEVEL = 1
    RECURSIVE = 2


class LogLevel(Enum):
    """Flink's log levels, as numbers of Python's."""

    OFF = logging.CRITICAL + 1
    ERROR = logging.ERROR
    WARN = logging.WARNING
    WARNING = logging.WARNING  # noqa: PIE796 - Python's name for it
    INFO = logging.INFO
    DEBUG = logging.DEBUG
    TRACE = 1


def _option(
    key: str,
    kind: ValueType[T],
    default: D,
    *,
    minimum: Any = None,
    maximum: Any = None,
    also: tuple[Any, ...] = (),
    older: tuple[str, ...] = (),
) -> ConfigOption[T | D]:
    """Return an option with a range, further allowed values and older keys."""
    return ConfigOption(key, kind, default, older, Range(minimum, maximum, also))


# The job and its pipeline.
JOB_NAME = _option("pipeline.name", STRING, None)
RUNTIME_MODE = _option(
    "execution.runtime-mode", enum_of(RuntimeExecutionMode), RuntimeExecutionMode.STREAMING
)
PARALLELISM = _option("parallelism.default", INT, -1, minimum=1, also=(-1,))
MAX_PARALLELISM = _option("pipeline.max-parallelism", INT, -1, minimum=1, maximum=32767)
OPERATOR_CHAINING = _option(
    "pipeline.operator-chaining.enabled", BOOLEAN, True, older=("pipeline.operator-chaining",)
)
CHAIN_DIFFERENT_MAX_PARALLELISM = _option(
    "pipeline.operator-chaining.chain-operators-with-different-max-parallelism", BOOLEAN, True
)
TIME_CHARACTERISTIC = _option(
    "pipeline.time-characteristic", enum_of(TimeCharacteristic), TimeCharacteristic.EventTime
)
AUTO_WATERMARK_INTERVAL = _option(
    "pipeline.auto-watermark-interval", DURATION, Duration.of_millis(200), minimum=_ZERO
)
BUNDLE_SIZE = _option("python.fn-execution.bundle.size", INT, 16_384, minimum=1)
BUFFER_TIMEOUT_ENABLED = _option("execution.buffer-timeout.enabled", BOOLEAN, True)
BUFFER_TIMEOUT = _option(
    "execution.buffer-timeout.interval",
    DURATION,
    Duration.of_millis(100),
    minimum=_ZERO,
    older=("execution.buffer-timeout",),
)
GLOBAL_JOB_PARAMETERS = _option("pipeline.global-job-parameters", MAP, None)
CACHED_FILES = _option("pipeline.cached-files", STRING_LIST, None)
JARS = _option("pipeline.jars", STRING_LIST, None)
CLASSPATHS = _option("pipeline.classpaths", STRING_LIST, None)
OBJECT_REUSE = _option("pipeline.object-reuse", BOOLEAN, False)
AUTO_GENERATE_UIDS = _option("pipeline.auto-generate-uids", BOOLEAN, True)
CLOSURE_CLEANER_LEVEL = _option(
    "pipeline.closure-cleaner-level", enum_of(ClosureCleanerLevel), ClosureCleanerLevel.RECURSIVE
)
# Flink keeps the execution mode outside its configuration, so the key is ours.
EXECUTION_MODE = _option("pystream.execution-mode", enum_of(ExecutionMode), ExecutionMode.PIPELINED)
LATENCY_TRACKING_INTERVAL = _option("metrics.latency.interval", DURATION, _ZERO)
TASK_CANCELLATION_INTERVAL = _option(
    "task.cancellation.interval",
    DURATION,
    Duration.of_seconds(30),
    minimum=_ZERO,
    older=("task.cancellation-interval",),
)
TASK_CANCELLATION_TIMEOUT = _option(
    "task.cancellation.timeout", DURATION, Duration.of_minutes(3), minimum=_ZERO
)

# Flink's Java serializers.
FORCE_AVRO = _option("pipeline.force-avro", BOOLEAN, False)
FORCE_KRYO = _option("pipeline.force-kryo", BOOLEAN, False)
GENERIC_TYPES = _option("pipeline.generic-types", BOOLEAN, True)
SERIALIZATION_CONFIG = _option("pipeline.serialization-config", STRING_LIST, None)

# Settings that Flink does not have.
LIFTING = _option("pystream.lifting", BOOLEAN, True)
RUNNER = _option("pystream.runner", enum_of(Runner), Runner.SPARK)
LOCAL_SEED = _option("pystream.local.seed", INT, None)
PROGRESS = _option("pystream.progress", enum_of(ProgressMode), ProgressMode.AUTO)
METRICS_JSON = _option("pystream.metrics.json", _FILE, None)
FIRE_TIMERS_AT_END = _option("pystream.fire-timers-at-end", BOOLEAN, True)
QUICK_START = _option("pystream.quick-start", BOOLEAN, True)
SPARK_PACKAGES = _option("pystream.spark-packages", STRING_LIST, None)
RESUME = _option("pystream.resume", BOOLEAN, False)
BATCH_INTERVAL = _option(
    "pystream.batch-interval", DURATION, Duration.of_seconds(2), minimum=Duration.of_millis(1)
)
REAL_TIME = _option("pystream.real-time", BOOLEAN, False)
INFER_TYPES = _option("pystream.infer-types", BOOLEAN, True)
STRICT_TYPES = _option("pystream.strict-types", BOOLEAN, False)

# Python workers.
PYTHON_EXECUTABLE = _option("python.executable", STRING, None, older=("python.binary.path",))
PYTHON_FILES = _option("python.files", STRING, None)
PYTHON_REQUIREMENTS = _option("python.requirements", STRING, None)
PYTHON_ARCHIVES = _option("python.archives", STRING, None)

LOG_LEVEL = _option("python.logging.default.level", enum_of(LogLevel), LogLevel.INFO)
LOG_LEVELS = _option("python.logging.level.overrides", MAP, dict[str, str]())

# Restarts.
RESTART_STRATEGY = _option(
    "restart-strategy.type",
    named("none", "fixed-delay", "failure-rate", "exponential-delay", "off", "disable"),
    None,
    older=("restart-strategy",),
)
RESTART_ATTEMPTS = _option("restart-strategy.fixed-delay.attempts", INT, 1, minimum=0)
RESTART_DELAY = _option("restart-strategy.fixed-delay.delay", DURATION, Duration.of_seconds(1), minimum=_ZERO)
RESTART_FAILURE_RATE = _option("restart-strategy.failure-rate.max-failures-per-interval", INT, 1, minimum=1)
RESTART_FAILURE_INTERVAL = _option(
    "restart-strategy.failure-rate.failure-rate-interval",
    DURATION,
    Duration.of_minutes(1),
    minimum=Duration.of_millis(1),
)
RESTART_FAILURE_DELAY = _option(
    "restart-strategy.failure-rate.delay", DURATION, Duration.of_seconds(1), minimum=_ZERO
)
RESTART_INITIAL_BACKOFF = _option(
    "restart-strategy.exponential-delay.initial-backoff",
    DURATION,
    Duration.of_seconds(1),
    minimum=Duration.of_millis(1),
)
RESTART_MAX_BACKOFF = _option(
    "restart-strategy.exponential-delay.max-backoff",
    DURATION,
    Duration.of_minutes(1),
    minimum=Duration.of_millis(1),
)
RESTART_BACKOFF_MULTIPLIER = _option(
    "restart-strategy.exponential-delay.backoff-multiplier", DOUBLE, 1.5, minimum=1
)
RESTART_RESET_THRESHOLD = _option(
    "restart-strategy.exponential-delay.reset-backoff-threshold",
    DURATION,
    Duration.of_hours(1),
    minimum=Duration.of_millis(1),
)
RESTART_JITTER = _option(
    "restart-strategy.exponential-delay.jitter-factor", DOUBLE, 0.1, minimum=0, maximum=1
)
RESTART_ATTEMPTS_BEFORE_RESET = _option(
    "restart-strategy.exponential-delay.attempts-before-reset-backoff", INT, 2**31 - 1, minimum=1
)

# Checkpoints.
CHECKPOINT_INTERVAL = _option(
    "execution.checkpointing.interval", DURATION, None, minimum=Duration.of_millis(10)
)
CHECKPOINTING_MODE = _option(
    "execution.checkpointing.mode", enum_of(CheckpointingMode), CheckpointingMode.EXACTLY_ONCE
)
CHECKPOINT_TIMEOUT = _option(
    "execution.checkpointing.timeout", DURATION, Duration.of_minutes(10), minimum=Duration.of_millis(10)
)
MIN_PAUSE_BETWEEN_CHECKPOINTS = _option("execution.checkpointing.min-pause", DURATION, _ZERO, minimum=_ZERO)
MAX_CONCURRENT_CHECKPOINTS = _option("execution.checkpointing.max-concurrent-checkpoints", INT, 1, minimum=1)
TOLERABLE_CHECKPOINT_FAILURES = _option(
    "execution.checkpointing.tolerable-failed-checkpoints", INT, 0, minimum=0
)
EXTERNALIZED_CHECKPOINT_RETENTION = _option(
    "execution.checkpointing.externalized-checkpoint-retention", enum_of(ExternalizedCheckpointCleanup), None
)
RETAINED_CHECKPOINTS = _option(
    "execution.checkpointing.num-retained", INT, 1, minimum=1, older=("state.checkpoints.num-retained",)
)
CHANGELOG_STATE_BACKEND = _option(
    "state.changelog.enabled", BOOLEAN, None, older=("state.backend.changelog.enabled",)
)
UNALIGNED_CHECKPOINTS = _option(
    "execution.checkpointing.unaligned.enabled", BOOLEAN, False, older=("execution.checkpointing.unaligned",)
)
FORCE_UNALIGNED_CHECKPOINTS = _option("execution.checkpointing.unaligned.forced", BOOLEAN, False)
ALIGNED_CHECKPOINT_TIMEOUT = _option(
    "execution.checkpointing.aligned-checkpoint-timeout",
    DURATION,
    _ZERO,
    minimum=_ZERO,
    older=("execution.checkpointing.alignment-timeout",),
)
SNAPSHOT_COMPRESSION = _option("execution.checkpointing.snapshot-compression", BOOLEAN, False)
CHECKPOINT_STORAGE = _option(
    "execution.checkpointing.storage", STRING, None, older=("state.checkpoint-storage",)
)
CHECKPOINT_DIRECTORY = _option(
    "execution.checkpointing.dir",
    _DIRECTORY,
    None,
    older=("state.checkpoints.dir", "state.backend.fs.checkpointdir"),
)
SAVEPOINT_DIRECTORY = _option(
    "execution.checkpointing.savepoint-dir",
    _DIRECTORY,
    None,
    older=("state.savepoints.dir", "savepoints.state.backend.fs.dir"),
)
# Flink's SavepointConfigOptions.
SAVEPOINT_PATH = _option(
    "execution.state-recovery.path", _DIRECTORY, None, older=("execution.savepoint.path",)
)
IGNORE_UNCLAIMED_STATE = _option(
    "execution.state-recovery.ignore-unclaimed-state",
    BOOLEAN,
    False,
    older=("execution.savepoint.ignore-unclaimed-state",),
)
FILE_SIZE_THRESHOLD = _option(
    "execution.checkpointing.data-inline-threshold",
    MEMORY,
    MemorySize(20 << 10),
    maximum=MemorySize.of_mebi_bytes(1),
    older=("state.storage.fs.memory-threshold", "state.backend.fs.memory-threshold"),
)
WRITE_BUFFER_SIZE = _option(
    "execution.checkpointing.write-buffer-size",
    INT,
    4096,
    minimum=0,
    older=("state.storage.fs.write-buffer-size", "state.backend.fs.write-buffer-size"),
)
# Flink takes this limit from code only, so the key is ours.
MAX_STATE_SIZE = _option("pystream.checkpointing.job-manager.max-state-size", INT, 5 << 20, minimum=1)

# State backends.
STATE_BACKEND = _option("state.backend.type", _STATE_BACKEND, None, older=("state.backend",))
INCREMENTAL_CHECKPOINTS = _option(
    "execution.checkpointing.incremental", BOOLEAN, False, older=("state.backend.incremental",)
)
ASYNCHRONOUS_SNAPSHOTS = _option("state.backend.async", BOOLEAN, True)
ROCKSDB_DIRECTORIES = _option("state.backend.rocksdb.localdir", STRING_LIST, None)
ROCKSDB_PREDEFINED_OPTIONS = _option(
    "state.backend.rocksdb.predefined-options", enum_of(PredefinedOptions), PredefinedOptions.DEFAULT
)
ROCKSDB_OPTIONS_FACTORY = _option("state.backend.rocksdb.options-factory", STRING, None)
ROCKSDB_TRANSFER_THREADS = _option("state.backend.rocksdb.checkpoint.transfer.thread.num", INT, 4, minimum=1)

# Tables.
BUILTIN_CATALOG = _option("table.builtin-catalog-name", STRING, "default_catalog")
BUILTIN_DATABASE = _option("table.builtin-database-name", STRING, "default_database")
LOCAL_TIME_ZONE = _option("table.local-time-zone", _ZONE, "default")
OPTIONS_HINTS = _option("table.dynamic-table-options.enabled", BOOLEAN, True)
SOURCE_IDLE_TIMEOUT = _option("table.exec.source.idle-timeout", DURATION, _ZERO, minimum=_ZERO)
STATE_TTL = _option("table.exec.state.ttl", DURATION, _ZERO, minimum=_ZERO)
NOT_NULL_ENFORCER = _option(
    "table.exec.sink.not-null-enforcer", enum_of(NotNullEnforcer), NotNullEnforcer.ERROR
)

ASYNC_SCALAR_CALLS = _option("table.exec.async-scalar.max-concurrent-operations", INT, 10, minimum=1)
ASYNC_SCALAR_TIMEOUT = _option(
    "table.exec.async-scalar.timeout", DURATION, Duration.of_minutes(3), minimum=Duration.of_millis(1)
)
ASYNC_SCALAR_RETRY_STRATEGY = _option(
    "table.exec.async-scalar.retry-strategy", enum_of(RetryStrategy), RetryStrategy.FIXED_DELAY
)
ASYNC_SCALAR_RETRY_DELAY = _option(
    "table.exec.async-scalar.retry-delay", DURATION, Duration.of_millis(100), minimum=_ZERO
)
ASYNC_SCALAR_ATTEMPTS = _option("table.exec.async-scalar.max-attempts", INT, 3, minimum=1)

_OPTIONS: tuple[ConfigOption[Any], ...] = tuple(
    value for value in globals().values() if isinstance(value, ConfigOption)
)

_OURS_BEGIN = "pystream."
_OPTION_OF = {key: option for option in _OPTIONS for key in option.keys}
_KNOWN = frozenset(_OPTION_OF)
_RESEMBLANCE = 0.85
# Flink's own settings without an effect here whose keys resemble those above.
_NO_MISTAKES = frozenset(
    {
        "pipeline.force-kryo-avro",
        "python.fn-execution.bundle.time",
        "state.backend.forst.options-factory",
        "state.backend.forst.writebuffer.size",
        "state.backend.rocksdb.log.dir",
        "state.backend.rocksdb.writebuffer.size",
        "task.cancellation.timers.timeout",
    }
)
_OURS = [key for option in _OPTIONS for key in option.keys if key.startswith(_OURS_BEGIN)]


def apply_configuration(source: Configuration, target: Configuration) -> None:
    """Copy all settings of ``source`` to ``target``; leave all others unchanged.

    A setting under an older key overrides one under the current key, because it was set later. Other keys
    belong to the program; a warning is issued for one that is similar to a known key.

    Raises:
        ConfigurationError: a setting in ``source`` is not allowed, or there is none of a key that starts
            with ``pystream.``; ``target`` is unchanged.
    """
    for key in sorted(source.key_set()):
        if key.startswith(_OURS_BEGIN) and key not in _OURS:
            raise ConfigurationError(f"there is no setting {key!r}; {_alternatives(key)}")
    _warn_about_mistakes(source.key_set() - _KNOWN - _NO_MISTAKES)
    given = {_OPTION_OF[key].key: _OPTION_OF[key] for key in source.key_set() & _KNOWN}
    known = [(option, source.get(option)) for option in given.values()]
    target.add_all(source)
    for option, value in known:
        target.set(option, value)


def _warn_about_mistakes(unknown: Iterable[str]) -> None:
    resembled = {key: get_close_matches(key, _KNOWN, 1, _RESEMBLANCE) for key in sorted(unknown)}
    mistakes = [f"{key!r} (did you mean {names[0]!r}?)" for key, names in resembled.items() if names]
    if mistakes:
        warn_program(f"unknown settings: {', '.join(mistakes)}; ignored")


def _alternatives(key: str) -> str:
    names = {ours.removeprefix(_OURS_BEGIN): ours for ours in _OURS}
    close = [names[name] for name in get_close_matches(key.removeprefix(_OURS_BEGIN), names)]
    return f"did you mean {' or '.join(map(repr, close))}?" if close else f"there are {', '.join(_OURS)}"
