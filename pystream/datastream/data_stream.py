"""The classes of streams, under their module name in PyFlink."""

from __future__ import annotations

from pystream.datastream.streams.broadcast_stream import BroadcastConnectedStream, BroadcastStream
from pystream.datastream.streams.cached_data_stream import CachedDataStream
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.connected_streams import ConnectedStreams
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.datastream.streams.stream_ends import DataStreamSink
from pystream.datastream.streams.windowed_stream import AllWindowedStream, WindowedStream

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
