"""Operators on a stream connected with a broadcast stream."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import repeat
from typing import Any, ClassVar

from pystream.engine.context import ProcessContext
from pystream.engine.events import NO_TIMESTAMP, Elements, Event
from pystream.engine.failure import TaskFailure, short_repr
from pystream.engine.operators.broadcast.contexts import (
    BroadcastContext,
    BroadcastReadOnlyContext,
    KeyedBroadcastContext,
    KeyedBroadcastOnTimerContext,
    KeyedBroadcastReadOnlyContext,
)
from pystream.engine.operators.broadcast.state import BROADCAST_STATE, BroadcastStates
from pystream.engine.operators.elementwise import Process, timer_calls
from pystream.engine.operators.keyed_contexts import KeyedTimerService
from pystream.engine.operators.keyed_process import KeyedProcess
from pystream.engine.operators.operator import ElementProcessor, Operator, OperatorEnvironment
from pystream.engine.operators.sorted_by_key import SortedByKey
from pystream.engine.spec import BROADCAST_SIDE, OperatorSpec
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.evolution import StateHistory
from pystream.engine.state.keyed_content import KeyedContent
from pystream.engine.state.slots import Table
from pystream.engine.state.state import StateDescriptor
from pystream.engine.state.state_format import StateFormat
from pystream.engine.stored_data import classes_of, is_data
from pystream.engine.time.timers import TimeDomain, Timer
from pystream.kinds import FunctionCall, Given, OperatorKind
from typeinfo.info import TypeInformation

__all__ = ["BROADCAST_PROCESS", "BroadcastProcess", "KeyedBroadcastProcess"]


class BroadcastProcess(Process):
    """Call the methods of a BroadcastProcessFunction."""

    METHODS: ClassVar[tuple[str, ...]] = ("process_element", "process_broadcast_element")

    @classmethod
    def _keyed(cls, spec: OperatorSpec, batch: bool) -> Operator:
        operator = KeyedBroadcastProcess(spec)
        return BroadcastThenSorted(operator) if batch else operator

    def __init__(self, spec: OperatorSpec, function: Any) -> None:
        super().__init__(spec, function)
        self._states = BroadcastStates(spec.broadcast_states)

    def _prepare(self, environment: OperatorEnvironment) -> None:
        super()._prepare(environment)
        self._contexts: tuple[ProcessContext, ...] = (
            BroadcastReadOnlyContext(self._timer_service, self._states),
            BroadcastContext(self._timer_service, self._states),
        )

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        self._context = self._contexts[side]
        yield from super().process(elements, side)

    @property
    def state_format(self) -> StateFormat:
        types = self._states.types
        return StateFormat(self.label, all(map(is_data, types)), classes_of(types))

    def state_types(self) -> StateHistory:
        return _prefixed(self._states.history())

    def snapshot(self) -> Any:
        return self._states.snapshot()

    def restore(self, state: Any) -> None:
        self._states.restore(state)


class KeyedBroadcastProcess(KeyedProcess):
    """Call the methods of a KeyedBroadcastProcessFunction."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        self._states = BroadcastStates(spec.broadcast_states)
        self._process_broadcast: Callable[[Any, Any], Any] = self._function.process_broadcast_element
        self._keys_of_slots: dict[Hashable, Any] = {}
        """The keys with state whose slot is not the key itself."""

    def _make_contexts(self) -> None:
        timer_service = KeyedTimerService(self._timers, self._scope, self._clock)
        self._context = KeyedBroadcastReadOnlyContext(timer_service, self._scope, self._states)
        self._timer_context = KeyedBroadcastOnTimerContext(timer_service, self._scope, self._states)
        self._broadcast_context = KeyedBroadcastContext(timer_service, self._states, self._visit)

    def _element_processor(self, side: int) -> ElementProcessor:
        process = super()._element_processor(side)

        def process_and_keep_key(value: Any, timestamp: int) -> None:
            process(value, timestamp)
            self._keep_key()

        return process_and_keep_key

    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        super()._fire(timer, domain)
        self._keep_key()

    def _keep_key(self) -> None:
        """Keep the current key for as long as it has state."""
        slot, key = self._scope.slot, self._scope.key
        if slot is key:
            return
        if self._backend.holds(slot):
            self._keys_of_slots[slot] = key
        else:
            self._keys_of_slots.pop(slot, None)

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        return self._broadcast(elements) if side == BROADCAST_SIDE else super().process(elements, side)

    def _broadcast(self, elements: Elements) -> Iterator[Event]:
        timestamps = elements.timestamps or repeat(NO_TIMESTAMP)
        arriving = zip(elements.values, timestamps, strict=False)
        while self._process_broadcast_until_full(arriving):
            yield from self._out.take()
        yield from self._out.take()

    def _process_broadcast_until_full(self, arriving: Iterator[tuple[Any, int]]) -> bool:
        """Process elements until the collector is full; return whether it is."""
        context, out = self._broadcast_context, self._out
        value = None
        try:
            for value, timestamp in arriving:
                context._timestamp = timestamp
                out.element = value
                results = self._process_broadcast(value, context)
                if results is not None:
                    out.add_all(results, timestamp)
                if out.is_full:
                    return True
        except BaseException as error:
            raise TaskFailure.of(self.label, error, short_repr(value)) from error
        return False

    def _visit(self, descriptor: StateDescriptor[Any], function: Callable[[Any, Any], object]) -> None:
        scope = self._scope
        if not isinstance(descriptor, StateDescriptor):
            raise StateAccessError(f"apply_to_keyed_state takes a state descriptor, not {descriptor!r}")
        state = self._backend.store(scope)._state(descriptor)
        try:
            for _ in (None,) if self._pages is None else self._pages.each():
                self._visit_loaded(
                    self._backend.snapshot()[descriptor.name], lambda key: function(key, state)
                )
        finally:
            scope.leave()

    def _visit_loaded(self, table: Table, visit: Callable[[Any], object]) -> None:
        for slot in [slot for slot in self._keys_of_slots if not self._backend.holds(slot)]:
            del self._keys_of_slots[slot]
        scope = self._scope
        for slot in list(table):
            scope.slot = slot
            scope.key = self._keys_of_slots.get(slot, slot)
            visit(scope.key)

    def end_of_key(self) -> Iterator[Event]:
        """Yield the final results of the keys seen so far, which are complete, and discard the keys."""
        yield from super().end_of_key()
        self._keys_of_slots.clear()

    def _other_types(self) -> list[TypeInformation[Any]]:
        return [*super()._other_types(), *self._states.types]

    def state_types(self) -> StateHistory:
        return {**super().state_types(), **_prefixed(self._states.history())}

    def import_types(self, types: StateHistory) -> None:
        keyed = {name: history for name, history in types.items() if not name.startswith(BROADCAST_STATE)}
        super().import_types(keyed)

    def snapshot(self) -> Any:
        """Return the event time, and the broadcast states."""
        return super().snapshot(), self._states.snapshot()

    def restore(self, state: Any) -> None:
        watermark, broadcast = (None, None) if state is None else state
        super().restore(watermark)
        self._states.restore(broadcast)

    def merge(self, states: Sequence[Any]) -> Any:
        watermarks, broadcast = zip(*states, strict=True)
        return super().merge(watermarks), broadcast[0]  # which is the same in all

    def content(self) -> KeyedContent:
        return super().content()._replace(keys=self._keys_of_slots)

    def add(self, content: KeyedContent) -> None:
        super().add(content)
        self._keys_of_slots.update(content.keys)

    def unload(self) -> None:
        super().unload()
        self._keys_of_slots.clear()


def _prefixed(history: StateHistory) -> StateHistory:
    return {f"{BROADCAST_STATE}{name}": types for name, types in history.items()}


class BroadcastThenSorted(SortedByKey):
    """Process all broadcast elements first, then the elements of one key after another."""

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        if side == BROADCAST_SIDE:
            return self._operator.process(elements, side)
        return super().process(elements, side)


def _calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    return (
        FunctionCall(function.process_element, (Given.ELEMENT, Given.CONTEXT), many=True),
        FunctionCall(function.process_broadcast_element, (Given.OTHER, Given.CONTEXT), many=True),
        *timer_calls(function),
    )


BROADCAST_PROCESS = OperatorKind(
    "Co-Process-Broadcast", BroadcastProcess.make, inputs=2, side_outputs=True, calls=_calls
)
