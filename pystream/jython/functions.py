"""The base classes of functions, with the names of their methods in Java.

A function is pickled when it is passed to a stream, and rebuilt on each subtask. Functions named ``Rich…``
are opened and closed there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.errors import PlanError
from pystream.jython.runtime_context import RuntimeContext
from pystream.settings.configuration import Configuration

__all__ = [
    "Collector",
    "FilterFunction",
    "FlatMapFunction",
    "KeySelector",
    "MapFunction",
    "OutputSelector",
    "ReduceFunction",
    "RichFilterFunction",
    "RichFlatMapFunction",
    "RichFunction",
    "RichMapFunction",
    "RichReduceFunction",
    "RichSinkFunction",
    "RichWindowFunction",
    "SinkFunction",
    "WindowFunction",
]

T = TypeVar("T", default=Any)
IN = TypeVar("IN", contravariant=True, default=Any)
OUT = TypeVar("OUT", covariant=True, default=Any)
KEY = TypeVar("KEY", covariant=True, default=Any)
WINDOW_KEY = TypeVar("WINDOW_KEY", contravariant=True, default=Any)
W = TypeVar("W", contravariant=True, default=Any)
C = TypeVar("C", contravariant=True, default=Any)


class Collector(ABC, Generic[C]):
    """Take the results of a function. Mirrors ``org.apache.flink.util.Collector``."""

    @abstractmethod
    def collect(self, record: C, /) -> None:
        """Emit a result."""

    def close(self) -> None:
        """Do nothing: results end when the function returns."""


class RichFunction:
    """A function with a life cycle on every subtask.

    Mirrors ``org.apache.flink.api.common.functions.RichFunction``.
    """

    _runtime_context: RuntimeContext | None = None

    def open(self, config: Configuration, /) -> None:
        """Prepare the function; called once per subtask before the first element, even if there is none.

        Args:
            config: no settings, as in Flink.
        """

    def close(self) -> None:
        """Release resources; called once per subtask after the last element, also after a failure."""

    def getRuntimeContext(self) -> RuntimeContext:
        """Return the context of the subtask.

        Raises:
            PlanError: the function does not run yet.
        """
        if self._runtime_context is None:
            raise PlanError(
                f"getRuntimeContext: {type(self).__name__} has no context before it is opened on a worker; "
                "call it in open() or later"
            )
        return self._runtime_context

    def setRuntimeContext(self, t: RuntimeContext, /) -> None:
        """Set the context; called before ``open``."""
        self._runtime_context = t


class MapFunction(ABC, Generic[IN, OUT]):
    """Map each element to one result. Mirrors ``org.apache.flink.api.common.functions.MapFunction``."""

    @abstractmethod
    def map(self, value: IN, /) -> OUT:
        """Return the result for an element."""


class FlatMapFunction(ABC, Generic[IN, OUT]):
    """Map each element to any number of results.

    Mirrors ``org.apache.flink.api.common.functions.FlatMapFunction``.
    """

    @abstractmethod
    def flatMap(self, value: IN, collector: Collector[Any], /) -> None:
        """Emit the results for an element, in order.

        Args:
            value: the element.
            collector: takes the results; what the method returns is ignored.
        """


class FilterFunction(ABC, Generic[IN]):
    """Keep the elements that satisfy a predicate.

    Mirrors ``org.apache.flink.api.common.functions.FilterFunction``.
    """

    @abstractmethod
    def filter(self, value: IN, /) -> object:
        """Return whether to keep an element, without changing it."""


class ReduceFunction(ABC, Generic[T]):
    """Combine two values into one. Mirrors ``org.apache.flink.api.common.functions.ReduceFunction``."""

    @abstractmethod
    def reduce(self, input1: T, input2: T, /) -> T:
        """Combine the result so far with a new value."""


class KeySelector(ABC, Generic[IN, KEY]):
    """Extract the key of an element; equal elements must have equal keys.

    Mirrors ``org.apache.flink.api.java.functions.KeySelector``.
    """

    @abstractmethod
    def getKey(self, input: IN, /) -> KEY:
        """Return the key of an element, which must not be ``None``."""


class WindowFunction(ABC, Generic[IN, OUT, WINDOW_KEY, W]):
    """Compute any number of results for each window of each key.

    Mirrors ``org.apache.flink.streaming.api.functions.windowing.WindowFunction``.
    """

    @abstractmethod
    def apply(self, key: WINDOW_KEY, window: W, values: Sequence[IN], collector: Collector[Any], /) -> None:
        """Emit the results for a window, in order.

        Args:
            key: its key.
            window: the window; that of time has ``getStart()`` and ``getEnd()`` in ms since the Unix epoch.
            values: its elements in order of arrival.
            collector: takes the results; what the method returns is ignored.
        """


class OutputSelector(ABC, Generic[IN]):
    """Name the outputs that each element goes to.

    Mirrors ``org.apache.flink.streaming.api.collector.selector.OutputSelector`` of Flink 1.
    """

    @abstractmethod
    def select(self, value: IN, /) -> Iterable[str]:
        """Return the names of the outputs of an element, none or several; a name counts once."""


class SinkFunction(ABC, Generic[IN]):
    """Write each element. Mirrors ``org.apache.flink.streaming.api.functions.sink.SinkFunction``."""

    @abstractmethod
    def invoke(self, value: IN, /) -> None:
        """Write an element."""


class RichMapFunction(MapFunction[IN, OUT], RichFunction):
    """A MapFunction with a life cycle."""


class RichFlatMapFunction(FlatMapFunction[IN, OUT], RichFunction):
    """A FlatMapFunction with a life cycle."""


class RichFilterFunction(FilterFunction[IN], RichFunction):
    """A FilterFunction with a life cycle."""


class RichReduceFunction(ReduceFunction[T], RichFunction):
    """A ReduceFunction with a life cycle."""


class RichWindowFunction(WindowFunction[IN, OUT, WINDOW_KEY, W], RichFunction):
    """A WindowFunction with a life cycle."""


class RichSinkFunction(SinkFunction[IN], RichFunction):
    """A SinkFunction with a life cycle."""
