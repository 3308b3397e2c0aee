"""Window joins on a union of both streams: tag elements with their stream, and separate them in windows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from pystream.engine.windows.plan import CallsFunction
from pystream.kinds import FunctionCall, Given
from typeinfo.serde.copies import copy_of

__all__ = ["CoGroupedWindow", "FlatJoinedWindow", "JoinedWindow", "TaggedKey", "first", "second"]

Tagged = tuple[int, Any, Any]


def first(value: Any) -> Tagged:
    """Tag an element of the first stream."""
    return 0, value, None


def second(value: Any) -> Tagged:
    """Tag an element of the second stream."""
    return 1, None, value


class TaggedKey:
    """Extract the key of a tagged element.

    Args:
        of_first: selects the key of an element of the first stream; a function or a ``KeySelector``.
        of_second: selects the key of an element of the second stream.

    Attributes:
        owners: the selectors that are objects, to be opened and closed.
    """

    def __init__(self, of_first: Any, of_second: Any) -> None:
        self.owners: tuple[Any, ...] = tuple(
            selector for selector in (of_first, of_second) if hasattr(selector, "get_key")
        )
        self._of_first = getattr(of_first, "get_key", of_first)
        self._of_second = getattr(of_second, "get_key", of_second)

    def __call__(self, tagged: Tagged) -> Any:
        """Return the key."""
        side, one, two = tagged
        return self._of_second(two) if side else self._of_first(one)


class _BothSides(CallsFunction, ABC):
    """Call a function with the elements of both streams in a window.

    Args:
        function: a function object, or a function.
        method: name of the method of function objects.
    """

    ARGUMENTS: ClassVar[tuple[Given, Given]] = Given.FIRST, Given.SECOND
    """The arguments of a call."""
    MANY: ClassVar[bool] = True
    """True if a call may have any number of results."""

    def __init__(self, function: Any, method: str) -> None:
        super().__init__(function)
        self._method = method

    def calls(self) -> tuple[FunctionCall, ...]:
        call = getattr(self.function, self._method, self.function)
        return (FunctionCall(call, self.ARGUMENTS, many=self.MANY),)

    def apply(self, key: Any, window: Any, inputs: Iterable[Tagged]) -> Iterable[Any] | None:
        """Return the function's results for a window."""
        sides: tuple[list[Any], list[Any]] = [], []
        for tagged in inputs:
            side = tagged[0]
            sides[side].append(tagged[1 + side])
        return self._results(getattr(self.function, self._method, self.function), *sides)

    @abstractmethod
    def _results(
        self, call: Callable[[Any, Any], Any], ones: list[Any], twos: list[Any]
    ) -> Iterable[Any] | None: ...


class CoGroupedWindow(_BothSides):
    """Call a function once per window."""

    ARGUMENTS: ClassVar[tuple[Given, Given]] = Given.FIRSTS, Given.SECONDS

    def _results(
        self, call: Callable[[Any, Any], Any], ones: list[Any], twos: list[Any]
    ) -> Iterable[Any] | None:
        results: Iterable[Any] | None = call(ones, twos)
        return results


class JoinedWindow(_BothSides):
    """Call a function once per pair, for one result."""

    MANY: ClassVar[bool] = False

    def _results(self, call: Callable[[Any, Any], Any], ones: list[Any], twos: list[Any]) -> Iterator[Any]:
        return (call(copy_of(one), copy_of(two)) for one in ones for two in twos)


class FlatJoinedWindow(_BothSides):
    """Call a function once per pair, for any number of results."""

    def _results(self, call: Callable[[Any, Any], Any], ones: list[Any], twos: list[Any]) -> Iterator[Any]:
        for one in ones:
            for two in twos:
                yield from call(copy_of(one), copy_of(two)) or ()
