"""Operators of every kind, driven in this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from pystream.engine.events import Elements, Event, Watermark, WatermarkStatus
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.operators.operator import Operator, OperatorEnvironment
from pystream.engine.spec import KeySpec, OperatorSpec
from pystream.engine.state.keyed_content import KeyedContent
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.engine.time.clock import Clock, ManualClock
from pystream.kinds import OperatorKind
from tests.unit.engine.tasks import JOB, operator
from typeinfo import Types
from typeinfo.pickling import dumps


def opened(
    spec: OperatorSpec,
    batch: bool = False,
    snapshot: Any = None,
    job: JobInfo = JOB,
    metrics: MetricGroup | None = None,
    clock: Clock | None = None,
    parallelism: int = 1,
) -> Operator:
    """Return an open operator, with the state of a snapshot if one is given."""
    made: Operator = spec.kind.make(spec, batch)
    subtask = SubtaskInfo(job, 0, parallelism, 128, 0)
    metrics = metrics or MetricRegistry().group("test")
    made.open(OperatorEnvironment(subtask, spec.label.name, metrics, clock or ManualClock()))
    if snapshot is not None:
        state, content = snapshot
        made.restore(state)
        if isinstance(made, KeyedOperator):
            made.add(content)
    return made


def snapshot_of(operator: Operator) -> Any:
    """Return the snapshot of an operator, and the state of its keys if it has any."""
    return operator.snapshot(), operator.content() if isinstance(operator, KeyedOperator) else None


class Driver:
    """Feeds one operator, and collects its results, side outputs and watermarks."""

    def __init__(
        self,
        kind: OperatorKind,
        function: Any,
        keys: Iterable[Callable[[Any], Any]] = (),
        key_type: Any = Types.PICKLED_BYTE_ARRAY,
        batch: bool = False,
        snapshot: bytes | None = None,
        **rest: Any,
    ) -> None:
        keyed = tuple(KeySpec(dumps(key), key_type) for key in keys)
        self.clock = ManualClock()
        self.operator = opened(
            operator(kind, function, keys=keyed, **rest),
            batch,
            None if snapshot is None else pickle.loads(snapshot),
            clock=self.clock,
        )
        self.results: list[Any] = []
        self.times: list[int | None] = []
        self.sides: dict[str, list[Any]] = {}
        self.events: list[Any] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.operator.close()

    def feed(self, values: list[Any], side: int = 0, times: list[int] | None = None) -> None:
        self._take(self.operator.process(Elements(values, times), side))

    def advance(self, watermark: int) -> None:
        self._take(self.operator.advance(watermark))

    def end_group(self) -> None:
        self._take(self.operator.end_group())

    def snapshot(self) -> bytes:
        return pickle.dumps(snapshot_of(self.operator))

    def content(self) -> KeyedContent:
        """Return the state and timers of the operator's keys."""
        keyed = getattr(self.operator, "_operator", self.operator)
        assert isinstance(keyed, KeyedOperator)
        return keyed.content()

    def _take(self, events: Iterator[Event]) -> None:
        for event in events:
            if isinstance(event, (Watermark, WatermarkStatus)):
                self.events.append(event)
            elif event.tag is None:
                self.results += event.values
                self.events += event.values
                self.times += event.timestamps or [None] * len(event.values)
            else:
                self.sides.setdefault(event.tag, []).extend(event.values)
