"""WindowAssigner: base class of the assigners of windows to elements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from pystream.engine.context import RuntimeContext
    from pystream.engine.windows.triggers import Trigger
    from pystream.engine.windows.windows import WindowSerializer

__all__ = ["MergingWindowAssigner", "WindowAssigner"]

# Contravariant: an assigner for any object also fits a stream of strings.
T = TypeVar("T", contravariant=True)
W = TypeVar("W")
W2 = TypeVar("W2")


class WindowAssigner(ABC, Generic[T, W]):
    """Assigns windows to elements. Mirrors ``…windowing.assigners.WindowAssigner``."""

    _example: ClassVar[str] = "TumblingEventTimeWindows.of(Time.seconds(1))"

    class WindowAssignerContext(ABC):
        """The context of a window assigner: processing time, and state.

        Mirrors ``…windowing.assigners.WindowAssigner.WindowAssignerContext``.
        """

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """Return the processing time in ms since the Unix epoch."""

        @abstractmethod
        def get_runtime_context(self) -> RuntimeContext:
            """Return the runtime context; its state is that of the element's key."""

    @abstractmethod
    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext, /
    ) -> Collection[W]:
        """Return the windows of an element; an element without windows is dropped.

        Args:
            element: the element.
            timestamp: its event time in ms since the Unix epoch; -2^63 if it has none.
            context: the time, and state of its key.
        """

    @abstractmethod
    def get_default_trigger(self, env: Any, /) -> Trigger[T, W]:
        """Return the default trigger of the windows.

        Args:
            env: the StreamExecutionEnvironment.
        """

    @abstractmethod
    def get_window_serializer(self) -> WindowSerializer[W]:
        """Return the serializer of the windows."""

    @abstractmethod
    def is_event_time(self) -> bool:
        """Return whether windows end in event time; only then can elements be late."""


class MergingWindowAssigner(WindowAssigner[T, W]):
    """Assign windows that may merge. Mirrors ``…windowing.assigners.MergingWindowAssigner``."""

    class MergeCallback(ABC, Generic[W2]):
        """Callback for merges of windows.

        Mirrors ``…windowing.assigners.MergingWindowAssigner.MergeCallback``.
        """

        @abstractmethod
        def merge(self, to_be_merged: Iterable[W2], merge_result: W2) -> None:
            """Record that windows merge.

            Args:
                to_be_merged: some of the windows passed to ``merge_windows``.
                merge_result: the merged window, which may be one of them.
            """

    @abstractmethod
    def merge_windows(
        self, windows: Iterable[W], callback: MergingWindowAssigner.MergeCallback[W], /
    ) -> None:
        """Call the callback for each set of windows that merge.

        Args:
            windows: all windows of a key, each in none or in one call of the callback.
            callback: to be called for each merge.
        """
