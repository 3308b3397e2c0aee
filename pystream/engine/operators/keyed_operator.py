"""KeyedOperator: base class of the operators on keyed streams."""

from __future__ import annotations

import pickle
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
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
from pystream.engine.state.backend import KeyedStateBackend, OwnState
from pystream.engine.state.evolution import StateHistory, StateTypes
from pystream.engine.state.keyed_content import (
    KeyedContent,
    KeySlot,
    Place,
    divided,
    divided_timers,
)
from pystream.engine.state.keyed_pages import OWN_PAGE, KeyedPages
from pystream.engine.state.page_store import PageStore
from pystream.engine.state.slots import SlotScope
from pystream.engine.state.state_format import StateFormat
from pystream.engine.state.store import KeyedStateStore
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["KeyedOperator", "PerElement"]


class KeyedOperator(Operator):
    """An operator with keyed state."""

    def __init__(self, spec: OperatorSpec) -> None:
        self._function = pickle.loads(spec.function)
        super().__init__(spec.label, self._user_functions() if spec.is_object else ())
        self._readers = [KeyReader(key, spec.label) for key in spec.keys]
        self._key_types = [key.type_info for key in spec.keys]
        self._scope = KeyScope()
        self._pages: KeyedPages | None = None
        self.takes_columns: bool = any(key.columns is not None for key in spec.keys)

    def _user_functions(self) -> tuple[Any, ...]:
        """Return the function objects to open and close."""
        return (self._function,)

    def own_states(self) -> tuple[OwnState, ...]:
        """Return the states of the operator itself, apart from those of its functions."""
        return ()

    @property
    def layout(self) -> str:
        """The arrangement of its own states, if there are several that cannot restore each other's state."""
        return ""

    def open(self, environment: OperatorEnvironment) -> None:
        self._backend = KeyedStateBackend(environment.clock)
        self._own = {own.descriptor.name: self._backend.own_table(own) for own in self.own_states()}
        self._max_parallelism = environment.subtask.max_parallelism
        context = environment.runtime_context(self._backend.store(self._scope))
        for reader in self._readers:
            reader.open(environment)
        self._prepare(context)
        self._functions.open(context)
        self._format = self._backend.state_format(
            self.label, self._other_types(), has_known_slots=self._has_known_slots
        )

    @property
    def state_format(self) -> StateFormat:
        return self._format

    @property
    def _has_known_slots(self) -> bool:
        """Whether the slots of its state consist of keys and of windows of pystream's classes."""
        return True

    def _other_types(self) -> list[TypeInformation[Any]]:
        """Return the types of what it stores with its keyed state; keys of undeclared type are data."""
        return [known for known in self._key_types if not isinstance(known, PickledBytesTypeInfo)]

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
        self.write_columns()
        scope = SlotScope()
        scope.slot = self.slot_of(key)
        return self._backend.store(scope)

    def drop_expired(self) -> None:
        """Remove expired values from the state."""
        self._backend.drop_expired()

    def count_state_entries(self) -> int:
        """Return the number of slots with state, summed over all states."""
        self.write_columns()
        loaded = self.count_in(KeyedContent(self._backend.tables(), {}, {}, {}))
        return loaded if self._pages is None else loaded + self._pages.count_unloaded()

    def count_state_bytes(self) -> int:
        return 0 if self._pages is None else self._pages.count_bytes()

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        keys = self.read_keys(elements.values, side)
        if self._pages is not None:
            self._pages.touch(keys.distinct_slots)
        return self.process_keyed(elements, keys, side)

    @abstractmethod
    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        """Process elements with their keys."""

    def end_of_key(self) -> Iterator[Event]:
        """Yield the final results of the keys seen so far, which are complete, and discard the keys."""
        for event in self.advance(MAX_WATERMARK):
            if not isinstance(event, Watermark):
                yield event
        self._backend.clear()

    def content(self) -> KeyedContent:
        """Return the loaded state and timers, without expired values; they are live."""
        self.write_columns()
        return KeyedContent(self._backend.snapshot(), {}, {}, {})

    def write_columns(self) -> None:
        """Write state that is held as columns to its tables."""

    def add(self, content: KeyedContent) -> None:
        """Load the state and timers of further keys."""
        for name, table in content.tables.items():
            self._backend.add(name, table)

    def unload(self) -> None:
        """Remove all loaded state and timers."""
        self._backend.clear()

    def split(self, content: KeyedContent, place: Place) -> dict[Any, KeyedContent]:
        """Divide a content into parts by the slots of keys."""
        parts: defaultdict[Any, KeyedContent] = defaultdict(KeyedContent.empty)
        for name, table in content.tables.items():
            for number, part in divided(table, self._key_slot(name), place).items():
                parts[number].tables[name] = part
        of_timer = self._key_slot(None)
        for number, timers in divided_timers(content.event_timers, of_timer, place).items():
            parts[number].event_timers.update(timers)
        for number, timers in divided_timers(content.processing_timers, of_timer, place).items():
            parts[number].processing_timers.update(timers)
        for slot, key in content.keys.items():
            parts[place(slot)].keys[slot] = key
        return parts

    def slots_in(self, content: KeyedContent) -> Iterator[Iterable[Hashable]]:
        """Yield the slots of the keys in a content, some of them repeatedly."""
        for name, table in content.tables.items():
            of_table = self._key_slot(name)
            yield table if of_table is None else map(of_table, table)
        of_timer = self._key_slot(None)
        for timers in (content.event_timers, content.processing_timers):
            for slots in timers.values():
                yield slots if of_timer is None else map(of_timer, slots)

    def versions(self) -> dict[str, int]:
        """Return the number of the current type of each state whose type has changed."""
        return self._backend.types.versions()

    def migrate(self, content: KeyedContent, versions: Mapping[str, int]) -> None:
        """Migrate the values in a content that were stored with earlier types."""
        self._backend.migrate(content.tables, versions)

    def count_in(self, content: KeyedContent) -> int:
        """Return the number of entries of state in a content."""
        return sum(map(len, content.tables.values()))

    def due_in(self, content: KeyedContent) -> tuple[int | None, int | None]:
        """Return the earliest event time and processing time at which something in a content is due."""
        return min(content.event_timers, default=None), min(content.processing_timers, default=None)

    def _key_slot(self, table: str | None) -> KeySlot:
        """Return how the slot of the key is found from a slot of a table, or of a timer for ``None``."""
        return None

    # Checkpoints: one page of its own holds the snapshot without keys, and the directory of the other pages.

    def restore_pages(self, store: PageStore) -> None:
        """Begin an epoch with the state in a store; pages are loaded as they are needed."""
        own = store.get(self.label.uid, OWN_PAGE)
        state, directory, history = (None, (), {}) if own is None else self.state_format.load(own)
        self._backend.restore_types(StateTypes(history))
        if self._pages is None:
            self._pages = KeyedPages(self, self._max_parallelism, self.state_format)
        self._pages.begin(store, self.label.uid, directory)
        self._store, self._own_page = store, own
        self.restore(state)

    def state_types(self) -> StateHistory:
        return self._backend.types.history

    def import_types(self, types: StateHistory) -> None:
        """Begin with state of the types that it has had in another job, before the state itself is imported.

        Raises:
            StateMigrationError: the stored values of a state cannot become those of its type.
        """
        self._backend.restore_types(StateTypes(types))

    def export_pages(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield the saved state: the snapshot as ``OWN_PAGE``, then that of each key group.

        Each comes with the number of its keys.
        """
        assert self._pages is not None
        yield OWN_PAGE, 0, self.state_format.dump(self.snapshot())
        for group, contents in self._pages.by_group():
            slots = {slot for content in contents for some in self.slots_in(content) for slot in some}
            parts = [tuple(content) for content in contents], self.versions()
            yield group, len(slots), self.state_format.dump(parts)

    def import_group(self, exported: bytes) -> None:
        """Add the exported state of the keys of a key group, of types that were imported before."""
        assert self._pages is not None
        contents, versions = self.state_format.load(exported)
        for parts in contents:
            content = KeyedContent(*parts)
            self.migrate(content, versions)
            self._pages.add(content)

    def save_pages(self) -> None:
        """Write the state that has changed to the store."""
        assert self._pages is not None
        if self._backend.has_expiring_state:
            self._pages.sweep()
        directory = self._pages.write_back()
        own = self.state_format.dump((self.snapshot(), directory, self._backend.types.history))
        if own != self._own_page:
            self._store.put(self.label.uid, OWN_PAGE, own)
            self._own_page = own


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
