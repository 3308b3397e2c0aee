"""Replication: rows, each as often as an expression says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.datastream.functions import FlatMapFunction
from pystream.table.algebra.replicate import Replicate
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.operators import positional_rows, results, results_type
from pystream.table.table import Table
from typeinfo.row import Row

__all__ = ["replicated"]


class _Replication(FlatMapFunction[Row[Any], Row[Any]]):
    """Emit a row as often as an expression says; it keeps its kind."""

    def __init__(self, count: Evaluation) -> None:
        self._count = count

    def flat_map(self, value: Row[Any]) -> Iterator[Row[Any]]:
        for _ in range(self._count(tuple(value))):
            yield value


def replicated(node: Replicate, rows: Table) -> Table:
    """Return rows, each as often as an expression says."""
    given = positional_rows(rows)
    stream = given.flat_map(_Replication(node.count.evaluation), results_type(node)).name("Replicate")
    stream.set_parallelism(given.get_parallelism())  # rows keep their order
    return results(node, rows, stream)
