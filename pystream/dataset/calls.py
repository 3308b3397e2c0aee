"""Calls of user functions on workers: lambdas and function objects, with or without a collector."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from types import GeneratorType, MappingProxyType
from typing import Any

from pystream.dataset import custom_types
from pystream.dataset.functions import Collector, Function, RuntimeContext
from pystream.dataset.functions import Iterator as ElementIterator
from pystream.engine.context import RuntimeContext as SubtaskContext
from pystream.engine.results.collections import COLLECTIONS, are_results
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = [
    "Call",
    "CoGroupCall",
    "FilterCall",
    "FlatMapCall",
    "GroupReduceCall",
    "JoinCall",
    "MapCall",
    "PairReduceCall",
    "ReduceCall",
    "takes_collector",
]

_NONE: Mapping[str, list[Any]] = MappingProxyType({})


def takes_collector(function: Any, method: str, arguments: int) -> bool:
    """Return whether a function demands a collector after its other arguments, as function objects do."""
    if isinstance(function, Function):
        return bool(method)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    demanded = [p for p in parameters if p.kind in kinds and p.default is p.empty]
    return len(demanded) > arguments


class Call:
    """Calls a user function; picklable before ``open``.

    Args:
        function: a function, or an object of a function class.
        method: the method of such objects.
        types: custom types of the program.
        collects: number of arguments before the collector of a function with any number of results; ``None``
            for a function with one result.
    """

    def __init__(
        self,
        function: Any,
        method: str,
        types: tuple[custom_types.CustomType, ...],
        collects: int | None = None,
    ) -> None:
        self._function = function
        self._method = method
        self._types = types
        self._takes_collector = collects is not None and takes_collector(function, method, collects)
        self._is_open = False

    def open(self, context: SubtaskContext, broadcast: Mapping[str, list[Any]] = _NONE) -> None:
        """Open the function; called before its first call."""
        custom_types.install(self._types)
        self._call: Callable[..., Any] = self._function
        if isinstance(self._function, Function):
            self._call = getattr(self._function, self._method)
            self._function.context = RuntimeContext(context, broadcast)
            self._is_open = True
            self._function.open(self._function.context)
        if self._takes_collector:
            from typeinfo.serde.copiers import copier_for

            self._collector: Collector[Any] = Collector(copier_for(PICKLED_BYTE_ARRAY))

    def close(self) -> None:
        """Close the function, if it was opened."""
        if self._is_open:
            self._is_open = False
            self._function.close()

    def results(self, *arguments: Any) -> Iterable[Any]:
        """Call a function with any number of results: those it has collected, then those it returns."""
        if not self._takes_collector:
            returned = self._call(*arguments)
            return returned if _are_results(returned) else ()
        returned = self._call(*arguments, self._collector)
        collected = self._collector.take()
        if not _are_results(returned):
            return collected
        if isinstance(returned, GeneratorType):
            return chain(collected, self._interleaved(returned))
        return chain(collected, returned) if collected else returned

    def _interleaved(self, generated: Iterator[Any]) -> Iterator[Any]:
        for result in generated:
            yield from self._collector.take()
            yield result
        yield from self._collector.take()


def _are_results(returned: Any) -> bool:
    return type(returned) in COLLECTIONS or are_results(returned)


class MapCall(Call):
    """Map one element."""

    def map(self, value: Any) -> Any:
        return self._call(value)

    def process(self, value: Any) -> Iterable[Any]:
        return (self._call(value),)

    def end(self) -> Iterable[Any]:
        return ()


class FilterCall(Call):
    """Filter one element."""

    def filter(self, value: Any) -> Any:
        return self._call(value)

    def process(self, value: Any) -> Iterable[Any]:
        return (value,) if self._call(value) else ()

    def end(self) -> Iterable[Any]:
        return ()


class FlatMapCall(Call):
    """Map one element to any number of results."""

    def flat_map(self, value: Any) -> Iterable[Any]:
        return self.results(value)

    def process(self, value: Any) -> Iterable[Any]:
        return self.results(value)

    def end(self) -> Iterable[Any]:
        return ()


class ReduceCall(Call):
    """Reduce two elements to one."""

    def reduce(self, value1: Any, value2: Any) -> Any:
        return self._call(value1, value2)

    def group(self, elements: list[Any]) -> Iterable[Any]:
        return (reduce(self._call, elements),)


class PairReduceCall(ReduceCall):
    """Reduce two pairs of a key and an element to one."""

    def reduce(self, value1: tuple[Any, Any], value2: tuple[Any, Any]) -> tuple[Any, Any]:
        return value1[0], self._call(value1[1], value2[1])


class GroupReduceCall(Call):
    """Reduce the elements of a group."""

    def group(self, elements: list[Any]) -> Iterable[Any]:
        return self.results(ElementIterator(elements))


class CoGroupCall(Call):
    """Process the elements of two data sets that have the same key."""

    def pair(self, first: list[Any], second: list[Any]) -> Iterable[Any]:
        return self.results(ElementIterator(first), ElementIterator(second))


class JoinCall(Call):
    """Join each element of a data set with each of another one that has the same key."""

    def pair(self, first: list[Any], second: list[Any]) -> Iterator[Any]:
        call = self._call
        for value1 in first:
            for value2 in second:
                yield call(value1, value2)
