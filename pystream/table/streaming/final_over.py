"""Functions of OVER of bounded rows, which are computed by columns when these end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pystream.datastream.functions import RuntimeContext
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.algebra.over import FinalOverAggregate, Frame, Lag, OverCall
from pystream.table.columns import TableColumn
from pystream.table.functions.kinds import FLOATING, Kind, kind_of
from pystream.table.streaming.column_types import are_plain
from pystream.table.streaming.columns_at_end import ColumnsAtEnd
from pystream.table.streaming.columns_of_rows import RowColumns
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.table.streaming.column_over import ColumnsOver

__all__ = ["OverColumns", "is_computed_by_columns"]

_CURRENT = (0, timedelta())


def is_computed_by_columns(node: FinalOverAggregate) -> bool:
    """Return whether the functions of OVER are computed by columns."""
    columns = node.rows.columns
    return are_plain(node.columns) and all(_is_known(call, columns) for call in node.calls)


def _is_known(call: OverCall, columns: Sequence[TableColumn]) -> bool:
    match call.function:
        case AggregateCall() as aggregate:
            return _is_known_aggregate(aggregate, call.frame, columns)
        case Lag(argument, _, default):
            return default is None or columns[argument].type_info == columns[default].type_info
    return True


def _is_known_aggregate(call: AggregateCall, frame: Frame, columns: Sequence[TableColumn]) -> bool:
    if call.definition is not None or not call.skips_nulls or len(call.arguments) > 1:
        return False
    if not frame.is_of_rows and any(bound is not None and bound not in _CURRENT for bound in frame[1:]):
        return False
    is_float = bool(call.arguments) and kind_of(columns[call.arguments[0]].data_type) in FLOATING
    match call.function:
        case "MAX" | "MIN":
            return frame.start is None and not is_float
        case "SUM" | "AVG":
            is_decimal = kind_of(call.result) == Kind.DECIMAL
            return not (call.is_distinct or is_decimal or (is_float and frame.start is not None))
    return not call.is_distinct and call.function in ("COUNT", "FIRST_VALUE", "LAST_VALUE")


class OverColumns(ColumnsAtEnd["ColumnsOver"]):
    """Emit the rows of each group in order, each followed by the results of functions, as columns.

    State: the columns of the rows.

    Args:
        rows: makes the columns of the rows.
        node: the functions, of columns.
        result: the type of the results.
    """

    def __init__(self, rows: RowColumns, node: FinalOverAggregate, result: TypeInformation[Any]) -> None:
        super().__init__(result)
        self._rows = rows
        self._arguments = node.keys, node.order, node.calls
        self._collected: ColumnsOver

    def open(self, runtime_context: RuntimeContext) -> None:
        """Prepare the columns."""
        from pystream.table.streaming.column_over import ColumnsOver  # needs pyarrow

        self._rows.open()
        self._collected = ColumnsOver(*self._arguments)

    def collect(self, values: Sequence[Any], side: int) -> None:
        """Keep rows until the end."""
        self._collected.add(self._rows.of(values))
