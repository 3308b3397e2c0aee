"""Base classes of functions that join two streams."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeAlias, TypeVar

from pystream.datastream.functions.elementwise import Function
from pystream.engine.operators.interval_join import IntervalJoinContext
from pystream.engine.output_tag import SideOutput

__all__ = ["CoGroupFunction", "FlatJoinFunction", "JoinFunction", "ProcessJoinFunction"]

IN1 = TypeVar("IN1")
IN2 = TypeVar("IN2")
OUT = TypeVar("OUT", covariant=True)


class JoinFunction(Function, Generic[IN1, IN2, OUT]):
    """Join each pair of elements to one result.

    Mirrors ``org.apache.flink.api.common.functions.JoinFunction``.
    """

    @abstractmethod
    def join(self, first: IN1, second: IN2, /) -> OUT:
        """Return the result for an element of the first stream and one of the second."""


class FlatJoinFunction(Function, Generic[IN1, IN2, OUT]):
    """Join each pair of elements to any number of results.

    Mirrors ``org.apache.flink.api.common.functions.FlatJoinFunction``.
    """

    @abstractmethod
    def join(self, first: IN1, second: IN2, /) -> Iterable[OUT] | None:
        """Return or yield the results for an element of the first stream and one of the second, in order."""


class CoGroupFunction(Function, Generic[IN1, IN2, OUT]):
    """Process all elements of two streams that share a key and a window.

    Mirrors ``org.apache.flink.api.common.functions.CoGroupFunction``.
    """

    @abstractmethod
    def co_group(self, first: Iterable[IN1], second: Iterable[IN2], /) -> Iterable[OUT] | None:
        """Return or yield the results, in order.

        Args:
            first: the elements of the first stream, in the order they came; may be empty.
            second: those of the second stream; may be empty, but not both.
        """


class ProcessJoinFunction(Function, Generic[IN1, IN2, OUT]):
    """Process each pair of elements whose timestamps lie within the bounds of an interval join.

    A result ``tag, value`` that starts with an OutputTag goes to that side output. Mirrors
    ``org.apache.flink.streaming.api.functions.co.ProcessJoinFunction``.
    """

    Context: TypeAlias = IntervalJoinContext

    @abstractmethod
    def process_element(
        self, left: IN1, right: IN2, ctx: IntervalJoinContext, /
    ) -> Iterable[OUT | SideOutput] | None:
        """Return or yield the results for a pair, in order; ``None`` for none.

        Args:
            left: the element of the stream ``interval_join`` was called on.
            right: the element of the other stream.
            ctx: their times; valid only during the call.
        """
