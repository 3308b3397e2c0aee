"""Expressions of the rows that are mapped to the variables of a pattern."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from pystream.engine.context import RuntimeContext
from pystream.engine.lifecycle import close_all
from pystream.table.algebra.matches import MatchAggregate, MatchExpression, MatchPart, MatchTime, RowValue
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.mapped_rows import MappedRows
from typeinfo.instant import Instant
from typeinfo.row import make_row

__all__ = ["EvaluatedMatch"]


class EvaluatedMatch:
    """Compute an expression of rows that are mapped to variables.

    Args:
        expression: the expression.
        width: the number of the fields of a row.
    """

    def __init__(self, expression: MatchExpression, width: int) -> None:
        self._parts = [_part(part, width) for part in expression.parts]
        self._value = expression.value.evaluation

    def open(self, context: RuntimeContext) -> None:
        """Open the functions of the program."""
        self._value.open(context)
        for part in self._parts:
            part.open(context)

    def close(self) -> None:
        """Close the functions of the program."""
        close_all((self._value.close, *(part.close for part in self._parts)))

    def __call__(self, mapped: MappedRows) -> Any:
        """Return the value for rows."""
        return self._value([part.value(mapped) for part in self._parts])


class _Part(ABC):
    """What an expression has of rows."""

    @abstractmethod
    def value(self, mapped: MappedRows) -> Any:
        """Return its value."""

    def open(self, context: RuntimeContext) -> None:  # noqa: B027 - the time needs neither
        """Open the functions of the program."""

    def close(self) -> None:  # noqa: B027
        """Close the functions of the program."""


def _part(part: MatchPart, width: int) -> _Part:
    match part:
        case RowValue():
            return _RowValue(part, width)
        case MatchAggregate():
            return _Aggregate(part)
        case MatchTime():
            return _Time(part)


class _RowValue(_Part):
    def __init__(self, part: RowValue, width: int) -> None:
        self._variable = part.variable
        self._offset = part.offset
        self._value = part.value.evaluation
        self._missing = (None,) * width

    def value(self, mapped: MappedRows) -> Any:
        row = mapped.row(self._variable, self._offset)
        return self._value(self._missing if row is None else row)

    def open(self, context: RuntimeContext) -> None:
        self._value.open(context)

    def close(self) -> None:
        self._value.close()


class _Aggregate(_Part):
    def __init__(self, part: MatchAggregate) -> None:
        self._variable = part.variable
        self._arguments = [argument.evaluation for argument in part.arguments]
        self._aggregation = RowAggregation([part.call])

    def value(self, mapped: MappedRows) -> Any:
        accumulator = self._aggregation.create_accumulator()
        for row in mapped.of(self._variable):
            values = make_row([argument(row) for argument in self._arguments], None)
            accumulator = self._aggregation.add(values, accumulator)
        (result,) = self._aggregation.get_result(accumulator)
        return result

    def open(self, context: RuntimeContext) -> None:
        for argument in self._arguments:
            argument.open(context)
        self._aggregation.open(context)

    def close(self) -> None:
        close_all((*(argument.close for argument in self._arguments), self._aggregation.close))


class _Time(_Part):
    def __init__(self, part: MatchTime) -> None:
        self._is_instant = part.is_instant

    def value(self, mapped: MappedRows) -> Any:
        instant = Instant.of_epoch_milli(mapped.time)
        return instant if self._is_instant else instant.to_datetime().replace(tzinfo=None)
