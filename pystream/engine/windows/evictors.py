"""Evictors, which remove elements from a window before or after its function is called."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, NamedTuple

from typing_extensions import TypeVar

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.windows.arguments import LengthOfTime, positive, to_milliseconds

__all__ = ["CountEvictor", "DeltaEvictor", "Evictor", "TimeEvictor", "TimestampedValue"]

# Contravariant: an evictor for any element and window also fits particular ones.
T = TypeVar("T", contravariant=True)
W = TypeVar("W", contravariant=True)
# For static methods, where pyright treats the class's own type variables as unknown.
E = TypeVar("E")
V = TypeVar("V", default=Any)


class TimestampedValue(NamedTuple, Generic[V]):
    """An element of a window. Mirrors ``…runtime.operators.windowing.TimestampedValue``.

    Attributes:
        value: the element.
        timestamp: its event time in ms since the Unix epoch; -2^63 if it has none.
    """

    value: V
    timestamp: int

    def has_timestamp(self) -> bool:
        """Return whether the element has a timestamp."""
        return self.timestamp != NO_TIMESTAMP


class Evictor(ABC, Generic[T, W]):
    """Remove elements of a window before or after its function is called.

    A window with an evictor keeps all its elements; a reduce or aggregate function is then applied to all of
    them each time it fires. Mirrors ``…streaming.api.windowing.evictors.Evictor``; elements are evicted by
    removing them from the list, as Python's iterators cannot remove.
    """

    class EvictorContext(ABC):
        """The context of an evictor: current times. Mirrors ``…evictors.Evictor.EvictorContext``."""

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """Return the processing time in ms since the Unix epoch."""

        @abstractmethod
        def get_metric_group(self) -> MetricGroup:
            """Return the metric group of the operator."""

        @abstractmethod
        def get_current_watermark(self) -> int:
            """Return the event-time watermark in ms since the Unix epoch; -2^63 before the first one."""

    @abstractmethod
    def evict_before(
        self, elements: list[TimestampedValue[T]], size: int, window: W, ctx: Evictor.EvictorContext, /
    ) -> None:
        """Remove elements before the window function is called.

        Args:
            elements: those in the window, in order of arrival; remove from this list to evict.
            size: their number.
            window: the window.
            ctx: the times.
        """

    @abstractmethod
    def evict_after(
        self, elements: list[TimestampedValue[T]], size: int, window: W, ctx: Evictor.EvictorContext, /
    ) -> None:
        """Remove elements after the window function was called; arguments as in ``evict_before``."""


class _OnceEvictor(Evictor[T, W]):
    """Evict either before or after the function, in the same way."""

    def __init__(self, do_evict_after: bool) -> None:
        self._do_evict_after = do_evict_after

    def evict_before(
        self, elements: list[TimestampedValue[T]], size: int, window: W, ctx: Evictor.EvictorContext
    ) -> None:
        if not self._do_evict_after and elements:
            self._evict(elements)

    def evict_after(
        self, elements: list[TimestampedValue[T]], size: int, window: W, ctx: Evictor.EvictorContext
    ) -> None:
        if self._do_evict_after and elements:
            self._evict(elements)

    @abstractmethod
    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        """Remove elements from a non-empty list."""


class CountEvictor(_OnceEvictor[T, W]):
    """Keep only the last elements. Mirrors ``…windowing.evictors.CountEvictor``.

    Args:
        max_count: number of elements to keep.
        do_evict_after: whether to evict after the window function, not before.
    """

    def __init__(self, max_count: int, do_evict_after: bool = False) -> None:
        super().__init__(do_evict_after)
        self._max_count = positive(max_count, "the number of elements a CountEvictor keeps")

    @staticmethod
    def of(max_count: int, do_evict_after: bool = False) -> CountEvictor[Any, Any]:
        """Return an evictor that keeps a number of elements."""
        return CountEvictor(max_count, do_evict_after)

    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        del elements[: max(0, len(elements) - self._max_count)]

    def __repr__(self) -> str:
        return f"CountEvictor({self._max_count}, {self._do_evict_after})"


class TimeEvictor(_OnceEvictor[T, W]):
    """Keep the elements within a time span before the latest element; all if they have no timestamps.

    Mirrors ``…windowing.evictors.TimeEvictor``.

    Args:
        window_size: elements as old as this in ms, or older, are removed.
        do_evict_after: whether to evict after the window function, not before.
    """

    def __init__(self, window_size: int, do_evict_after: bool = False) -> None:
        super().__init__(do_evict_after)
        self._window_size = positive(window_size, "the time a TimeEvictor keeps")

    @staticmethod
    def of(window_size: LengthOfTime, do_evict_after: bool = False) -> TimeEvictor[Any, Any]:
        """Return an evictor that keeps the elements of a time span."""
        return TimeEvictor(to_milliseconds(window_size, "TimeEvictor.of"), do_evict_after)

    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        if elements[0].has_timestamp():
            cutoff = max(element.timestamp for element in elements) - self._window_size
            elements[:] = [element for element in elements if element.timestamp > cutoff]

    def __repr__(self) -> str:
        return f"TimeEvictor({self._window_size}, {self._do_evict_after})"


class DeltaEvictor(_OnceEvictor[T, W]):
    """Remove elements too far from the last one. Mirrors ``…windowing.evictors.DeltaEvictor``.

    Args:
        threshold: elements at this distance or more are removed.
        delta_function: returns the distance of an element from the last one.
        do_evict_after: whether to evict after the window function, not before.

    Attributes:
        delta_function: as passed.
    """

    def __init__(
        self, threshold: float, delta_function: Callable[[T, T], float], do_evict_after: bool = False
    ) -> None:
        super().__init__(do_evict_after)
        self._threshold = threshold
        self.delta_function = delta_function

    @staticmethod
    def of(
        threshold: float, delta_function: Callable[[E, E], float], do_evict_after: bool = False
    ) -> DeltaEvictor[E, Any]:
        """Return an evictor with a threshold."""
        return DeltaEvictor(threshold, delta_function, do_evict_after)

    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        last = elements[-1].value
        delta, threshold = self.delta_function, self._threshold
        elements[:] = [element for element in elements if delta(element.value, last) < threshold]

    def __repr__(self) -> str:
        return f"DeltaEvictor({self._threshold}, {self.delta_function!r}, {self._do_evict_after})"
