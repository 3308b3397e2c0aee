"""Window operators, driven in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import cloudpickle

from pystream.engine.events import Elements, Event, Watermark
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import KeySpec, OperatorSpec
from pystream.engine.time.clock import ManualClock
from pystream.engine.windows.factory import window_operator
from pystream.engine.windows.operator import WindowOperator
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.kinds import OperatorKind
from tests.unit.engine.driving import opened, snapshot_of
from tests.unit.engine.tasks import operator
from typeinfo import Types
from typeinfo.info import TypeInformation

Make = Callable[[OperatorSpec], WindowOperator]


class Result(NamedTuple):
    """A result with its event time; ``tag`` is that of its side output."""

    value: Any
    timestamp: int | None
    tag: str | None = None


class Gather:
    """Returns key, window and elements."""

    def apply(self, key: Any, window: Any, inputs: Any) -> Any:
        return [(key, window, list(inputs))]


def gather(assigner: Any, trigger: Any = None, **rest: Any) -> WindowPlan:
    """A plan whose results tell all that a window holds."""
    trigger = assigner.get_default_trigger(None) if trigger is None else trigger
    return WindowPlan(assigner=assigner, trigger=trigger, call=WindowCall.APPLY, function=Gather(), **rest)


def plan(assigner: Any, trigger: Any = None, **rest: Any) -> WindowPlan:
    trigger = assigner.get_default_trigger(None) if trigger is None else trigger
    return WindowPlan(assigner=assigner, trigger=trigger, **rest)


class Driver:
    """Feeds one operator; elements are pairs whose first part is the key."""

    def __init__(
        self,
        window_plan: WindowPlan,
        make: Make = window_operator,
        key_type: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY,
        key: Callable[[Any], Any] | None = None,
    ) -> None:
        self.clock = ManualClock()
        self.registry = MetricRegistry()
        kind = OperatorKind("Window", lambda spec, batch: make(spec))
        keys = KeySpec(cloudpickle.dumps(key or _first), key_type)
        self._spec = operator(kind, window_plan, keys=(keys,))
        self.operator: Any = self._opened(None)

    def _opened(self, state: Any) -> Operator:
        return opened(self._spec, snapshot=state, metrics=self.registry.group(), clock=self.clock)

    def replace(self) -> None:
        """Go on with another instance that took over the state."""
        self.operator = self._opened(cloudpickle.loads(cloudpickle.dumps(snapshot_of(self.operator))))

    def add(self, *elements: tuple[Any, int]) -> list[Result]:
        """Feed values with their times, as one batch."""
        values, timestamps = [value for value, _ in elements], [time for _, time in elements]
        return results(self.operator.process(Elements(values, timestamps), 0))

    def add_untimed(self, *values: Any) -> list[Result]:
        return results(self.operator.process(Elements(list(values)), 0))

    def advance(self, watermark: int) -> list[Result]:
        events = list(self.operator.advance(watermark))
        assert events[-1] == Watermark(watermark)
        return results(events[:-1])

    def tick(self, now: int) -> list[Result]:
        self.clock.set(now)
        return results(self.operator.tick())

    def dropped(self) -> int:
        value: Any = self.registry.snapshot()["numLateRecordsDropped"]
        return int(value.count)

    def is_empty(self) -> bool:
        """Return whether the operator has no state of any window."""
        tables, event_timers, processing_timers, _ = self.operator.content()
        return not any(tables.values()) and not event_timers and not processing_timers


def results(events: Iterable[Event]) -> list[Result]:
    found = []
    for event in events:
        assert isinstance(event, Elements)
        times: Any = event.timestamps or [None] * len(event.values)
        found += [Result(value, time, event.tag) for value, time in zip(event.values, times, strict=True)]
    return found


def _first(value: Any) -> Any:
    return value[0]
