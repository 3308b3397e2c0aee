"""EnvironmentSettings: the settings of an execution environment, held in one configuration."""

from __future__ import annotations

import os
from typing import Self

from pystream.arguments.checks import check_parallelism, require, require_int
from pystream.common.execution_config import ExecutionConfig
from pystream.common.restart_strategy import RestartStrategyConfiguration
from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.slot_sharing_group import SlotSharingGroup
from pystream.datastream.state_backend import StateBackend
from pystream.durations import Duration
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings.configuration import Configuration
from pystream.settings.modes import CheckpointingMode, RuntimeExecutionMode, TimeCharacteristic
from pystream.settings.options import (
    BUFFER_TIMEOUT,
    BUFFER_TIMEOUT_ENABLED,
    CHAIN_DIFFERENT_MAX_PARALLELISM,
    CHANGELOG_STATE_BACKEND,
    OPERATOR_CHAINING,
    PARALLELISM,
    RUNTIME_MODE,
    SAVEPOINT_DIRECTORY,
    TIME_CHARACTERISTIC,
    apply_configuration,
)
from typeinfo.arguments import checks_arguments

__all__ = ["EnvironmentSettings"]


@checks_arguments(ArgumentTypeError)
class EnvironmentSettings:
    """Settings under Flink's keys, shared by setters, ``configure`` and the command line.

    Args:
        configuration: initial settings, copied.
    """

    _default_local_parallelism: int | None = None

    def __init__(self, configuration: Configuration | None = None) -> None:
        self._configuration = Configuration()
        self._config = ExecutionConfig(self._configuration)
        self._checkpoint_config = CheckpointConfig(self._configuration)
        self._slot_sharing_groups: dict[str, SlotSharingGroup] = {}
        if configuration is not None:
            self.configure(configuration)

    def get_config(self) -> ExecutionConfig:
        """Return the execution settings as a live view: changes apply to this environment."""
        return self._config

    def get_configuration(self) -> Configuration:
        """Return a copy of all settings by key."""
        return Configuration(self._configuration)

    def configure(self, configuration: Configuration) -> None:
        """Apply settings given by Flink's keys; leave all others unchanged.

        Raises:
            ConfigurationError: a value is not allowed.
        """
        require(configuration, Configuration, "configure", "a Configuration")
        apply_configuration(configuration, self._configuration)

    def set_parallelism(self, parallelism: int) -> Self:
        """Set the default parallelism of operators added from now on.

        Args:
            parallelism: at least 1, or -1 for the number of cores of this machine.

        Raises:
            ConfigurationError: it is another number.
        """
        if parallelism != ExecutionConfig.PARALLELISM_DEFAULT:
            check_parallelism(parallelism)
        self._config.set_parallelism(parallelism)
        return self

    def get_parallelism(self) -> int:
        """Return the default parallelism: the configured one, even if -1, or else the number of cores."""
        if self._configuration.contains(PARALLELISM):
            return self._config.get_parallelism()
        return self.get_default_local_parallelism()

    def _resolved_parallelism(self) -> int:
        parallelism = self.get_parallelism()
        return parallelism if parallelism > 0 else self.get_default_local_parallelism()

    def set_max_parallelism(self, max_parallelism: int) -> Self:
        """Set the maximum parallelism, 1 to 32767, which is also the number of key groups."""
        self._config.set_max_parallelism(check_parallelism(max_parallelism, "max parallelism"))
        return self

    def get_max_parallelism(self) -> int:
        """Return the maximum parallelism, -1 if not set."""
        return self._config.get_max_parallelism()

    @classmethod
    def get_default_local_parallelism(cls) -> int:
        """Return the default parallelism of environments that set none; initially the number of cores."""
        if EnvironmentSettings._default_local_parallelism is not None:
            return EnvironmentSettings._default_local_parallelism
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    @classmethod
    def set_default_local_parallelism(cls, parallelism: int) -> None:
        """Set the default parallelism of all environments of this process that set none."""
        EnvironmentSettings._default_local_parallelism = check_parallelism(parallelism)

    def set_runtime_mode(self, execution_mode: RuntimeExecutionMode) -> Self:
        """Choose STREAMING, BATCH or AUTOMATIC semantics, as ``execution.runtime-mode`` does.

        Stateless operators emit the same elements in all modes.
        """
        self._configuration.set(RUNTIME_MODE, execution_mode)
        return self

    def set_buffer_timeout(self, timeout_millis: int) -> Self:
        """Set the flush interval in ms; 0 flushes every element, -1 only full buffers.

        In an unbounded job, it is the minimum time from the start of an epoch to the next one with new input;
        -1 stands for ``pystream.batch-interval``. A bounded job sends full batches.

        Raises:
            ConfigurationError: it is not an int of -1 or more.
        """
        require_int(timeout_millis, "a buffer timeout", -1)
        self._configuration.set(BUFFER_TIMEOUT_ENABLED, timeout_millis >= 0)
        if timeout_millis >= 0:
            self._configuration.set(BUFFER_TIMEOUT, Duration.of_millis(timeout_millis))
        return self

    def get_buffer_timeout(self) -> int:
        """Return the flush interval in ms, -1 for only full buffers."""
        if not self._configuration.get(BUFFER_TIMEOUT_ENABLED):
            return -1
        return self._configuration.get(BUFFER_TIMEOUT).to_millis()

    def disable_operator_chaining(self) -> Self:
        """Run every operator in a task of its own."""
        self._configuration.set(OPERATOR_CHAINING, False)
        return self

    def is_chaining_enabled(self) -> bool:
        """Return whether consecutive operators may be chained into one task."""
        return self._configuration.get(OPERATOR_CHAINING)

    def is_chaining_of_operators_with_different_max_parallelism_enabled(self) -> bool:
        """Return whether operators of different maximum parallelism may be chained."""
        return self._configuration.get(CHAIN_DIFFERENT_MAX_PARALLELISM)

    def register_slot_sharing_group(self, slot_sharing_group: SlotSharingGroup) -> Self:
        """Register a slot sharing group with its resources.

        Accepted for compatibility with Flink; has no effect: the host places the subtasks.
        """
        require(slot_sharing_group, SlotSharingGroup, "register_slot_sharing_group", "a SlotSharingGroup")
        self._slot_sharing_groups[slot_sharing_group.get_name()] = slot_sharing_group
        return self

    def set_restart_strategy(self, restart_strategy_configuration: RestartStrategyConfiguration) -> None:
        """Set the restart strategy; a job restarts from the last checkpoint, a bounded one from the start."""
        self._config.set_restart_strategy(restart_strategy_configuration)

    def get_restart_strategy(self) -> RestartStrategyConfiguration:
        """Return the restart strategy."""
        return self._config.get_restart_strategy()

    def set_stream_time_characteristic(self, characteristic: TimeCharacteristic) -> None:
        """Set the time characteristic; event and ingestion time set the watermark interval to 200 ms."""
        self._configuration.set(TIME_CHARACTERISTIC, characteristic)
        timed = characteristic is not TimeCharacteristic.ProcessingTime
        self._config.set_auto_watermark_interval(200 if timed else 0)

    def get_stream_time_characteristic(self) -> TimeCharacteristic:
        """Return the time characteristic."""
        return self._configuration.get(TIME_CHARACTERISTIC)

    def add_default_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Register a Kryo serializer for a Java class and its subclasses; has no effect."""
        self._config.add_default_kryo_serializer(type_class_name, serializer_class_name)

    def register_type_with_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Register a Kryo serializer for a Java class; has no effect."""
        self._config.register_type_with_kryo_serializer(type_class_name, serializer_class_name)

    def register_type(self, type_class_name: str) -> None:
        """Register a Java class for serialization; has no effect."""
        self._config.register_pojo_type(type_class_name)

    # Checkpoints and state

    def get_checkpoint_config(self) -> CheckpointConfig:
        """Return the checkpoint settings as a live view."""
        return self._checkpoint_config

    def enable_checkpointing(self, interval: int, mode: CheckpointingMode | None = None) -> Self:
        """Set the interval between checkpoints, at which the sinks of an unbounded job publish.

        Bounded jobs take none.

        Args:
            interval: in ms, at least 10.
            mode: EXACTLY_ONCE unless set.
        """
        self._checkpoint_config.set_checkpoint_interval(interval)
        if mode is not None:
            self._checkpoint_config.set_checkpointing_mode(mode)
        return self

    def get_checkpoint_interval(self) -> int:
        """Return the checkpoint interval in ms, -1 if checkpoints are disabled."""
        return self._checkpoint_config.get_checkpoint_interval()

    def get_checkpointing_mode(self) -> CheckpointingMode:
        """Return the checkpointing mode."""
        return self._checkpoint_config.get_checkpointing_mode()

    def get_checkpointing_consistency_mode(self) -> CheckpointingMode:
        """Return the checkpointing mode."""
        return self._checkpoint_config.get_checkpointing_mode()

    def is_unaligned_checkpoints_enabled(self) -> bool:
        """Return whether unaligned checkpoints are enabled."""
        return self._checkpoint_config.is_unaligned_checkpoints_enabled()

    def is_force_unaligned_checkpoints(self) -> bool:
        """Return whether unaligned checkpoints are forced in spite of iterations."""
        return self._checkpoint_config.is_force_unaligned_checkpoints()

    def enable_changelog_state_backend(self, enabled: bool) -> Self:
        """Set whether changes of state are written to a log; has no effect."""
        require(enabled, bool, "enable_changelog_state_backend", "a bool")
        self._configuration.set(CHANGELOG_STATE_BACKEND, enabled)
        return self

    def is_changelog_state_backend_enabled(self) -> bool | None:
        """Return whether the changelog state backend is enabled, ``None`` if not set."""
        return self._configuration.get(CHANGELOG_STATE_BACKEND)

    def set_state_backend(self, state_backend: StateBackend) -> Self:
        """Set the state backend; see `StateBackend` for its effect."""
        require(state_backend, StateBackend, "set_state_backend", "one such as HashMapStateBackend()")
        state_backend.attach(self._configuration)
        return self

    def get_state_backend(self) -> StateBackend | None:
        """Return the state backend, ``None`` if not set."""
        return StateBackend.from_configuration(self._configuration)

    def set_default_savepoint_directory(self, directory: str) -> Self:
        """Set the directory of savepoints of unbounded jobs, if none is given."""
        if not directory:
            raise ConfigurationError("set_default_savepoint_directory: directory is empty; give a URI")
        self._configuration.set(SAVEPOINT_DIRECTORY, directory)
        return self

    def get_default_savepoint_directory(self) -> str | None:
        """Return the default savepoint directory."""
        return self._configuration.get(SAVEPOINT_DIRECTORY)
