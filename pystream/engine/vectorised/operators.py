"""Operators whose function is called once per batch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import numpy as np

from pystream.engine.events import Elements, Event, Timestamps
from pystream.engine.failure import TaskFailure, guarded, short_repr
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import OperatorSpec
from pystream.engine.timestamps import taken_timestamps
from pystream.engine.vectorised.arguments import argument
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.engine.vectorised.parts import capped, masked
from pystream.engine.vectorised.results import (
    is_columnar,
    mask_of,
    origins,
    results_for_each,
    results_of,
)
from pystream.engine.vectorised.vector_function import VectorFunction
from typeinfo.errors import TypeCheckError

__all__ = ["described_batch", "vector_operator"]


def described_batch(values: ColumnValues, error: BaseException) -> str:
    """Return the description of a batch that a function failed on, for a report."""
    if isinstance(error, TypeCheckError) and error.index is not None:
        return f"result {error.index} of a batch of {len(values)} elements"
    return f"in a batch of {len(values)} elements, the first of them {short_repr(values.element(0))}"


class _Vectorised(Operator):
    """An operator without keys that calls its function once per batch.

    Batches are processed as they arrive: columns from a table stay columns, lists of elements are converted
    once, and results become Python values only if the next operator needs them.
    """

    takes_columns = True
    keeps_batches = True
    METHOD: ClassVar[str]

    def __init__(self, spec: OperatorSpec, function: VectorFunction) -> None:
        super().__init__(spec.label, (function.function,) if spec.is_object else ())
        self._call = getattr(function.function, self.METHOD) if spec.is_object else function.function
        self._form = function.form
        self._input_layout = layout_of(function.element_type)
        self._output_layout = layout_of(spec.output_type)

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        values = ColumnValues.of(elements.values, self._input_layout)
        return guarded(
            self._run(values, elements.timestamps),
            lambda error: TaskFailure.of(self.label, error, described_batch(values, error)),
        )

    @abstractmethod
    def _run(self, values: ColumnValues, timestamps: Timestamps | None) -> Iterator[Elements]: ...

    def _result(self, values: ColumnValues) -> Any:
        return self._call(argument(self._form, values))


class VectorMap(_Vectorised):
    """Map each element to one result, in order."""

    METHOD: ClassVar[str] = "map"

    def _run(self, values: ColumnValues, timestamps: Timestamps | None) -> Iterator[Elements]:
        results = results_for_each(self._result(values), len(values), self._output_layout)
        yield Elements(results, timestamps)


class VectorFilter(_Vectorised):
    """Emit the elements that satisfy a predicate."""

    METHOD: ClassVar[str] = "filter"

    def _run(self, values: ColumnValues, timestamps: Timestamps | None) -> Iterator[Elements]:
        mask = mask_of(self._result(values), len(values))
        yield masked(values, mask, timestamps)


class VectorFlatMap(_Vectorised):
    """Map a batch to any number of results, in one batch or several; ``None`` emits nothing."""

    METHOD: ClassVar[str] = "flat_map"

    def _run(self, values: ColumnValues, timestamps: Timestamps | None) -> Iterator[Elements]:
        given = self._result(values)
        for result in _batches(given):
            results = results_of(result, self._output_layout)
            times = None
            if timestamps is not None:
                positions = np.array(origins(result, len(values)), np.int64)
                times = taken_timestamps(timestamps, positions)
            yield from capped(results, times)


def _batches(given: Any) -> Iterable[Any]:
    if given is None:
        return ()
    if is_columnar(given) or not isinstance(given, Iterable) or isinstance(given, (str, bytes, dict)):
        return (given,)
    return given


_OPERATORS = {operator.METHOD: operator for operator in (VectorMap, VectorFilter, VectorFlatMap)}


def vector_operator(spec: OperatorSpec, function: VectorFunction, method: str) -> Operator:
    """Return the operator of a function that is called once per batch.

    Args:
        spec: the operator.
        function: its function.
        method: the method of its function class.
    """
    return _OPERATORS[method](spec, function)
