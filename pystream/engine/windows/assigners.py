"""Window assigners: which windows an element belongs to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from pystream.engine.context import RuntimeContext
    from pystream.engine.windows.triggers import Trigger
    from pystream.engine.windows.windows import WindowSerializer

__all__ = ["MergingWindowAssigner", "WindowAssigner"]

# An assigner for any object serves a stream of strings.
T = TypeVar("T", contravariant=True)
W = TypeVar("W")
W2 = TypeVar("W2")


class WindowAssigner(ABC, Generic[T, W]):
    """Assigns windows to elements. Mirrors ``…windowing.assigners.WindowAssigner``."""

    class WindowAssignerContext(ABC):
        """Tell an assigner the time, and give it state.

        Mirrors ``…windowing.assigners.WindowAssigner.WindowAssignerContext``.
        """

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """Return the processing time in ms since the epoch."""

        @abstractmethod
        def get_runtime_context(self) -> RuntimeContext:
            """Return the runtime context; its state is that of the element's key."""

    @abstractmethod
    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext, /
    ) -> Collection[W]:
        """Return the windows of an element; without windows it is dropped.

        Args:
            element: the element.
            timestamp: its event time in ms since the epoch; -2^63 if it has none.
            context: the time, and state of its key.
        """

    @abstractmethod
    def get_default_trigger(self, env: Any, /) -> Trigger[T, W]:
        """Return the trigger of windows that are given none.

        Args:
            env: the StreamExecutionEnvironment.
        """

    @abstractmethod
    def get_window_serializer(self) -> WindowSerializer[W]:
        """Return the serializer of the windows."""

    @abstractmethod
    def is_event_time(self) -> bool:
        """Return whether windows end in event time; then elements can be late for them."""


class MergingWindowAssigner(WindowAssigner[T, W]):
    """Assigns windows that may merge. Mirrors ``…windowing.assigners.MergingWindowAssigner``."""

    class MergeCallback(ABC, Generic[W2]):
        """Hears which windows become one.

        Mirrors ``…windowing.assigners.MergingWindowAssigner.MergeCallback``.
        """

        @abstractmethod
        def merge(self, to_be_merged: Iterable[W2], merge_result: W2) -> None:
            """Hear that windows become one.

            Args:
                to_be_merged: windows out of those asked about.
                merge_result: the merged window, which may be one of them.
            """

    @abstractmethod
    def merge_windows(
        self, windows: Iterable[W], callback: MergingWindowAssigner.MergeCallback[W], /
    ) -> None:
        """Tell the callback which windows become one, if any do.

        Args:
            windows: all windows of a key, each in none or in one call of the callback.
            callback: to be called for each merge.
        """
