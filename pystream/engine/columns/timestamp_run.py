"""TimestampRun: computes the timestamps of elements that are columns."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from operator import length_hint
from typing import Any

import pyarrow as pa

from pystream.engine.columns.column_forms import ColumnForms, on_fields
from pystream.engine.columns.loops import Loop, loop
from pystream.engine.events import Timestamps
from pystream.engine.failure import OperatorLabel, TaskFailure, short_repr
from pystream.engine.timestamps import timestamps_of_array
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.expressions.kernels import Kernels, NotComputedError

__all__ = ["TimestampRun"]


class TimestampRun:
    """Runs a timestamp assigner as a kernel; where that does not compute a batch, over fields.

    Args:
        label: the operator, for messages.
        forms: those of the function.
        extract: the function, of an element and its current timestamp.
    """

    def __init__(self, label: OperatorLabel, forms: ColumnForms, extract: Callable[[Any, int], int]) -> None:
        self._label = label
        self._layout = layout_of(forms.element_type)
        self._expressions = forms.expressions
        self._fields = forms.fields
        if forms.fields is not None:
            self._call = on_fields(extract, forms.fields)

    def timestamps(self, values: Sequence[Any], present: Timestamps) -> list[Any] | array[int] | None:
        """Return what the function returns for elements, ``None`` if it must be called with them.

        Timestamps that a kernel computes are packed.

        Args:
            values: the elements.
            present: their current timestamps.

        Raises:
            TaskFailure: the function raised; the report names the element.
        """
        if not (isinstance(values, ColumnValues) and values.are_columns and values.layout is self._layout):
            return None
        times = self._computed(values)
        return self._called(values, present) if times is None else times

    def _computed(self, values: ColumnValues) -> array[int] | None:
        if not self._expressions:
            return None
        kernels = Kernels(lambda position: values.columns[position].array, len(values))
        try:
            column = kernels.column(self._expressions[0], pa.int64())
        except NotComputedError:
            return None
        return None if column.null_count else timestamps_of_array(column)

    def _called(self, values: ColumnValues, present: Timestamps) -> list[Any] | None:
        if self._fields is None:
            return None
        read = [values.columns[position].values for position in self._fields.reads]
        remaining = iter(present)
        try:
            called: list[Any] = loop(Loop.RESULTS, len(read) + 1)(self._call, *read, remaining)
        except BaseException as error:
            at = len(values) - length_hint(remaining) - 1
            raise TaskFailure.of(self._label, error, short_repr(values.element(at))) from error
        return called
