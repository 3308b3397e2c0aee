"""FunctionContext: what a function that queries call may know of its task."""

from __future__ import annotations

from typing import Final

from pystream.engine.task_info import JobInfo
from pystream.errors import UnsupportedOperationError

__all__ = ["FunctionContext"]

_NO_DIVISION: Final = (
    "Spark divides the tasks of a query while it runs, so that a function does not know how many there are"
)


class FunctionContext:
    """Information about the job and the task of a function; passed to ``open``.

    Mirrors ``org.apache.flink.table.functions.FunctionContext``.
    """

    def __init__(self, job: JobInfo, task_name: str, index: int, attempt_number: int) -> None:
        self._job = job
        self._task_name = task_name
        self._index = index
        self._attempt_number = attempt_number

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
        """Raise an error: the number of tasks is not known.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(f"get_number_of_parallel_subtasks: {_NO_DIVISION}")

    def get_max_number_of_parallel_subtasks(self) -> int:
        """Raise an error: the number of tasks is not known.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(f"get_max_number_of_parallel_subtasks: {_NO_DIVISION}")

    def get_task_name_with_subtasks(self) -> str:
        """Raise an error: the number of tasks is not known.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(f"get_task_name_with_subtasks: {_NO_DIVISION}")

    def get_metric_group(self) -> None:
        """Raise an error: Spark does not report metrics of functions in queries.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(
            "get_metric_group: metrics of functions in queries are not collected; count in a map() of the "
            "stream of the results, to_data_stream(table)"
        )
