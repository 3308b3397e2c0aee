"""Runs of functions over the fields of elements that are columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from operator import length_hint
from typing import Any, TypeAlias

import pyarrow as pa

from pystream.engine.columns.column_forms import ColumnForms, on_fields
from pystream.engine.columns.field_results import FieldResults
from pystream.engine.columns.loops import Loop, loop
from pystream.engine.events import Elements, Event, Timestamps
from pystream.engine.failure import OperatorLabel, TaskFailure, guarded, short_repr
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.results.copies import ResultCopier
from pystream.engine.results.flat_results import FlatResults, in_batches
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import Column, ColumnValues
from pystream.engine.vectorised.parts import masked
from pystream.expressions.expression import Expression
from pystream.expressions.field_code import FieldCode
from pystream.expressions.kernels import Kernels, NotComputedError
from typeinfo.serde.codec import Codec

__all__ = ["FIELD_RUNS", "FieldRun"]


_Apart: TypeAlias = Sequence[Column | None]


class FieldRun(ABC):
    """Runs the function of an operator over the fields of elements.

    Args:
        spec: the operator.
        forms: those of its function.
        fields: its code on fields.
        copies: copies its results.
    """

    def __init__(
        self, spec: OperatorSpec, forms: ColumnForms, fields: FieldCode, copies: ResultCopier
    ) -> None:
        self._label: OperatorLabel = spec.label
        self._fields = fields
        self._copies = copies
        self._reduced = None if fields.reduced is None else type(self)(spec, forms, fields.reduced, copies)

    def open(self, call: Callable[[Any], Any], metrics: MetricGroup) -> None:
        self._call = on_fields(call, self._fields)
        if self._reduced is not None:
            self._reduced.open(call, metrics)

    def process(self, values: ColumnValues, timestamps: Timestamps | None) -> Iterator[Event]:
        """Return the results for elements.

        Raises:
            NotComputedError: kernels do not compute one of the columns apart from calls; none was made.
        """
        if self._reduced is not None:
            with suppress(NotComputedError):  # then calls compute all columns
                return self._reduced.process(values, timestamps)
        apart = self._apart(values)
        read = [values.columns[position].values for position in self._fields.reads]
        remaining = iter(read[0]) if read else iter(())

        def failure(error: BaseException) -> TaskFailure:
            at = len(values) - length_hint(remaining) - 1
            return TaskFailure.of(self._label, error, short_repr(values.element(at)) if at >= 0 else "")

        return guarded(self._run(values, [remaining, *read[1:]], apart, timestamps), failure)

    def _apart(self, values: ColumnValues) -> _Apart:
        """Return the columns of results that calls do not compute, ``None`` for those that they do."""
        return ()

    @abstractmethod
    def _run(
        self, values: ColumnValues, read: list[Any], apart: _Apart, timestamps: Timestamps | None
    ) -> Iterator[Elements]:
        """Yield the results for elements.

        Args:
            values: the elements.
            read: the columns of the fields that the function reads.
            apart: the columns of the results that calls do not compute.
            timestamps: the event times of the elements.
        """


class _FilterRun(FieldRun):
    """Runs a predicate, and masks out the elements that do not satisfy it."""

    def _run(
        self, values: ColumnValues, read: list[Any], apart: _Apart, timestamps: Timestamps | None
    ) -> Iterator[Elements]:
        passing = loop(Loop.TRUTHS, len(read))(self._call, *read)
        yield masked(values, pa.array(passing, pa.bool_()), timestamps)


class _ResultsRun(FieldRun):
    """Runs a function that returns results."""

    def __init__(
        self, spec: OperatorSpec, forms: ColumnForms, fields: FieldCode, copies: ResultCopier
    ) -> None:
        super().__init__(spec, forms, fields, copies)
        self._results = FieldResults(spec, forms)

    def open(self, call: Callable[[Any], Any], metrics: MetricGroup) -> None:
        super().open(call, metrics)
        self._results.open(metrics)


class _MapRun(_ResultsRun):
    """Runs a function with one result for each element."""

    def _run(
        self, values: ColumnValues, read: list[Any], apart: _Apart, timestamps: Timestamps | None
    ) -> Iterator[Elements]:
        mapped = self._mapped(values, read, apart)
        yield Elements(mapped, timestamps, origin=lambda at: short_repr(values.element(at)))

    def _apart(self, values: ColumnValues) -> _Apart:
        kernels = Kernels(lambda position: values.columns[position].array, len(values))
        results = self._fields.results or ()
        codecs = self._results.layout.codecs
        return [self._column(values, kernels, *pair) for pair in zip(results, codecs, strict=False)]

    @staticmethod
    def _column(
        values: ColumnValues, kernels: Kernels, result: int | Expression | None, codec: Codec
    ) -> Column | None:
        if isinstance(result, Expression):
            return Column(codec, kernels.column(result, codec.arrow))
        return None if result is None else values.columns[result]

    def _mapped(self, values: ColumnValues, read: list[Any], apart: _Apart) -> Sequence[Any]:
        results = self._fields.results
        if not self._fields.is_called:
            given: list[Any] = [()] * len(values)
        elif results is None or self._results.is_inferred:
            given = list(self._copies.each(loop(Loop.LAZY, len(read))(self._call, *read)))
        else:
            given = loop(Loop.RESULTS, len(read))(self._call, *read)
        return given if results is None else self._results.of(given, apart)


class _FlatMapRun(_ResultsRun):
    """Runs a function with any number of results for each element."""

    def _run(
        self, values: ColumnValues, read: list[Any], apart: _Apart, timestamps: Timestamps | None
    ) -> Iterator[Elements]:
        flat = FlatResults(loop(Loop.LAZY, len(read))(self._call, *read), values)
        results = self._fields.results
        copied = self._copies.each(flat) if results is None or self._results.is_inferred else flat
        first = 0
        for batch in in_batches(copied, read[0], timestamps):
            given = batch.values
            assert isinstance(given, list)
            found = given if results is None else self._results.of(given, [None] * len(results))
            yield batch._replace(values=found, origin=partial(flat.origin, first))
            first += len(given)


FIELD_RUNS: dict[str, type[FieldRun]] = {"map": _MapRun, "filter": _FilterRun, "flat_map": _FlatMapRun}
"""The run of the function of an operator, by the method of its function class."""
