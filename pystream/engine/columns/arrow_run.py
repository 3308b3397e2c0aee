"""ArrowRun: runs the function of an operator as kernels of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pyarrow as pa

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.events import Elements, Event
from pystream.engine.failure import short_repr
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.engine.vectorised.parts import masked
from pystream.expressions.expression import Expression, Op
from pystream.expressions.kernels import Kernels, NotComputedError
from typeinfo.errors import TypeCheckError
from typeinfo.extended import is_immutable
from typeinfo.serde.codec import Codec

__all__ = ["ArrowRun"]


class ArrowRun:
    """Runs a map, or the condition of a filter, as kernels.

    Args:
        spec: the operator.
        forms: those of its function: the columns of its results; for a filter, its condition.
        is_filter: whether it is a filter.
    """

    def __init__(self, spec: OperatorSpec, forms: ColumnForms, *, is_filter: bool) -> None:
        self._expressions = forms.expressions
        self._is_filter = is_filter
        self._layout = layout_of(forms.inferred or spec.output_type)

    def process(self, values: ColumnValues, timestamps: list[int] | None) -> Iterator[Event] | None:
        """Return the results for elements, ``None`` if they are beyond the kernels."""
        kernels = Kernels(lambda position: values.columns[position].array, len(values))
        try:
            if self._is_filter:
                return iter([self._filtered(values, timestamps, kernels)])
            columns = list(
                map(partial(self._column, values, kernels), self._expressions, self._layout.codecs)
            )
        except (NotComputedError, TypeCheckError):
            return None
        mapped = ColumnValues.of_columns(self._layout, columns, len(values))
        return iter([Elements(mapped, timestamps, origin=lambda at: short_repr(values.element(at)))])

    def _filtered(self, values: ColumnValues, timestamps: list[int] | None, kernels: Kernels) -> Elements:
        (condition,) = self._expressions
        return masked(values, kernels.column(condition, pa.bool_()), timestamps)

    def _column(self, values: ColumnValues, kernels: Kernels, expression: Expression, codec: Codec) -> Column:
        """Return a column of the results; a field that is handed on keeps its values, which cannot change.

        Raises:
            NotComputedError: kernels do not compute it.
            TypeCheckError: a field that is handed on is ``None``, and may not be.
        """
        if expression.op is Op.FIELD and is_immutable(expression.type):
            (position,) = expression.data
            assert isinstance(position, int)
            return values.columns[position].with_codec(codec)
        return Column(codec, kernels.column(expression, codec.arrow))
