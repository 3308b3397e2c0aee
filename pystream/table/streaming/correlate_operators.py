"""The operators of streams that add the rows of table functions."""

from __future__ import annotations

from typing import Any

from pystream.datastream.functions import NullByteKeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.table.algebra.correlate import Correlate
from pystream.table.streaming.calc import KeptResults
from pystream.table.streaming.correlation import Correlation
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.operators import positional_rows, results, results_type
from pystream.table.table import Table
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["correlated"]


def correlated(node: Correlate, rows: Table) -> Table:
    """Return rows, each with the rows that a table function makes of it.

    The results for a row that is taken back are those that it had, even of functions that are not
    deterministic.
    """
    given = positional_rows(rows)
    function = Correlation(
        [argument.evaluation for argument in node.arguments],
        node.function.call(node.types),
        None if node.condition is None else node.condition.evaluation,
        (None,) * len(node.names) if node.is_left_outer else None,
    )
    row = results_type(node)
    stream: DataStream[Row[Any]]
    if node.is_updating and not node.is_deterministic:
        keyed = given.key_by(NullByteKeySelector(), Types.INT())
        stream = keyed.process(KeptResults(function, state_ttl(rows)), row).name("KeptCorrelate")
    else:
        stream = given.flat_map(function, row).name(f"Correlate({node.function.name})")
        stream.set_parallelism(given.get_parallelism())  # rows keep their order
    return results(node, rows, stream)
