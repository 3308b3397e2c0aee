"""The contexts passed to user functions on a worker."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, TypeVar

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.state import StateDescriptor
from pystream.engine.state.store import KeyedStateStore
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.time.clock import Clock
from typeinfo.errors import PyStreamError

__all__ = ["CachedFileError", "ProcessContext", "RuntimeContext", "TimerService", "UnkeyedTimerService"]


S = TypeVar("S")


class CachedFileError(PyStreamError, KeyError):
    """No cached file has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


class RuntimeContext(KeyedStateStore):
    """Information about the task of a function, and access to keyed state; passed to ``open``.

    Mirrors ``org.apache.flink.api.common.functions.RuntimeContext``.
    """

    def __init__(
        self,
        subtask: SubtaskInfo,
        task_name: str,
        metrics: MetricGroup,
        states: KeyedStateStore | None = None,
    ) -> None:
        self._subtask = subtask
        self._task_name = task_name
        self._metrics = metrics
        self._states = states

    def get_task_name(self) -> str:
        """Return the name of the task: the names of its operators, joined by `` -> ``."""
        return self._task_name

    def get_number_of_parallel_subtasks(self) -> int:
        """Return the parallelism of the function."""
        return self._subtask.parallelism

    def get_max_number_of_parallel_subtasks(self) -> int:
        """Return the maximum parallelism, which is the number of key groups."""
        return self._subtask.max_parallelism

    def get_index_of_this_subtask(self) -> int:
        """Return the number of this subtask, from 0 to parallelism - 1."""
        return self._subtask.index

    def get_attempt_number(self) -> int:
        """Return the attempt number of this subtask, from 0."""
        return self._subtask.attempt_number

    def get_task_name_with_subtasks(self) -> str:
        """Return the name with the 1-based subtask number, such as ``Map (3/6)#0``."""
        subtask = self._subtask
        return f"{self._task_name} ({subtask.index + 1}/{subtask.parallelism})#{subtask.attempt_number}"

    def get_job_parameter(self, key: str, default_value: str) -> str:
        """Return a global job parameter as text, or ``default_value`` if it is not set."""
        return self._subtask.job.parameters.get(key, default_value)

    def get_metrics_group(self) -> MetricGroup:
        """Return the metric group of this subtask."""
        return self._metrics

    def get_cached_file(self, name: str) -> Path:
        """Return the local path of a file registered with ``register_cached_file``.

        Raises:
            CachedFileError: no file of that name was registered.
        """
        files = self._subtask.job.cached_files
        if name not in files:
            known = ", ".join(sorted(files)) or "none"
            raise CachedFileError(f"no cached file {name!r}; registered: {known}")
        return Path(files[name])

    def _state(self, descriptor: StateDescriptor[Any, S]) -> S:
        if self._states is None:
            raise StateAccessError(
                f"{self._task_name!r} has no keys, and state belongs to a key: put key_by before the operator"
            )
        return self._states._state(descriptor)


class TimerService(ABC):
    """Read event time and processing time, and register timers for the current key.

    Mirrors ``org.apache.flink.streaming.api.TimerService``.
    """

    @abstractmethod
    def current_watermark(self) -> int:
        """Return the event-time watermark in ms since the Unix epoch; -2^63 before the first one."""

    @abstractmethod
    def current_processing_time(self) -> int:
        """Return the processing time in ms since the Unix epoch."""

    @abstractmethod
    def register_event_time_timer(self, timestamp: int) -> None:
        """Register a timer that fires when the watermark reaches a time, or at the next watermark if it has.

        Raises:
            TimerError: the time is not a 64-bit integer.
            StateAccessError: there is no current key.
        """

    @abstractmethod
    def register_processing_time_timer(self, timestamp: int) -> None:
        """Register a timer that fires when processing time reaches a time, or soon if it has.

        Raises:
            TimerError: the time is not a 64-bit integer.
            StateAccessError: there is no current key.
        """

    @abstractmethod
    def delete_event_time_timer(self, timestamp: int) -> None:
        """Delete the current key's event-time timer at a time, if there is one."""

    @abstractmethod
    def delete_processing_time_timer(self, timestamp: int) -> None:
        """Delete the current key's processing-time timer at a time, if there is one."""


class UnkeyedTimerService(TimerService):
    """The timer service of a stream without keys, which has no timers."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._watermark = NO_TIMESTAMP

    def current_watermark(self) -> int:
        return self._watermark

    def current_processing_time(self) -> int:
        return self._clock.now()

    def register_event_time_timer(self, timestamp: int) -> None:
        """Raise a StateAccessError."""
        raise StateAccessError(
            "timers belong to a key, and this stream has none: use key_by and a keyed function"
        )

    register_processing_time_timer = register_event_time_timer
    delete_event_time_timer = register_event_time_timer
    delete_processing_time_timer = register_event_time_timer


class ProcessContext:
    """Context of ``process_element``; valid only during the call.

    Mirrors ``org.apache.flink.streaming.api.functions.ProcessFunction.Context``.
    """

    def __init__(self, timer_service: TimerService) -> None:
        self._timer_service = timer_service
        self._timestamp = NO_TIMESTAMP

    def timestamp(self) -> int:
        """Return the element's timestamp in ms since the Unix epoch; -2^63 if it has none."""
        return self._timestamp

    def timer_service(self) -> TimerService:
        """Return the timer service."""
        return self._timer_service
