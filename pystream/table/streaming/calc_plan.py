"""CalcPlan: SELECTs of single rows of a table, one inside the other, as a function in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from sqlglot import exp

from pystream.engine.operators.elementwise import FLAT_MAP
from pystream.plan.function import UserFunction
from pystream.plan.query import QueryFunction, QueryOperator
from pystream.table.columns import TableColumn, row_type
from pystream.table.conversions import ElementConversion
from pystream.table.evaluation import Evaluation, evaluated
from pystream.table.streaming.calc import Calc, CalcStep
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute

__all__ = ["CalcPlan"]


@dataclass(frozen=True, slots=True)
class CalcPlan:
    """SELECTs of single rows of a table, one inside the other.

    Attributes:
        table: the table.
        steps: the SELECTs, from the innermost outwards.
        columns: the columns of the results, whose positions are their numbers.
        time: the number of the column of event time.
    """

    table: Table
    steps: tuple[CalcStep, ...]
    columns: tuple[TableColumn, ...]
    time: int | None

    @property
    def keeps_watermarks(self) -> bool:
        """Whether the results have an event time whose watermarks come with the stream."""
        time = self.table._time
        return self.time is not None and time is not None and time.delay is None

    @staticmethod
    def of(table: Table) -> CalcPlan:
        """Return the plan of all rows of a table as they are."""
        columns = tuple(replace(column, position=number) for number, column in enumerate(table._columns))
        time = table._time
        own = [column.position for column in table._columns]
        number = own.index(time.position) if time is not None and time.position in own else None
        return CalcPlan(table, (), columns, number)

    def selected(
        self,
        names: Sequence[tuple[str, str]],
        conditions: Sequence[exp.Expr],
        fields: Sequence[tuple[str, exp.Expr]],
        functions: Sequence[QueryFunction],
    ) -> CalcPlan:
        """Return the plan of a SELECT of the results.

        Args:
            names: for each column, the item of FROM that it is of and its name there.
            conditions: those of WHERE.
            fields: the names and the expressions of the columns.
            functions: the functions of the program that expressions call.

        Raises:
            NotEvaluatedError: Python cannot evaluate an expression.
        """
        positions = {name: position for position, name in enumerate(names)}

        def position_of(column: exp.Column) -> int:
            return positions[column.table, column.name]

        required = tuple(evaluated(condition, position_of, functions) for condition in conditions)
        values: list[Evaluation] = []
        columns: list[TableColumn] = []
        time = None
        for number, (name, field) in enumerate(fields):
            if isinstance(field, exp.Column):
                position = position_of(field)
                column = replace(self.columns[position], name=name, position=number)
                value = Evaluation(itemgetter(position), column.data_type)
                time = number if position == self.time and time is None else time
            else:
                value = evaluated(field, position_of, functions)
                column = TableColumn(name, value.data_type, value.data_type.type_info, number)
            values.append(value)
            columns.append(column)
        step = CalcStep(required, tuple(values))
        return CalcPlan(self.table, (*self.steps, step), tuple(columns), time)

    def results(self) -> Table:
        """Return the table of the results."""
        table = self.table
        if not self.steps:
            return table
        rows = table._stream
        stream = rows.flat_map(self._calc(), row_type(self.columns)).name("Calc")
        stream.set_parallelism(rows.get_parallelism())  # rows keep their order
        time = None if self.time is None else TimeAttribute(self.time)
        return Table(table._environment, stream, self.columns, time=time, is_updating=table._is_updating)

    def operator(self) -> QueryOperator:
        """Return the operator that makes the results of the elements of the table."""
        return QueryOperator(FLAT_MAP, UserFunction.of(self._calc(), "sql_query", is_object=True))

    def _calc(self) -> Calc:
        """Return the function that makes the results of the elements of the table."""
        columns = self.table._columns
        positions = [column.position for column in columns]
        conversion = ElementConversion(self.table._stream.get_type(), positions, row_type(columns))
        return Calc(conversion, self.steps)
