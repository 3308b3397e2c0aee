"""Every setting there is: Flink's keys, kinds of value, defaults and ranges."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from difflib import get_close_matches
from enum import Enum
from typing import Any

from pystream.durations import Duration
from pystream.errors import ConfigurationError
from pystream.program_warnings import warn_program
from pystream.settings.config_options import ConfigOption, ConfigOptions
from pystream.settings.configuration import Configuration
from pystream.settings.memory_size import MemorySize
from pystream.settings.modes import (
    CheckpointingMode,
    ExecutionMode,
    ExternalizedCheckpointCleanup,
    PredefinedOptions,
    ProgressMode,
    Runner,
    RuntimeExecutionMode,
    TimeCharacteristic,
)

__all__ = ["apply_configuration"]

_key = ConfigOptions.key
_ZERO = Duration(0)
_MAX_INT = 2**31 - 1


class ClosureCleanerLevel(Enum):
    """Depth of Flink's search for references to clean in a function."""

    NONE = 0
    TOP_LEVEL = 1
    RECURSIVE = 2


class LogLevel(Enum):
    """The levels of Flink's logging, as numbers of Python's."""

    OFF = logging.CRITICAL + 1
    ERROR = logging.ERROR
    WARN = logging.WARNING
    WARNING = logging.WARNING  # noqa: PIE796 - Python's name for it
    INFO = logging.INFO
    DEBUG = logging.DEBUG
    TRACE = 1


# The job and its pipeline.
JOB_NAME = _key("pipeline.name").string_type().no_default_value()
RUNTIME_MODE = (
    _key("execution.runtime-mode")
    .enum_type(RuntimeExecutionMode)
    .default_value(RuntimeExecutionMode.STREAMING)
)
PARALLELISM = _key("parallelism.default").int_type().default_value(-1).with_range(minimum=1, also=(-1,))
MAX_PARALLELISM = _key("pipeline.max-parallelism").int_type().default_value(-1).with_range(1, 32767)
OPERATOR_CHAINING = (
    _key("pipeline.operator-chaining.enabled")
    .boolean_type()
    .default_value(True)
    .with_fallback_keys("pipeline.operator-chaining")
)
CHAIN_DIFFERENT_MAX_PARALLELISM = (
    _key("pipeline.operator-chaining.chain-operators-with-different-max-parallelism")
    .boolean_type()
    .default_value(True)
)
TIME_CHARACTERISTIC = (
    _key("pipeline.time-characteristic")
    .enum_type(TimeCharacteristic)
    .default_value(TimeCharacteristic.EventTime)
)
AUTO_WATERMARK_INTERVAL = (
    _key("pipeline.auto-watermark-interval")
    .duration_type()
    .default_value(Duration.of_millis(200))
    .with_range(minimum=_ZERO)
)
BUNDLE_SIZE = _key("python.fn-execution.bundle.size").int_type().default_value(1000).with_range(minimum=1)
BUFFER_TIMEOUT_ENABLED = _key("execution.buffer-timeout.enabled").boolean_type().default_value(True)
BUFFER_TIMEOUT = (
    _key("execution.buffer-timeout.interval")
    .duration_type()
    .default_value(Duration.of_millis(100))
    .with_range(minimum=_ZERO)
    .with_fallback_keys("execution.buffer-timeout")
)
GLOBAL_JOB_PARAMETERS = _key("pipeline.global-job-parameters").map_type().no_default_value()
CACHED_FILES = _key("pipeline.cached-files").string_list_type().no_default_value()
JARS = _key("pipeline.jars").string_list_type().no_default_value()
CLASSPATHS = _key("pipeline.classpaths").string_list_type().no_default_value()
OBJECT_REUSE = _key("pipeline.object-reuse").boolean_type().default_value(False)
AUTO_GENERATE_UIDS = _key("pipeline.auto-generate-uids").boolean_type().default_value(True)
CLOSURE_CLEANER_LEVEL = (
    _key("pipeline.closure-cleaner-level")
    .enum_type(ClosureCleanerLevel)
    .default_value(ClosureCleanerLevel.RECURSIVE)
)
# Flink keeps the execution mode outside its configuration, so the key is ours.
EXECUTION_MODE = (
    _key("pystream.execution-mode").enum_type(ExecutionMode).default_value(ExecutionMode.PIPELINED)
)
LATENCY_TRACKING_INTERVAL = _key("metrics.latency.interval").duration_type().default_value(_ZERO)
TASK_CANCELLATION_INTERVAL = (
    _key("task.cancellation.interval")
    .duration_type()
    .default_value(Duration.of_seconds(30))
    .with_range(minimum=_ZERO)
    .with_fallback_keys("task.cancellation-interval")
)
TASK_CANCELLATION_TIMEOUT = (
    _key("task.cancellation.timeout")
    .duration_type()
    .default_value(Duration.of_minutes(3))
    .with_range(minimum=_ZERO)
)

