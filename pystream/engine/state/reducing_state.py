"""ReducingState: state that reduces values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from pystream.engine.functions import ReduceFunction
from pystream.engine.state.slots import Expiry, SlotScope, Table
from pystream.engine.state.state import MergingState, StateDescriptor, merge_by_adding
from pystream.engine.state.value_state import ValueState, value_state
from pystream.errors import ArgumentTypeError
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

__all__ = ["ReducingState", "ReducingStateDescriptor"]

T = TypeVar("T")


class ReducingState(MergingState[T, "T | None"]):
    """State that reduces the added values. Mirrors ``org.apache.flink.api.common.state.ReducingState``."""


class ReducingStateDescriptor(StateDescriptor[T, ReducingState[T]], Generic[T]):
    """Descriptor of a ReducingState. Mirrors ``…api.common.state.ReducingStateDescriptor``.

    Args:
        name: unique within an operator.
        reduce_function: a ReduceFunction, or a function of the value so far and a new value.
        type_info: type of the values.
    """

    KIND: ClassVar[str] = "ReducingState"

    def __init__(
        self,
        name: str,
        reduce_function: ReduceFunction[T] | Callable[[T, T], T],
        type_info: TypeInformation[T],
    ) -> None:
        super().__init__(name, type_info)
        if not callable(reduce_function) and not callable(getattr(reduce_function, "reduce", None)):
            raise ArgumentTypeError(
                f"state {name!r} needs a ReduceFunction or a function, not {short_repr(reduce_function)}"
            )
        self._reduce_function = reduce_function

    def get_reduce_function(self) -> ReduceFunction[T] | Callable[[T, T], T]:
        """Return the reduce function as passed."""
        return self._reduce_function

    @property
    def fold(self) -> Callable[[T, T], T]:
        """The reduce function as a function."""
        function: Any = self._reduce_function
        fold: Callable[[T, T], T] = getattr(function, "reduce", function)
        return fold

    def state(self, table: Table, scope: SlotScope, expiry: Expiry | None) -> ReducingState[T]:
        return HeapReducingState(value_state(self, table, scope, expiry), self.fold)

    def merge(self, table: Table, scope: SlotScope, slots: Sequence[Hashable], expiry: Expiry | None) -> None:
        """Reduce the values of other slots into the current one."""
        merge_by_adding(self.state(table, scope, expiry), scope, slots, lambda fold: (fold,))


class HeapReducingState(ReducingState[Any]):
    """One reduced value per slot, stored as value state."""

    __slots__ = ("_fold", "_folded")

    def __init__(self, folded: ValueState[Any], fold: Callable[[Any, Any], Any]) -> None:
        self._folded = folded
        self._fold = fold

    def get(self) -> Any:
        """Return the reduced value, ``None`` if no value was added."""
        return self._folded.value()

    def add(self, value: Any) -> None:
        folded = self._folded.value()
        self._folded.update(value if folded is None else self._fold(folded, value))

    def clear(self) -> None:
        self._folded.clear()
