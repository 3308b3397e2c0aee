"""AggregatingState: state that aggregates values."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from pystream.engine.functions import AggregateFunction, missing_aggregate_methods
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.slots import Expiry, SlotScope, Table
from pystream.engine.state.state import MergingState, StateDescriptor
from pystream.engine.state.value_state import ValueState, value_state
from pystream.errors import ArgumentTypeError
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

__all__ = ["AggregatingState", "AggregatingStateDescriptor"]

IN = TypeVar("IN")
ACC = TypeVar("ACC")
OUT = TypeVar("OUT")


class AggregatingState(MergingState[IN, "OUT | None"], Generic[IN, OUT]):
    """State that aggregates the added values; ``get`` returns the result.

    Mirrors ``org.apache.flink.api.common.state.AggregatingState``.
    """


class AggregatingStateDescriptor(StateDescriptor[ACC, AggregatingState[IN, OUT]], Generic[IN, ACC, OUT]):
    """Descriptor of an AggregatingState. Mirrors ``…api.common.state.AggregatingStateDescriptor``.

    Args:
        name: unique within an operator.
        agg_function: an AggregateFunction.
        state_type_info: type of its accumulator.
    """

    KIND: ClassVar[str] = "AggregatingState"

    def __init__(
        self,
        name: str,
        agg_function: AggregateFunction[IN, ACC, OUT],
        state_type_info: TypeInformation[ACC],
    ) -> None:
        super().__init__(name, state_type_info)
        if missing := missing_aggregate_methods(agg_function):
            raise ArgumentTypeError(
                f"state {name!r} needs an AggregateFunction; {short_repr(agg_function)} lacks {missing}"
            )
        self._agg_function = agg_function

    def get_agg_function(self) -> AggregateFunction[IN, ACC, OUT]:
        """Return the aggregate function."""
        return self._agg_function

    def state(self, table: Table, scope: SlotScope, expiry: Expiry | None) -> AggregatingState[IN, OUT]:
        return HeapAggregatingState(value_state(self, table, scope, expiry), self._agg_function)

    def merge(self, table: Table, scope: SlotScope, slots: Sequence[Hashable], expiry: Expiry | None) -> None:
        """Merge the accumulators of other slots into the current one."""
        if expiry is not None:
            raise StateAccessError(f"{self} has a time to live, and cannot be merged")
        into = scope.slot
        for slot in slots:
            other = table.pop(slot, None)
            if other is not None:
                table[into] = self._agg_function.merge(table[into], other) if into in table else other


class HeapAggregatingState(AggregatingState[Any, Any]):
    """One accumulator per slot, stored as value state."""

    __slots__ = ("_accumulated", "_aggregator")

    def __init__(self, accumulated: ValueState[Any], aggregator: AggregateFunction[Any, Any, Any]) -> None:
        self._accumulated = accumulated
        self._aggregator = aggregator

    def get(self) -> Any:
        """Return the result, ``None`` if no value was added."""
        accumulator = self._accumulated.value()
        return None if accumulator is None else self._aggregator.get_result(accumulator)

    def add(self, value: Any) -> None:
        accumulator = self._accumulated.value()
        if accumulator is None:
            accumulator = self._aggregator.create_accumulator()
        self._accumulated.update(self._aggregator.add(value, accumulator))

    def clear(self) -> None:
        self._accumulated.clear()