# Serializers of Flink's Java side.
FORCE_AVRO = _key("pipeline.force-avro").boolean_type().default_value(False)
FORCE_KRYO = _key("pipeline.force-kryo").boolean_type().default_value(False)
GENERIC_TYPES = _key("pipeline.generic-types").boolean_type().default_value(True)
SERIALIZATION_CONFIG = _key("pipeline.serialization-config").string_list_type().no_default_value()

LIFTING = _key("pystream.lifting").boolean_type().default_value(True)
RUNNER = _key("pystream.runner").enum_type(Runner).default_value(Runner.SPARK)
LOCAL_SEED = _key("pystream.local.seed").int_type().no_default_value()
PROGRESS = _key("pystream.progress").enum_type(ProgressMode).default_value(ProgressMode.AUTO)
FIRE_TIMERS_AT_END = _key("pystream.fire-timers-at-end").boolean_type().default_value(True)
QUICK_START = _key("pystream.quick-start").boolean_type().default_value(True)
STRICT_TYPES = _key("pystream.strict-types").boolean_type().default_value(False)

# Python workers.
PYTHON_EXECUTABLE = (
    _key("python.executable").string_type().no_default_value().with_fallback_keys("python.binary.path")
)
PYTHON_FILES = _key("python.files").string_type().no_default_value()
PYTHON_REQUIREMENTS = _key("python.requirements").string_type().no_default_value()
PYTHON_ARCHIVES = _key("python.archives").string_type().no_default_value()

LOG_LEVEL = _key("python.logging.default.level").enum_type(LogLevel).default_value(LogLevel.INFO)
LOG_LEVELS = _key("python.logging.level.overrides").map_type().default_value({})

# Restarts.
RESTART_STRATEGY = (
    _key("restart-strategy.type")
    .names_type("none", "fixed-delay", "failure-rate", "off", "disable")
    .no_default_value()
    .with_fallback_keys("restart-strategy")
)
RESTART_ATTEMPTS = (
    _key("restart-strategy.fixed-delay.attempts").int_type().default_value(1).with_range(minimum=0)
)
RESTART_DELAY = (
    _key("restart-strategy.fixed-delay.delay")
    .duration_type()
    .default_value(Duration.of_seconds(1))
    .with_range(minimum=_ZERO)
)
RESTART_FAILURE_RATE = (
    _key("restart-strategy.failure-rate.max-failures-per-interval")
    .int_type()
    .default_value(1)
    .with_range(minimum=1)
)
RESTART_FAILURE_INTERVAL = (
    _key("restart-strategy.failure-rate.failure-rate-interval")
    .duration_type()
    .default_value(Duration.of_minutes(1))
    .with_range(minimum=Duration.of_millis(1))
)
RESTART_FAILURE_DELAY = (
    _key("restart-strategy.failure-rate.delay")
    .duration_type()
    .default_value(Duration.of_seconds(1))
    .with_range(minimum=_ZERO)
)

