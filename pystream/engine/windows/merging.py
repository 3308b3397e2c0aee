"""MergingWindows: the merged windows of a key, and the location of their state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pystream.engine.windows.assigners import MergingWindowAssigner
from pystream.engine.windows.errors import WindowError

__all__ = ["Merged", "MergingWindows"]

Merged = Callable[[Any, list[Any], Any, list[Any]], None]
"""Callback of a merge: the resulting window, the merged ones, the one whose state is kept, those with state
to be added to it."""


class _Merges(MergingWindowAssigner.MergeCallback[Any]):
    """Record the merges of an assigner."""

    def __init__(self) -> None:
        self.merges: list[tuple[Any, list[Any]]] = []

    def merge(self, to_be_merged: Iterable[Any], merge_result: Any) -> None:
        """Record that windows merge."""
        self.merges.append((merge_result, list(dict.fromkeys(to_be_merged))))


class MergingWindows:
    """The merging windows of one key.

    A window that grows keeps its state in its first location: each window has a *state window* under which
    its contents are stored.

    Args:
        assigner: merges windows.
        mapping: the state window of each window, changed in place.
    """

    __slots__ = ("_assigner", "_mapping")

    def __init__(self, assigner: MergingWindowAssigner[Any, Any], mapping: dict[Any, Any]) -> None:
        self._assigner = assigner
        self._mapping = mapping

    def state_window(self, window: Any) -> Any:
        """Return the slot of a window's contents, ``None`` for an unknown window."""
        return self._mapping.get(window)

    @property
    def is_empty(self) -> bool:
        """Whether the key has no windows."""
        return not self._mapping

    def retire(self, window: Any) -> None:
        """Remove a window."""
        self._mapping.pop(window, None)

    def add(self, window: Any, merged: Merged) -> Any:
        """Add a window, merging as needed; return the window that now holds its elements.

        Args:
            window: a window that the assigner returned.
            merged: called once per merge, unless only the new window is absorbed by an existing one.

        Raises:
            WindowError: the assigner merges windows that were not passed to it.
        """
        mapping = self._mapping
        if window in mapping:
            return window
        if not mapping:
            mapping[window] = window
            return window
        merges = _Merges()
        self._assigner.merge_windows([*mapping, window], merges)
        actual = window
        for result, parts in merges.merges:
            if window in parts:
                parts.remove(window)
                actual = result
            if parts:
                self._replace(parts, result, merged)
            else:
                mapping[result] = result
        if actual == window:
            mapping.setdefault(window, window)
        return actual

    def _replace(self, parts: list[Any], result: Any, merged: Merged) -> None:
        unknown = [part for part in parts if part not in self._mapping]
        if unknown:
            raise WindowError(
                f"merge_windows() of {self._assigner!r} merges {unknown[0]!r}, which it was not given"
            )
        kept, *others = [self._mapping.pop(part) for part in parts]
        self._mapping[result] = kept
        if parts != [result]:
            merged(result, [part for part in parts if part != result], kept, others)
