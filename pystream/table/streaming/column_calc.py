"""ColumnCalc: the conditions and expressions of a query over the columns of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.formats.fields import without_optional
from pystream.engine.operators.column_map import ColumnResults
from pystream.engine.vectorised.columns import Column, ColumnValues, exact_values, layout_of, taken_array
from pystream.expressions.operation import NotComputedError
from pystream.table.evaluation import Evaluation
from pystream.table.functions.kernels.compiled import ColumnEvaluate, kernel_of
from pystream.table.functions.kernels.faults import REFUSALS, naming_faults
from pystream.table.functions.kernels.operands import as_array, pc
from pystream.table.streaming.column_types import is_plain
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for

if TYPE_CHECKING:
    from pystream.table.streaming.calc import CalcStep

__all__ = ["ColumnCalc", "ColumnConditions", "SelectedRows"]

_Positions = npt.NDArray[np.int64]


class SelectedRows:
    """Rows as columns, of which some are selected; a column is taken when it is first read.

    Args:
        columns: the columns of all rows.
        count: the number of rows that are selected.
        positions: their positions, ``None`` if they are all.
    """

    def __init__(self, columns: Sequence[Column], count: int, positions: _Positions | None = None) -> None:
        self._columns = columns
        self.count: int = count
        self.positions: _Positions | None = positions
        self._taken: dict[int, Column] = {}
        self._fields: dict[tuple[int, ...], pa.Array] = {}

    def selected(self, positions: _Positions) -> SelectedRows:
        """Return the rows at some positions among those that are selected."""
        kept = positions if self.positions is None else self.positions[positions]
        return SelectedRows(self._columns, len(positions), kept)

    def column(self, number: int) -> Column:
        """Return a column."""
        if self.positions is None:
            return self._columns[number]
        if number not in self._taken:
            self._taken[number] = self._columns[number].taken(self.positions)
        return self._taken[number]

    def array(self, position: int, *fields: int) -> pa.Array:
        """Return a column of values that Arrow and Python compute alike.

        Args:
            position: the column.
            fields: the field of the column's rows that is read, then the field of that one's rows, and so on.

        Raises:
            NotComputedError: they are not, or rows are not at hand in Arrow.
        """
        column = self._columns[position] if fields else self.column(position)
        read = column.codec.type
        for field in fields:
            if not isinstance(read, RowTypeInfo) or not column.is_array:
                raise NotComputedError(f"fields of {read}")
            read, _ = without_optional(read.field_types[field], False)
        if not is_plain(read):
            raise NotComputedError(f"values of {read}")
        array = _array_of(column)
        if not fields:
            return array
        path = (position, *fields)
        if path not in self._fields:
            field = pc.struct_field(array, fields)
            self._fields[path] = field if self.positions is None else taken_array(field, self.positions)
        return self._fields[path]

    def values(self, numbers: Iterable[int] | None) -> Iterator[tuple[Any, ...]]:
        """Return the rows as tuples with the values of some columns, ``None`` for all; others are null."""
        read = range(len(self._columns)) if numbers is None else set(numbers)
        if not read:
            return repeat((None,) * len(self._columns), self.count)
        columns: list[Iterable[Any]] = [
            self.column(number).values if number in read else repeat(None)
            for number in range(len(self._columns))
        ]
        return zip(*columns, strict=False)


def _array_of(column: Column) -> pa.Array:
    try:
        return column.array
    except Exception as error:
        raise NotComputedError(f"values that are not of {column.codec.type}") from error


class _Expression:
    """An expression over columns: by a kernel, or else by its function of rows.

    Args:
        evaluation: the expression.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self._kernel: ColumnEvaluate | None = (
            None if evaluation.calls_program else kernel_of(evaluation.composition)
        )

    def array(self, rows: SelectedRows) -> pa.Array | None:
        """Return the values for rows, ``None`` if no kernel computes them.

        Raises:
            KernelError: its kernel fails.
        """
        if self._kernel is None:
            return None
        try:
            with naming_faults(f"an expression of {self.evaluation.data_type}"):
                return as_array(self._kernel(rows), rows.count)
        except REFUSALS:
            return None


def _results(evaluations: Sequence[Evaluation], rows: SelectedRows) -> list[Sequence[Any]]:
    """Return the values of expressions for rows, by their functions of rows, one row after another."""
    if not evaluations:
        return []
    read: set[int] | None = set()
    for evaluation in evaluations:
        read = None if read is None or evaluation.positions is None else read | evaluation.positions
    given = rows.values(read)
    if len(evaluations) == 1 or any(evaluation.takes_batches for evaluation in evaluations):
        taken = list(given)
        return [evaluation.of_rows(taken) for evaluation in evaluations]
    calls = [evaluation.composition for evaluation in evaluations]
    results = [[call(row) for call in calls] for row in given]
    return list(zip(*results, strict=True)) if results else [[] for _ in calls]


