"""Base class of user functions, and reduce and aggregate functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from pystream.engine.context import RuntimeContext

__all__ = ["AggregateFunction", "BoundedOneInput", "Function", "ReduceFunction", "missing_aggregate_methods"]

T = TypeVar("T")
IN = TypeVar("IN", contravariant=True)
ACC = TypeVar("ACC")
OUT = TypeVar("OUT", covariant=True)


class Function(ABC):  # noqa: B024 - each kind of function adds its own abstract method
    """Base class of user functions, with a life cycle on every subtask.

    An instance is pickled when the operator is added and rebuilt on each subtask. What cannot be pickled,
    such as a connection, is made in ``open``. A subclass without the method that its kind is called by has
    no instances. Mirrors ``org.apache.flink.api.common.functions.RichFunction``.
    """

    def open(self, runtime_context: RuntimeContext, /) -> None:  # noqa: B027 - most functions need neither
        """Prepare the function; called once per subtask before the first element, even if there is none."""

    def close(self) -> None:  # noqa: B027
        """Release resources; called once per subtask after the last element, also after a failure."""


class BoundedOneInput(ABC):
    """Mixin of process functions without keys that emit results at the end of the input.

    Mirrors ``org.apache.flink.streaming.api.operators.BoundedOneInput``.
    """

    @abstractmethod
    def end_input(self) -> Iterable[Any]:
        """Return or yield results; called once per subtask after the last element of a bounded input."""


class ReduceFunction(Function, Generic[T]):
    """Combine two values into one of the same type.

    Mirrors ``org.apache.flink.api.common.functions.ReduceFunction``.
    """

    @abstractmethod
    def reduce(self, value1: T, value2: T, /) -> T:
        """Combine the result so far with a new value."""


class AggregateFunction(Function, Generic[IN, ACC, OUT]):
    """Aggregate values in an accumulator.

    Mirrors ``org.apache.flink.api.common.functions.AggregateFunction``.
    """

    @abstractmethod
    def create_accumulator(self) -> ACC:
        """Return an empty accumulator."""

    @abstractmethod
    def add(self, value: IN, accumulator: ACC, /) -> ACC:
        """Return the accumulator with a value added; may be the same object, modified."""

    @abstractmethod
    def get_result(self, accumulator: ACC, /) -> OUT:
        """Return the result of an accumulator."""

    @abstractmethod
    def merge(self, acc_a: ACC, acc_b: ACC, /) -> ACC:
        """Return the merge of two accumulators; may be one of them, modified."""


def missing_aggregate_methods(function: Any) -> str:
    """Return the names of the methods of an AggregateFunction that an object lacks, joined by commas."""
    names = ("create_accumulator", "add", "get_result", "merge")
    return ", ".join(name for name in names if not callable(getattr(function, name, None)))
