"""Keyed state and its descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.engine.operators.broadcast.state import (
    BroadcastState,
    OperatorStateStore,
    ReadOnlyBroadcastState,
)
from pystream.engine.state.aggregating_state import AggregatingState, AggregatingStateDescriptor
from pystream.engine.state.list_state import ListState, ListStateDescriptor
from pystream.engine.state.map_state import MapState, MapStateDescriptor
from pystream.engine.state.reducing_state import ReducingState, ReducingStateDescriptor
from pystream.engine.state.state import AppendingState, MergingState, State, StateDescriptor
from pystream.engine.state.store import KeyedStateStore
from pystream.engine.state.ttl import StateTtlConfig
from pystream.engine.state.value_state import ValueState, ValueStateDescriptor
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.time import Duration as Duration
    from pystream.common.time import Time as Time
    from pystream.common.type_variables import IN as IN
    from pystream.common.type_variables import OUT as OUT
    from pystream.common.type_variables import K as K
    from pystream.common.type_variables import T as T
    from pystream.common.type_variables import V as V
    from pystream.common.typeinfo import TypeInformation as TypeInformation
    from pystream.common.typeinfo import Types as Types
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "AggregatingState",
    "AggregatingStateDescriptor",
    "AppendingState",
    "BroadcastState",
    "KeyedStateStore",
    "ListState",
    "ListStateDescriptor",
    "MapState",
    "MapStateDescriptor",
    "MergingState",
    "OperatorStateStore",
    "ReadOnlyBroadcastState",
    "ReducingState",
    "ReducingStateDescriptor",
    "State",
    "StateDescriptor",
    "StateTtlConfig",
    "ValueState",
    "ValueStateDescriptor",
]
