"""ListState: state that holds a list per key."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from pystream.engine.state.checks import check_of
from pystream.engine.state.slots import Check, Expiry, SlotScope, Table
from pystream.engine.state.state import MergingState, SlotState, StateDescriptor, merge_by_adding
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.collection import ListTypeInfo
from typeinfo.info import TypeInformation, require_type

__all__ = ["ListState", "ListStateDescriptor"]

T = TypeVar("T")


class ListState(MergingState[T, Iterable[T]]):
    """State that holds a list per key. Mirrors ``org.apache.flink.api.common.state.ListState``."""

    @abstractmethod
    def get(self) -> Iterable[T]:
        """Return the elements in the order they were added; empty if there are none."""

    @abstractmethod
    def add_all(self, values: list[T]) -> None:
        """Add all values in their order."""

    @abstractmethod
    def update(self, values: list[T]) -> None:
        """Replace the list."""

    def __iter__(self) -> Iterator[T]:
        return iter(self.get())


@checks_arguments(ArgumentTypeError, methods=False)
class ListStateDescriptor(StateDescriptor[T, ListState[T]], Generic[T]):
    """Descriptor of a ListState. Mirrors ``…api.common.state.ListStateDescriptor``.

    Args:
        name: unique within an operator.
        elem_type_info: type of an element.
    """

    KIND: ClassVar[str] = "ListState"

    def __init__(self, name: str, elem_type_info: TypeInformation[T]) -> None:
        super().__init__(name, ListTypeInfo(require_type(elem_type_info, f"the type of state {name!r}")))
        self.elem_type_info = elem_type_info

    def state(self, table: Table, scope: SlotScope, expiry: Expiry | None) -> ListState[T]:
        check = check_of(self.elem_type_info)
        if expiry is None:
            return HeapListState(table, scope, check)
        return ExpiringListState(table, scope, check, expiry)

    def drop_expired(self, table: Table, expiry: Expiry) -> None:
        """Remove expired elements from all lists."""
        for slot, stored in list(table.items()):
            stored[:] = [entry for entry in stored if not expiry.is_over(entry)]
            if not stored:
                del table[slot]

    def merge(self, table: Table, scope: SlotScope, slots: Sequence[Hashable], expiry: Expiry | None) -> None:
        """Append the lists of other slots to the current one."""
        merge_by_adding(self.state(table, scope, expiry), scope, slots, iter)


class HeapListState(SlotState, ListState[Any]):
    """One list per slot; the table holds no empty lists."""

    __slots__ = ()

    def get(self) -> Iterable[Any]:
        """Return a copy of the list, so that the list may change during iteration."""
        return list(self._table.get(self._scope.slot, ()))

    def add(self, value: Any) -> None:
        value = self._check(value)
        self._table.setdefault(self._scope.slot, []).append(value)

    def add_all(self, values: list[Any]) -> None:
        checked = [self._check(value) for value in values]
        if checked:
            self._table.setdefault(self._scope.slot, []).extend(checked)

    def update(self, values: list[Any]) -> None:
        self._replace([self._check(value) for value in values])

    def _replace(self, stored: list[Any]) -> None:
        if stored:
            self._table[self._scope.slot] = stored
        else:
            self.clear()


class ExpiringListState(HeapListState):
    """One list per slot, whose elements expire individually."""

    __slots__ = ("_expiry",)

    def __init__(self, table: Table, scope: SlotScope, check: Check, expiry: Expiry) -> None:
        super().__init__(table, scope, expiry.stamping(check))
        self._expiry = expiry

    def get(self) -> Iterable[Any]:
        read = [(entry[0], *self._expiry.read(entry)) for entry in self._table.get(self._scope.slot, ())]
        self._replace([kept for _, _, kept in read if kept is not None])
        return [value for value, shown, _ in read if shown]
