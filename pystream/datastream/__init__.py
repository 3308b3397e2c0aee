"""Streams, functions and settings, as ``pyflink.datastream`` exports them.

Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.datastream.async_data_stream import AsyncDataStream
    from pystream.datastream.broadcast_stream import BroadcastConnectedStream, BroadcastStream
    from pystream.datastream.checkpoint_config import CheckpointConfig
    from pystream.datastream.checkpoint_storage import (
        CheckpointStorage,
        CustomCheckpointStorage,
        FileSystemCheckpointStorage,
        JobManagerCheckpointStorage,
    )
    from pystream.datastream.checkpointing_mode import CheckpointingMode
    from pystream.datastream.closeable_iterator import CloseableIterator
    from pystream.datastream.connected_streams import ConnectedStreams
    from pystream.datastream.connectors.base import Sink, Source
    from pystream.datastream.data_stream import DataStream, DataStreamSink
    from pystream.datastream.execution_mode import RuntimeExecutionMode
    from pystream.datastream.externalized_checkpoint_cleanup import ExternalizedCheckpointCleanup
    from pystream.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention
    from pystream.datastream.functions import (
        AggregateFunction,
        AllWindowFunction,
        AsyncFunction,
        AsyncRetryPredicate,
        AsyncRetryStrategy,
        BaseBroadcastProcessFunction,
        BroadcastProcessFunction,
        CoFlatMapFunction,
        CoGroupFunction,
        CoMapFunction,
        CoProcessFunction,
        FilterFunction,
        FlatJoinFunction,
        FlatMapFunction,
        Function,
        JoinFunction,
        KeyedBroadcastProcessFunction,
        KeyedCoProcessFunction,
        KeyedProcessFunction,
        KeySelector,
        MapFunction,
        Partitioner,
        ProcessAllWindowFunction,
        ProcessFunction,
        ProcessJoinFunction,
        ProcessWindowFunction,
        ReduceFunction,
        RuntimeContext,
        SinkFunction,
        SourceFunction,
        TimerService,
        WindowFunction,
    )
    from pystream.datastream.interval_join import IntervalJoin, IntervalJoined
    from pystream.datastream.keyed_stream import KeyedStream
    from pystream.datastream.output_tag import OutputTag
    from pystream.datastream.predefined_options import PredefinedOptions
    from pystream.datastream.slot_sharing_group import MemorySize, SlotSharingGroup
    from pystream.datastream.state_backend import (
        CustomStateBackend,
        EmbeddedRocksDBStateBackend,
        FsStateBackend,
        HashMapStateBackend,
        MemoryStateBackend,
        RocksDBStateBackend,
        StateBackend,
    )
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
    from pystream.datastream.time_characteristic import TimeCharacteristic
    from pystream.datastream.time_domain import TimeDomain
    from pystream.datastream.window_joins import CoGroupedStreams, JoinedStreams
    from pystream.datastream.windowed_stream import AllWindowedStream, WindowedStream

__all__ = [
    "CoGroupFunction",
    "CoGroupedStreams",
    "FlatJoinFunction",
    "IntervalJoin",
    "IntervalJoined",
    "JoinFunction",
    "JoinedStreams",
    "ProcessJoinFunction",
    "AsyncDataStream",
    "AsyncFunction",
    "AsyncRetryPredicate",
    "AsyncRetryStrategy",
    "BaseBroadcastProcessFunction",
    "BroadcastConnectedStream",
    "BroadcastProcessFunction",
    "BroadcastStream",
    "KeyedBroadcastProcessFunction",
    "AllWindowFunction",
    "ProcessAllWindowFunction",
    "ProcessWindowFunction",
    "WindowFunction",
    "AllWindowedStream",
    "WindowedStream",
    "ConnectedStreams",
    "AggregateFunction",
    "CoFlatMapFunction",
    "CoMapFunction",
    "CoProcessFunction",
    "KeyedCoProcessFunction",
    "KeyedProcessFunction",
    "ReduceFunction",
    "KeyedStream",
    "OutputTag",
    "TimeDomain",
    "CheckpointConfig",
    "CheckpointStorage",
    "CheckpointingMode",
    "CloseableIterator",
    "CustomCheckpointStorage",
    "CustomStateBackend",
    "DataStream",
    "DataStreamSink",
    "EmbeddedRocksDBStateBackend",
    "ExternalizedCheckpointCleanup",
    "ExternalizedCheckpointRetention",
    "FileSystemCheckpointStorage",
    "FilterFunction",
    "FlatMapFunction",
    "FsStateBackend",
    "Function",
    "HashMapStateBackend",
    "JobManagerCheckpointStorage",
    "KeySelector",
    "MapFunction",
    "MemorySize",
    "MemoryStateBackend",
    "Partitioner",
    "PredefinedOptions",
    "ProcessFunction",
    "RocksDBStateBackend",
    "RuntimeContext",
    "RuntimeExecutionMode",
    "Sink",
    "SinkFunction",
    "SlotSharingGroup",
    "Source",
    "SourceFunction",
    "StateBackend",
    "StreamExecutionEnvironment",
    "TimeCharacteristic",
    "TimerService",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "CoGroupFunction": "pystream.datastream.functions",
        "CoGroupedStreams": "pystream.datastream.window_joins",
        "FlatJoinFunction": "pystream.datastream.functions",
        "IntervalJoin": "pystream.datastream.interval_join",
        "IntervalJoined": "pystream.datastream.interval_join",
        "JoinFunction": "pystream.datastream.functions",
        "JoinedStreams": "pystream.datastream.window_joins",
        "ProcessJoinFunction": "pystream.datastream.functions",
        "AsyncDataStream": "pystream.datastream.async_data_stream",
        "AsyncFunction": "pystream.datastream.functions",
        "AsyncRetryPredicate": "pystream.datastream.functions",
        "AsyncRetryStrategy": "pystream.datastream.functions",
        "BaseBroadcastProcessFunction": "pystream.datastream.functions",
        "BroadcastConnectedStream": "pystream.datastream.broadcast_stream",
        "BroadcastProcessFunction": "pystream.datastream.functions",
        "BroadcastStream": "pystream.datastream.broadcast_stream",
        "KeyedBroadcastProcessFunction": "pystream.datastream.functions",
        "CheckpointConfig": "pystream.datastream.checkpoint_config",
        "CheckpointStorage": "pystream.datastream.checkpoint_storage",
        "CustomCheckpointStorage": "pystream.datastream.checkpoint_storage",
        "FileSystemCheckpointStorage": "pystream.datastream.checkpoint_storage",
        "JobManagerCheckpointStorage": "pystream.datastream.checkpoint_storage",
        "CheckpointingMode": "pystream.datastream.checkpointing_mode",
        "CloseableIterator": "pystream.datastream.closeable_iterator",
        "Sink": "pystream.datastream.connectors.base",
        "Source": "pystream.datastream.connectors.base",
        "DataStream": "pystream.datastream.data_stream",
        "DataStreamSink": "pystream.datastream.data_stream",
        "RuntimeExecutionMode": "pystream.datastream.execution_mode",
        "ExternalizedCheckpointCleanup": "pystream.datastream.externalized_checkpoint_cleanup",
        "ExternalizedCheckpointRetention": "pystream.datastream.externalized_checkpoint_retention",
        "FilterFunction": "pystream.datastream.functions",
        "FlatMapFunction": "pystream.datastream.functions",
        "Function": "pystream.datastream.functions",
        "KeySelector": "pystream.datastream.functions",
        "MapFunction": "pystream.datastream.functions",
        "Partitioner": "pystream.datastream.functions",
        "ProcessFunction": "pystream.datastream.functions",
        "RuntimeContext": "pystream.datastream.functions",
        "SinkFunction": "pystream.datastream.functions",
        "SourceFunction": "pystream.datastream.functions",
        "TimerService": "pystream.datastream.functions",
        "ConnectedStreams": "pystream.datastream.connected_streams",
        "AggregateFunction": "pystream.datastream.functions",
        "CoFlatMapFunction": "pystream.datastream.functions",
        "CoMapFunction": "pystream.datastream.functions",
        "CoProcessFunction": "pystream.datastream.functions",
        "KeyedCoProcessFunction": "pystream.datastream.functions",
        "KeyedProcessFunction": "pystream.datastream.functions",
        "ReduceFunction": "pystream.datastream.functions",
        "KeyedStream": "pystream.datastream.keyed_stream",
        "OutputTag": "pystream.datastream.output_tag",
        "TimeDomain": "pystream.datastream.time_domain",
        "AllWindowFunction": "pystream.datastream.functions",
        "ProcessAllWindowFunction": "pystream.datastream.functions",
        "ProcessWindowFunction": "pystream.datastream.functions",
        "WindowFunction": "pystream.datastream.functions",
        "AllWindowedStream": "pystream.datastream.windowed_stream",
        "WindowedStream": "pystream.datastream.windowed_stream",
        "PredefinedOptions": "pystream.datastream.predefined_options",
        "MemorySize": "pystream.datastream.slot_sharing_group",
        "SlotSharingGroup": "pystream.datastream.slot_sharing_group",
        "CustomStateBackend": "pystream.datastream.state_backend",
        "EmbeddedRocksDBStateBackend": "pystream.datastream.state_backend",
        "FsStateBackend": "pystream.datastream.state_backend",
        "HashMapStateBackend": "pystream.datastream.state_backend",
        "MemoryStateBackend": "pystream.datastream.state_backend",
        "RocksDBStateBackend": "pystream.datastream.state_backend",
        "StateBackend": "pystream.datastream.state_backend",
        "StreamExecutionEnvironment": "pystream.datastream.stream_execution_environment",
        "TimeCharacteristic": "pystream.datastream.time_characteristic",
    },
)
