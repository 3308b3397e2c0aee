"""ArrowRun: runs the function of an operator as kernels of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

import pyarrow as pa

from pystream.engine.events import Elements, Event
from pystream.engine.failure import short_repr
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.expressions.expression import Expression
from pystream.expressions.kernels import Kernels, NotComputedError

__all__ = ["ArrowRun"]


class ArrowRun:
    """Runs a map, or the condition of a filter, as kernels.

    Args:
        spec: the operator.
        expressions: the columns of its results; for a filter, its condition.
        is_filter: whether it is a filter.
    """

    def __init__(self, spec: OperatorSpec, expressions: tuple[Expression, ...], *, is_filter: bool) -> None:
        self._expressions = expressions
        self._is_filter = is_filter
        self._layout = layout_of(spec.output_type)

    def process(self, values: ColumnValues, timestamps: list[int] | None) -> Iterator[Event] | None:
        """Return the results for elements, ``None`` if they are beyond the kernels."""
        kernels = Kernels(lambda position: values.columns[position].array, len(values))
        types = [pa.bool_()] if self._is_filter else [codec.arrow for codec in self._layout.codecs]
        try:
            arrays = list(map(kernels.column, self._expressions, types))
        except NotComputedError:
            return None
        if self._is_filter:
            (mask,) = arrays
            times = None if timestamps is None else list(compress(timestamps, mask.to_pylist()))
            return iter([Elements(values.filter(mask), times)])
        columns = list(map(Column, self._layout.codecs, arrays))
        mapped = ColumnValues.of_columns(self._layout, columns, len(values))
        return iter([Elements(mapped, timestamps, origin=lambda at: short_repr(values.element(at)))])
