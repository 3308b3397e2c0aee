"""Base classes of functions on keyed and connected streams."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from typing_extensions import TypeVar

from pystream.engine.context import ProcessContext
from pystream.engine.functions import AggregateFunction, Function, ReduceFunction
from pystream.engine.operators.keyed_contexts import KeyedContext
from pystream.engine.operators.keyed_contexts import OnTimerContext as KeyedOnTimerContext
from pystream.engine.output_tag import SideOutput

__all__ = [
    "AggregateFunction",
    "CoFlatMapFunction",
    "CoMapFunction",
    "CoProcessFunction",
    "KeyedCoProcessFunction",
    "KeyedProcessFunction",
    "ReduceFunction",
]

KEY = TypeVar("KEY", contravariant=True)
CURRENT_KEY = TypeVar("CURRENT_KEY", covariant=True, default=Any)
IN = TypeVar("IN", contravariant=True)
IN1 = TypeVar("IN1", contravariant=True)
IN2 = TypeVar("IN2", contravariant=True)
OUT = TypeVar("OUT", covariant=True)


class KeyedProcessFunction(Function, Generic[KEY, IN, OUT]):
    """Process each element and each timer, with the state and timers of the current key.

    A result ``tag, value`` that starts with an OutputTag goes to that side output. Mirrors
    ``org.apache.flink.streaming.api.functions.KeyedProcessFunction``.
    """

    if TYPE_CHECKING:  # checkers do not follow an alias of a generic class out of a class

        class Context(KeyedContext[CURRENT_KEY], Generic[CURRENT_KEY]): ...

        class OnTimerContext(
            Context[CURRENT_KEY], KeyedOnTimerContext[CURRENT_KEY], Generic[CURRENT_KEY]
        ): ...

    else:
        Context = KeyedContext
        OnTimerContext = KeyedOnTimerContext

    @abstractmethod
    def process_element(self, value: IN, ctx: Context[KEY], /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element, in order; ``None`` for none.

        Args:
            value: the element.
            ctx: its key, its time and the timers; valid only during the call.
        """

    def on_timer(self, timestamp: int, ctx: OnTimerContext[KEY], /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for a timer that fires, in order; ``None`` for none.

        Args:
            timestamp: the time of the timer, in ms since the Unix epoch.
            ctx: its key, its time domain and the timers; valid only during the call.
        """


class CoMapFunction(Function, Generic[IN1, IN2, OUT]):
    """Map each element of two streams to one result.

    Mirrors ``org.apache.flink.streaming.api.functions.co.CoMapFunction``; a result of ``None`` is left out,
    as in PyFlink.
    """

    @abstractmethod
    def map1(self, value: IN1, /) -> OUT:
        """Return the result for an element of the first stream."""

    @abstractmethod
    def map2(self, value: IN2, /) -> OUT:
        """Return the result for an element of the second stream."""


class CoFlatMapFunction(Function, Generic[IN1, IN2, OUT]):
    """Map each element of two streams to any number of results.

    Mirrors ``org.apache.flink.streaming.api.functions.co.CoFlatMapFunction``.
    """

    @abstractmethod
    def flat_map1(self, value: IN1, /) -> Iterable[OUT] | None:
        """Return or yield the results for an element of the first stream, in order."""

    @abstractmethod
    def flat_map2(self, value: IN2, /) -> Iterable[OUT] | None:
        """Return or yield the results for an element of the second stream, in order."""


class CoProcessFunction(Function, Generic[IN1, IN2, OUT]):
    """Process each element of two streams, with access to its timestamp.

    Mirrors ``org.apache.flink.streaming.api.functions.co.CoProcessFunction``.
    """

    Context: TypeAlias = ProcessContext

    @abstractmethod
    def process_element1(self, value: IN1, ctx: ProcessContext, /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the first stream, in order."""

    @abstractmethod
    def process_element2(self, value: IN2, ctx: ProcessContext, /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the second stream, in order."""


class KeyedCoProcessFunction(Function, Generic[KEY, IN1, IN2, OUT]):
    """Process each element of two keyed streams, which share state and timers.

    Mirrors ``org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction``.
    """

    if TYPE_CHECKING:  # checkers do not follow an alias of a generic class out of a class

        class Context(KeyedContext[CURRENT_KEY], Generic[CURRENT_KEY]): ...

        class OnTimerContext(
            Context[CURRENT_KEY], KeyedOnTimerContext[CURRENT_KEY], Generic[CURRENT_KEY]
        ): ...

    else:
        Context = KeyedContext
        OnTimerContext = KeyedOnTimerContext

    @abstractmethod
    def process_element1(self, value: IN1, ctx: Context[KEY], /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the first stream, in order."""

    @abstractmethod
    def process_element2(self, value: IN2, ctx: Context[KEY], /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for an element of the second stream, in order."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext[KEY], /) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for a timer that fires, in order; ``None`` for none."""
