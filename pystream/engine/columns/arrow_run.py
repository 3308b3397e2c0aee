"""ArrowRun: runs the function of an operator as kernels of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
import pyarrow as pa

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.events import Elements, Event, Timestamps
from pystream.engine.failure import short_repr
from pystream.engine.spec import OperatorSpec
from pystream.engine.timestamps import masked_timestamps
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.engine.vectorised.parts import masked
from pystream.expressions.expression import Expression, Op
from pystream.expressions.kernels import Kernels, NotComputedError
from typeinfo.errors import TypeCheckError
from typeinfo.extended import is_immutable
from typeinfo.serde.codec import Codec

__all__ = ["ArrowRun"]


class ArrowRun:
    """Runs a map, a filter, or a flat map with at most one result for each element, as kernels.

    Args:
        spec: the operator.
        forms: those of its function: the columns of its results; for a filter, its condition; for a flat map,
            the condition for a result, and its columns.
        method: the method of its function class.
    """

    def __init__(self, spec: OperatorSpec, forms: ColumnForms, method: str) -> None:
        self._expressions = forms.expressions
        self._method = method
        self._layout = layout_of(forms.inferred or spec.output_type)

    def process(self, values: ColumnValues, timestamps: Timestamps | None) -> Iterator[Event] | None:
        """Return the results for elements, ``None`` if they are beyond the kernels."""
        kernels = Kernels(lambda position: values.columns[position].array, len(values))
        try:
            if self._method == "filter":
                return iter([self._filtered(values, timestamps, kernels)])
            if self._method == "flat_map":
                return iter([self._optional(values, timestamps, kernels)])
            columns = list(
                map(partial(self._column, values, kernels), self._expressions, self._layout.codecs)
            )
        except (NotComputedError, TypeCheckError):
            return None
        mapped = ColumnValues.of_columns(self._layout, columns, len(values))
        return iter([Elements(mapped, timestamps, origin=lambda at: short_repr(values.element(at)))])

    def _filtered(self, values: ColumnValues, timestamps: Timestamps | None, kernels: Kernels) -> Elements:
        (condition,) = self._expressions
        return masked(values, kernels.column(condition, pa.bool_()), timestamps)

    def _optional(self, values: ColumnValues, timestamps: Timestamps | None, kernels: Kernels) -> Elements:
        condition, *results = self._expressions
        mask = kernels.column(condition, pa.bool_())
        places = np.flatnonzero(mask.to_numpy(zero_copy_only=False))
        kept = Kernels(cache(lambda position: values.columns[position].array.filter(mask)), len(places))
        columns = [
            Column(codec, kept.column(result, codec.arrow))
            for result, codec in zip(results, self._layout.codecs, strict=True)
        ]
        return Elements(
            ColumnValues.of_columns(self._layout, columns, len(places)),
            None if timestamps is None else masked_timestamps(timestamps, mask),
            origin=lambda at: short_repr(values.element(int(places[at]))),
        )

    def _column(self, values: ColumnValues, kernels: Kernels, expression: Expression, codec: Codec) -> Column:
        """Return a column of the results; a field that is handed on keeps its values, which cannot change.

        Raises:
            NotComputedError: kernels do not compute it.
            TypeCheckError: a field that is handed on is ``None``, and may not be.
        """
        is_field = expression.op is Op.FIELD and expression.parts[0].op is Op.INPUT
        if is_field and is_immutable(expression.type):
            (position,) = expression.data
            assert isinstance(position, int)
            return values.columns[position].with_codec(codec)
        return Column(codec, kernels.column(expression, codec.arrow))