class ColumnConditions:
    """Conditions on rows, all of which must be true.

    Args:
        conditions: the conditions.
    """

    def __init__(self, conditions: Sequence[Evaluation]) -> None:
        self._conditions = list(map(_Expression, conditions))

    def are_by_kernels(self, rows: SelectedRows) -> bool:
        """Return whether kernels compute the conditions."""
        return all(condition.array(rows) is not None for condition in self._conditions)

    def selected(self, rows: SelectedRows) -> SelectedRows:
        """Return the rows for which the conditions are true."""
        for condition in self._conditions:
            mask = condition.array(rows)
            if mask is None:
                (values,) = _results([condition.evaluation], rows)
                positions = np.flatnonzero(np.fromiter(map(bool, values), bool, rows.count))
            else:
                positions = np.flatnonzero(mask.fill_null(False).to_numpy(zero_copy_only=False))
            if len(positions) < rows.count:
                rows = rows.selected(positions)
        return rows


class _Step:
    """A SELECT of expressions of single rows.

    Args:
        step: the SELECT.
        codecs: those of its results, ``None`` for each that is not the last of the operator.

    Attributes:
        conditions: its conditions.
    """

    def __init__(self, step: CalcStep, codecs: Sequence[Codec | None]) -> None:
        self.conditions = ColumnConditions(step.conditions)
        self._fields = list(map(_Expression, step.fields))
        self._numbers = step.numbers
        self._codecs = [
            codec or codec_for(field.data_type.type_info, nullable=True)
            for codec, field in zip(codecs, step.fields, strict=True)
        ]
        self._is_last = None not in codecs

    def is_by_kernels(self, rows: SelectedRows) -> bool:
        """Return whether kernels compute the conditions and all fields that are not columns themselves."""
        computed = [
            field for number, field in zip(self._numbers, self._fields, strict=True) if number is None
        ]
        return self.conditions.are_by_kernels(rows) and all(one.array(rows) is not None for one in computed)

    def columns(self, rows: SelectedRows) -> list[Column]:
        """Return the columns of the results for rows."""
        parts = zip(self._numbers, self._fields, self._codecs, strict=True)
        found = [self._without_calls(number, field, codec, rows) for number, field, codec in parts]
        others = [field.evaluation for field, own in zip(self._fields, found, strict=True) if own is None]
        results = iter(_results(others, rows))
        return [
            self._made(next(results), codec) if own is None else own
            for own, codec in zip(found, self._codecs, strict=True)
        ]

    def _without_calls(
        self, number: int | None, field: _Expression, codec: Codec, rows: SelectedRows
    ) -> Column | None:
        """Return a column that is handed on, or computed by a kernel, ``None`` for others."""
        if number is not None and not self._is_last:
            return rows.column(number)
        if number is not None and rows.column(number).codec.type == codec.type:
            return rows.column(number).with_codec(codec)
        array = field.array(rows)
        if array is None:
            return None
        try:
            return Column(codec, array if array.type == codec.arrow else array.cast(codec.arrow))
        except pa.ArrowException:
            return None

    def _made(self, values: Sequence[Any], codec: Codec) -> Column:
        if not self._is_last:
            return Column(codec, values=values)
        conformed = codec.conform(values)
        if is_plain(codec.type):
            return Column(codec, values=conformed)
        # Others may change later.
        return Column(codec, codec.encode(exact_values(codec, conformed)))


class ColumnCalc:
    """Computes SELECTs of single rows over columns.

    Args:
        steps: the SELECTs, from the innermost outwards.
        result: the type of the results.
    """

    def __init__(self, steps: Sequence[CalcStep], result: TypeInformation[Any]) -> None:
        self._layout = layout_of(result)
        *inner, last = steps
        self._steps = [_Step(step, [None] * len(step.fields)) for step in inner]
        self._steps.append(_Step(last, self._layout.codecs))

    def results(self, columns: list[Column], count: int) -> ColumnResults:
        """Return the results for rows.

        Args:
            columns: the columns of the rows that the innermost SELECT reads.
            count: the number of rows.

        Raises:
            Exception: an expression has no value for a row, or one that is not of its type.
        """
        kept = None
        for step in self._steps:
            rows = step.conditions.selected(SelectedRows(columns, count))
            if rows.positions is not None:
                kept = rows.positions if kept is None else kept[rows.positions]
            columns, count = step.columns(rows), rows.count
        return ColumnResults(ColumnValues.of_columns(self._layout, columns, count), kept)

    def is_by_kernels(self, columns: list[Column]) -> bool:
        """Return whether kernels compute all expressions of columns of these types.

        Args:
            columns: empty columns of the types.
        """
        for step in self._steps:
            rows = SelectedRows(columns, 0)
            if not step.is_by_kernels(rows):
                return False
            columns = step.columns(rows)
        return True
