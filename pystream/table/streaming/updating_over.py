"""OVER of rows in any order: results that are updated when rows come before or around others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.engine.lifecycle import close_all
from pystream.table.algebra.over import OverCall
from pystream.table.algebra.sorts import SortField
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.partitions import OverFunction, Partition
from pystream.table.streaming.row_order import RowOrder
from pystream.table.streaming.value_keys import are_same, fields_key
from typeinfo.row import Row, RowKind, make_row

__all__ = ["UpdatingOver"]

Fields = tuple[Any, ...]
_ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)


class _Known(NamedTuple):
    """A row of a partition, and the results of the functions for it."""

    row: Fields
    results: Sequence[Any]


class UpdatingOver(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Compute functions of the rows around each row of a key, and update them as rows come and go.

    A row that is added is emitted with its kind, one that is taken back as a DELETE; the rows whose results
    have changed are updated. All are emitted in the order of the partition, in which a row comes
    after those that are equal to it. A retraction of a row that is not there is ignored.

    State kept for each key: all rows, with their results; each change computes the results of all of them.
    Mirrors ``…table.runtime.operators.over.NonTimeRangeUnboundedPrecedingFunction`` and
    ``NonTimeRowsUnboundedPrecedingFunction``.

    Args:
        order: the order of the rows.
        calls: the functions.
        ttl: the time after which a key is forgotten whose rows have not changed; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(
        self, order: Sequence[SortField], calls: Sequence[OverCall], ttl: Time | None = None
    ) -> None:
        self._fields = tuple(order)
        self._order = RowOrder(order)
        self._functions = [OverFunction(call) for call in calls]
        self._descriptor = expiring(ValueStateDescriptor("rows", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[list[_Known]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions."""
        self._state = runtime_context.get_state(self._descriptor)
        for function in self._functions:
            function.open(runtime_context)

    def close(self) -> None:
        """Close the functions."""
        close_all(function.close for function in self._functions)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the row, and the updates of others."""
        row, kind, before = tuple(value), value.get_row_kind(), self._state.value() or []
        rows = [known.row for known in before]
        changes: list[tuple[_Known | None, _Known | None]]
        if kind in _ADDED:
            place = bisect_right(rows, self._order.key(row), key=self._order.key)
            rows.insert(place, row)
            after = self._computed(rows)
            changes = [*zip([*before[:place], None, *before[place:]], after, strict=True)]
        else:
            wanted = fields_key(row)
            places = (number for number, other in enumerate(rows) if fields_key(other) == wanted)
            if (place := next(places, -1)) < 0:
                return
            del rows[place]
            after = self._computed(rows)
            changes = [*zip(before, [*after[:place], None, *after[place:]], strict=True)]
        if after:
            self._state.update(after)
        else:
            self._state.clear()
        for old, new in changes:
            yield from _changed(old, new, kind)

    def _computed(self, rows: Sequence[Fields]) -> list[_Known]:
        """Return rows that are in order with their results."""
        partition = Partition(rows, self._fields)
        values = [function.values(partition) for function in self._functions]
        return [_Known(row, results) for row, *results in zip(partition.rows, *values, strict=True)]


def _changed(old: _Known | None, new: _Known | None, kind: RowKind) -> Iterator[Row[Any]]:
    """Yield the changes of the results of a row; ``kind`` is that of a row that is added."""
    if old is None and new is not None:
        yield make_row((*new.row, *new.results), None, kind)
    elif old is not None and new is None:
        yield make_row((*old.row, *old.results), None, RowKind.DELETE)
    elif old is not None and new is not None and not are_same(old.results, new.results):
        yield make_row((*old.row, *old.results), None, RowKind.UPDATE_BEFORE)
        yield make_row((*new.row, *new.results), None, RowKind.UPDATE_AFTER)
