"""KeyedOperator: base class of the operators on keyed streams."""

from __future__ import annotations

import pickle
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import repeat
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.engine.failure import TaskFailure, short_repr
from pystream.engine.keys import KeyReader, Keys
from pystream.engine.lifecycle import close_all
from pystream.engine.operators.keyed_contexts import KeyScope
from pystream.engine.operators.operator import ElementProcessor, Operator, OperatorEnvironment
from pystream.engine.results.collector import Collector
from pystream.engine.results.copies import ResultCopier
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.backend import KeyedStateBackend
from pystream.engine.state.slots import SlotScope, Table
from pystream.engine.state.store import KeyedStateStore

__all__ = ["KeyedOperator", "PerElement"]


class KeyedOperator(Operator):
    """An operator with keyed state."""

    def __init__(self, spec: OperatorSpec) -> None:
        self._function = pickle.loads(spec.function)
        super().__init__(spec.label, self._user_functions() if spec.is_object else ())
        self._readers = [KeyReader(key, spec.label) for key in spec.keys]
        self._scope = KeyScope()

    def _user_functions(self) -> tuple[Any, ...]:
        """Return the function objects to open and close."""
        return (self._function,)

    def open(self, environment: OperatorEnvironment) -> None:
        self._backend = KeyedStateBackend(environment.clock)
        context = environment.runtime_context(self._backend.store(self._scope))
        for reader in self._readers:
            reader.open(environment)
        self._prepare(context)
        self._functions.open(context)

    @abstractmethod
    def _prepare(self, context: RuntimeContext) -> None:
        """Create the calls of the function; called before the function's own ``open``."""

    def close(self) -> None:
        self._scope.leave()
        close_all([super().close, *(reader.close for reader in self._readers)])

    def read_keys(self, values: Sequence[Any], side: int) -> Keys:
        """Return the keys of a batch, as ``process_keyed`` needs them.

        Raises:
            TaskFailure: an element has no key, or its key cannot be one.
        """
        return self._readers[side].read(values)

    def slot_of(self, key: Any) -> Hashable:
        """Return the slot of a key."""
        return self._readers[0].slot_of(key)

    def has_keys(self, side: int) -> bool:
        """Return whether the elements of an input have keys, as those of a broadcast stream have not."""
        return side < len(self._readers)

    def state_of(self, key: Any) -> KeyedStateStore:
        """Return the state of a key, readable and writable."""
        scope = SlotScope()
        scope.slot = self.slot_of(key)
        return self._backend.store(scope)

    def drop_expired(self) -> None:
        """Remove expired values from the state."""
        self._backend.drop_expired()

    def count_state_entries(self) -> int:
        """Return the number of slots with state, summed over all states."""
        return self._backend.count_entries()

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        return self.process_keyed(elements, self.read_keys(elements.values, side), side)

    @abstractmethod
    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        """Process elements with their keys."""

    def end_of_key(self) -> Iterator[Event]:
        """Yield the final results of the keys seen so far, which are complete, and discard the keys."""
        for event in self.advance(MAX_WATERMARK):
            if not isinstance(event, Watermark):
                yield event
        self._backend.clear()

    def snapshot(self) -> Any:
        return self._backend.snapshot()

    def restore(self, state: Any) -> None:
        self._backend.restore({} if state is None else state)

    def repartition(self, states: Sequence[Any], owns: Callable[[Hashable], bool]) -> Any:
        tables: dict[str, Table] = {}
        for state in states:
            for name, table in state.items():
                self._add_owned(name, table, owns, tables.setdefault(name, {}))
        return tables

    def _add_owned(self, name: str, table: Table, owns: Callable[[Hashable], bool], into: Table) -> None:
        """Copy a table's entries for some keys to another table of the same name."""
        into.update((slot, held) for slot, held in table.items() if owns(self._key_slot(slot, name)))

    def _key_slot(self, slot: Any, table: str | None) -> Hashable:
        """Return the slot of the key that a slot of a table belongs to; for timers, ``table`` is ``None``."""
        key_slot: Hashable = slot
        return key_slot


class PerElement(KeyedOperator):
    """A keyed operator that processes one element at a time."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        self._out = Collector(ResultCopier(spec))

    def _prepare(self, context: RuntimeContext) -> None:
        self._processors = [self._element_processor(side) for side in range(len(self._readers))]

    @abstractmethod
    def _element_processor(self, side: int) -> ElementProcessor:
        """Return the function that processes an element of an input; results go to the collector."""

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        timestamps = elements.timestamps or repeat(NO_TIMESTAMP)
        arriving = zip(elements.values, keys.keys, keys.slots, timestamps, strict=False)
        while self._process_until_full(arriving, self._processors[side]):
            yield from self._out.take()
        self._scope.leave()
        yield from self._out.take()

    def _process_until_full(
        self, arriving: Iterator[tuple[Any, Any, Hashable, int]], process: ElementProcessor
    ) -> bool:
        """Process elements until the collector is full; return whether it is."""
        scope, out = self._scope, self._out
        value = key = None
        try:
            for value, key, slot, timestamp in arriving:
                scope.slot = slot
                scope.key = key
                out.element = value
                process(value, timestamp)
                if out.is_full:
                    return True
        except BaseException as error:
            raise TaskFailure.of(self.label, error, short_repr(value), short_repr(key)) from error
        return False
