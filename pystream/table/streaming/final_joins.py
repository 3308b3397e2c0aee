"""The joins of bounded tables in this process, which emit the pairs of their rows at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.datastream.functions import RuntimeContext
from pystream.engine.operators.column_collect import COLUMN_CO_COLLECT
from pystream.table.algebra.joins import FinalJoin, Join
from pystream.table.streaming.column_types import are_plain, is_plain
from pystream.table.streaming.columns_at_end import ColumnsAtEnd
from pystream.table.streaming.columns_of_rows import RowColumns
from pystream.table.streaming.operators import collected, results, results_type
from pystream.table.table import Table
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.table.streaming.column_join import JoinedColumns

__all__ = ["PairedColumns", "is_joined_by_columns", "joined_at_end"]


def is_joined_by_columns(node: Join) -> bool:
    """Return whether the rows of two bounded tables can be joined as columns."""
    sides = node.left, node.right
    return all(not side.is_updating and are_plain(side.columns) for side in sides) and all(
        is_plain(key.common.type_info) and not any(key.common.conversions) for key in node.keys
    )


def joined_at_end(node: FinalJoin, left: Table, right: Table) -> Table:
    """Return the pairs of rows of two bounded tables, at their end."""
    result = results_type(node)
    function = PairedColumns((RowColumns(left), RowColumns(right)), node, result)
    stream = collected(COLUMN_CO_COLLECT, function, [left, right], result)
    return results(node, left, stream.name(node.join_type))


class PairedColumns(ColumnsAtEnd["JoinedColumns"]):
    """Emit the pairs of rows of two inputs with equal keys, when both end, as columns.

    A null equals no key, unless the key admits it. Rows without a partner come with nulls, if their side is
    outer. State: the columns of the rows of both sides.

    Args:
        sides: makes the columns of the rows of each side.
        node: the join, of columns whose types are plain.
        result: the type of the results.
    """

    def __init__(
        self, sides: tuple[RowColumns, RowColumns], node: FinalJoin, result: TypeInformation[Any]
    ) -> None:
        super().__init__(result)
        self._sides = sides
        self._keys = [(key.left, key.right, key.common.type_info, key.admits_null) for key in node.keys]
        self._outer = node.is_left_outer, node.is_right_outer
        self._condition = None if node.condition is None else node.condition.evaluation
        self._width = len(node.left.columns)
        self._collected: JoinedColumns

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the functions of the program that the condition calls."""
        from pystream.table.streaming.column_join import JoinedColumns, KeyColumn
        from typeinfo.formats.arrow import to_arrow  # these need pyarrow

        for side in self._sides:
            side.open()
        if self._condition is not None:
            self._condition.open(runtime_context)
        keys = [
            KeyColumn(left, right, to_arrow(type_info), admits_null=admits_null)
            for left, right, type_info, admits_null in self._keys
        ]
        self._collected = JoinedColumns(keys, self._outer, self._condition, self._width)

    def close(self) -> None:
        """Close the functions of the program."""
        if self._condition is not None:
            self._condition.close()

    def collect(self, values: Sequence[Any], side: int) -> None:
        """Keep rows until the end."""
        self._collected.add(self._sides[side].of(values), side)
