"""The operators of a chain: each turns a batch of elements into batches of results.

Functions run through C-level iterators (``map``, ``compress``, ``chain``), so that the loop itself costs next
to nothing. How far an iterator over the batch has come tells which element a function failed on.
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, compress, islice
from operator import itemgetter, length_hint
from typing import Any

from pystream.runtime.context import ProcessContext, RuntimeContext, TimerService
from pystream.runtime.failure import USER_ERRORS, ElementFailure, TaskFailure, short_repr
from pystream.runtime.snapshots import flattened, mapped
from pystream.runtime.spec import OperatorKind, OperatorSpec

__all__ = ["MAX_BATCH", "Operator", "make_operator"]

MAX_BATCH = 16_384
"""No operator hands on more elements than this at once, however many one element expands to."""


class Operator(ABC):
    """One operator of one subtask."""

    def __init__(self, spec: OperatorSpec) -> None:
        self.label = spec.label
        self._function = pickle.loads(spec.function)
        self._is_object = spec.is_object
        self._mutable = spec.output_type.is_mutable()

    def open(self, context: RuntimeContext) -> None:
        """Prepare the user function; called once before the first batch."""
        self._lifecycle("open", context)

    def close(self) -> None:
        """Release what the user function holds; called once, after a failure too."""
        self._lifecycle("close")

    def _lifecycle(self, method: str, *args: Any) -> None:
        hook = getattr(self._function, method, None)
        if hook is None or not self._is_object:
            return
        try:
            hook(*args)
        except USER_ERRORS as error:
            raise TaskFailure.of(self.label, error) from error

    def _bound(self) -> Callable[..., Any]:
        called = getattr(self._function, _METHODS[type(self)]) if self._is_object else self._function
        bound: Callable[..., Any] = called
        return bound

    def process(self, values: list[Any]) -> Iterator[list[Any]]:
        """Yield the results for a batch of elements, in their order, in batches of at most MAX_BATCH.

        Raises:
            TaskFailure: the user function raised; the report names the element.
        """
        remaining = iter(values)
        try:
            yield from self._run(values, remaining)
        except TaskFailure:
            raise
        except ElementFailure as failure:
            raise TaskFailure.of(self.label, failure) from failure.__cause__
        except USER_ERRORS as error:
            at = len(values) - length_hint(remaining) - 1
            element = short_repr(values[at]) if at >= 0 else ""
            raise TaskFailure.of(self.label, error, element) from error

    @abstractmethod
    def _run(self, values: list[Any], remaining: Iterator[Any]) -> Iterator[list[Any]]: ...


class Map(Operator):
    """One result an element."""

    def open(self, context: RuntimeContext) -> None:
        super().open(context)
        self._map = self._bound()

    def _run(self, values: list[Any], remaining: Iterator[Any]) -> Iterator[list[Any]]:
        if self._mutable:
            yield mapped(self._map, remaining)
        else:
            yield _call_each(self._map, values, remaining)


class Filter(Operator):
    """The elements for which the predicate is true, unchanged."""

    def open(self, context: RuntimeContext) -> None:
        super().open(context)
        self._filter = self._bound()

    def _run(self, values: list[Any], remaining: Iterator[Any]) -> Iterator[list[Any]]:
        answers = iter(_call_each(self._filter, values, remaining))
        try:
            chosen = list(compress(values, answers))
        except USER_ERRORS as error:
            raise ElementFailure(values[len(values) - length_hint(answers) - 1]) from error
        yield chosen


class FlatMap(Operator):
    """Any number of results an element, from whatever iterable the function returns; ``None`` is none."""

    def open(self, context: RuntimeContext) -> None:
        super().open(context)
        self._flat_map = self._bound()

    def _run(self, values: list[Any], remaining: Iterator[Any]) -> Iterator[list[Any]]:
        return _in_batches(_flat(self._flat_map, remaining, mutable=self._mutable))


class Project(Operator):
    """The chosen fields of a tuple, in the order chosen."""

    def open(self, context: RuntimeContext) -> None:
        indexes: Sequence[int] = self._function
        self._project: Callable[[Any], tuple[Any, ...]] = (
            itemgetter(*indexes) if len(indexes) > 1 else _OneField(indexes[0])
        )

    def _run(self, values: list[Any], remaining: Iterator[Any]) -> Iterator[list[Any]]:
        yield list(map(self._project, remaining))


class Process(Operator):
    """Any number of results an element, from a function that also sees a context."""

    def open(self, context: RuntimeContext) -> None:
        super().open(context)
        self._process = self._bound()
        self._context = ProcessContext(TimerService())

    def _run(self, values: list[Any], remaining: Iterator[Any]) -> Iterator[list[Any]]:
        return _in_batches(_flat(self._results, remaining, mutable=self._mutable))

    def _results(self, value: Any) -> Any:
        return self._process(value, self._context)


class _OneField:
    __slots__ = ("_index",)

    def __init__(self, index: int) -> None:
        self._index = index

    def __call__(self, value: Any) -> tuple[Any]:
        return (value[self._index],)


def _call_each(function: Callable[[Any], Any], values: list[Any], remaining: Iterator[Any]) -> list[Any]:
    results = list(map(function, remaining))
    if len(results) < len(values):
        # map() takes a StopIteration from the function for the end of the input.
        raise RuntimeError("the function raised StopIteration")
    return results


def _flat(function: Callable[[Any], Any], remaining: Iterator[Any], *, mutable: bool) -> Iterator[Any]:
    if mutable:
        return flattened(function, remaining)
    return chain.from_iterable(given for value in remaining if (given := function(value)) is not None)


def _in_batches(flat: Iterator[Any]) -> Iterator[list[Any]]:
    while batch := list(islice(flat, MAX_BATCH)):
        yield batch


_OPERATORS: dict[OperatorKind, type[Operator]] = {
    OperatorKind.MAP: Map,
    OperatorKind.FLAT_MAP: FlatMap,
    OperatorKind.FILTER: Filter,
    OperatorKind.PROJECT: Project,
    OperatorKind.PROCESS: Process,
}
_METHODS: dict[type[Operator], str] = {
    Map: "map",
    FlatMap: "flat_map",
    Filter: "filter",
    Project: "project",
    Process: "process_element",
}


def make_operator(spec: OperatorSpec) -> Operator:
    """Return the operator a spec describes, its user function unpickled but not yet opened."""
    return _OPERATORS[spec.kind](spec)
