"""EvictingWindowOperator: a window operator with an evictor."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from pystream.engine.spec import OperatorSpec
from pystream.engine.windows.contents import ElementContents
from pystream.engine.windows.evictors import TimestampedValue
from pystream.engine.windows.operator import WindowOperator
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.serde.copies import copy_of

__all__ = ["EvictingWindowOperator"]


class EvictingWindowOperator(WindowOperator):
    """Store all elements with their timestamps; aggregate those left by the evictor when a window fires."""

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        self._stored, self._stamped = ElementContents(PICKLED_BYTE_ARRAY), True

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
