"""ArrowRun: runs the function of an operator as kernels of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pyarrow as pa

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.events import Elements, Event, Timestamps
from pystream.engine.failure import short_repr
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.engine.vectorised.parts import masked
from pystream.expressions.expression import Expression, Op
from pystream.expressions.kernels import Kernels, NotComputedError
from typeinfo.errors import TypeCheckError
from typeinfo.extended import is_immutable
from typeinfo.serde.codec import Codec

__all__ = ["ArrowRun", "column_of", "handed_on"]


class ArrowRun:
    """Runs a map or a filter as kernels.

    Args:
        spec: the operator.
        forms: those of its function: the columns of its results; for a filter, its condition.
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
            columns = list(map(partial(column_of, values, kernels), self._expressions, self._layout.codecs))
        except (NotComputedError, TypeCheckError):
            return None
        mapped = ColumnValues.of_columns(self._layout, columns, len(values))
        return iter([Elements(mapped, timestamps, origin=lambda at: short_repr(values.element(at)))])

    def _filtered(self, values: ColumnValues, timestamps: Timestamps | None, kernels: Kernels) -> Elements:
        (condition,) = self._expressions
        return masked(values, kernels.column(condition, pa.bool_()), timestamps)


def column_of(values: ColumnValues, kernels: Kernels, expression: Expression, codec: Codec) -> Column:
    """Return a column of results; a field that is handed on keeps its values, which cannot change.

    Args:
        values: the elements.
        kernels: those over their columns.
        expression: the column.
        codec: the codec of its values.

    Raises:
        NotComputedError: kernels do not compute it.
        TypeCheckError: a field that is handed on is ``None``, and may not be.
    """
    position = handed_on(expression)
    if position is not None:
        return values.columns[position].with_codec(codec)
    return Column(codec, kernels.column(expression, codec.arrow))


def handed_on(expression: Expression) -> int | None:
    """Return the position of the field that an expression is, if its values cannot change, else ``None``."""
    if expression.op is not Op.FIELD or expression.parts[0].op is not Op.INPUT:
        return None
    (position,) = expression.data
    assert isinstance(position, int)
    return position if is_immutable(expression.type) else None
