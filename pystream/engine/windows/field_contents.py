"""FieldContents: adds elements that are columns by the fields that an aggregate function reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from pystream.engine.columns.column_forms import ColumnForms, on_fields
from pystream.engine.vectorised.columns import ColumnValues, layout_of

__all__ = ["FieldContents"]


class FieldContents:
    """The accumulators of an aggregate function, to which the fields of elements are added.

    Args:
        aggregate: the aggregate function.
        forms: those of its ``add``, which has code on fields.

    Attributes:
        first: returns a new accumulator with the fields of one element, a tuple.
        more: returns an accumulator with those of one more element; may be the same object, modified.
    """

    def __init__(self, aggregate: Any, forms: ColumnForms) -> None:
        assert forms.fields is not None
        self._layout = layout_of(forms.element_type)
        self._reads = forms.fields.reads
        self._create: Callable[[], Any] = aggregate.create_accumulator
        self._add = on_fields(aggregate.add, forms.fields)
        self.first: Callable[[Any], Any] = self._begin
        self.more: Callable[[Any, Any], Any] = self._go_on

    def _begin(self, fields: tuple[Any, ...]) -> Any:
        return self._add(*fields, self._create())

    def _go_on(self, accumulator: Any, fields: tuple[Any, ...]) -> Any:
        return self._add(*fields, accumulator)

    def copied(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the fields of an element; all are immutable."""
        return value

    def takes(self, values: Sequence[Any]) -> TypeGuard[ColumnValues]:
        """Return whether elements are columns whose fields can be added."""
        return isinstance(values, ColumnValues) and values.are_columns and values.layout is self._layout

    def read_from(self, values: ColumnValues) -> list[Sequence[Any]]:
        """Return the columns of the fields that are read; there is at least one."""
        return [values.columns[position].values for position in self._reads]
