"""Lookup joins: rows with those of a table outside the program, as it is when they are processed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pystream.datastream.functions import FlatMapFunction, NullByteKeySelector, RuntimeContext
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.lifecycle import close_all
from pystream.table.algebra.common_columns import Conversion, converted
from pystream.table.algebra.lookup_joins import Dimension, LookupJoin
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.calc import KeptResults
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.operators import positional_rows, results, results_type
from pystream.table.streaming.pair_condition import PairCondition
from pystream.table.table import Table
from typeinfo.row import Row, make_row
from typeinfo.types import Types

__all__ = ["looked_up"]


class _LookupJoin(FlatMapFunction[Row[Any], Row[Any]]):
    """Emit a row once with each row of a table that has its key; all have its kind.

    A row with a null among the values of its key has no partners.

    Mirrors ``…table.runtime.operators.join.lookup.LookupJoinRunner``.

    Args:
        dimension: the table.
        keys: the values of the key, and how they are converted.
        condition: a further condition on the fields of both rows; ``None`` if there is none.
        is_left_outer: whether rows without partners are results.
    """

    def __init__(
        self,
        dimension: Dimension,
        keys: Sequence[tuple[Evaluation, Conversion | None]],
        condition: Evaluation | None,
        is_left_outer: bool,
    ) -> None:
        self._lookup = dimension.lookup
        self._conversion = dimension.conversion
        self._width = len(dimension.columns)
        self._keys = tuple(keys)
        self._condition = PairCondition(condition)
        self._is_left_outer = is_left_outer

    def open(self, runtime_context: RuntimeContext) -> None:
        for value, _ in self._keys:
            value.open(runtime_context)
        self._condition.open(runtime_context)
        if self._conversion is not None:
            self._conversion.open(runtime_context)
        self._lookup.open()

    def close(self) -> None:
        close_all([value.close for value, _ in self._keys] + [self._condition.close, self._lookup.close])

    def flat_map(self, value: Row[Any]) -> Iterator[Row[Any]]:
        given, kind = tuple(value), value.get_row_kind()
        key = tuple(converted(value(given), convert) for value, convert in self._keys)
        is_matched = False
        for found in () if None in key else self._lookup.rows(key):
            row = found if self._conversion is None else self._conversion.map(found)
            both = (*given, *row)
            if self._condition.holds(both):
                is_matched = True
                yield make_row(both, None, kind)
        if self._is_left_outer and not is_matched:
            yield make_row((*given, *(None,) * self._width), None, kind)


def looked_up(node: LookupJoin, rows: Table) -> Table:
    """Return rows, each with the rows of a table that have its keys.

    The results for a row that is taken back are those that it had, also if the table has changed since.
    """
    given = positional_rows(rows)
    function = _LookupJoin(
        node.dimension,
        [(key.value.evaluation, key.conversion) for key in node.keys],
        None if node.condition is None else node.condition.evaluation,
        node.is_left_outer,
    )
    row = results_type(node)
    stream: DataStream[Row[Any]]
    if node.is_updating:
        keyed = given.key_by(NullByteKeySelector(), Types.INT())
        stream = keyed.process(KeptResults(function, state_ttl(rows)), row).name("KeptLookupJoin")
    else:
        stream = given.flat_map(function, row).name(f"LookupJoin({node.dimension.path})")
        stream.set_parallelism(given.get_parallelism())  # rows keep their order
    return results(node, rows, stream)
