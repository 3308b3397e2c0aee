"""TableAggregation: the rows of a table aggregate function, replaced with each row of their group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.sql_types.decimals import in_streams
from pystream.table.algebra.table_aggregates import GroupTableAggregate
from pystream.table.columns import row_type
from pystream.table.conversions import converter
from pystream.table.function_definition import TableAggregateFunctionDefinition
from pystream.table.functions.values.program import ProgramFunction
from pystream.table.streaming.expiry import expiring, state_ttl
from pystream.table.streaming.operators import keyed, results, results_type
from pystream.table.streaming.retracting_aggregates import ADDED
from pystream.table.table import Table
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind, make_row

__all__ = ["table_aggregated"]


class _TableAggregation(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit the rows of a function for each key; a further row of the key deletes them, and emits new ones.

    A row that is taken back before any row of its key was added is ignored. State kept for each key: the
    values of the key, the number of its rows and the accumulator. Mirrors
    ``…table.runtime.operators.aggregate.GroupTableAggFunction``.

    Args:
        keys: the number of values of the key, which come first in a row.
        function: the function.
        row: the type of its rows.
        arguments: the types of its arguments.
        ttl: the time, since the last row of a key, after which its state expires; ``None`` for never.
    """

    def __init__(
        self,
        keys: int,
        function: TableAggregateFunctionDefinition,
        row: TypeInformation[Any],
        arguments: Sequence[TypeInformation[Any]],
        ttl: Time | None,
    ) -> None:
        self._keys = keys
        self._program = ProgramFunction(
            function.name, function.function, in_streams(row), arguments, is_nullable=False
        )
        self._convert = converter(in_streams(row), row, function.name)
        self._descriptor = expiring(ValueStateDescriptor("accumulator", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[tuple[tuple[Any, ...], int, Any]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the function."""
        self._state = runtime_context.get_state(self._descriptor)
        self._program.open(runtime_context)

    def close(self) -> None:
        """Close the function."""
        self._program.close()

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the deletions of the rows so far, and the new rows."""
        program = self._program
        is_added = value.get_row_kind() in ADDED
        known = self._state.value()
        if known is None:
            if not is_added:
                return
            known = tuple(value)[: self._keys], 0, program.called(program.loaded.create_accumulator)
        key, count, accumulator = known
        if count:
            yield from self._rows(key, accumulator, RowKind.DELETE)
        count += 1 if is_added else -1
        if not count:
            self._state.clear()
            return
        step = program.loaded.accumulate if is_added else program.loaded.retract
        program.called(step, accumulator, *program.localized(tuple(value)[self._keys :]))
        self._state.update((key, count, accumulator))
        yield from self._rows(key, accumulator, RowKind.INSERT)

    def _rows(self, key: Sequence[Any], accumulator: Any, kind: RowKind) -> Iterator[Row[Any]]:
        """Yield the rows of an accumulator."""
        emitted = self._program.called(_emitted, self._program.loaded, accumulator)
        for row in self._program.conformed(emitted, [accumulator]):
            yield make_row((*key, *(row if self._convert is None else self._convert(row))), None, kind)


def _emitted(function: Any, accumulator: Any) -> list[Row[Any]]:
    """Return the rows that a function emits."""
    return [
        Row(*emitted) if isinstance(emitted, tuple | Row) else Row(emitted)
        for emitted in function.emit_value(accumulator)
    ]


def table_aggregated(node: GroupTableAggregate, rows: Table) -> Table:
    """Return the rows of a table aggregate function for each group of rows."""
    row = row_type(node.results)
    arguments = [column.data_type.type_info for column in node.rows.columns[node.keys :]]
    function = _TableAggregation(node.keys, node.function, row, arguments, state_ttl(rows))
    stream = keyed(rows, range(node.keys)).process(function, results_type(node))
    return results(node, rows, stream.name(f"GroupTableAggregate({node.function.name})"))
