"""Calls on groups whose elements are unpacked or sorted first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pystream.dataset.processing import GroupCall
from pystream.engine.context import RuntimeContext

__all__ = ["Sorted", "Unpacked"]


class Sorted:
    """Sorts the elements of a group before a call.

    Args:
        call: the call.
        orders: the keys to sort by, the most significant one first, each with whether it is descending.
    """

    def __init__(self, call: GroupCall, orders: Sequence[tuple[Callable[[Any], Any], bool]]) -> None:
        self._call = call
        self._orders = orders

    def open(self, context: RuntimeContext, broadcast: Mapping[str, list[Any]]) -> None:
        self._call.open(context, broadcast)

    def close(self) -> None:
        self._call.close()

    def group(self, elements: list[Any]) -> Iterable[Any]:
        for key, descending in reversed(self._orders):
            elements = sorted(elements, key=key, reverse=descending)
        return self._call.group(elements)


class Unpacked:
    """Removes the key from pairs of a key and an element before a call."""

    def __init__(self, call: GroupCall) -> None:
        self._call = call

    def open(self, context: RuntimeContext, broadcast: Mapping[str, list[Any]]) -> None:
        self._call.open(context, broadcast)

    def close(self) -> None:
        self._call.close()

    def group(self, elements: list[tuple[Any, Any]]) -> Iterable[Any]:
        return self._call.group([element for _, element in elements])
