"""HarnessedOperator: the life cycle of a harness's operator: create, restore, open and close."""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.failure import TaskFailure
from pystream.engine.keys import KeyGroups
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.operators.operator import Operator, OperatorEnvironment
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.keyed_content import KeyedContent
from pystream.engine.task_info import Execution, JobInfo, SubtaskInfo
from pystream.engine.time.clock import ManualClock
from typeinfo.errors import PyStreamError

__all__ = ["HarnessError", "HarnessedOperator", "as_raised"]

_JOB = JobInfo("0" * 32, "test", execution=Execution(watermark_interval=0, bundle_size=1))
_MAX_PARALLELISM = 128


class HarnessError(PyStreamError, RuntimeError):
    """A harness was used in a way that its operator does not allow."""


class HarnessedOperator:
    """One operator of one subtask, with its life cycle.

    Args:
        spec: the operator.
    """

    def __init__(self, spec: OperatorSpec) -> None:
        self._name = spec.label.name
        self._clock = ManualClock()
        self._metrics = MetricRegistry()
        self._operator: Operator = self._make_operator(spec)
        self._reached = [NO_TIMESTAMP] * spec.kind.inputs
        self._opened = False
        self._initial: tuple[Any, list[KeyedContent]] | None = None
        self._subtask = SubtaskInfo(_JOB, 0, 1, _MAX_PARALLELISM, 0)
        self._groups = KeyGroups(_MAX_PARALLELISM)

    def _make_operator(self, spec: OperatorSpec) -> Operator:
        operator: Operator = spec.kind.make(spec, False)
        return operator

    def as_subtask(self, index: int, parallelism: int, max_parallelism: int = _MAX_PARALLELISM) -> Self:
        """Act as one of several subtasks, which accepts only elements of its own keys.

        Args:
            index: index of the subtask, from 0.
            parallelism: the number of subtasks.
            max_parallelism: the number of key groups.

        Raises:
            HarnessError: the harness is open already, or the subtask does not exist.
        """
        self._require_closed("as_subtask")
        if not 0 <= index < parallelism <= max_parallelism:
            raise HarnessError(
                f"there is no subtask {index} of {parallelism} with {max_parallelism} key groups: the index "
                f"must be below the parallelism, which must not exceed the number of groups"
            )
        self._subtask = SubtaskInfo(_JOB, index, parallelism, max_parallelism, 0)
        self._groups = KeyGroups(max_parallelism)
        return self

    def subtask_of(self, key: Any) -> int:
        """Return the index of the subtask that a key belongs to.

        Raises:
            HarnessError: the operator has no keys.
        """
        return self._index_of(self._keyed().slot_of(key))

    def initialize_state(self, *snapshots: bytes) -> Self:
        """Restore the state and times of snapshots by other harnesses of the same operator.

        Snapshots may come from all subtasks of another parallelism: each harness restores the keyed state and
        timers of its own keys, as Flink's ``repartitionOperatorState`` does. Event time continues from the
        lowest watermark, the clock from the latest time.

        Args:
            snapshots: the results of ``snapshot`` of all subtasks.

        Raises:
            HarnessError: the harness is open already, or there is no snapshot.
        """
        self._require_closed("initialize_state")
        if not snapshots:
            raise HarnessError(f"initialize_state() of {self._name!r} takes at least one snapshot")
        states, contents, clocks, reached = zip(*map(pickle.loads, snapshots), strict=True)
        self._reached = [min(side) for side in zip(*reached, strict=True)]
        self._clock.set(max(clocks))
        self._initial = self._operator.merge(states), [content for content in contents if content is not None]
        return self

    def open(self) -> Self:
        """Open the function.

        Raises:
            HarnessError: the harness was open before.
        """
        if self._opened:
            raise HarnessError(f"{self._name!r} was opened before: each harness runs once")
        self._opened = True
        metrics = self._metrics.group(self._name)
        with as_raised():
            self._operator.open(OperatorEnvironment(self._subtask, self._name, metrics, self._clock))
            self._restore()
        return self

    def _restore(self) -> None:
        if self._initial is None:
            return
        state, contents = self._initial
        self._operator.restore(state)
        if isinstance(self._operator, KeyedOperator):
            for content in contents:
                own = self._operator.split(content, self._owns).get(True)
                if own is not None:
                    self._operator.add(own)

    def close(self) -> None:
        """Close the function."""
        with as_raised():
            self._operator.close()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(self, *error: object) -> None:
        self.close()

    def snapshot(self) -> bytes:
        """Return the state of the operator, for ``initialize_state`` of a new harness."""
        self._require_open()
        content = self._operator.content() if isinstance(self._operator, KeyedOperator) else None
        state = self._operator.snapshot(), content, self._clock.now(), self._reached
        return pickle.dumps(state, pickle.HIGHEST_PROTOCOL)

    def _index_of(self, slot: Hashable) -> int:
        return self._groups[slot] * self._subtask.parallelism // self._subtask.max_parallelism

    def _owns(self, slot: Hashable) -> bool:
        return self._index_of(slot) == self._subtask.index

    def _require_closed(self, call: str) -> None:
        if self._opened:
            raise HarnessError(f"{self._name!r} is open: call {call}() before open()")

    def _require_open(self) -> None:
        if not self._opened:
            raise HarnessError(
                f"{self._name!r} is not open: call open(), or use the harness in a with statement"
            )

    def _keyed(self) -> KeyedOperator:
        if not isinstance(self._operator, KeyedOperator):
            raise HarnessError(f"{self._name!r} has no keys, and so neither state nor timers")
        return self._operator


@contextmanager
def as_raised() -> Iterator[None]:
    """Let exceptions of user functions pass unchanged within the block."""
    try:
        yield
    except TaskFailure as failure:
        cause = failure.__cause__
        if cause is None:
            raise
    else:
        return
    raise cause  # outside of the handler, so that its cause and context stay unchanged
