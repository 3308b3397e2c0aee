"""The operator of streams that unites the rows of two tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.datastream.functions import MapFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.table.algebra.common_columns import Conversion, converted
from pystream.table.algebra.unions import Union
from pystream.table.columns import TableColumn, row_type
from pystream.table.streaming.operators import results
from pystream.table.table import Table
from typeinfo.row import Row, make_row

__all__ = ["united"]


def united(node: Union, left: Table, right: Table) -> Table:
    """Return the rows of two tables together, in columns of common types."""
    rows = [
        _converted(table, node.columns, [common.conversions[side] for common in node.common_types])
        for side, table in enumerate((left, right))
    ]
    if node.is_updating and rows[0].get_parallelism() != rows[1].get_parallelism():
        rows = [stream.global_() for stream in rows]  # rows keep their order
    return results(node, left, rows[0].union(rows[1]))


def _converted(
    table: Table, columns: Sequence[TableColumn], conversions: Sequence[Conversion | None]
) -> DataStream[Any]:
    """Return the rows of a table with converted values."""
    if not any(conversions):
        return table._elements(row_type(columns), by_position=True)
    names = [column.name for column in columns]
    rows = table._rows()
    converted = rows.map(_Converted(conversions, names), row_type(columns)).name("Convert")
    return converted.set_parallelism(rows.get_parallelism())  # rows keep their order


class _Converted(MapFunction[Row[Any], Row[Any]]):
    """Convert the values of a row, which keeps its kind."""

    def __init__(self, conversions: Sequence[Conversion | None], names: Sequence[str]) -> None:
        self._conversions = tuple(conversions)
        self._names = tuple(names)

    def map(self, value: Row[Any]) -> Row[Any]:
        values = map(converted, value, self._conversions)
        return make_row(values, self._names, value.get_row_kind())
