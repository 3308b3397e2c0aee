"""FunctionOfFields: a function of elements that is called with the fields that it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeGuard

from pystream.engine.columns.column_forms import ColumnForms, is_original, on_fields
from pystream.engine.vectorised.columns import ColumnValues, Layout, layout_of

__all__ = ["FunctionOfFields"]


class FunctionOfFields:
    """A function that takes the fields of elements that are columns.

    It is called with elements if ``open`` of its object replaces a method that it hands them to.

    Args:
        function: the function, or the method of a function object; code on fields is made of it when the
            first elements arrive.
        forms: those of the function, which has code on fields.

    Attributes:
        layout: the columns of the elements.
        reads: the positions of the fields that are read; there is at least one.
    """

    def __init__(self, function: Callable[..., Any], forms: ColumnForms) -> None:
        assert forms.fields is not None
        self._function = function
        self._fields = forms.fields
        self.layout: Layout = layout_of(forms.element_type)
        self.reads: tuple[int, ...] = forms.fields.reads

    @cached_property
    def call(self) -> Callable[..., Any]:
        """The function of fields."""
        return on_fields(self._function, self._fields)

    @cached_property
    def _is_original(self) -> bool:
        return is_original(self._function, self._fields)

    def takes(self, values: Sequence[Any]) -> TypeGuard[ColumnValues]:
        """Return whether elements are columns whose fields the function can be called with."""
        return (
            isinstance(values, ColumnValues)
            and values.are_columns
            and values.layout is self.layout
            and self._is_original
        )

    def read_from(self, values: ColumnValues) -> list[Sequence[Any]]:
        """Return the columns of the fields that are read."""
        return [values.columns[position].values for position in self.reads]
