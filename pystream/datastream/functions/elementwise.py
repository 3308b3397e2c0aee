"""Base classes of functions on single elements, key selectors, partitioners and sinks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from pystream.engine.connectors.interfaces import BoundedSink, EpochSink
from pystream.engine.context import ProcessContext, RuntimeContext, TimerService
from pystream.engine.functions import Function
from pystream.engine.output_tag import SideOutput
from pystream.errors import UnsupportedOperationError
from typeinfo.info import TypeInformation

__all__ = [
    "FilterFunction",
    "FlatMapFunction",
    "Function",
    "KeySelector",
    "MapFunction",
    "NullByteKeySelector",
    "Partitioner",
    "ProcessFunction",
    "RuntimeContext",
    "SinkFunction",
    "TimerService",
]

# Contravariant: a function on any object fits a stream of strings. Covariant: strings as results are objects.
IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)
KEY = TypeVar("KEY", covariant=True)
KEY_IN = TypeVar("KEY_IN", contravariant=True)


class MapFunction(Function, Generic[IN, OUT]):
    """Map each element to one result.

    Mirrors ``org.apache.flink.api.common.functions.MapFunction``.
    """

    @abstractmethod
    def map(self, value: IN, /) -> OUT:
        """Return the result for an element."""


class FlatMapFunction(Function, Generic[IN, OUT]):
    """Map each element to any number of results.

    Mirrors ``org.apache.flink.api.common.functions.FlatMapFunction``.
    """

    @abstractmethod
    def flat_map(self, value: IN, /) -> Iterable[OUT] | None:
        """Return or yield the results for an element, in order; ``None`` for none."""


class FilterFunction(Function, Generic[IN]):
    """Keep the elements that satisfy a predicate.

    Mirrors ``org.apache.flink.api.common.functions.FilterFunction``.
    """

    @abstractmethod
    def filter(self, value: IN, /) -> bool:
        """Return whether to keep an element, without changing it."""


class ProcessFunction(Function, Generic[IN, OUT]):
    """Process each element, with access to its timestamp; emit any number of results.

    State and timers need a keyed stream. Mirrors
    ``org.apache.flink.streaming.api.functions.ProcessFunction``.
    """

    Context: TypeAlias = ProcessContext

    @abstractmethod
    def process_element(self, value: IN, ctx: ProcessContext, /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element, in order; ``None`` for none.

        Args:
            value: the element.
            ctx: its time; valid only during the call.
        """


class KeySelector(Function, Generic[IN, KEY]):
    """Extract the key of an element; equal elements must have equal keys.

    It is called, and so opened and closed, on both sides of the shuffle by key.

    Mirrors ``org.apache.flink.api.java.functions.KeySelector``.
    """

    @abstractmethod
    def get_key(self, value: IN, /) -> KEY:
        """Return the key of an element."""


class NullByteKeySelector(KeySelector[Any, int]):
    """Assign the key 0 to all elements, for keyed operators on streams without keys.

    Mirrors ``org.apache.flink.api.java.functions.NullByteKeySelector``.
    """

    def get_key(self, value: Any, /) -> int:
        """Return 0."""
        return 0


class Partitioner(Function, Generic[KEY_IN]):
    """Choose the subtask that receives an element, by its key.

    Mirrors ``org.apache.flink.api.common.functions.Partitioner``.
    """

    @abstractmethod
    def partition(self, key: KEY_IN, num_partitions: int, /) -> int:
        """Return the number of the subtask, from 0 to ``num_partitions - 1``."""


class SinkFunction(ABC, Generic[IN]):
    """Base class of sinks for ``add_sink``; such a program runs in streaming mode only.

    Mirrors ``org.apache.flink.streaming.api.functions.sink.SinkFunction``.

    Raises:
        UnsupportedOperationError: the name of a Java class was passed, which only PyFlink accepts.
    """

    _example: ClassVar[str] = "a StreamingFileSink"

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if cls is SinkFunction and args:
            raise UnsupportedOperationError(
                f"SinkFunction({', '.join(map(repr, args))}): sink functions written in Java cannot run on "
                "Spark; use sink_to with a FileSink, print, or execute_and_collect"
            )
        return super().__new__(cls)

    @abstractmethod
    def bind(self, type_info: TypeInformation[IN]) -> BoundedSink | EpochSink:
        """Return the writer of the sink for elements of a type."""
