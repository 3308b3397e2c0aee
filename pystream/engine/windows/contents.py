"""The contents of a window: its elements, or an accumulator; ``None`` for an empty window."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from pystream.engine.state.aggregating_state import AggregatingStateDescriptor
from pystream.engine.state.checks import check_of
from pystream.engine.state.list_state import ListStateDescriptor
from pystream.engine.state.reducing_state import ReducingStateDescriptor
from pystream.engine.state.slots import Check
from pystream.engine.state.state import StateDescriptor
from pystream.engine.windows.plan import WindowPlan
from typeinfo.info import TypeInformation
from typeinfo.serde.copies import copy_of

__all__ = ["CONTENTS", "Adding", "Contents", "ElementContents", "ReducedContents", "contents_of"]

CONTENTS = "window-contents"
"""The name of the state that holds the contents of windows, as in Flink."""


class Adding(Protocol):
    """Adds elements to the contents of windows.

    Attributes:
        first: returns the contents of a window with one element.
        more: returns the contents with one more element; may be the same object, modified.
    """

    first: Callable[[Any], Any]
    more: Callable[[Any, Any], Any]

    def copied(self, value: Any) -> Any:
        """Return a copy of an element, for another window."""
        ...


class Contents(Adding, ABC):
    """Accumulates the elements of windows.

    Attributes:
        merge: returns the merged contents of two windows.
    """

    merge: Callable[[Any, Any], Any]

    def copied(self, value: Any) -> Any:
        return copy_of(value)

    @abstractmethod
    def empty(self) -> Any:
        """Return the contents of a window after all its elements were evicted."""

    @abstractmethod
    def read(self, contents: Any) -> Any:
        """Return the input of a window function, or ``None`` if it is not to be called.

        Raises:
            TypeCheckError: the accumulated value does not have its type.
        """

    @abstractmethod
    def descriptor(self) -> StateDescriptor[Any]:
        """Return the descriptor of the state that holds such contents."""


class ElementContents(Contents):
    """All elements, as a list."""

    def __init__(self, type_info: TypeInformation[Any]) -> None:
        self._type_info = type_info
        self.first: Callable[[Any], Any] = _one
        self.more: Callable[[Any, Any], Any] = _added
        self.merge: Callable[[Any, Any], Any] = _joined

    def empty(self) -> list[Any]:
        return []

    def read(self, contents: list[Any]) -> list[Any]:
        """Return a new list of the elements."""
        return list(contents)

    def descriptor(self) -> StateDescriptor[Any]:
        return ListStateDescriptor(CONTENTS, self._type_info)


class ReducedContents(Contents):
    """The reduced value of all elements, of the same type."""

    def __init__(self, plan: WindowPlan) -> None:
        self._plan = plan
        self._checked = _checker(plan.element_type)
        self.first: Callable[[Any], Any] = _itself
        self.more: Callable[[Any, Any], Any] = plan.fold
        self.merge: Callable[[Any, Any], Any] = plan.fold

    def empty(self) -> None:
        """Return ``None``: reducing needs an element."""

    def read(self, contents: Any) -> Any:
        return self._checked(contents)

    def descriptor(self) -> StateDescriptor[Any]:
        return ReducingStateDescriptor(CONTENTS, self._plan.reduce, self._plan.element_type)


class AggregatedContents(Contents):
    """An accumulator of all elements."""

    def __init__(self, plan: WindowPlan) -> None:
        self._plan = plan
        self._checked = _checker(plan.accumulator_type)
        self._create = plan.aggregate.create_accumulator
        self._add = plan.aggregate.add
        self._get_result = plan.aggregate.get_result
        self.first: Callable[[Any], Any] = self._begin
        self.more: Callable[[Any, Any], Any] = self._go_on
        self.merge: Callable[[Any, Any], Any] = plan.aggregate.merge

    def _begin(self, value: Any) -> Any:
        return self._add(value, self._create())

    def _go_on(self, accumulator: Any, value: Any) -> Any:
        return self._add(value, accumulator)

    def empty(self) -> Any:
        return self._create()

    def read(self, contents: Any) -> Any:
        return self._get_result(self._checked(contents))

    def descriptor(self) -> StateDescriptor[Any]:
        return AggregatingStateDescriptor(CONTENTS, self._plan.aggregate, self._plan.accumulator_type)


def contents_of(plan: WindowPlan) -> Contents:
    """Return the contents class for a plan's windows."""
    if plan.reduce is not None:
        return ReducedContents(plan)
    return ElementContents(plan.element_type) if plan.aggregate is None else AggregatedContents(plan)


def _checker(type_info: TypeInformation[Any]) -> Callable[[Any], Any]:
    """Return a function that validates accumulators."""
    return partial(_checked, check_of(type_info))


def _checked(check: Check, fold: Any) -> Any:
    return None if fold is None else check(fold)


def _itself(value: Any) -> Any:
    return value


def _one(value: Any) -> list[Any]:
    return [value]


def _added(elements: list[Any], value: Any) -> list[Any]:
    elements.append(value)
    return elements


def _joined(elements: list[Any], others: list[Any]) -> list[Any]:
    return elements + others
