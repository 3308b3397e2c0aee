"""State descriptors: the name, the type and the time to live of a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.engine.functions import AggregateFunction, ReduceFunction
from pystream.engine.state.interfaces import (
    AggregatingState,
    ListState,
    MapState,
    ReducingState,
    ValueState,
)
from pystream.engine.state.ttl import StateTtlConfig
from typeinfo.collection import ListTypeInfo, MapTypeInfo
from typeinfo.info import TypeInformation, require_type

__all__ = [
    "AggregatingStateDescriptor",
    "ListStateDescriptor",
    "MapStateDescriptor",
    "ReducingStateDescriptor",
    "StateDescriptor",
    "ValueStateDescriptor",
]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
IN = TypeVar("IN")
ACC = TypeVar("ACC")
OUT = TypeVar("OUT")
S_co = TypeVar("S_co", covariant=True, default=Any)


class StateDescriptor(Generic[T, S_co]):
    """Describes a state: its name and type. Mirrors ``…api.common.state.StateDescriptor``.

    Args:
        name: unique within an operator.
        type_info: type of what is stored; values are held to it.
    """

    def __init__(self, name: str, type_info: TypeInformation[Any]) -> None:
        if not isinstance(name, str) or not name:
            raise TypeError(f"a state needs a name, not {name!r}")
        self.name = name
        self.type_info: TypeInformation[Any] = require_type(type_info, f"the type of state {name!r}")
        self._ttl_config: StateTtlConfig | None = None

    def get_name(self) -> str:
        """Return the name."""
        return self.name

    def enable_time_to_live(self, ttl_config: StateTtlConfig) -> None:
        """Let values expire."""
        self._ttl_config = ttl_config

    @property
    def ttl_config(self) -> StateTtlConfig | None:
        """The time to live, ``None`` if values do not expire."""
        return self._ttl_config if self._ttl_config is not None and self._ttl_config.is_enabled() else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.type_info})"


class ValueStateDescriptor(StateDescriptor[T, ValueState[T]], Generic[T]):
    """Describe a ValueState. Mirrors ``…api.common.state.ValueStateDescriptor``.

    Examples:
        >>> from pystream.common import Types
        >>> from pystream.datastream.state import ValueStateDescriptor
        >>> ValueStateDescriptor("count", Types.LONG()).name
        'count'
    """

    def __init__(self, name: str, value_type_info: TypeInformation[T]) -> None:
        super().__init__(name, value_type_info)


class ListStateDescriptor(StateDescriptor[T, ListState[T]], Generic[T]):
    """Describe a ListState. Mirrors ``…api.common.state.ListStateDescriptor``.

    Args:
        name: unique within an operator.
        elem_type_info: type of an element.
    """

    def __init__(self, name: str, elem_type_info: TypeInformation[T]) -> None:
        super().__init__(name, ListTypeInfo(require_type(elem_type_info, f"the type of state {name!r}")))
        self.elem_type_info = elem_type_info


class MapStateDescriptor(StateDescriptor[Any, MapState[K, V]], Generic[K, V]):
    """Describe a MapState. Mirrors ``…api.common.state.MapStateDescriptor``."""

    def __init__(
        self, name: str, key_type_info: TypeInformation[K], value_type_info: TypeInformation[V]
    ) -> None:
        super().__init__(name, MapTypeInfo(key_type_info, value_type_info))
        self.key_type_info = key_type_info
        self.value_type_info = value_type_info


class ReducingStateDescriptor(StateDescriptor[T, ReducingState[T]], Generic[T]):
    """Describe a ReducingState. Mirrors ``…api.common.state.ReducingStateDescriptor``.

    Args:
        name: unique within an operator.
        reduce_function: a ReduceFunction, or a function of what was folded so far and a new value.
        type_info: type of the values.
    """

    def __init__(
        self,
        name: str,
        reduce_function: ReduceFunction[T] | Callable[[T, T], T],
        type_info: TypeInformation[T],
    ) -> None:
        super().__init__(name, type_info)
        if not callable(reduce_function) and not callable(getattr(reduce_function, "reduce", None)):
            raise TypeError(f"state {name!r} needs a reduce function, not {reduce_function!r}")
        self._reduce_function = reduce_function

    def get_reduce_function(self) -> ReduceFunction[T] | Callable[[T, T], T]:
        """Return the reduce function as given."""
        return self._reduce_function

    @property
    def fold(self) -> Callable[[T, T], T]:
        """The reduce function as a function."""
        function: Any = self._reduce_function
        fold: Callable[[T, T], T] = getattr(function, "reduce", function)
        return fold


class AggregatingStateDescriptor(StateDescriptor[ACC, AggregatingState[IN, OUT]], Generic[IN, ACC, OUT]):
    """Describe an AggregatingState. Mirrors ``…api.common.state.AggregatingStateDescriptor``.

    Args:
        name: unique within an operator.
        agg_function: an AggregateFunction.
        state_type_info: type of its accumulator.
    """

    def __init__(
        self,
        name: str,
        agg_function: AggregateFunction[IN, ACC, OUT],
        state_type_info: TypeInformation[ACC],
    ) -> None:
        super().__init__(name, state_type_info)
        missing = [
            method
            for method in ("create_accumulator", "add", "get_result", "merge")
            if not callable(getattr(agg_function, method, None))
        ]
        if missing:
            raise TypeError(
                f"state {name!r} needs an AggregateFunction; {agg_function!r} lacks {', '.join(missing)}"
            )
        self._agg_function = agg_function

    def get_agg_function(self) -> AggregateFunction[IN, ACC, OUT]:
        """Return the aggregate function."""
        return self._agg_function
