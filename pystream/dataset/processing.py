"""Functions of operators that run the calls of DataSet operators: on elements, groups and pairs of groups.

In batch execution, the elements of broadcast sets arrive before all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from pystream.engine.context import RuntimeContext
from pystream.engine.functions import BoundedOneInput, Function

__all__ = ["CoGroups", "Elements", "ElementCall", "Groups", "WithBroadcastSets"]


class _Opened(Protocol):
    def open(self, context: RuntimeContext, broadcast: Any = ..., /) -> None: ...
    def close(self) -> None: ...


class ElementCall(_Opened, Protocol):
    """A call of a function on the elements of a partition."""

    def process(self, value: Any) -> Iterable[Any]:
        """Return the results for an element."""
        ...

    def end(self) -> Iterable[Any]:
        """Return the results after the last element."""
        ...


class GroupCall(_Opened, Protocol):
    """A call of a function on the elements of a group."""

    def group(self, elements: list[Any]) -> Iterable[Any]:
        """Return the results for a group."""
        ...


class PairCall(_Opened, Protocol):
    """A call of a function on the elements of two data sets that have the same key."""

    def pair(self, first: list[Any], second: list[Any]) -> Iterable[Any]:
        """Return the results for a key."""
        ...


class WithBroadcastSets(Function):
    """Runs a call once the elements of the broadcast sets have arrived, as pairs of name and element.

    Args:
        call: the call; opened before its first element, so that its function can read the broadcast sets.
        names: the names of the broadcast sets; empty if the operator has no second input.
    """

    def __init__(self, call: _Opened, names: Iterable[str] = ()) -> None:
        self._opened = call
        self._sets: dict[str, list[Any]] = {name: [] for name in names}
        self._is_open = False

    def open(self, context: RuntimeContext, /) -> None:
        self._context = context

    def close(self) -> None:
        self._opened.close()

    def process_broadcast_element(self, value: tuple[str, Any], ctx: Any = None, /) -> None:
        """Add an element to its broadcast set."""
        name, element = value
        self._sets[name].append(element)

    def _ready(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._opened.open(self._context, self._sets)


class Elements(WithBroadcastSets, BoundedOneInput):
    """Processes the elements of a partition."""

    def __init__(self, call: ElementCall, names: Iterable[str] = ()) -> None:
        super().__init__(call, names)
        self._call = call

    def process_element(self, value: Any, ctx: Any, /) -> Iterable[Any]:
        """Return the results for an element."""
        self._ready()
        return self._call.process(value)

    def end_input(self) -> Iterable[Any]:
        self._ready()
        return self._call.end()


class Groups(WithBroadcastSets):
    """Processes the elements of each key."""

    def __init__(self, call: GroupCall, names: Iterable[str] = ()) -> None:
        super().__init__(call, names)
        self._call = call

    def process_group(self, elements: list[Any]) -> Iterable[Any]:
        """Return the results for a group."""
        self._ready()
        return self._call.group(elements)


class CoGroups(WithBroadcastSets):
    """Processes the elements of each key in two data sets."""

    def __init__(self, call: PairCall) -> None:
        super().__init__(call)
        self._call = call

    def process_group(self, first: list[Any], second: list[Any]) -> Iterable[Any]:
        """Return the results for a key."""
        self._ready()
        return self._call.pair(first, second)
