"""Expansion: rows, each once for every grouping set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.datastream.functions import FlatMapFunction
from pystream.table.algebra.expand import Expand
from pystream.table.streaming.operators import positional_rows, results, results_type
from pystream.table.table import Table
from typeinfo.row import Row, make_row

__all__ = ["expanded"]


class _Expansion(FlatMapFunction[Row[Any], Row[Any]]):
    """Emit a row for each grouping set; it keeps its kind."""

    def __init__(self, node: Expand) -> None:
        self._keys = node.keys
        keys = range(node.keys)
        self._sets = [
            (number, [key in one for key in keys]) for number, one in zip(node.ids, node.sets, strict=True)
        ]

    def flat_map(self, value: Row[Any]) -> Iterator[Row[Any]]:
        fields, kind = tuple(value), value.get_row_kind()
        keys, others = fields[: self._keys], fields[self._keys :]
        for number, has_keys in self._sets:
            kept = [key if has_key else None for key, has_key in zip(keys, has_keys, strict=True)]
            yield make_row((*kept, number, *others), None, kind)


def expanded(node: Expand, rows: Table) -> Table:
    """Return rows, each once for every grouping set."""
    given = positional_rows(rows)
    stream = given.flat_map(_Expansion(node), results_type(node)).name("Expand")
    stream.set_parallelism(given.get_parallelism())  # rows keep their order
    return results(node, rows, stream)
