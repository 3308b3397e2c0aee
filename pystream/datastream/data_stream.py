"""The classes of streams, under their module name in PyFlink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.datastream.streams.broadcast_stream import BroadcastConnectedStream, BroadcastStream
from pystream.datastream.streams.cached_data_stream import CachedDataStream
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.connected_streams import ConnectedStreams
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.datastream.streams.stream_ends import DataStreamSink
from pystream.datastream.streams.windowed_stream import AllWindowedStream, WindowedStream
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.execution_config import ExecutionConfig as ExecutionConfig
    from pystream.common.typeinfo import RowTypeInfo as RowTypeInfo
    from pystream.common.typeinfo import TypeInformation as TypeInformation
    from pystream.common.typeinfo import Types as Types
    from pystream.common.types import Row as Row
    from pystream.common.watermark_strategy import TimestampAssigner as TimestampAssigner
    from pystream.common.watermark_strategy import WatermarkStrategy as WatermarkStrategy
    from pystream.datastream.connectors.base import Sink as Sink
    from pystream.datastream.functions import AggregateFunction as AggregateFunction
    from pystream.datastream.functions import AllWindowFunction as AllWindowFunction
    from pystream.datastream.functions import BroadcastProcessFunction as BroadcastProcessFunction
    from pystream.datastream.functions import CoFlatMapFunction as CoFlatMapFunction
    from pystream.datastream.functions import CoMapFunction as CoMapFunction
    from pystream.datastream.functions import CoProcessFunction as CoProcessFunction
    from pystream.datastream.functions import FilterFunction as FilterFunction
    from pystream.datastream.functions import FlatMapFunction as FlatMapFunction
    from pystream.datastream.functions import Function as Function
    from pystream.datastream.functions import KeyedBroadcastProcessFunction as KeyedBroadcastProcessFunction
    from pystream.datastream.functions import KeyedCoProcessFunction as KeyedCoProcessFunction
    from pystream.datastream.functions import KeyedProcessFunction as KeyedProcessFunction
    from pystream.datastream.functions import KeySelector as KeySelector
    from pystream.datastream.functions import MapFunction as MapFunction
    from pystream.datastream.functions import NullByteKeySelector as NullByteKeySelector
    from pystream.datastream.functions import Partitioner as Partitioner
    from pystream.datastream.functions import ProcessAllWindowFunction as ProcessAllWindowFunction
    from pystream.datastream.functions import ProcessFunction as ProcessFunction
    from pystream.datastream.functions import ProcessWindowFunction as ProcessWindowFunction
    from pystream.datastream.functions import ReduceFunction as ReduceFunction
    from pystream.datastream.functions import RuntimeContext as RuntimeContext
    from pystream.datastream.functions import SinkFunction as SinkFunction
    from pystream.datastream.functions import WindowFunction as WindowFunction
    from pystream.datastream.output_tag import OutputTag as OutputTag
    from pystream.datastream.slot_sharing_group import SlotSharingGroup as SlotSharingGroup
    from pystream.datastream.state import AggregatingStateDescriptor as AggregatingStateDescriptor
    from pystream.datastream.state import ListStateDescriptor as ListStateDescriptor
    from pystream.datastream.state import MapStateDescriptor as MapStateDescriptor
    from pystream.datastream.state import ReducingState as ReducingState
    from pystream.datastream.state import ReducingStateDescriptor as ReducingStateDescriptor
    from pystream.datastream.state import StateDescriptor as StateDescriptor
    from pystream.datastream.window import CountSlidingWindowAssigner as CountSlidingWindowAssigner
    from pystream.datastream.window import CountTumblingWindowAssigner as CountTumblingWindowAssigner
    from pystream.datastream.window import CountWindowSerializer as CountWindowSerializer
    from pystream.datastream.window import GlobalWindowSerializer as GlobalWindowSerializer
    from pystream.datastream.window import MergingWindowAssigner as MergingWindowAssigner
    from pystream.datastream.window import TimeWindowSerializer as TimeWindowSerializer
    from pystream.datastream.window import Trigger as Trigger
    from pystream.datastream.window import WindowAssigner as WindowAssigner
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "AllWindowedStream",
    "BroadcastConnectedStream",
    "BroadcastStream",
    "CachedDataStream",
    "CloseableIterator",
    "ConnectedStreams",
    "DataStream",
    "DataStreamSink",
    "KeyedStream",
    "WindowedStream",
]
