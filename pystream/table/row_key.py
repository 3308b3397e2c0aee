"""Streams of rows by the key in some of their fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.datastream.functions import KeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.table.columns import TableColumn
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["keyed_rows"]


def keyed_rows(
    rows: DataStream[Row[Any]], columns: Sequence[TableColumn], key: Sequence[int]
) -> KeyedStream[Row[Any], Row[Any]]:
    """Return rows by the values of some columns.

    Args:
        rows: the rows.
        columns: their columns.
        key: the positions of those of the key.
    """
    return rows.key_by(_RowKey(key), Types.ROW([columns[position].type_info for position in key]))


class _RowKey(KeySelector[Row[Any], Row[Any]]):
    """Take the key from some fields of a row.

    Args:
        positions: the positions of the fields.
    """

    def __init__(self, positions: Sequence[int]) -> None:
        self._positions = tuple(positions)

    def get_key(self, value: Row[Any]) -> Row[Any]:
        return Row(*(value[position] for position in self._positions))