# Checkpoints.
CHECKPOINT_INTERVAL = (
    _key("execution.checkpointing.interval")
    .duration_type()
    .no_default_value()
    .with_range(minimum=Duration.of_millis(10))
)
CHECKPOINTING_MODE = (
    _key("execution.checkpointing.mode")
    .enum_type(CheckpointingMode)
    .default_value(CheckpointingMode.EXACTLY_ONCE)
)
CHECKPOINT_TIMEOUT = (
    _key("execution.checkpointing.timeout")
    .duration_type()
    .default_value(Duration.of_minutes(10))
    .with_range(minimum=Duration.of_millis(10))
)
MIN_PAUSE_BETWEEN_CHECKPOINTS = (
    _key("execution.checkpointing.min-pause").duration_type().default_value(_ZERO).with_range(minimum=_ZERO)
)
MAX_CONCURRENT_CHECKPOINTS = (
    _key("execution.checkpointing.max-concurrent-checkpoints")
    .int_type()
    .default_value(1)
    .with_range(minimum=1)
)
TOLERABLE_CHECKPOINT_FAILURES = (
    _key("execution.checkpointing.tolerable-failed-checkpoints")
    .int_type()
    .default_value(0)
    .with_range(minimum=0)
)
EXTERNALIZED_CHECKPOINT_RETENTION = (
    _key("execution.checkpointing.externalized-checkpoint-retention")
    .enum_type(ExternalizedCheckpointCleanup)
    .no_default_value()
)
CHANGELOG_STATE_BACKEND = (
    _key("state.changelog.enabled")
    .boolean_type()
    .no_default_value()
    .with_fallback_keys("state.backend.changelog.enabled")
)
UNALIGNED_CHECKPOINTS = (
    _key("execution.checkpointing.unaligned.enabled")
    .boolean_type()
    .default_value(False)
    .with_fallback_keys("execution.checkpointing.unaligned")
)
FORCE_UNALIGNED_CHECKPOINTS = (
    _key("execution.checkpointing.unaligned.forced").boolean_type().default_value(False)
)
ALIGNED_CHECKPOINT_TIMEOUT = (
    _key("execution.checkpointing.aligned-checkpoint-timeout")
    .duration_type()
    .default_value(_ZERO)
    .with_range(minimum=_ZERO)
    .with_fallback_keys("execution.checkpointing.alignment-timeout")
)
SNAPSHOT_COMPRESSION = (
    _key("execution.checkpointing.snapshot-compression").boolean_type().default_value(False)
)
CHECKPOINT_STORAGE = (
    _key("execution.checkpointing.storage")
    .string_type()
    .no_default_value()
    .with_fallback_keys("state.checkpoint-storage")
)
CHECKPOINT_DIRECTORY = (
    _key("execution.checkpointing.dir")
    .string_type()
    .no_default_value()
    .with_fallback_keys("state.checkpoints.dir", "state.backend.fs.checkpointdir")
)
SAVEPOINT_DIRECTORY = (
    _key("execution.checkpointing.savepoint-dir")
    .string_type()
    .no_default_value()
    .with_fallback_keys("state.savepoints.dir", "savepoints.state.backend.fs.dir")
)
FILE_SIZE_THRESHOLD = (
    _key("execution.checkpointing.data-inline-threshold")
    .memory_type()
    .default_value(MemorySize(20 << 10))
    .with_range(maximum=MemorySize.of_mebi_bytes(1))
    .with_fallback_keys("state.storage.fs.memory-threshold", "state.backend.fs.memory-threshold")
)
WRITE_BUFFER_SIZE = (
    _key("execution.checkpointing.write-buffer-size")
    .int_type()
    .default_value(4096)
    .with_range(minimum=0)
    .with_fallback_keys("state.storage.fs.write-buffer-size", "state.backend.fs.write-buffer-size")
)
# Flink takes this limit from code only, so the key is ours.
MAX_STATE_SIZE = (
    _key("pystream.checkpointing.job-manager.max-state-size")
    .int_type()
    .default_value(5 << 20)
    .with_range(minimum=1)
)

# State backends.
STATE_BACKEND = (
    _key("state.backend.type").string_type().no_default_value().with_fallback_keys("state.backend")
)
INCREMENTAL_CHECKPOINTS = (
    _key("execution.checkpointing.incremental")
    .boolean_type()
    .default_value(False)
    .with_fallback_keys("state.backend.incremental")
)
ASYNCHRONOUS_SNAPSHOTS = _key("state.backend.async").boolean_type().default_value(True)
ROCKSDB_DIRECTORIES = _key("state.backend.rocksdb.localdir").string_list_type().no_default_value()
ROCKSDB_PREDEFINED_OPTIONS = (
    _key("state.backend.rocksdb.predefined-options")
    .enum_type(PredefinedOptions)
    .default_value(PredefinedOptions.DEFAULT)
)
ROCKSDB_OPTIONS_FACTORY = _key("state.backend.rocksdb.options-factory").string_type().no_default_value()
ROCKSDB_TRANSFER_THREADS = (
    _key("state.backend.rocksdb.checkpoint.transfer.thread.num")
    .int_type()
    .default_value(4)
    .with_range(minimum=1)
)

_OPTIONS: tuple[ConfigOption[Any], ...] = tuple(
    value for value in globals().values() if isinstance(value, ConfigOption)
)

_OURS_BEGIN = "pystream."
_KNOWN = frozenset(key for option in _OPTIONS for key in option.keys)
_RESEMBLANCE = 0.85
# Flink's own settings without an effect here whose keys resemble those above.
_NO_MISTAKES = frozenset(
    {
        "execution.checkpointing.num-retained",
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
    """Copy all settings of ``source`` to ``target``; others stay.

    A setting under an older key overrides one under the present key, because it is the newer word. Keys that
    are not Flink's are the program's own; one that almost has the name of a setting is warned about.

    Raises:
        ConfigurationError: a setting in ``source`` is not allowed, or there is none of a key that begins
            with ``pystream.``; ``target`` is unchanged.
    """
    for key in sorted(source.key_set()):
        if key.startswith(_OURS_BEGIN) and key not in _OURS:
            raise ConfigurationError(f"there is no setting {key!r}; {_alternatives(key)}")
    _warn_about_mistakes(source.key_set() - _KNOWN - _NO_MISTAKES)
    known = [(option, source.get(option)) for option in _OPTIONS if source.contains(option)]
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
