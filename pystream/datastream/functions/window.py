"""Base classes of window functions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from pystream.datastream.functions.elementwise import Function
from pystream.engine.output_tag import SideOutput
from pystream.engine.windows.function_contexts import ProcessAllWindowContext, ProcessWindowContext

__all__ = ["AllWindowFunction", "ProcessAllWindowFunction", "ProcessWindowFunction", "WindowFunction"]

IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)
KEY = TypeVar("KEY", contravariant=True)
W = TypeVar("W", contravariant=True)
WINDOW = TypeVar("WINDOW", covariant=True, default=Any)


class WindowFunction(Function, Generic[IN, OUT, KEY, W]):
    """Compute any number of results for each window of each key.

    Mirrors ``org.apache.flink.streaming.api.functions.windowing.WindowFunction``.
    """

    @abstractmethod
    def apply(self, key: KEY, window: W, inputs: Iterable[IN], /) -> Iterable[OUT]:
        """Return or yield the results for a window, in order.

        Args:
            key: its key.
            window: the window.
            inputs: its elements in order of arrival, or only their aggregate.
        """


class AllWindowFunction(Function, Generic[IN, OUT, W]):
    """Compute any number of results for each window of a stream without keys.

    Mirrors ``org.apache.flink.streaming.api.functions.windowing.AllWindowFunction``.
    """

    @abstractmethod
    def apply(self, window: W, inputs: Iterable[IN], /) -> Iterable[OUT]:
        """Return or yield the results for a window, in order.

        Args:
            window: the window.
            inputs: its elements in order of arrival, or only their aggregate.
        """


class ProcessWindowFunction(Function, Generic[IN, OUT, KEY, W]):
    """Process each window of each key, with access to its times and state.

    Mirrors ``org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction``.
    """

    if TYPE_CHECKING:  # checkers do not follow an alias of a generic class out of a class

        class Context(ProcessWindowContext[WINDOW], Generic[WINDOW]): ...

    else:
        Context = ProcessWindowContext

    @abstractmethod
    def process(self, key: KEY, context: Context[W], elements: Iterable[IN], /) -> Iterable[OUT | SideOutput]:
        """Return or yield the results for a window, in order.

        Args:
            key: its key.
            context: the window, the times, and state; valid only during the call.
            elements: its elements in order of arrival, or only their aggregate.
        """

    def clear(self, context: Context[W], /) -> None:
        """Clear the state of a window that has been purged; called once for each."""


class ProcessAllWindowFunction(Function, Generic[IN, OUT, W]):
    """Process each window of a stream without keys, with access to state.

    Mirrors ``org.apache.flink.streaming.api.functions.windowing.ProcessAllWindowFunction``.
    """

    if TYPE_CHECKING:

        class Context(ProcessAllWindowContext[WINDOW], Generic[WINDOW]): ...

    else:
        Context = ProcessAllWindowContext

    @abstractmethod
    def process(self, context: Context[W], elements: Iterable[IN], /) -> Iterable[OUT | SideOutput]:
        """Return or yield the results for a window, in order.

        Args:
            context: the window, and state; valid only during the call.
            elements: its elements in order of arrival, or only their aggregate.
        """

    def clear(self, context: Context[W], /) -> None:
        """Clear the state of a window that has been purged; called once for each."""
