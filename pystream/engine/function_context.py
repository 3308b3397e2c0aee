"""FunctionContext: what a function that queries call may know of its task."""

from __future__ import annotations

from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.errors import UnsupportedOperationError

__all__ = ["FunctionContext"]


class FunctionContext:
    """Information about the job and the task of a function; passed to ``open``.

    Mirrors ``org.apache.flink.table.functions.FunctionContext``.

    Args:
        job: the job.
        task_name: the name of the function.
        index: the number of the task among those that call the function.
        attempt_number: the attempt of the task, from 0.
        metrics: the group of the function's metrics.
        subtask: the task as a subtask of an operator, ``None`` if Spark computes the query.
    """

    def __init__(
        self,
        job: JobInfo,
        task_name: str,
        index: int,
        attempt_number: int,
        metrics: MetricGroup,
        subtask: SubtaskInfo | None = None,
    ) -> None:
        self._job = job
        self._task_name = task_name
        self._index = index
        self._attempt_number = attempt_number
        self._metrics = metrics
        self._subtask = subtask

    def get_job_parameter(self, key: str, default_value: str) -> str:
        """Return a global job parameter as text, or ``default_value`` if it is not set."""
        return self._job.parameters.get(key, default_value)

    def get_task_name(self) -> str:
        """Return the name of the function."""
        return self._task_name

    def get_index_of_this_subtask(self) -> int:
        """Return the number of this task among those that call the function, from 0."""
        return self._index

    def get_attempt_number(self) -> int:
        """Return the attempt number of this task, from 0."""
        return self._attempt_number

    def get_number_of_parallel_subtasks(self) -> int:
        """Return the parallelism of the operator that calls the function.

        Raises:
            UnsupportedOperationError: Spark computes the query, and divides its tasks while it runs.
        """
        return self._divided("get_number_of_parallel_subtasks").parallelism

    def get_max_number_of_parallel_subtasks(self) -> int:
        """Return the maximum parallelism of the operator that calls the function.

        Raises:
            UnsupportedOperationError: Spark computes the query, and divides its tasks while it runs.
        """
        return self._divided("get_max_number_of_parallel_subtasks").max_parallelism

    def get_task_name_with_subtasks(self) -> str:
        """Return the name with the 1-based number of the task, such as ``f (3/6)#0``.

        Raises:
            UnsupportedOperationError: Spark computes the query, and divides its tasks while it runs.
        """
        parallelism = self._divided("get_task_name_with_subtasks").parallelism
        return f"{self._task_name} ({self._index + 1}/{parallelism})#{self._attempt_number}"

    def get_metric_group(self) -> MetricGroup:
        """Return the group of the function's metrics, which the result of the job has as accumulators.

        If Spark computes the query, they can be set and read, but are not collected.
        """
        return self._metrics

    def _divided(self, call: str) -> SubtaskInfo:
        if self._subtask is None:
            raise UnsupportedOperationError(
                f"{call}: Spark divides the tasks of a query while it runs, so that a function does not know "
                "how many there are"
            )
        return self._subtask
