"""Operators whose functions run over the fields of elements, as long as these are columns."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from operator import length_hint
from typing import Any

import pyarrow as pa

from pystream.engine.columns.field_function import FieldFunction
from pystream.engine.events import Elements, Event, as_list
from pystream.engine.failure import TaskFailure, guarded, short_repr
from pystream.engine.operators.elementwise import Elementwise, Filter, Map
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import has_columns
from typeinfo.serde.composite import columns_of_rows

__all__ = ["field_operator"]


class _OnFields(Elementwise):
    """An operator that runs over columns if elements come as columns, else calls the function with each."""

    takes_columns = True

    def __init__(self, spec: OperatorSpec, function: FieldFunction) -> None:
        super().__init__(spec, function.load())
        self._fields = function
        self._layout = layout_of(function.element_type)

    def _prepare(self, environment: OperatorEnvironment) -> None:
        super()._prepare(environment)
        (call,) = self._calls
        self._on_fields = self._fields.on_fields(call)

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        values = elements.values
        if not (isinstance(values, ColumnValues) and values.are_columns and values.layout is self._layout):
            return super().process(as_list(elements), side)
        read = [values.columns[position].values for position in self._fields.reads]
        remaining = iter(read[0]) if read else iter(())

        def failure(error: BaseException) -> TaskFailure:
            at = len(values) - length_hint(remaining) - 1
            return TaskFailure.of(self.label, error, short_repr(values.element(at)) if at >= 0 else "")

        results = map(self._on_fields, remaining, *read[1:])
        return guarded(self._run_on_fields(values, results, elements.timestamps), failure)

    @abstractmethod
    def _run_on_fields(
        self, values: ColumnValues, results: Iterator[Any], timestamps: list[int] | None
    ) -> Iterator[Elements]:
        """Yield the results for elements, given as columns.

        Args:
            values: the elements.
            results: calls the function with the fields of each.
            timestamps: the event times of the elements.
        """


class FieldFilter(_OnFields, Filter):
    """Emit the elements that satisfy a predicate of their fields; the others are masked out."""

    def _run_on_fields(
        self, values: ColumnValues, results: Iterator[Any], timestamps: list[int] | None
    ) -> Iterator[Elements]:
        passing = [True if result else False for result in results]  # noqa: SIM210 - half the time of bool()
        times = None if timestamps is None else list(compress(timestamps, passing))
        yield Elements(values.filter(pa.array(passing, pa.bool_())), times)


class FieldMap(_OnFields, Map):
    """Map the fields of each element to one result."""

    def __init__(self, spec: OperatorSpec, function: FieldFunction) -> None:
        super().__init__(spec, function)
        self._result_layout = layout_of(spec.output_type) if function.results is not None else None

    def _run_on_fields(
        self, values: ColumnValues, results: Iterator[Any], timestamps: list[int] | None
    ) -> Iterator[Elements]:
        yield Elements(self._results(values, results), timestamps, origin=lambda at: short_repr(values.element(at)))

    def _results(self, values: ColumnValues, results: Iterator[Any]) -> Sequence[Any]:
        handed_on, layout = self._fields.results, self._result_layout
        if handed_on is None or layout is None:
            return list(self._copies.each(results))
        given = list(results) if self._fields.is_called else []
        computed = _computed(given, handed_on, has_columns(layout.type))
        if computed is None:
            return self._whole(values, given)
        columns = []
        rest = iter(computed)
        try:
            for position, codec in zip(handed_on, layout.codecs, strict=True):
                if position is not None:
                    columns.append(values.columns[position].with_codec(codec))
                else:
                    columns.append(Column(codec, values=codec.conform(next(rest))))
        except TypeCheckError:
            return self._whole(values, given)
        return ColumnValues.of_columns(layout, columns, len(values))

    def _whole(self, values: ColumnValues, given: list[Any]) -> list[Any]:
        """Return results as objects, which are validated, and reported, as those of other operators."""
        handed_on, layout = self._fields.results, self._result_layout
        assert handed_on is not None and layout is not None
        if not has_columns(layout.type):
            return given
        whole: list[Any] = []
        for index, row in enumerate(given):
            if row is None:
                whole.append(None)
                continue
            rest = iter(row)
            parts = [
                next(rest) if position is None else values.columns[position].values[index]
                for position in handed_on
            ]
            whole += layout.built([(part,) for part in parts], 1)
        return whole


def _computed(
    given: list[Any], handed_on: tuple[int | None, ...], is_composite: bool
) -> Sequence[Sequence[Any]] | None:
    """Return the columns that calls computed, ``None`` if a call returned none."""
    if not is_composite:
        return [given]
    try:
        return columns_of_rows(given, handed_on.count(None))
    except TypeError:
        return None


_OPERATORS: dict[str, Callable[[OperatorSpec, FieldFunction], _OnFields]] = {
    "map": FieldMap,
    "filter": FieldFilter,
}


def field_operator(spec: OperatorSpec, function: FieldFunction, method: str) -> Elementwise:
    """Return the operator of a function of fields.

    Args:
        spec: the operator.
        function: its function.
        method: the method of its function class.
    """
    return _OPERATORS[method](spec, function)
