"""The runtime context of rich functions, with the names of its methods in Java."""

from __future__ import annotations

from pystream.engine.context import RuntimeContext as EngineContext

__all__ = ["RuntimeContext"]


class RuntimeContext:
    """Information about the task of a function.

    Mirrors ``org.apache.flink.api.common.functions.RuntimeContext``, without state and metrics.

    Args:
        context: that of the engine.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def getTaskName(self) -> str:
        """Return the name of the task: the names of its operators, joined by `` -> ``."""
        return self._context.get_task_name()

    def getTaskNameWithSubtasks(self) -> str:
        """Return the name with the 1-based subtask number, such as ``Map (3/6)#0``."""
        return self._context.get_task_name_with_subtasks()

    def getNumberOfParallelSubtasks(self) -> int:
        """Return the parallelism of the function."""
        return self._context.get_number_of_parallel_subtasks()

    def getMaxNumberOfParallelSubtasks(self) -> int:
        """Return the maximum parallelism, which is the number of key groups."""
        return self._context.get_max_number_of_parallel_subtasks()

    def getIndexOfThisSubtask(self) -> int:
        """Return the number of this subtask, from 0 to parallelism - 1."""
        return self._context.get_index_of_this_subtask()

    def getAttemptNumber(self) -> int:
        """Return the attempt number of this subtask, from 0."""
        return self._context.get_attempt_number()
