"""The contents of windows to which elements that are columns are added by their fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeGuard

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.columns.function_of_fields import FunctionOfFields
from pystream.engine.columns.reduced_fields import ReducedFields
from pystream.engine.vectorised.columns import ColumnValues
from pystream.engine.windows.contents import Adding, ReducedContents
from pystream.engine.windows.plan import WindowPlan

__all__ = ["AccumulatedFields", "AddingFields", "ReducedFieldContents"]


class AddingFields(Adding, Protocol):
    """Adds elements to the contents of windows, given the fields that a function reads as a tuple."""

    def takes(self, values: Sequence[Any]) -> TypeGuard[ColumnValues]:
        """Return whether elements are columns whose fields can be added."""
        ...

    def read_from(self, values: ColumnValues) -> list[Sequence[Any]]:
        """Return the columns of the fields that are read; there is at least one."""
        ...

    def begin(self, values: ColumnValues, position: Callable[[], int]) -> None:
        """Begin with further elements.

        Args:
            values: the elements.
            position: returns the position of the one whose fields are being added.
        """
        ...


class AccumulatedFields:
    """The accumulators of an aggregate function, to which the fields of elements are added.

    Args:
        aggregate: the aggregate function.
        forms: those of its ``add``, which has code on fields.

    Attributes:
        first: returns a new accumulator with the fields of one element, a tuple.
        more: returns an accumulator with those of one more element; may be the same object, modified.
    """

    def __init__(self, aggregate: Any, forms: ColumnForms) -> None:
        self._create: Callable[[], Any] = aggregate.create_accumulator
        self._function = FunctionOfFields(aggregate.add, forms)
        self.first: Callable[[Any], Any] = self._begin
        self.more: Callable[[Any, Any], Any] = self._go_on

    def takes(self, values: Sequence[Any]) -> TypeGuard[ColumnValues]:
        """Return whether elements are columns whose fields can be added."""
        return self._function.takes(values)

    def read_from(self, values: ColumnValues) -> list[Sequence[Any]]:
        """Return the columns of the fields that are read; there is at least one."""
        return self._function.read_from(values)

    def begin(self, values: ColumnValues, position: Callable[[], int]) -> None:
        self._add = self._function.call

    def _begin(self, fields: tuple[Any, ...]) -> Any:
        return self._add(*fields, self._create())

    def _go_on(self, accumulator: Any, fields: tuple[Any, ...]) -> Any:
        return self._add(*fields, accumulator)

    def copied(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the fields of an element; all are immutable."""
        return value


class ReducedFieldContents(ReducedContents):
    """The reduced value of all elements, some of which are added by their fields.

    Args:
        plan: the plan of the windows.
        fields: their reduced values.
    """

    def __init__(self, plan: WindowPlan, fields: ReducedFields) -> None:
        super().__init__(plan)
        self._whole = fields.whole
        self.more: Callable[[Any, Any], Any] = fields.more_whole
        self.merge: Callable[[Any, Any], Any] = fields.merged

    def read(self, contents: Any) -> Any:
        return super().read(self._whole(contents))
