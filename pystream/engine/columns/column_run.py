"""ColumnRun: runs the function of an operator over columns, in the fastest form that computes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeGuard

from pystream.engine.columns.arrow_run import ArrowRun
from pystream.engine.columns.column_forms import ColumnForms, is_original
from pystream.engine.columns.field_runs import FIELD_RUNS
from pystream.engine.columns.flat_run import FlatRun
from pystream.engine.events import Elements, Event
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.results.copies import ResultCopier
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.engine.vectorised.parts import cache_sized, in_parts

__all__ = ["ColumnRun"]


class ColumnRun:
    """Runs a function as kernels; where these do not compute a batch, over its fields.

    Args:
        spec: the operator.
        forms: those of its function.
        method: the method of its function class.
        copies: copies its results.
    """

    def __init__(self, spec: OperatorSpec, forms: ColumnForms, method: str, copies: ResultCopier) -> None:
        self._forms = forms
        self._layout = layout_of(forms.element_type)
        self._arrow: ArrowRun | FlatRun | None = None
        if forms.expressions:
            self._arrow = (
                FlatRun(forms.expressions[0], forms.inferred or spec.output_type)
                if method == "flat_map"
                else ArrowRun(spec, forms, method)
            )
        self._fields = None
        if forms.fields is not None:
            self._fields = FIELD_RUNS[method](spec, forms, forms.fields, copies)

    def open(self, call: Callable[[Any], Any], metrics: MetricGroup) -> None:
        """Take over the function, or the method of the function object, that is called with an element.

        A method that ``open`` of its object has replaced is called with elements.

        Args:
            call: the function or method.
            metrics: those of the operator.
        """
        code = self._forms.fields
        if self._fields is not None and code is not None and is_original(call, code):
            self._fields.open(call, metrics)
        else:
            self._fields = None

    def _takes(self, values: Sequence[Any]) -> TypeGuard[ColumnValues]:
        """Return whether elements are at hand as columns of the type that the function expects."""
        return isinstance(values, ColumnValues) and values.are_columns and values.layout is self._layout

    def process(self, elements: Elements, called: Callable[[Elements], Iterator[Event]]) -> Iterator[Event]:
        """Return the results for elements, in their order.

        Args:
            elements: the elements.
            called: returns the results of calls with elements, where it runs over columns in no form.

        Raises:
            TaskFailure: the function raised; the report names the element.
        """
        if isinstance(self._arrow, FlatRun):
            parts = in_parts(elements, self._arrow.most_elements)
            return chain.from_iterable(self._by_kernels(part, called) for part in parts)
        return self._by_kernels(elements, called)

    def _by_kernels(
        self, elements: Elements, called: Callable[[Elements], Iterator[Event]]
    ) -> Iterator[Event]:
        values = elements.values
        if self._arrow is not None and self._takes(values):
            events = self._arrow.process(values, elements.timestamps)
            if events is not None:
                return events
        return chain.from_iterable(self._in_python(part, called) for part in cache_sized(elements))

    def _in_python(
        self, elements: Elements, called: Callable[[Elements], Iterator[Event]]
    ) -> Iterator[Event]:
        values = elements.values
        if self._fields is not None and self._takes(values):
            return self._fields.process(values, elements.timestamps)
        return called(elements)
