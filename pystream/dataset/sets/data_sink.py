"""DataSink: the end of a data set."""

from __future__ import annotations

from typing import Self

from pystream.datastream.streams.stream_ends import DataStreamSink
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments

__all__ = ["DataSink"]


@checks_arguments(ArgumentTypeError)
class DataSink:
    """A data set that ends in files or on standard output; settings return the sink.

    Mirrors ``org.apache.flink.api.java.operators.DataSink``.
    """

    def __init__(self, sink: DataStreamSink) -> None:
        self._sink = sink

    def name(self, name: str) -> Self:
        """Set the display name."""
        self._sink.name(name)
        return self

    def set_parallelism(self, parallelism: int) -> Self:
        """Set the number of subtasks, each of which writes a part file if it has elements.

        Raises:
            ConfigurationError: it is not positive.
        """
        self._sink.set_parallelism(parallelism)
        return self
