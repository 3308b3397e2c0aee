"""Operators of every kind, driven in this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

import cloudpickle

from pystream.engine.events import Elements, Event, Watermark
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.spec import KeySpec, OperatorSpec
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.time.clock import ManualClock
from pystream.kinds import OperatorKind
from tests.unit.engine.tasks import JOB, label
from typeinfo import Types


class Driver:
    """Feeds one operator, which it opens, and keeps what it gives; side outputs and watermarks apart."""

    def __init__(
        self,
        kind: OperatorKind,
        function: Any,
        keys: Iterable[Callable[[Any], Any]] = (),
        key_type: Any = Types.PICKLED_BYTE_ARRAY,
        batch: bool = False,
        snapshot: bytes | None = None,
        **spec: Any,
    ) -> None:
        self.operator = kind.make(
            OperatorSpec(
                label=label(kind.name),
                kind=kind,
                function=cloudpickle.dumps(function),
                is_object=True,
                output_type=Types.PICKLED_BYTE_ARRAY,
                trusted=True,
                consumers=(),
                keys=tuple(KeySpec(cloudpickle.dumps(key), key_type) for key in keys),
                **spec,
            ),
            batch,
        )
        if snapshot is not None:
            self.operator.restore(pickle.loads(snapshot))
        self.clock = ManualClock()
        self.results: list[Any] = []
        self.times: list[int | None] = []
        self.sides: dict[str, list[Any]] = {}
        self.events: list[Any] = []

    def __enter__(self) -> Self:
        subtask = SubtaskInfo(JOB, 0, 1, 128, 0)
        metrics = MetricRegistry().group("test")
        self.operator.open(OperatorEnvironment(subtask, "test", metrics, self.clock))
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
        return pickle.dumps(self.operator.snapshot())

    def _take(self, events: Iterator[Event]) -> None:
        for event in events:
            if isinstance(event, Watermark):
                self.events.append(event)
            elif event.tag is None:
                self.results += event.values
                self.events += event.values
                self.times += event.timestamps or [None] * len(event.values)
            else:
                self.sides.setdefault(event.tag, []).extend(event.values)
