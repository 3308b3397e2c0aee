"""KeyedGroups: the operators of functions on all elements of a key, of a bounded input."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_BATCH, MAX_WATERMARK, Elements, Event
from pystream.engine.failure import TaskFailure, guarded, short_repr
from pystream.engine.keys import Keys
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.results.collections import COLLECTIONS, are_results
from pystream.engine.results.copies import ResultCopier
from pystream.engine.spec import OperatorSpec
from pystream.kinds import OperatorKind

__all__ = ["CO_GROUP", "GROUP", "KeyedGroups"]

_Group = tuple[Any, list[list[Any]]]  # key, elements by input


class KeyedGroups(KeyedOperator):
    """Collect the elements of each key by input; at the end of the key group, call a function once per key.

    The function object has ``process_group``, which takes a list of elements for each input with keys and
    returns results, and for a broadcast input ``process_broadcast_element``. Memory holds one key group in
    batch execution, else all elements.
    """

    def __init__(self, spec: OperatorSpec, batch: bool) -> None:
        super().__init__(spec)
        self._copies = ResultCopier(spec)
        self._groups: dict[Hashable, _Group] = {}
        self._key: Any = None

    def _prepare(self, context: RuntimeContext) -> None:
        self._process_group: Callable[..., Any] = self._function.process_group

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        if self.has_keys(side):
            return super().process(elements, side)
        for value in elements.values:
            self._function.process_broadcast_element(value)
        return iter(())

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        groups, inputs = self._groups, self._readers
        for value, key, slot in zip(elements.values, keys.keys, keys.slots, strict=True):
            group = groups.get(slot)
            if group is None:
                group = groups[slot] = key, [[] for _ in inputs]
            group[1][side].append(value)
        return iter(())

    def advance(self, watermark: int) -> Iterator[Event]:
        if watermark == MAX_WATERMARK:
            yield from self.end_group()
        yield from super().advance(watermark)

    def end_group(self) -> Iterator[Event]:
        return guarded(
            self._batches(), lambda error: TaskFailure.of(self.label, error, key=short_repr(self._key))
        )

    def _batches(self) -> Iterator[Elements]:
        groups, self._groups = self._groups, {}
        results = iter(self._copies.each(self._results(groups.values())))
        while batch := list(islice(results, MAX_BATCH)):
            yield Elements(batch)

    def _results(self, groups: Iterable[_Group]) -> Iterator[Any]:
        process = self._process_group
        for self._key, elements in groups:
            returned = process(*elements)
            if type(returned) in COLLECTIONS or are_results(returned):
                yield from returned


GROUP = OperatorKind("GroupReduce", KeyedGroups)
CO_GROUP = OperatorKind("CoGroup", KeyedGroups, inputs=2)
