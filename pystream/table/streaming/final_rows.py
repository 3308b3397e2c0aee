"""FinalRows: the rows of a bounded table that remain at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ListState, ListStateDescriptor
from pystream.table.algebra.sorts import Sort
from pystream.table.streaming.columns_at_end import ColumnsAtEnd
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.row_order import RowOrder
from pystream.table.streaming.value_keys import fields_key
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind, make_row

if TYPE_CHECKING:
    from pystream.table.streaming.column_sort import SortedColumns

__all__ = ["FinalOrder", "FinalRows", "OrderedColumns"]

Fields: TypeAlias = "tuple[Any, ...]"

_END = 2**63 - 1
_RETRACTED = (RowKind.UPDATE_BEFORE, RowKind.DELETE)


class FinalOrder(NamedTuple):
    """The order of rows, and which of them there are.

    Attributes:
        order: the order; rows that are equal in it stay as they came.
        first: the number of the first row, from 0 on.
        last: the number after that of the last one; ``None`` for all.
    """

    order: RowOrder
    first: int = 0
    last: int | None = None


class FinalRows(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit the rows that no later row has retracted, when the input ends.

    All rows have the same key, that of the ``NullByteKeySelector``. The output has only rows of kind INSERT,
    without names. State: the rows of the input.

    Args:
        order: their order.
    """

    def __init__(self, order: FinalOrder) -> None:
        self._order = order
        self._descriptor = ListStateDescriptor("rows", Types.PICKLED_BYTE_ARRAY())
        self._state: ListState[tuple[bool, Fields]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_list_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Keep the row until the end."""
        self._state.add((value.get_row_kind() in _RETRACTED, tuple(value)))
        ctx.timer_service().register_event_time_timer(_END)
        return iter(())

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext[Any]) -> Iterator[Row[Any]]:
        """Yield the rows."""
        changes = list(self._state.get())
        self._state.clear()
        retracted = Counter(fields_key(fields) for is_retracted, fields in changes if is_retracted)
        rows = []
        for is_retracted, fields in changes:
            if not is_retracted:
                key = fields_key(fields)
                if retracted[key]:
                    retracted[key] -= 1
                else:
                    rows.append(fields)
        order, first, last = self._order
        for fields in sorted(rows, key=order.key)[first:last]:
            yield make_row(fields, None)


class OrderedColumns(ColumnsAtEnd["SortedColumns"]):
    """Emit the rows of some ranks in an order, when the input ends, as columns.

    State: the columns of the rows, of a number of first rows some times as many.

    Args:
        rows: makes the columns of the rows, whose types are plain.
        node: the order and the ranks.
        result: the type of the results.
    """

    def __init__(self, rows: RowColumns, node: Sort, result: TypeInformation[Any]) -> None:
        super().__init__(result)
        self._rows = rows
        self._order = node.order, node.first, node.last
        self._collected: SortedColumns

    def open(self, runtime_context: RuntimeContext) -> None:
        """Prepare the columns."""
        from pystream.table.streaming.column_sort import SortedColumns  # needs pyarrow

        self._rows.open()
        self._collected = SortedColumns(*self._order)

    def collect(self, values: Sequence[Any], side: int) -> None:
        """Keep rows until the end."""
        self._collected.add(self._rows.of(values), len(values))
