"""Window assigners by number of elements."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from pystream.engine.state.state import of_data
from pystream.engine.state.value_state import ValueStateDescriptor
from pystream.engine.windows.arguments import positive
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.builtin_triggers import CountTrigger
from pystream.engine.windows.errors import WindowTypeError
from pystream.engine.windows.triggers import Trigger
from pystream.engine.windows.windows import CountWindow, CountWindowSerializer, WindowSerializer
from typeinfo.arguments import checks_arguments
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["CountAssigner", "CountSlidingWindowAssigner", "CountTumblingWindowAssigner"]

T = TypeVar("T")


@checks_arguments(WindowTypeError, methods=False)
class CountAssigner(WindowAssigner[T, CountWindow]):
    """Base class of count-window assigners, which count the elements of a key.

    Attributes:
        window_size: number of elements in a window.
    """

    def __init__(self, window_size: int, counter: str) -> None:
        self.window_size: int = positive(window_size, f"the size of {type(self).__name__}")
        # Numbers from this module need no validation.
        self._counter: ValueStateDescriptor[int] = of_data(ValueStateDescriptor(counter, PICKLED_BYTE_ARRAY))

    def _next_number(self, context: WindowAssigner.WindowAssignerContext) -> int:
        """Return the number of earlier elements of the key."""
        state = context.get_runtime_context().get_state(self._counter)
        number = state.value() or 0
        state.update(number + 1)
        return number

    def get_default_trigger(self, env: Any) -> Trigger[T, CountWindow]:
        return CountTrigger(self.window_size)

    def get_window_serializer(self) -> WindowSerializer[CountWindow]:
        return CountWindowSerializer()

    def is_event_time(self) -> bool:
        return False


@checks_arguments(WindowTypeError, methods=False)
class CountTumblingWindowAssigner(CountAssigner[T]):
    """Assign each element to one window; windows have a fixed number of elements of a key.

    Mirrors PyFlink's ``CountTumblingWindowAssigner``.

    Args:
        window_size: number of elements in a window.
    """

    def __init__(self, window_size: int) -> None:
        super().__init__(window_size, "tumble-count-assigner")

    @staticmethod
    def of(window_size: int) -> CountTumblingWindowAssigner[Any]:
        """Return an assigner of windows of the given number of elements."""
        return CountTumblingWindowAssigner(window_size)

    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[CountWindow]:
        """Return the current window."""
        return (CountWindow(self._next_number(context) // self.window_size),)

    def __repr__(self) -> str:
        return f"CountTumblingWindowAssigner({self.window_size})"


@checks_arguments(WindowTypeError, methods=False)
class CountSlidingWindowAssigner(CountAssigner[T]):
    """Assign each element to the windows being filled; a window starts every ``window_slide`` elements.

    Mirrors PyFlink's ``CountSlidingWindowAssigner``.

    Args:
        window_size: number of elements in a window.
        window_slide: number of elements between the starts of two windows.
    """

    def __init__(self, window_size: int, window_slide: int) -> None:
        super().__init__(window_size, "slide-count-assigner")
        self.window_slide: int = positive(window_slide, "the slide of CountSlidingWindowAssigner")

    @staticmethod
    def of(window_size: int, window_slide: int) -> CountSlidingWindowAssigner[Any]:
        """Return an assigner of windows of a size, starting every ``window_slide`` elements."""
        return CountSlidingWindowAssigner(window_size, window_slide)

    def assign_windows(
        self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[CountWindow]:
        """Return the current windows, the latest first."""
        number = self._next_number(context)
        last = number // self.window_slide
        first = max(0, (number - self.window_size) // self.window_slide + 1)
        return [CountWindow(id) for id in range(last, first - 1, -1)]

    def __repr__(self) -> str:
        return f"CountSlidingWindowAssigner({self.window_size}, {self.window_slide})"
