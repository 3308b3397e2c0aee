"""Function classes of the DataSet API, and what they receive: iterators, collectors and a context."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Iterator as PythonIterator
from itertools import chain
from typing import Any, Generic, TypeVar

from pystream.engine.context import RuntimeContext as SubtaskContext
from pystream.errors import ArgumentTypeError, PyStreamError
from typeinfo.arguments import checks_arguments

__all__ = [
    "BroadcastVariableError",
    "CoGroupFunction",
    "Collector",
    "CrossFunction",
    "FilterFunction",
    "FlatMapFunction",
    "Function",
    "GroupReduceFunction",
    "Iterator",
    "JoinFunction",
    "KeySelector",
    "MapFunction",
    "MapPartitionFunction",
    "ReduceFunction",
    "RuntimeContext",
]

T = TypeVar("T")
IN = TypeVar("IN", contravariant=True)
IN1 = TypeVar("IN1", contravariant=True)
IN2 = TypeVar("IN2", contravariant=True)
OUT = TypeVar("OUT")
RESULT = TypeVar("RESULT", covariant=True)
KEY = TypeVar("KEY", covariant=True)


class BroadcastVariableError(PyStreamError, KeyError):
    """An operator has no broadcast set of this name."""

    def __str__(self) -> str:
        return str(self.args[0])


class Iterator(PythonIterator[T]):
    """Iterate once over the elements of a group or partition.

    ``next()`` is the guide's spelling of ``next(iterator)``.
    """

    def __init__(self, elements: Iterable[T]) -> None:
        self._remaining: PythonIterator[T] = iter(elements)

    def __iter__(self) -> PythonIterator[T]:
        return self

    def __next__(self) -> T:
        return next(self._remaining)

    def next(self) -> T:
        """Return the next element.

        Raises:
            StopIteration: there is none.
        """
        return next(self._remaining)

    def has_next(self) -> bool:
        """Return whether there is another element."""
        for element in self._remaining:
            self._remaining = chain((element,), self._remaining)
            return True
        return False


@checks_arguments(ArgumentTypeError, methods=False)
class Collector(Generic[T]):
    """Collect the results of one call of a function. Mirrors ``org.apache.flink.util.Collector``.

    Args:
        copy: copies a result that the function may change later.
    """

    def __init__(self, copy: Callable[[T], T] | None = None) -> None:
        self._copy = copy
        self._values: list[T] = []

    def collect(self, value: T) -> None:
        """Emit a result."""
        self._values.append(value if self._copy is None else self._copy(value))

    def close(self) -> None:
        """Do nothing: results are emitted when the function returns."""

    def take(self) -> list[T]:
        """Return the results so far, and start over."""
        values, self._values = self._values, []
        return values


class RuntimeContext:
    """The ``context`` of a function: its subtask, and its broadcast sets.

    Mirrors ``org.apache.flink.api.common.functions.RuntimeContext``.
    """

    def __init__(self, subtask: SubtaskContext, broadcast: Mapping[str, list[Any]]) -> None:
        self._subtask = subtask
        self._broadcast = broadcast

    def get_broadcast_variable(self, name: str) -> list[Any]:
        """Return the elements of a broadcast set, in no particular order; the list must not be changed.

        Args:
            name: the one given to ``with_broadcast_set``.

        Raises:
            BroadcastVariableError: the operator has no broadcast set of this name.
        """
        if name not in self._broadcast:
            known = ", ".join(map(repr, self._broadcast)) or "none"
            raise BroadcastVariableError(
                f"no broadcast set {name!r}; the operator has {known}: add it by "
                f"with_broadcast_set({name!r}, …)"
            )
        return self._broadcast[name]

    def get_index_of_this_subtask(self) -> int:
        """Return the number of this subtask, from 0 to parallelism - 1."""
        return self._subtask.get_index_of_this_subtask()

    def get_number_of_parallel_subtasks(self) -> int:
        """Return the parallelism of the operator."""
        return self._subtask.get_number_of_parallel_subtasks()


class Function(ABC):
    """Base class of the function classes, with a life cycle on every subtask.

    An instance is pickled when the operator is added, with the attributes that ``__init__`` has set, and
    rebuilt on each subtask.

    Attributes:
        context: the subtask and the broadcast sets; set before ``open``.
    """

    context: RuntimeContext

    def open(self, context: RuntimeContext, /) -> None:  # noqa: B027 - most functions need neither
        """Prepare the function; called once per subtask, before its first element."""

    def close(self) -> None:  # noqa: B027
        """Release resources; called once per subtask if ``open`` was."""


class MapFunction(Function, Generic[IN, RESULT]):
    """Map each element to one result. Mirrors ``org.apache.flink.api.common.functions.MapFunction``."""

    @abstractmethod
    def map(self, value: IN, /) -> RESULT:
        """Return the result for an element."""


class FlatMapFunction(Function, Generic[IN, OUT]):
    """Map each element to any number of results.

    Mirrors ``org.apache.flink.api.common.functions.FlatMapFunction``.
    """

    @abstractmethod
    def flat_map(self, value: IN, collector: Collector[OUT], /) -> Iterable[OUT] | None:
        """Collect the results for an element, or return or yield them."""


class FilterFunction(Function, Generic[IN]):
    """Keep the elements that satisfy a predicate.

    Mirrors ``org.apache.flink.api.common.functions.FilterFunction``.
    """

    @abstractmethod
    def filter(self, value: IN, /) -> bool:
        """Return whether to keep an element, without changing it."""


class MapPartitionFunction(Function, Generic[IN, OUT]):
    """Map the elements of a partition, all in one call.

    Mirrors ``org.apache.flink.api.common.functions.MapPartitionFunction``.
    """

    @abstractmethod
    def map_partition(self, iterator: Iterator[IN], collector: Collector[OUT], /) -> Iterable[OUT] | None:
        """Collect the results for a partition, or return or yield them."""


class ReduceFunction(Function, Generic[T]):
    """Combine two elements into one. Mirrors ``org.apache.flink.api.common.functions.ReduceFunction``."""

    @abstractmethod
    def reduce(self, value1: T, value2: T, /) -> T:
        """Combine the result so far with another element."""


class GroupReduceFunction(Function, Generic[T, OUT]):
    """Reduce the elements of a group to any number of results.

    Mirrors ``org.apache.flink.api.common.functions.GroupReduceFunction`` and ``GroupCombineFunction``.
    """

    @abstractmethod
    def reduce(self, iterator: Iterator[T], collector: Collector[OUT], /) -> Iterable[OUT] | None:
        """Collect the results for a group, or return or yield them."""

    def combine(self, iterator: Iterator[T], collector: Collector[T], /) -> Iterable[T] | None:
        """Combine some elements of a group into fewer ones for ``reduce``; by default, ``reduce`` does it.

        Used with ``combinable=True`` only.
        """
        return self.reduce(iterator, collector)  # type: ignore[arg-type, return-value]


class CoGroupFunction(Function, Generic[IN1, IN2, OUT]):
    """Process the elements of two data sets that have the same key.

    Mirrors ``org.apache.flink.api.common.functions.CoGroupFunction``.
    """

    @abstractmethod
    def co_group(
        self, iterator1: Iterator[IN1], iterator2: Iterator[IN2], collector: Collector[OUT], /
    ) -> Iterable[OUT] | None:
        """Collect the results for a key, or return or yield them; one of the iterators may be empty."""


class JoinFunction(Function, Generic[IN1, IN2, RESULT]):
    """Join two elements with the same key. Mirrors ``org.apache.flink.api.common.functions.JoinFunction``."""

    @abstractmethod
    def join(self, value1: IN1, value2: IN2, /) -> RESULT:
        """Return the result for a pair."""


class CrossFunction(Function, Generic[IN1, IN2, RESULT]):
    """Process a pair of a Cartesian product.

    Mirrors ``org.apache.flink.api.common.functions.CrossFunction``.
    """

    @abstractmethod
    def cross(self, value1: IN1, value2: IN2, /) -> RESULT:
        """Return the result for a pair."""


class KeySelector(ABC, Generic[IN, KEY]):
    """Extract the key of an element. Mirrors ``org.apache.flink.api.java.functions.KeySelector``."""

    @abstractmethod
    def get_key(self, value: IN, /) -> KEY:
        """Return the key of an element, always the same for equal elements."""
