"""Runs of functions over the fields of elements that are columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from operator import length_hint
from typing import Any, TypeGuard

import pyarrow as pa

from pystream.engine.columns.field_function import FieldFunction
from pystream.engine.columns.loops import Loop, loop
from pystream.engine.events import Elements, Event
from pystream.engine.failure import OperatorLabel, TaskFailure, guarded, short_repr
from pystream.engine.results.copies import ResultCopier
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import has_columns
from typeinfo.serde.composite import columns_of_rows

__all__ = ["FieldRun", "field_run"]


class FieldRun(ABC):
    """Runs the function of an operator over the fields of elements.

    Args:
        spec: the operator.
        function: its function.
        copies: copies its results.
    """

    def __init__(self, spec: OperatorSpec, function: FieldFunction, copies: ResultCopier) -> None:
        self._label: OperatorLabel = spec.label
        self._function = function
        self._copies = copies
        self._layout = layout_of(function.element_type)

    def open(self, call: Callable[[Any], Any]) -> None:
        """Take over the function, or the method of the function object, that is called with an element."""
        self._call = self._function.on_fields(call)

    def takes(self, values: Sequence[Any]) -> TypeGuard[ColumnValues]:
        """Return whether elements are at hand as columns of the type that the function expects."""
        return isinstance(values, ColumnValues) and values.are_columns and values.layout is self._layout

    def process(self, values: ColumnValues, timestamps: list[int] | None) -> Iterator[Event]:
        """Yield the results for elements, in their order.

        Args:
            values: elements that it takes.
            timestamps: their event times.

        Raises:
            TaskFailure: the function raised; the report names the element.
        """
        read = [values.columns[position].values for position in self._function.reads]
        remaining = iter(read[0]) if read else iter(())

        def failure(error: BaseException) -> TaskFailure:
            at = len(values) - length_hint(remaining) - 1
            return TaskFailure.of(self._label, error, short_repr(values.element(at)) if at >= 0 else "")

        return guarded(self._run(values, [remaining, *read[1:]], timestamps), failure)

    @abstractmethod
    def _run(
        self, values: ColumnValues, read: list[Iterable[Any]], timestamps: list[int] | None
    ) -> Iterator[Elements]:
        """Yield the results for elements.

        Args:
            values: the elements.
            read: the columns of the fields that the function reads.
            timestamps: the event times of the elements.
        """


class _FilterRun(FieldRun):
    """Runs a predicate, and masks out the elements that do not satisfy it."""

    def _run(
        self, values: ColumnValues, read: list[Iterable[Any]], timestamps: list[int] | None
    ) -> Iterator[Elements]:
        passing = loop(Loop.TRUTHS, len(read))(self._call, *read)
        times = None if timestamps is None else list(compress(timestamps, passing))
        yield Elements(values.filter(pa.array(passing, pa.bool_())), times)


class _MapRun(FieldRun):
    """Runs a function with one result for each element."""

    def __init__(self, spec: OperatorSpec, function: FieldFunction, copies: ResultCopier) -> None:
        super().__init__(spec, function, copies)
        self._result_layout = layout_of(spec.output_type)
        self._is_composite = has_columns(spec.output_type)

    def _run(
        self, values: ColumnValues, read: list[Iterable[Any]], timestamps: list[int] | None
    ) -> Iterator[Elements]:
        mapped = self._mapped(values, read)
        yield Elements(mapped, timestamps, origin=lambda at: short_repr(values.element(at)))

    def _mapped(self, values: ColumnValues, read: list[Iterable[Any]]) -> Sequence[Any]:
        columns = self._function.results
        if columns is None:
            return list(self._copies.each(loop(Loop.LAZY, len(read))(self._call, *read)))
        given = loop(Loop.RESULTS, len(read))(self._call, *read) if self._function.is_called else []
        try:
            return self._as_columns(values, given, columns)
        except TypeCheckError:
            return self._as_objects(values, given, columns)

    def _as_columns(
        self, values: ColumnValues, given: list[Any], columns: tuple[int | None, ...]
    ) -> ColumnValues:
        """Return results as columns.

        Raises:
            TypeCheckError: one does not have its type.
        """
        computed: Iterator[Sequence[Any]] = iter([given])
        if self._is_composite:
            if None in given:
                raise TypeCheckError("None is no composite")
            computed = iter(columns_of_rows(given, columns.count(None)))
        held = []
        for position, codec in zip(columns, self._result_layout.codecs, strict=True):
            if position is None:
                held.append(Column(codec, values=codec.conform(next(computed))))
            else:
                held.append(values.columns[position].with_codec(codec))
        return ColumnValues.of_columns(self._result_layout, held, len(values))

    def _as_objects(
        self, values: ColumnValues, given: list[Any], columns: tuple[int | None, ...]
    ) -> list[Any]:
        """Return results as objects, to be validated as others are: one does not have its type."""
        if not self._is_composite:
            return given
        objects: list[Any] = []
        for index, row in enumerate(given):
            if row is None:
                objects.append(None)
                continue
            rest = iter(row)
            parts = [
                next(rest) if position is None else values.columns[position].values[index]
                for position in columns
            ]
            objects += self._result_layout.built([(part,) for part in parts], 1)
        return objects


_RUNS: dict[str, type[FieldRun]] = {"map": _MapRun, "filter": _FilterRun}


def field_run(spec: OperatorSpec, function: FieldFunction, method: str, copies: ResultCopier) -> FieldRun:
    """Return the run of the function of an operator.

    Args:
        spec: the operator.
        function: its function.
        method: the method of its function class.
        copies: copies its results.
    """
    return _RUNS[method](spec, function, copies)
