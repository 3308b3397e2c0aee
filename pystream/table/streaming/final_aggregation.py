"""Aggregates of the groups of bounded rows, which are emitted when the input ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pystream.datastream.functions import ProcessWindowFunction, RuntimeContext
from pystream.datastream.window import (
    EventTimeTrigger,
    TimeWindow,
    TimeWindowSerializer,
    Trigger,
    WindowAssigner,
    WindowSerializer,
)
from pystream.engine.lifecycle import close_all
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.columns import TableColumn
from pystream.table.streaming.aggregates import aggregator_of
from pystream.table.streaming.column_types import are_plain
from pystream.table.streaming.columns_at_end import ColumnsAtEnd
from pystream.table.streaming.columns_of_rows import RowColumns
from typeinfo.info import TypeInformation
from typeinfo.row import Row, make_row

if TYPE_CHECKING:
    from pystream.table.streaming.column_aggregation import Accumulated, ColumnGroups

__all__ = ["FinalColumns", "FinalResults", "WholeInput"]

_WHOLE = TimeWindow(-(2**63), 2**63 - 1)


class WholeInput(WindowAssigner[Any, TimeWindow]):
    """Assign all elements to one window, which ends with the input."""

    def assign_windows(
        self, element: Any, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[TimeWindow]:
        """Return the window."""
        return (_WHOLE,)

    def get_default_trigger(self, env: Any) -> Trigger[Any, TimeWindow]:
        """Return a trigger that fires at the last instant."""
        return EventTimeTrigger()

    def get_window_serializer(self) -> WindowSerializer[TimeWindow]:
        """Return the serializer of the window."""
        return TimeWindowSerializer()

    def is_event_time(self) -> bool:
        """Return whether windows end in event time: they do."""
        return True

    def __repr__(self) -> str:
        return "WholeInput()"


class FinalResults(ProcessWindowFunction[list[Any], Row[Any], Any, TimeWindow]):
    """Emit the results of the aggregates of a group as a row without names."""

    def process(
        self, key: Any, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[list[Any]]
    ) -> Iterator[Row[Any]]:
        """Yield the row."""
        for results in elements:
            yield make_row(tuple(results), None)


class FinalColumns(ColumnsAtEnd["ColumnGroups"]):
    """Aggregate the columns of all rows by groups, and emit the results at their end.

    The results are those of `RowAggregation`, and the groups come in the order of their first rows. Without
    keys there is one, even of no rows. State kept: the values of the keys, and what is accumulated of each
    group.

    Args:
        rows: makes the columns of the rows.
        columns: the columns of the rows.
        keys: the number of those, from the first one on, that are the key; their types are plain.
        aggregates: the aggregates.
        result: the type of the results.

    Raises:
        UnsupportedOperationError: as `RowAggregation`.
        PlanError: as `RowAggregation`.
    """

    def __init__(
        self,
        rows: RowColumns,
        columns: Sequence[TableColumn],
        keys: int,
        aggregates: Sequence[AggregateCall],
        result: TypeInformation[Any],
    ) -> None:
        super().__init__(result)
        self._rows = rows
        self._keys = keys
        self._columns = list(columns)
        self._aggregates = [(call, aggregator_of(call)) for call in aggregates]
        self._collected: ColumnGroups

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the functions of the program."""
        for _, aggregator in self._aggregates:
            aggregator.open(runtime_context)
        self._rows.open()
        accumulated = [self._accumulated(number) for number in range(len(self._aggregates))]
        self._collected = self._groups(accumulated)

    def _groups(self, accumulated: Sequence[Accumulated]) -> Any:
        """Return what collects the rows."""
        from pystream.table.streaming.column_aggregation import ColumnGroups  # needs pyarrow

        return ColumnGroups(self._keys, accumulated)

    def close(self) -> None:
        """Close the functions of the program."""
        close_all(aggregator.close for _, aggregator in self._aggregates)

    def _accumulated(self, number: int) -> Accumulated:
        from pystream.table.streaming.column_aggregation import ByColumn, ByValue
        from pystream.table.streaming.column_aggregators import column_aggregator  # these need pyarrow

        call, aggregator = self._aggregates[number]
        is_plain = len(call.arguments) < 2 and are_plain(self._columns[one] for one in call.arguments)
        if call.definition is None and is_plain:
            argument = self._columns[call.arguments[0]].type_info if call.arguments else None
            by_column = column_aggregator(call.function, call.result, argument, is_distinct=call.is_distinct)
            if by_column is not None:
                return ByColumn(call, by_column)
        return ByValue(call, aggregator)

    def collect(self, values: Sequence[Any], side: int) -> None:
        """Aggregate rows."""
        self._collected.add(self._rows.of(values), len(values))
