"""ValueState: state that holds one value per key."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from pystream.engine.state.checks import check_of
from pystream.engine.state.slots import Check, Expiry, SlotScope, Table
from pystream.engine.state.state import SlotState, State, StateDescriptor
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["ValueState", "ValueStateDescriptor", "value_state"]

T = TypeVar("T")


class ValueState(State, Generic[T]):
    """State that holds one value per key. Mirrors ``org.apache.flink.api.common.state.ValueState``."""

    @abstractmethod
    def value(self) -> T | None:
        """Return the value, ``None`` if there is none."""

    @abstractmethod
    def update(self, value: T | None) -> None:
        """Replace the value; ``None`` removes it.

        Raises:
            TypeCheckError: it does not fit the descriptor's type.
        """


@checks_arguments(ArgumentTypeError, methods=False)
class ValueStateDescriptor(StateDescriptor[T, ValueState[T]], Generic[T]):
    """Descriptor of a ValueState. Mirrors ``…api.common.state.ValueStateDescriptor``.

    Examples:
        >>> from pystream.common import Types
        >>> from pystream.datastream.state import ValueStateDescriptor
        >>> ValueStateDescriptor("count", Types.LONG()).name
        'count'
    """

    KIND: ClassVar[str] = "ValueState"

    def __init__(self, name: str, value_type_info: TypeInformation[T]) -> None:
        super().__init__(name, value_type_info)

    def state(self, table: Table, scope: SlotScope, expiry: Expiry | None) -> ValueState[T]:
        return value_state(self, table, scope, expiry)


def value_state(
    descriptor: StateDescriptor[Any], table: Table, scope: SlotScope, expiry: Expiry | None
) -> ValueState[Any]:
    """Return a value state of the descriptor's type."""
    check = check_of(descriptor.type_info)
    if expiry is None:
        return HeapValueState(table, scope, check)
    return ExpiringValueState(table, scope, check, expiry)


class HeapValueState(SlotState, ValueState[Any]):
    """One value per slot."""

    __slots__ = ()

    def value(self) -> Any:
        return self._table.get(self._scope.slot)

    def update(self, value: Any) -> None:
        if value is None:
            self.clear()
        else:
            self._table[self._scope.slot] = self._check(value)


class ExpiringValueState(HeapValueState):
    """One value per slot, which expires."""

    __slots__ = ("_expiry",)

    def __init__(self, table: Table, scope: SlotScope, check: Check, expiry: Expiry) -> None:
        super().__init__(table, scope, expiry.stamping(check))
        self._expiry = expiry

    def value(self) -> Any:
        stored = self._table.get(self._scope.slot)
        if stored is None:
            return None
        shown, kept = self._expiry.read(stored)
        if kept is None:
            self.clear()
        else:
            self._table[self._scope.slot] = kept
        return stored[0] if shown else None
