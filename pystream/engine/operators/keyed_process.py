"""Keyed operators that call a function with each element and each timer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.operators.keyed_contexts import KeyedContext, KeyedTimerService, OnTimerContext
from pystream.engine.operators.keyed_operator import PerElement
from pystream.engine.operators.operator import ElementProcessor
from pystream.engine.operators.timed_operator import TimedOperator
from pystream.engine.results.collector import Collector
from pystream.engine.spec import OperatorSpec
from pystream.engine.time.timers import TimeDomain, Timer

__all__ = ["KeyedElementwise", "KeyedProcess"]

_EVENT_TIME = TimeDomain.EVENT_TIME


class KeyedProcess(TimedOperator):
    """Call the methods of a keyed process function, with one input or two."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        names = ("process_element",) if len(spec.keys) == 1 else ("process_element1", "process_element2")
        self._methods: list[Callable[[Any, Any], Any]] = [getattr(self._function, name) for name in names]
        self._on_timer: Callable[[int, Any], Any] = getattr(self._function, "on_timer", _ignore_timer)

    def _prepare(self, context: RuntimeContext) -> None:
        self._make_contexts()
        super()._prepare(context)

    def _make_contexts(self) -> None:
        """Create the contexts of the function's methods."""
        timer_service = KeyedTimerService(self._timers, self._scope, self._clock)
        self._context = KeyedContext(timer_service, self._scope)
        self._timer_context = OnTimerContext(timer_service, self._scope)

    def _element_processor(self, side: int) -> ElementProcessor:
        method, context, out = self._methods[side], self._context, self._out

        def process(value: Any, timestamp: int) -> None:
            context._timestamp = timestamp
            results = method(value, context)
            if results is not None:
                out.add_all(results, timestamp)

        return process

    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        scope, context = self._scope, self._timer_context
        time, scope.slot, scope.key = timer
        context._timestamp = time
        context._domain = domain
        results = self._on_timer(time, context)
        if results is not None:
            timestamp = time if domain is _EVENT_TIME else NO_TIMESTAMP
            self._out.add_all(results, timestamp)


def _ignore_timer(time: int, context: Any) -> None:
    """Do nothing: the ``on_timer`` of functions without that method."""


class KeyedElementwise(PerElement):
    """Call a function that may use keyed state with each element of one or two inputs.

    Args:
        spec: the operator.
        methods: names of the methods of its function class, one for each input.
        processor: makes the function that processes an element of the user's function and the collector.
    """

    def __init__(
        self,
        spec: OperatorSpec,
        methods: tuple[str, ...],
        processor: Callable[[Callable[[Any], Any], Collector], ElementProcessor],
    ) -> None:
        super().__init__(spec)
        self._make_processor = processor
        self._calls: list[Callable[[Any], Any]] = [
            getattr(self._function, name) if spec.is_object else self._function for name in methods
        ]

    def _element_processor(self, side: int) -> ElementProcessor:
        return self._make_processor(self._calls[side], self._out)
