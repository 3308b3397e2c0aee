"""EvictingWindowOperator: a window operator with an evictor."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from pystream.engine.spec import OperatorSpec
from pystream.engine.state.slots import Table
from pystream.engine.windows.contents import ElementContents
from pystream.engine.windows.evictors import TimestampedValue
from pystream.engine.windows.operator import WindowOperator
from typeinfo.serde.copies import copy_of

__all__ = ["EvictingWindowOperator"]


class EvictingWindowOperator(WindowOperator):
    """Store all elements with their timestamps; aggregate those left by the evictor when a window fires."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        self._stored, self._stamped = ElementContents(self._plan.element_type), True

    @property
    def layout(self) -> str:
        return "one by one, with the timestamps of their elements"

    def _migrate_contents(self, table: Table, migration: Callable[[Any], Any]) -> None:
        for held in table.values():
            migrated = migration([element.value for element in held])
            timed = zip(migrated, [element.timestamp for element in held], strict=True)
            held[:] = [TimestampedValue(value, timestamp) for value, timestamp in timed]

    def _evaluate(self, held: list[TimestampedValue], slot: Hashable) -> None:
        evictor, window, context = self._plan.evictor, self._window_scope.window, self._trigger_context
        assert evictor is not None
        elements = list(held)
        evictor.evict_before(elements, len(elements), window, context)
        value = self._contents.read(self._folded([copy_of(element.value) for element in elements]))
        if value is not None:
            self._deliver(value)
        evictor.evict_after(elements, len(elements), window, context)
        if elements:
            self._table[slot] = elements
        else:
            self._table.pop(slot, None)

    def _folded(self, values: list[Any]) -> Any:
        contents = self._contents
        if not values:
            return contents.empty()
        fold = contents.first(values[0])
        for value in values[1:]:
            fold = contents.first(value) if fold is None else contents.more(fold, value)
        return fold
