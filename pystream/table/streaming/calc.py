"""Calc and KeptResults: the conditions and expressions of a query on single rows, computed in Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import FlatMapFunction, KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import MapState, MapStateDescriptor
from pystream.engine.operators.batch_flat_map import BatchFlatMapFunction
from pystream.engine.operators.column_map import ColumnFunction, ColumnResults
from pystream.table.conversions import ElementConversion
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.value_keys import fields_key
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind, make_row

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import ColumnValues
    from pystream.table.streaming.column_calc import ColumnCalc

__all__ = ["Calc", "CalcStep", "KeptResults"]

_ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)


class CalcStep(NamedTuple):
    """A SELECT of expressions of single rows.

    Attributes:
        conditions: what must be true of a row.
        fields: the values of the columns of the results.
        numbers: for each of them, the number of the column that it is; ``None`` if it is computed.
    """

    conditions: tuple[Evaluation, ...]
    fields: tuple[Evaluation, ...]
    numbers: tuple[int | None, ...]

    @property
    def is_deterministic(self) -> bool:
        """Whether equal rows always have equal results."""
        return all(evaluation.is_deterministic for evaluation in (*self.conditions, *self.fields))


class Calc(FlatMapFunction[Any, Row[Any]], BatchFlatMapFunction, ColumnFunction):
    """Compute expressions of each row for which conditions are true; a row keeps its kind.

    Functions of the program that take columns get those of one row at a time, or of a batch of rows.

    Mirrors ``…table.planner.plan.nodes.exec.stream.StreamExecCalc``.

    Args:
        conversion: makes a row of an element.
        steps: the SELECTs, from the innermost outwards.
        result: the type of the results.
    """

    def __init__(
        self, conversion: ElementConversion, steps: Sequence[CalcStep], result: TypeInformation[Any]
    ) -> None:
        self._conversion = conversion
        self._steps = tuple(steps)
        self._result = result
        self._columns: ColumnCalc | None = None  # made on the worker

    def open(self, runtime_context: RuntimeContext) -> None:
        self._conversion.open(runtime_context)
        for evaluation in self._evaluations():
            evaluation.open(runtime_context)

    def close(self) -> None:
        for evaluation in self._evaluations():
            evaluation.close()

    def flat_map(self, value: Any) -> Iterator[Row[Any]]:
        row = self._conversion.map(value)
        values: Sequence[Any] = row
        for conditions, fields, _ in self._steps:
            for condition in conditions:
                if not condition(values):
                    return
            values = [field(values) for field in fields]
        result = Row(*values)
        result.set_row_kind(row.get_row_kind())
        yield result

    def flat_map_batch(self, values: list[Any]) -> tuple[list[Row[Any]], Sequence[int]]:
        given = [self._conversion.map(value) for value in values]
        positions: Sequence[int] = range(len(given))
        rows: Sequence[Sequence[Any]] = given
        for conditions, fields, _ in self._steps:
            for condition in conditions:
                are_true = condition.of_rows(rows)
                rows, positions = list(compress(rows, are_true)), list(compress(positions, are_true))
            rows = list(zip(*(field.of_rows(rows) for field in fields), strict=True))
        results = [
            make_row(row, None, given[position].get_row_kind())
            for row, position in zip(rows, positions, strict=True)
        ]
        return results, positions

    def of_columns(self, values: ColumnValues) -> ColumnResults | None:
        columns = self._conversion.columns(values)
        if columns is None:
            return None
        if self._columns is None:
            from pystream.table.streaming.column_calc import ColumnCalc  # needs pyarrow

            self._columns = ColumnCalc(self._steps, self._result)
        return self._columns.results(columns, len(values))

    def is_by_kernels(self, source: TypeInformation[Any]) -> bool:
        """Return whether kernels compute all expressions of elements of a type."""
        from pystream.engine.vectorised.columns import ColumnValues, layout_of  # needs pyarrow
        from pystream.table.streaming.column_calc import ColumnCalc

        columns = self._conversion.columns(ColumnValues.of([], layout_of(source)))
        return columns is not None and ColumnCalc(self._steps, self._result).is_by_kernels(columns)

    @property
    def takes_batches(self) -> bool:
        """Whether functions of the program take columns of rows."""
        return any(evaluation.takes_batches for evaluation in self._evaluations())

    def _evaluations(self) -> Iterator[Evaluation]:
        for conditions, fields, _ in self._steps:
            yield from conditions
            yield from fields


class KeptResults(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Compute results of each row that is added, and take them back when it is taken back.

    For functions that are not deterministic: computed again, the results would be others. Of equal rows, the
    one that came first is taken back; a row that was not added is ignored. All rows have the same key, that
    of the ``NullByteKeySelector``, so that they keep their order. State: the rows that remain, with their
    results.

    Args:
        function: computes the results.
        ttl: the time after which a row expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(self, function: FlatMapFunction[Any, Row[Any]], ttl: Time | None = None) -> None:
        self._function = function
        pickled = Types.PICKLED_BYTE_ARRAY()
        self._descriptor = expiring(MapStateDescriptor("results", pickled, pickled), ttl)
        self._state: MapState[Hashable, tuple[list[tuple[Any, ...]], ...]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions."""
        self._state = runtime_context.get_map_state(self._descriptor)
        self._function.open(runtime_context)

    def close(self) -> None:
        """Close the functions."""
        self._function.close()

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the results for the row, with its kind."""
        key, kind = fields_key(tuple(value)), value.get_row_kind()
        known = self._state.get(key) or ()
        if kind in _ADDED:
            results = [tuple(result) for result in self._function.flat_map(value) or ()]
            self._state.put(key, (*known, results))
        elif known:
            results, *others = known
            if others:
                self._state.put(key, tuple(others))
            else:
                self._state.remove(key)
        else:
            return
        for result in results:
            yield make_row(result, None, kind)
