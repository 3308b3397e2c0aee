"""Helpers for streams."""

from __future__ import annotations

from typing import TypeVar

from pystream.datastream.closeable_iterator import CloseableIterator
from pystream.datastream.data_stream import DataStream

__all__ = ["DataStreamUtils"]

T = TypeVar("T")


class DataStreamUtils:
    """Collect a stream, by the name this had before ``DataStream.execute_and_collect``.

    Mirrors ``org.apache.flink.streaming.api.datastream.DataStreamUtils``.
    """

    @staticmethod
    def collect(stream: DataStream[T]) -> CloseableIterator[T]:
        """Run the program and return an iterator over the elements of a stream, to be closed.

        Raises:
            JobExecutionError: the job failed.
        """
        return stream.execute_and_collect()
