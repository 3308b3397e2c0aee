"""CalcPlan: SELECTs of single rows of a table, one inside the other, as a function in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, TypeAlias

from sqlglot import exp

from pystream.datastream.functions import NullByteKeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.operators.elementwise import FLAT_MAP
from pystream.plan.function import UserFunction
from pystream.plan.query import QueryOperator
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.conversions import ElementConversion
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.calc import Calc, CalcStep, KeptCalc
from pystream.table.streaming.expiry import state_ttl
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute
from pystream.table.window_columns import WindowColumns
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["CalcPlan", "Evaluator"]

Evaluator: TypeAlias = Callable[
    [exp.Expr, Callable[[exp.Column], int], Callable[[exp.Column], DataType]], Evaluation
]

_BOUND = DataTypes.TIMESTAMP(3).not_null()


@dataclass(frozen=True, slots=True)
class CalcPlan:
    """SELECTs of single rows of a table, one inside the other.

    Attributes:
        table: the table.
        steps: the SELECTs, from the innermost outwards.
        columns: the columns of the results, whose positions are their numbers.
        time: the number of the column of event time.
        windows: the windows of the results; bounds that are not among the columns follow them.
        hidden: the fields of the table that hold such bounds, or the fields of the results of the last step.
    """

    table: Table
    steps: tuple[CalcStep, ...]
    columns: tuple[TableColumn, ...]
    time: int | None
    windows: WindowColumns | None
    hidden: tuple[int, ...]

    @property
    def keeps_watermarks(self) -> bool:
        """Whether the results have an event time whose watermarks come with the stream."""
        time = self.table._time
        return self.time is not None and time is not None and time.untimed is None

    @staticmethod
    def of(table: Table) -> CalcPlan:
        """Return the plan of all rows of a table as they are."""
        columns = tuple(replace(column, position=number) for number, column in enumerate(table._columns))
        own, time = [column.position for column in table._columns], table._time
        number = own.index(time.position) if time is not None and time.position in own else None
        windows, hidden = _windows_of(table._windows, own)
        return CalcPlan(table, (), columns, number, windows, hidden)

    def selected(
        self,
        names: Sequence[tuple[str, str]],
        conditions: Sequence[exp.Expr],
        fields: Sequence[tuple[str, exp.Expr]],
        evaluate: Evaluator,
    ) -> CalcPlan:
        """Return the plan of a SELECT of the results.

        Args:
            names: for each column, the item of FROM that it is of and its name there.
            conditions: those of WHERE.
            fields: the names and the expressions of the columns.
            evaluate: makes a function of rows of an expression, given the positions and the types of columns.

        Raises:
            NotEvaluatedError: Python cannot evaluate an expression.
        """
        positions = {name: position for position, name in enumerate(names)}

        def position_of(column: exp.Column) -> int:
            return positions[column.table, column.name]

        def evaluation(tree: exp.Expr) -> Evaluation:
            return evaluate(tree, position_of, lambda column: self.columns[position_of(column)].data_type)

        required = tuple(map(evaluation, conditions))
        chosen = [position_of(field) if isinstance(field, exp.Column) else -1 for _, field in fields]
        values: list[Evaluation] = []
        columns: list[TableColumn] = []
        for number, ((name, field), position) in enumerate(zip(fields, chosen, strict=True)):
            if position >= 0:
                column = replace(self.columns[position], name=name, position=number)
                value = Evaluation(itemgetter(position), column.data_type)
            else:
                value = evaluation(field)
                column = TableColumn(name, value.data_type, value.data_type.type_info, number)
            values.append(value)
            columns.append(column)
        time = chosen.index(self.time) if self.time in chosen else None
        windows, hidden = _windows_of(self.windows, chosen)
        values += [Evaluation(itemgetter(position), _BOUND) for position in hidden]
        steps = *self.steps, CalcStep(required, tuple(values))
        return CalcPlan(self.table, steps, tuple(columns), time, windows, hidden)

    def extended(self, values: Sequence[Evaluation]) -> CalcPlan:
        """Return the plan of the results with further columns, which have no names.

        Args:
            values: the values of these columns.
        """
        own = [Evaluation(itemgetter(column.position), column.data_type) for column in self.columns]
        types = [column.type_info for column in self.columns] + [
            value.data_type.type_info for value in values
        ]
        columns = tuple(
            TableColumn(f"f{number}", value.data_type, type_info, number)
            for number, (value, type_info) in enumerate(zip([*own, *values], types, strict=True))
        )
        step = CalcStep((), (*own, *values))
        return CalcPlan(self.table, (*self.steps, step), columns, self.time, None, ())

    def results(self) -> Table:
        """Return the table of the results.

        The results for a row that is taken back are those that it had, even of functions that are not
        deterministic.
        """
        table = self.table
        if not self.steps:
            return table
        rows = table._stream
        row = row_type([*self.columns, *_bounds(self.hidden)])
        stream: DataStream[Row[Any]]
        if table._is_updating and not all(step.is_deterministic for step in self.steps):
            keyed = rows.key_by(NullByteKeySelector(), Types.INT())
            stream = keyed.process(KeptCalc(self._calc(), state_ttl(table)), row).name("KeptCalc")
        else:
            stream = rows.flat_map(self._calc(), row).name("Calc")
            stream.set_parallelism(rows.get_parallelism())  # rows keep their order
        return Table(
            table._environment,
            stream,
            self.columns,
            time=None if self.time is None else TimeAttribute(self.time),
            is_updating=table._is_updating,
            windows=self.windows,
        )

    def operator(self) -> QueryOperator:
        """Return the operator that makes the results of the elements of the table."""
        return QueryOperator(FLAT_MAP, UserFunction.of(self._calc(), "sql_query", is_object=True))

    def _calc(self) -> Calc:
        """Return the function that makes the results of the elements of the table."""
        table, hidden = self.table, CalcPlan.of(self.table).hidden
        fields = [*table._columns, *_bounds(hidden)]
        conversion = ElementConversion(
            table._stream._type, [column.position for column in fields], row_type(fields)
        )
        return Calc(conversion, self.steps)


def _windows_of(
    windows: WindowColumns | None, fields: Sequence[int]
) -> tuple[WindowColumns | None, tuple[int, ...]]:
    """Return the windows of rows of some fields, and the bounds that follow these."""
    chosen = None if windows is None else windows.chosen(fields)
    return (None, ()) if chosen is None else (chosen[0], tuple(chosen[1]))


def _bounds(positions: Sequence[int]) -> list[TableColumn]:
    """Return columns for bounds of windows, under names that no column of a program has."""
    return [
        TableColumn(f"$bound{number}", _BOUND, _BOUND.type_info, position)
        for number, position in enumerate(positions)
    ]
