"""The base classes of user functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.datastream.functions.asynchronous import AsyncFunction, AsyncRetryPredicate, AsyncRetryStrategy
from pystream.datastream.functions.broadcast import (
    BaseBroadcastProcessFunction,
    BroadcastProcessFunction,
    KeyedBroadcastProcessFunction,
)
from pystream.datastream.functions.elementwise import (
    FilterFunction,
    FlatMapFunction,
    Function,
    KeySelector,
    MapFunction,
    NullByteKeySelector,
    Partitioner,
    ProcessFunction,
    RuntimeContext,
    SinkFunction,
    TimerService,
)
from pystream.datastream.functions.joins import (
    CoGroupFunction,
    FlatJoinFunction,
    JoinFunction,
    ProcessJoinFunction,
)
from pystream.datastream.functions.keyed import (
    AggregateFunction,
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    ReduceFunction,
)
from pystream.datastream.functions.sources import CheckpointedFunction, SourceContext, SourceFunction
from pystream.datastream.functions.window import (
    AllWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from pystream.engine.state.store import KeyedStateStore
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.type_variables import IN as IN
    from pystream.common.type_variables import IN1 as IN1
    from pystream.common.type_variables import IN2 as IN2
    from pystream.common.type_variables import KEY as KEY
    from pystream.common.type_variables import OUT as OUT
    from pystream.common.type_variables import W2 as W2
    from pystream.common.type_variables import W as W
    from pystream.datastream.state import AggregatingState as AggregatingState
    from pystream.datastream.state import AggregatingStateDescriptor as AggregatingStateDescriptor
    from pystream.datastream.state import BroadcastState as BroadcastState
    from pystream.datastream.state import ListState as ListState
    from pystream.datastream.state import ListStateDescriptor as ListStateDescriptor
    from pystream.datastream.state import MapState as MapState
    from pystream.datastream.state import MapStateDescriptor as MapStateDescriptor
    from pystream.datastream.state import ReadOnlyBroadcastState as ReadOnlyBroadcastState
    from pystream.datastream.state import ReducingState as ReducingState
    from pystream.datastream.state import ReducingStateDescriptor as ReducingStateDescriptor
    from pystream.datastream.state import ValueState as ValueState
    from pystream.datastream.state import ValueStateDescriptor as ValueStateDescriptor
    from pystream.datastream.time_domain import TimeDomain as TimeDomain
    from pystream.engine.metrics.metric import MetricGroup as MetricGroup
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "AggregateFunction",
    "AllWindowFunction",
    "AsyncFunction",
    "AsyncRetryPredicate",
    "AsyncRetryStrategy",
    "BaseBroadcastProcessFunction",
    "BroadcastProcessFunction",
    "CheckpointedFunction",
    "CoFlatMapFunction",
    "CoGroupFunction",
    "CoMapFunction",
    "CoProcessFunction",
    "FilterFunction",
    "FlatJoinFunction",
    "FlatMapFunction",
    "Function",
    "JoinFunction",
    "KeySelector",
    "KeyedBroadcastProcessFunction",
    "KeyedCoProcessFunction",
    "KeyedStateStore",
    "KeyedProcessFunction",
    "MapFunction",
    "NullByteKeySelector",
    "Partitioner",
    "ProcessAllWindowFunction",
    "ProcessFunction",
    "ProcessJoinFunction",
    "ProcessWindowFunction",
    "ReduceFunction",
    "RuntimeContext",
    "SinkFunction",
    "SourceContext",
    "SourceFunction",
    "TimerService",
    "WindowFunction",
]
