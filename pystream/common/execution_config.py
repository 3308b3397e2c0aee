"""ExecutionConfig: the execution settings of a job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pystream.arguments.checks import require
from pystream.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings import options
from pystream.settings.modes import ExecutionMode
from pystream.settings.serializer_config import SerializerConfig
from typeinfo.arguments import checks_arguments

__all__ = ["ExecutionConfig"]


@checks_arguments(ArgumentTypeError)
class ExecutionConfig(SerializerConfig):
    """View of the execution settings of a job, which are kept in its configuration.

    Those of serializers, closures, object reuse, uids, latency markers, cancellation, snapshots and the
    exchange of data can be read back, but have no effect.
    Mirrors ``org.apache.flink.api.common.ExecutionConfig``.
    """

    PARALLELISM_DEFAULT: ClassVar[int] = -1
    """Leave the parallelism to the environment."""

    PARALLELISM_UNKNOWN: ClassVar[int] = -2
    """Keep the current parallelism."""

    def set_parallelism(self, parallelism: int) -> Self:
        """Set the default parallelism of operators.

        Args:
            parallelism: at least 1; ``PARALLELISM_DEFAULT`` leaves it to the environment and
                ``PARALLELISM_UNKNOWN`` changes nothing.
        """
        if parallelism == self.PARALLELISM_UNKNOWN:
            return self
        return self._set(options.PARALLELISM, parallelism)

    def get_parallelism(self) -> int:
        """Return the default parallelism of operators, ``PARALLELISM_DEFAULT`` if it is not set."""
        return self._get(options.PARALLELISM)

    def set_max_parallelism(self, max_parallelism: int) -> Self:
        """Set the maximum parallelism, 1 to 32767, which is also the number of key groups."""
        return self._set(options.MAX_PARALLELISM, max_parallelism)

    def get_max_parallelism(self) -> int:
        """Return the maximum parallelism, -1 if it is not set."""
        return self._get(options.MAX_PARALLELISM)

    def set_auto_watermark_interval(self, interval: int) -> Self:
        """Set the interval between periodic watermarks in ms; 0 emits one after every element."""
        return self._set_millis(options.AUTO_WATERMARK_INTERVAL, interval)

    def get_auto_watermark_interval(self) -> int:
        """Return the interval between periodic watermarks in ms."""
        return self._get_millis(options.AUTO_WATERMARK_INTERVAL)

    def set_global_job_parameters(self, global_job_parameters_dict: Mapping[str, Any]) -> Self:
        """Set the parameters that functions read with ``RuntimeContext.get_job_parameter``.

        Args:
            global_job_parameters_dict: replaces those set before; values are kept as ``str(value)``.

        Raises:
            ConfigurationError: a key is not text.
        """
        for key in global_job_parameters_dict:
            if not isinstance(key, str):
                raise ConfigurationError(
                    f"{options.GLOBAL_JOB_PARAMETERS.key}: key {key!r} is not allowed; it takes text"
                )
        texts = {key: str(value) for key, value in global_job_parameters_dict.items()}
        return self._set(options.GLOBAL_JOB_PARAMETERS, texts)

    def get_global_job_parameters(self) -> dict[str, str]:
        """Return the parameters that functions read with ``RuntimeContext.get_job_parameter``."""
        return self._get(options.GLOBAL_JOB_PARAMETERS) or {}

    def set_execution_mode(self, execution_mode: ExecutionMode) -> Self:
        """Set whether data exchange is pipelined or batched."""
        return self._set(options.EXECUTION_MODE, execution_mode)

    def get_execution_mode(self) -> ExecutionMode:
        """Return whether data exchange is pipelined or batched."""
        return self._get(options.EXECUTION_MODE)

    def set_restart_strategy(self, restart_strategy_configuration: RestartStrategyConfiguration) -> Self:
        """Set the restart strategy; a failed job restarts from the start of its bounded input.

        Raises:
            PlanTypeError: it is not a restart strategy.
        """
        wanted = "one of RestartStrategies such as RestartStrategies.no_restart()"
        require(restart_strategy_configuration, RestartStrategyConfiguration, "set_restart_strategy", wanted)
        restart_strategy_configuration.write_to(self._configuration)
        return self

    def get_restart_strategy(self) -> RestartStrategyConfiguration:
        """Return the restart strategy."""
        return RestartStrategies.from_configuration(self._configuration)

    def enable_closure_cleaner(self) -> Self:
        """Remove unused references from the closures of functions."""
        return self._set(options.CLOSURE_CLEANER_LEVEL, options.ClosureCleanerLevel.RECURSIVE)

    def disable_closure_cleaner(self) -> Self:
        """Keep unused references in the closures of functions."""
        return self._set(options.CLOSURE_CLEANER_LEVEL, options.ClosureCleanerLevel.NONE)

    def is_closure_cleaner_enabled(self) -> bool:
        """Return whether unused references are removed from the closures of functions."""
        return self._get(options.CLOSURE_CLEANER_LEVEL) != options.ClosureCleanerLevel.NONE

    def enable_object_reuse(self) -> Self:
        """Allow operators to pass on their input objects without copying."""
        return self._set(options.OBJECT_REUSE, True)

    def disable_object_reuse(self) -> Self:
        """Forbid operators to pass on their input objects without copying."""
        return self._set(options.OBJECT_REUSE, False)

    def is_object_reuse_enabled(self) -> bool:
        """Return whether operators may pass on their input objects without copying."""
        return self._get(options.OBJECT_REUSE)

    def enable_auto_generated_uids(self) -> Self:
        """Allow operators without a uid, for which Flink generates one."""
        return self._set(options.AUTO_GENERATE_UIDS, True)

    def disable_auto_generated_uids(self) -> Self:
        """Require a uid for every operator."""
        return self._set(options.AUTO_GENERATE_UIDS, False)

    def has_auto_generated_uids_enabled(self) -> bool:
        """Return whether operators without a uid are allowed."""
        return self._get(options.AUTO_GENERATE_UIDS)

    def set_latency_tracking_interval(self, interval: int) -> Self:
        """Set the interval of latency markers in ms; 0 disables them."""
        return self._set_millis(options.LATENCY_TRACKING_INTERVAL, interval)

    def get_latency_tracking_interval(self) -> int:
        """Return the interval of latency markers in ms."""
        return self._get_millis(options.LATENCY_TRACKING_INTERVAL)

    def set_task_cancellation_interval(self, interval: int) -> Self:
        """Set the interval between attempts to cancel a task in ms, at least 0."""
        return self._set_millis(options.TASK_CANCELLATION_INTERVAL, interval)

    def get_task_cancellation_interval(self) -> int:
        """Return the interval between attempts to cancel a task in ms."""
        return self._get_millis(options.TASK_CANCELLATION_INTERVAL)

    def set_task_cancellation_timeout(self, timeout: int) -> Self:
        """Set the time that a cancelled task has to stop in ms; 0 for any time."""
        return self._set_millis(options.TASK_CANCELLATION_TIMEOUT, timeout)

    def get_task_cancellation_timeout(self) -> int:
        """Return the time that a cancelled task has to stop in ms."""
        return self._get_millis(options.TASK_CANCELLATION_TIMEOUT)

    def set_use_snapshot_compression(self, use_snapshot_compression: bool) -> Self:
        """Set whether snapshots of state are compressed."""
        return self._set(options.SNAPSHOT_COMPRESSION, use_snapshot_compression)

    def is_use_snapshot_compression(self) -> bool:
        """Return whether snapshots of state are compressed."""
        return self._get(options.SNAPSHOT_COMPRESSION)
