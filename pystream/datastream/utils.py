"""Helpers for streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pystream.common.io import ResultTypeQueryable
from pystream.datastream.functions import KeySelector
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.key_functions import key_function
from pystream.datastream.streams.keyed_stream import KeyedStream

__all__ = ["DataStreamUtils", "ResultTypeQueryable"]

T = TypeVar("T")
K = TypeVar("K")


class DataStreamUtils:
    """Collect a stream, by the name this had before ``DataStream.execute_and_collect``.

    Mirrors ``org.apache.flink.streaming.api.datastream.DataStreamUtils``.
    """

    @staticmethod
    def reinterpret_as_keyed_stream(
        stream: DataStream[T], key_selector: Callable[[T], K] | KeySelector[T, K]
    ) -> KeyedStream[T, K]:
        """Take a stream for keyed as it is, without sending its elements to where their keys belong.

        That is right only where all elements of a key are in one subtask already, as after a keyed operator
        that keeps keys. Mirrors ``org.apache.flink.streaming.api.datastream.DataStreamUtils``.
        """
        key = key_function(stream.get_type(), key_selector, None)
        return KeyedStream(stream._environment, stream._node_id, key)

    @staticmethod
    def collect(stream: DataStream[T]) -> CloseableIterator[T]:
        """Run the program and return an iterator over the elements of a stream, to be closed.

        Raises:
            JobExecutionError: the job failed.
        """
        return stream.execute_and_collect()
