"""ExecutionConfig: the execution settings of a job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pystream.arguments.checks import require
from pystream.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from pystream.errors import ConfigurationError
from pystream.settings import options
from pystream.settings.modes import ExecutionMode
from pystream.settings.serializer_config import SerializerConfig

__all__ = ["ExecutionConfig"]


class ExecutionConfig(SerializerConfig):
    """View of a job's execution settings, which are kept in the job's configuration.

    Mirrors ``org.apache.flink.api.common.ExecutionConfig``.
    """

    PARALLELISM_DEFAULT: ClassVar[int] = -1
    """Leave the parallelism to the environment."""

    PARALLELISM_UNKNOWN: ClassVar[int] = -2
    """Keep the parallelism as it is."""

    def set_parallelism(self, parallelism: int) -> Self:
        """Set the default parallelism of operators.

        Args:
            parallelism: at least 1; ``PARALLELISM_DEFAULT`` leaves it to the environment and
                ``PARALLELISM_UNKNOWN`` changes nothing.

        Raises:
            ConfigurationError: the number is not allowed.
        """
        if parallelism == self.PARALLELISM_UNKNOWN:
            return self
        return self._set(options.PARALLELISM, parallelism)

    def get_parallelism(self) -> int:
        """Return the default parallelism of operators, the number of their partitions on Spark.

        It is ``PARALLELISM_DEFAULT`` unless set.
        """
        return self._configuration.get(options.PARALLELISM)

    def set_max_parallelism(self, max_parallelism: int) -> Self:
        """Set the number of key groups, the bound of any later parallelism.

        Args:
            max_parallelism: 1 to 32767.

        Raises:
            ConfigurationError: the number is not allowed.
        """
        return self._set(options.MAX_PARALLELISM, max_parallelism)

    def get_max_parallelism(self) -> int:
        """Return the number of key groups that keyed state is split into on Spark, too; -1 where not set."""
        return self._configuration.get(options.MAX_PARALLELISM)

    def set_auto_watermark_interval(self, interval: int) -> Self:
        """Set the interval between periodic watermarks.

        Args:
            interval: in milliseconds, at least 0; 0 emits one at the end of every bundle.

        Raises:
            ConfigurationError: the interval is negative or not an integer.
        """
        return self._set_millis(options.AUTO_WATERMARK_INTERVAL, interval)

    def get_auto_watermark_interval(self) -> int:
        """Return the minimum number of milliseconds between two watermarks, on Spark too."""
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
        """Return the global job parameters, which functions can read on the workers, on Spark too."""
        return self._configuration.get(options.GLOBAL_JOB_PARAMETERS) or {}

    def set_execution_mode(self, execution_mode: ExecutionMode) -> Self:
        """Choose pipelined or batched exchange. It has no effect on Spark."""
        return self._set(options.EXECUTION_MODE, execution_mode)

    def get_execution_mode(self) -> ExecutionMode:
        """Return the chosen exchange. It has no effect on Spark, which exchanges as the job's host does."""
        return self._configuration.get(options.EXECUTION_MODE)

    def set_restart_strategy(self, restart_strategy_configuration: RestartStrategyConfiguration) -> Self:
        """Set when a failed job restarts, from the beginning of its bounded input.

        Raises:
            PlanTypeError: it is not a restart strategy.
        """
        require(
            restart_strategy_configuration,
            RestartStrategyConfiguration,
            "set_restart_strategy",
            "one of RestartStrategies such as RestartStrategies.no_restart()",
        )
        restart_strategy_configuration.write_to(self._configuration)
        return self

    def get_restart_strategy(self) -> RestartStrategyConfiguration:
        """Return the restart strategy; jobs on Spark follow it too."""
        return RestartStrategies.from_configuration(self._configuration)

    def enable_closure_cleaner(self) -> Self:
        """Clean the references of functions. It has no effect on Spark."""
        return self._set(options.CLOSURE_CLEANER_LEVEL, options.ClosureCleanerLevel.RECURSIVE)

    def disable_closure_cleaner(self) -> Self:
        """Do not clean the references of functions. It has no effect on Spark."""
        return self._set(options.CLOSURE_CLEANER_LEVEL, options.ClosureCleanerLevel.NONE)

    def is_closure_cleaner_enabled(self) -> bool:
        """Return whether references are cleaned. No effect on Spark: functions are pickled by value."""
        return self._configuration.get(options.CLOSURE_CLEANER_LEVEL) != options.ClosureCleanerLevel.NONE

    def enable_object_reuse(self) -> Self:
        """Allow operators to pass on their input objects without copying. It has no effect on Spark."""
        return self._set(options.OBJECT_REUSE, True)

    def disable_object_reuse(self) -> Self:
        """Forbid operators to pass on their input objects without copying. It has no effect on Spark."""
        return self._set(options.OBJECT_REUSE, False)

    def is_object_reuse_enabled(self) -> bool:
        """Return whether operators may pass on their input objects without copying.

        It has no effect on Spark: functions that share an element of a mutable type get copies.
        """
        return self._configuration.get(options.OBJECT_REUSE)

    def enable_auto_generated_uids(self) -> Self:
        """Allow operators without a uid; Flink generates one. It has no effect on Spark."""
        return self._set(options.AUTO_GENERATE_UIDS, True)

    def disable_auto_generated_uids(self) -> Self:
        """Require a uid on every operator. It has no effect on Spark."""
        return self._set(options.AUTO_GENERATE_UIDS, False)

    def has_auto_generated_uids_enabled(self) -> bool:
        """Return whether uids are generated. No effect on Spark, where a missing uid is always derived."""
        return self._configuration.get(options.AUTO_GENERATE_UIDS)

    def set_latency_tracking_interval(self, interval: int) -> Self:
        """Set the interval of latency markers in milliseconds; 0 disables them. It has no effect on Spark."""
        return self._set_millis(options.LATENCY_TRACKING_INTERVAL, interval)

    def get_latency_tracking_interval(self) -> int:
        """Return the interval of latency markers in milliseconds. It has no effect on Spark."""
        return self._get_millis(options.LATENCY_TRACKING_INTERVAL)

    def set_task_cancellation_interval(self, interval: int) -> Self:
        """Set the milliseconds between two attempts to cancel a task. It has no effect on Spark.

        Raises:
            ConfigurationError: the interval is negative or not an integer.
        """
        return self._set_millis(options.TASK_CANCELLATION_INTERVAL, interval)

    def get_task_cancellation_interval(self) -> int:
        """Return the milliseconds between two attempts to cancel a task. It has no effect on Spark."""
        return self._get_millis(options.TASK_CANCELLATION_INTERVAL)

    def set_task_cancellation_timeout(self, timeout: int) -> Self:
        """Set the milliseconds a cancelled task has to stop; 0 for no limit. It has no effect on Spark.

        Raises:
            ConfigurationError: the timeout is negative or not an integer.
        """
        return self._set_millis(options.TASK_CANCELLATION_TIMEOUT, timeout)

    def get_task_cancellation_timeout(self) -> int:
        """Return the milliseconds a cancelled task has to stop. It has no effect on Spark."""
        return self._get_millis(options.TASK_CANCELLATION_TIMEOUT)

    def set_use_snapshot_compression(self, use_snapshot_compression: bool) -> Self:
        """Choose whether state snapshots are compressed. It has no effect on Spark."""
        return self._set(options.SNAPSHOT_COMPRESSION, use_snapshot_compression)

    def is_use_snapshot_compression(self) -> bool:
        """Return whether state snapshots are compressed. It has no effect on Spark, which always does."""
        return self._configuration.get(options.SNAPSHOT_COMPRESSION)
