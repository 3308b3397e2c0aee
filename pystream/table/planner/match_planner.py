"""MatchPlanner: the items of FROM that are the matches of a pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from pystream.sql_types.atomic_types import BooleanType, LocalZonedTimestampType
from pystream.table.algebra.aggregates import result_columns
from pystream.table.algebra.arrival import timed_by
from pystream.table.algebra.calc import Calc, EventTime
from pystream.table.algebra.matches import (
    Match,
    MatchAggregate,
    MatchExpression,
    MatchPart,
    MatchTime,
    Measure,
    RowValue,
)
from pystream.table.algebra.node import RelNode
from pystream.table.algebra.patterns import PatternVariable
from pystream.table.algebra.scalar import Field, Scalar
from pystream.table.algebra.sorts import SortField
from pystream.table.columns import TableColumn
from pystream.table.evaluation import NotEvaluatedError
from pystream.table.planner.group_planner import aggregate_call
from pystream.table.planner.grouping import aggregate_of
from pystream.table.planner.planning import Planning
from pystream.table.planner.program_aggregates import require_final_values
from pystream.table.planner.source import Source
from pystream.table.planner.trees import is_not_null, text_of
from pystream.table.rules.final_rows import final_rows
from pystream.table.sql.match_calls import (
    MATCH_PARTS,
    MATCH_TIME,
    MATCH_VALUE,
    MatchCall,
    offset_of,
    variable_of,
)

__all__ = ["MatchPlanner"]

_PARTS = "$parts"
"""The name of the table of what an expression has of rows, which no table of a program has."""


class MatchPlanner:
    """Finds the matches of patterns.

    Args:
        planning: the query.
        rows_of: returns the values of expressions of the rows of an item for which conditions are true.
    """

    def __init__(
        self,
        planning: Planning,
        rows_of: Callable[[exp.Expr, Sequence[exp.Expr], Sequence[exp.Expr]], RelNode],
    ) -> None:
        self._planning = planning
        self._rows_of = rows_of

    def matches(self, item: exp.Expr, call: MatchCall) -> RelNode:
        """Return the matches of a pattern.

        Args:
            item: the subquery of the expressions.
            call: the pattern, and how rows are matched by it.

        Raises:
            SqlError: rows are not ordered by their event time, or a condition is no boolean.
            UnsupportedOperationError: rows may be updated later, or an expression cannot be evaluated.
        """
        query: exp.Select = item.this
        values = [column.unalias() for column in query.expressions]
        ends = (call.keys, call.keys + len(call.order))
        keys, order, computed = values[: ends[0]], values[ends[0] : ends[1]], values[ends[1] :]
        source = self._timed(item, query, order[0], call)
        measures = [
            Measure(column.alias, self._expression(value, source, call.pattern))
            for column, value in zip(query.expressions[ends[1] :], computed[: call.measures], strict=False)
        ]
        conditions = [self._condition(value, source, call.pattern) for value in computed[call.measures :]]
        order_of_ties = tuple(
            SortField(source.number(column), is_descending, nulls_first)
            for column, (is_descending, nulls_first) in zip(order[1:], call.order[1:], strict=True)
        )
        return Match(
            source.node,
            tuple(map(source.number, keys)),
            order_of_ties,
            tuple(measures),
            call.skip,
            call.pattern,
            dict(zip(call.defined, conditions, strict=False)),
            call.within,
        )

    def _timed(self, item: exp.Expr, query: exp.Select, time: exp.Expr, call: MatchCall) -> Source:
        """Return the columns of rows that a pattern needs, with a column as their event time."""
        planning = self._planning
        columns = (column for value in query.expressions for column in value.find_all(exp.Column))
        needed = list(dict.fromkeys(columns))
        if call.order[0][0]:
            raise planning.error(time, "MATCH_RECOGNIZE is ordered by ascending time first, not by DESC")
        conditions = [is_not_null(time)] if planning.is_bounded else []
        rows = self._rows_of(query.args["from_"].this, needed, conditions)
        if planning.is_bounded:
            rows = final_rows(rows)
        if rows.is_updating:
            raise planning.refusal(item, "MATCH_RECOGNIZE of rows that may be updated later")
        number = needed.index(time)
        timed = timed_by(rows, number)
        if timed is None and planning.is_bounded and time.is_type(*_TIMES):
            timed = EventTime(rows, number)
        if timed is None:
            complaint = "MATCH_RECOGNIZE is ordered by time first, a column with a WATERMARK or PROCTIME()"
            raise planning.error(time, f"{complaint}, and {time.name!r} is neither")
        return Source(timed, [(column.table, column.name) for column in needed])

    def _condition(
        self, tree: exp.Expr, source: Source, pattern: Sequence[PatternVariable]
    ) -> MatchExpression:
        condition = self._expression(tree, source, pattern)
        data_type = condition.value.evaluation.data_type
        if not isinstance(data_type, BooleanType):
            complaint = f"DEFINE takes conditions, and {condition} is {data_type.nullable()}"
            raise self._planning.error(tree, complaint)
        return condition

    def _expression(
        self, tree: exp.Expr, source: Source, pattern: Sequence[PatternVariable]
    ) -> MatchExpression:
        """Return an expression of mapped rows."""
        parts: dict[exp.Expr, tuple[MatchPart, TableColumn]] = {}
        texts: dict[exp.Expr, str] = {}

        def part_of(node: exp.Expr) -> exp.Expr:
            if not (isinstance(node, exp.Anonymous) and node.name in MATCH_PARTS):
                return node
            if node not in parts:
                parts[node] = self._part(node, source, pattern)
                texts[node] = _text(node, pattern)
            number = list(parts).index(node)
            column = exp.column(str(number), table=_PARTS, quoted=True)
            column.type = node.type
            return column

        try:
            over_parts = tree.copy().transform(part_of)
            columns = [column for _, column in parts.values()]
            value = self._planning.scalar(over_parts, lambda column: int(column.name), columns)
        except NotEvaluatedError as error:
            raise self._planning.not_evaluated(error) from None
        written = list(texts.values())
        text = text_of(over_parts, lambda column: written[int(column.name)])
        return MatchExpression(tuple(part for part, _ in parts.values()), value, text)

    def _part(
        self, call: exp.Anonymous, source: Source, pattern: Sequence[PatternVariable]
    ) -> tuple[MatchPart, TableColumn]:
        """Return what a call stands for, and the column of its value."""
        value = call.expressions[-1]
        if call.name == MATCH_TIME:
            column = source.column(value)
            data_type = column.data_type.not_null()
            is_instant = isinstance(data_type, LocalZonedTimestampType)
            return MatchTime(is_instant), TableColumn("", data_type, data_type.type_info, 0)
        variable = variable_of(call)
        if call.name == MATCH_VALUE:
            scalar = self._scalar(value, source)
            offset = offset_of(call)
            least = pattern[variable].least if variable is not None else sum(one.least for one in pattern)
            data_type = scalar.evaluation.data_type
            if not (offset < least if offset >= 0 else -offset <= least):
                data_type = data_type.nullable()
            return RowValue(variable, offset, scalar), TableColumn("", data_type, data_type.type_info, 0)
        return self._aggregate(value, variable, source)

    def _aggregate(
        self, tree: exp.Expr, variable: int | None, source: Source
    ) -> tuple[MatchAggregate, TableColumn]:
        expression = aggregate_of(tree, self._planning.refusal)
        arguments = [self._scalar(argument, source) for argument in expression.arguments]
        fields = tuple(Field(f"f{number}", scalar) for number, scalar in enumerate(arguments))
        values = Calc(source.node, fields)
        call = aggregate_call(expression, values, range(len(fields)))
        require_final_values([call])
        return MatchAggregate(variable, tuple(arguments), call), result_columns(values, 0, [call])[0]

    def _scalar(self, tree: exp.Expr, source: Source) -> Scalar:
        return self._planning.scalar(tree, source.number, source.node.columns)


_TIMES = (exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPLTZ)


def _text(call: exp.Anonymous, pattern: Sequence[PatternVariable]) -> str:
    """Return what a call stands for, as it is written."""
    if call.name == MATCH_TIME:
        return "MATCH_ROWTIME()"
    variable = variable_of(call)
    prefix = "" if variable is None else f"{pattern[variable].name}."
    text = text_of(call.expressions[-1], lambda column: f"{prefix}{column.name}")
    if call.name != MATCH_VALUE or (offset := offset_of(call)) == -1:
        return text
    function, number = ("FIRST", offset) if offset >= 0 else ("LAST", -1 - offset)
    return f"{function}({text}, {number})"
