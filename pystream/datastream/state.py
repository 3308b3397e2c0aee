"""Keyed state and its descriptors."""

from __future__ import annotations

from pystream.engine.operators.broadcast.interfaces import (
    BroadcastState,
    OperatorStateStore,
    ReadOnlyBroadcastState,
)
from pystream.engine.state.descriptors import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateDescriptor,
    ValueStateDescriptor,
)
from pystream.engine.state.interfaces import (
    AggregatingState,
    AppendingState,
    KeyedStateStore,
    ListState,
    MapState,
    MergingState,
    ReducingState,
    State,
    ValueState,
)
from pystream.engine.state.ttl import StateTtlConfig

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
