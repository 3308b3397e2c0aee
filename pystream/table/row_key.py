"""RowKey: the key of rows in some of their fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.datastream.functions import KeySelector
from typeinfo.row import Row

__all__ = ["RowKey"]


class RowKey(KeySelector[Row[Any], Row[Any]]):
    """Take the key from some fields of a row.

    Args:
        positions: the positions of the fields.
    """

    def __init__(self, positions: Sequence[int]) -> None:
        self._positions = tuple(positions)

    def get_key(self, value: Row[Any]) -> Row[Any]:
        return Row(*(value[position] for position in self._positions))
