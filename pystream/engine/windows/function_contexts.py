"""Contexts of window functions: window, times and state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NoReturn

from typing_extensions import TypeVar

from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.store import KeyedStateStore

if TYPE_CHECKING:
    from pystream.engine.state.state import StateDescriptor
    from pystream.engine.time.keyed_timers import KeyedTimers
    from pystream.engine.windows.operator_contexts import WindowScope

__all__ = ["MergingWindowStates", "ProcessAllWindowContext", "ProcessWindowContext"]

W = TypeVar("W", covariant=True, default=Any)


class ProcessAllWindowContext(Generic[W]):
    """The window and state; valid only during the call.

    Mirrors ``…functions.windowing.ProcessAllWindowFunction.Context``.
    """

    def __init__(
        self,
        scope: WindowScope,
        timers: KeyedTimers,
        window_state: KeyedStateStore,
        global_state: KeyedStateStore,
    ) -> None:
        self._scope = scope
        self._timers = timers
        self._window_state = window_state
        self._global_state = global_state

    def window(self) -> W:
        """Return the window."""
        window: W = self._scope.window
        return window

    def window_state(self) -> KeyedStateStore:
        """Return the state of the key and window; the function's ``clear`` must clear it.

        Merging windows have none: any access to it is an error.
        """
        return self._window_state

    def global_state(self) -> KeyedStateStore:
        """Return the state of the key, shared by all its windows."""
        return self._global_state


class ProcessWindowContext(ProcessAllWindowContext[W]):
    """The window, the times, and state; valid only during the call.

    Mirrors ``…functions.windowing.ProcessWindowFunction.Context``.
    """

    def current_processing_time(self) -> int:
        """Return the processing time in ms since the Unix epoch."""
        return self._timers.now()

    def current_watermark(self) -> int:
        """Return the event-time watermark in ms since the Unix epoch; -2^63 before the first one."""
        return self._timers.watermark


class MergingWindowStates(KeyedStateStore):
    """The window state of merging windows; any access is an error."""

    def _state(self, descriptor: StateDescriptor[Any, Any]) -> NoReturn:
        raise StateAccessError(
            f"windows that merge have no state of their own, and {descriptor} asks for it: use"
            f" global_state(), which belongs to the key"
        )
