"""WindowScope: the current key and window."""

from __future__ import annotations

from collections.abc import Hashable
from io import BytesIO
from typing import Any

from pystream.engine.operators.keyed_contexts import KeyScope
from pystream.engine.windows.windows import WindowSerializer

__all__ = ["WindowScope", "WindowSlots"]


class WindowScope(KeyScope):
    """The current key and window; the slot stands for both."""

    __slots__ = ("window",)

    def __init__(self) -> None:
        super().__init__()
        self.window: Any = None


class WindowSlots:
    """Return hashable forms of windows: the windows, or their bytes if they do not define equality."""

    __slots__ = ("_by_value", "_serializer")

    def __init__(self, serializer: WindowSerializer[Any]) -> None:
        self._serializer = serializer
        self._by_value: dict[type[Any], bool] = {}

    def of(self, window: Any) -> Hashable:
        """Return the hashable form of a window."""
        cls = type(window)
        by_value = self._by_value.get(cls)
        if by_value is None:
            by_value = self._by_value[cls] = "__eq__" in _defined(cls) and cls.__hash__ is not None
        if by_value:
            slot: Hashable = window
            return slot
        stream = BytesIO()
        self._serializer.serialize(window, stream)
        return stream.getvalue()


def _defined(cls: type[Any]) -> set[str]:
    """Return the names that a class or a base of it other than ``object`` defines."""
    return {name for base in cls.__mro__[:-1] for name in vars(base)}
