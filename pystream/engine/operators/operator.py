"""Operator: base class of the operators of a task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pystream.engine.context import RuntimeContext
from pystream.engine.events import NO_TIMESTAMP, Elements, Event, Watermark, WatermarkStatus
from pystream.engine.failure import OperatorLabel
from pystream.engine.lifecycle import Lifecycle
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.state.evolution import StateHistory
from pystream.engine.state.state_format import StateFormat
from pystream.engine.state.store import KeyedStateStore
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.time.clock import Clock

__all__ = ["Operator", "OperatorEnvironment", "ElementProcessor"]

ElementProcessor = Callable[[Any, int], None]
"""Processes an element of a keyed stream with its timestamp, while the scope is that of its key."""


@dataclass(frozen=True, slots=True)
class OperatorEnvironment:
    """The environment of an operator: its subtask, metrics and clock.

    Attributes:
        subtask: the subtask.
        task_name: the names of the operators of its task.
        metrics: the metrics of its function.
        clock: the clock of processing time.
    """

    subtask: SubtaskInfo
    task_name: str
    metrics: MetricGroup
    clock: Clock

    def runtime_context(self, states: KeyedStateStore | None = None) -> RuntimeContext:
        """Return the context of its functions, with access to keyed state if a store is given."""
        return RuntimeContext(self.subtask, self.task_name, self.metrics, states)


class Operator(ABC):
    """An operator in one subtask: transforms elements and watermarks.

    Args:
        label: its name in messages.
        functions: the function objects to open and close.

    Attributes:
        label: its name in messages.
        takes_columns: whether elements may reach it as ``ColumnValues``.
        keeps_batches: whether batches reach it undivided, as its function is called once for each.
    """

    takes_columns: bool = False
    keeps_batches: ClassVar[bool] = False

    def __init__(self, label: OperatorLabel, functions: Iterable[Any] = ()) -> None:
        self.label = label
        self._functions = Lifecycle(label, functions)

    def open(self, environment: OperatorEnvironment) -> None:
        """Open the user functions; called once, before any element arrives."""
        self._functions.open(environment.runtime_context())

    def close(self) -> None:
        """Close the user functions; called once, after a failure too."""
        self._functions.close()

    @abstractmethod
    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        """Yield the results of a batch of elements, in their order.

        Args:
            elements: the batch, not empty; it must not be changed.
            side: the input that it comes from, 0 or 1.

        Raises:
            TaskFailure: the user function raised; the report names the element.
        """

    def advance(self, watermark: int) -> Iterator[Event]:
        """Yield the results of timers and windows due at a watermark, then the watermark."""
        yield Watermark(watermark)

    def mark(self, status: WatermarkStatus) -> Iterator[Event]:
        """Yield the status of the results, after the status of the input has changed."""
        yield status

    def tick(self) -> Iterator[Event]:
        """Fire the processing-time timers that are due, and yield their results."""
        return iter(())

    def end_group(self) -> Iterator[Event]:
        """Yield the remaining results at the end of a key group, in batch execution."""
        return iter(())

    def end_epoch(self) -> Iterator[Event]:
        """Yield the results that must precede a snapshot, such as those of calls in flight."""
        return iter(())

    def next_timer(self) -> int | None:
        """Return the earliest processing time at which ``tick`` has work to do; ``None`` if there is none."""
        return None

    def count_state_entries(self) -> int:
        """Return the number of entries of its state, including expired ones."""
        return 0

    def count_state_bytes(self) -> int:
        """Return the size of its keyed state in pages, as of the last snapshot; 0 without pages."""
        return 0

    def event_time(self) -> int:
        """Return the event time that its function sees, unless a snapshot holds it."""
        return NO_TIMESTAMP

    def restore_event_time(self, watermark: int) -> None:  # noqa: B027 - most functions see none
        """Set the event time that its function sees."""

    @property
    def state_format(self) -> StateFormat:
        """How its state is stored; known once it is open."""
        return StateFormat(self.label)

    def state_types(self) -> StateHistory:
        """Return the types that its states have had."""
        return {}

    def snapshot(self) -> Any:
        """Return the state of the operator, to be pickled at once; ``None`` if it has none."""
        return None

    def restore(self, state: Any) -> None:  # noqa: B027 - most operators remember nothing
        """Replace all state by the snapshot of another instance; called after ``open``.

        Args:
            state: the snapshot, which the operator takes over; ``None`` for the state of a new operator.
        """

    def merge(self, states: Sequence[Any]) -> Any:
        """Merge the snapshots of several instances into that of their successor, without keyed state.

        It is the first snapshot by default: state without keys is the same in all instances.
        """
        return states[0]
