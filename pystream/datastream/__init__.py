"""Streams, functions and settings, as ``pyflink.datastream`` exports them.

Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.datastream.async_data_stream import AsyncDataStream as AsyncDataStream
    from pystream.datastream.checkpoint_config import CheckpointConfig as CheckpointConfig
    from pystream.datastream.checkpoint_storage import CheckpointStorage as CheckpointStorage
    from pystream.datastream.checkpoint_storage import CustomCheckpointStorage as CustomCheckpointStorage
    from pystream.datastream.checkpoint_storage import (
        FileSystemCheckpointStorage as FileSystemCheckpointStorage,
    )
    from pystream.datastream.checkpoint_storage import (
        JobManagerCheckpointStorage as JobManagerCheckpointStorage,
    )
    from pystream.datastream.connectors.base import Sink as Sink
    from pystream.datastream.connectors.base import Source as Source
    from pystream.datastream.externalized_checkpoint_retention import (
        ExternalizedCheckpointRetention as ExternalizedCheckpointRetention,
    )
    from pystream.datastream.functions import AggregateFunction as AggregateFunction
    from pystream.datastream.functions import AllWindowFunction as AllWindowFunction
    from pystream.datastream.functions import AsyncFunction as AsyncFunction
    from pystream.datastream.functions import AsyncRetryPredicate as AsyncRetryPredicate
    from pystream.datastream.functions import AsyncRetryStrategy as AsyncRetryStrategy
    from pystream.datastream.functions import BaseBroadcastProcessFunction as BaseBroadcastProcessFunction
    from pystream.datastream.functions import BroadcastProcessFunction as BroadcastProcessFunction
    from pystream.datastream.functions import CheckpointedFunction as CheckpointedFunction
    from pystream.datastream.functions import CoFlatMapFunction as CoFlatMapFunction
    from pystream.datastream.functions import CoGroupFunction as CoGroupFunction
    from pystream.datastream.functions import CoMapFunction as CoMapFunction
    from pystream.datastream.functions import CoProcessFunction as CoProcessFunction
    from pystream.datastream.functions import FilterFunction as FilterFunction
    from pystream.datastream.functions import FlatJoinFunction as FlatJoinFunction
    from pystream.datastream.functions import FlatMapFunction as FlatMapFunction
    from pystream.datastream.functions import Function as Function
    from pystream.datastream.functions import JoinFunction as JoinFunction
    from pystream.datastream.functions import KeyedBroadcastProcessFunction as KeyedBroadcastProcessFunction
    from pystream.datastream.functions import KeyedCoProcessFunction as KeyedCoProcessFunction
    from pystream.datastream.functions import KeyedProcessFunction as KeyedProcessFunction
    from pystream.datastream.functions import KeySelector as KeySelector
    from pystream.datastream.functions import MapFunction as MapFunction
    from pystream.datastream.functions import Partitioner as Partitioner
    from pystream.datastream.functions import ProcessAllWindowFunction as ProcessAllWindowFunction
    from pystream.datastream.functions import ProcessFunction as ProcessFunction
    from pystream.datastream.functions import ProcessJoinFunction as ProcessJoinFunction
    from pystream.datastream.functions import ProcessWindowFunction as ProcessWindowFunction
    from pystream.datastream.functions import ReduceFunction as ReduceFunction
    from pystream.datastream.functions import RuntimeContext as RuntimeContext
    from pystream.datastream.functions import SinkFunction as SinkFunction
    from pystream.datastream.functions import SourceContext as SourceContext
    from pystream.datastream.functions import SourceFunction as SourceFunction
    from pystream.datastream.functions import TimerService as TimerService
    from pystream.datastream.functions import WindowFunction as WindowFunction
    from pystream.datastream.output_tag import OutputTag as OutputTag
    from pystream.datastream.output_tag import SideOutput as SideOutput
    from pystream.datastream.slot_sharing_group import MemorySize as MemorySize
    from pystream.datastream.slot_sharing_group import SlotSharingGroup as SlotSharingGroup
    from pystream.datastream.state_backend import CustomStateBackend as CustomStateBackend
    from pystream.datastream.state_backend import EmbeddedRocksDBStateBackend as EmbeddedRocksDBStateBackend
    from pystream.datastream.state_backend import FsStateBackend as FsStateBackend
    from pystream.datastream.state_backend import HashMapStateBackend as HashMapStateBackend
    from pystream.datastream.state_backend import MemoryStateBackend as MemoryStateBackend
    from pystream.datastream.state_backend import RocksDBStateBackend as RocksDBStateBackend
    from pystream.datastream.state_backend import StateBackend as StateBackend
    from pystream.datastream.stream_execution_environment import (
        StreamExecutionEnvironment as StreamExecutionEnvironment,
    )
    from pystream.datastream.streams.broadcast_stream import (
        BroadcastConnectedStream as BroadcastConnectedStream,
    )
    from pystream.datastream.streams.broadcast_stream import BroadcastStream as BroadcastStream
    from pystream.datastream.streams.closeable_iterator import CloseableIterator as CloseableIterator
    from pystream.datastream.streams.connected_streams import ConnectedStreams as ConnectedStreams
    from pystream.datastream.streams.data_stream import DataStream as DataStream
    from pystream.datastream.streams.interval_join import IntervalJoin as IntervalJoin
    from pystream.datastream.streams.interval_join import IntervalJoined as IntervalJoined
    from pystream.datastream.streams.iterative_stream import IterativeStream as IterativeStream
    from pystream.datastream.streams.keyed_stream import KeyedStream as KeyedStream
    from pystream.datastream.streams.stream_ends import DataStreamSink as DataStreamSink
    from pystream.datastream.streams.window_joins import CoGroupedStreams as CoGroupedStreams
    from pystream.datastream.streams.window_joins import CoGroupedWindows as CoGroupedWindows
    from pystream.datastream.streams.window_joins import EqualTo as EqualTo
    from pystream.datastream.streams.window_joins import JoinedStreams as JoinedStreams
    from pystream.datastream.streams.window_joins import JoinedWindows as JoinedWindows
    from pystream.datastream.streams.window_joins import Where as Where
    from pystream.datastream.streams.windowed_stream import AllWindowedStream as AllWindowedStream
    from pystream.datastream.streams.windowed_stream import WindowedStream as WindowedStream
    from pystream.datastream.time_domain import TimeDomain as TimeDomain
    from pystream.datastream.window import CountWindow as CountWindow
    from pystream.datastream.window import GlobalWindow as GlobalWindow
    from pystream.datastream.window import MergingWindowAssigner as MergingWindowAssigner
    from pystream.datastream.window import TimeWindow as TimeWindow
    from pystream.datastream.window import Trigger as Trigger
    from pystream.datastream.window import TriggerResult as TriggerResult
    from pystream.datastream.window import Window as Window
    from pystream.datastream.window import WindowAssigner as WindowAssigner
    from pystream.settings.modes import CheckpointingMode as CheckpointingMode
    from pystream.settings.modes import ExternalizedCheckpointCleanup as ExternalizedCheckpointCleanup
    from pystream.settings.modes import PredefinedOptions as PredefinedOptions
    from pystream.settings.modes import RuntimeExecutionMode as RuntimeExecutionMode
    from pystream.settings.modes import TimeCharacteristic as TimeCharacteristic
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
