"""Keyed state and its descriptors."""

from __future__ import annotations

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
