"""The first rows of each group in an order, over rows that are appended, updated in place or retracted."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, ClassVar, TypeAlias

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.table.algebra.ranks import RankRange
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.row_order import RowOrder
from pystream.table.streaming.value_keys import same_key, value_key
from typeinfo.row import Row, RowKind, make_row

__all__ = ["AppendOnlyTopN", "RetractableTopN", "UpdatableTopN"]

Fields: TypeAlias = "tuple[Any, ...]"


class _TopN(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Base class: emit how the first rows of each key change.

    A result is a row without names: the fields of the row, and its rank if that is asked for. Rows that are
    equal in the order are ranked as they came. If results have ranks, or the first ones are left out, each
    rank whose row changes emits an UPDATE_BEFORE and an UPDATE_AFTER, a further rank an INSERT, and one that
    is gone a DELETE. Otherwise only the rows that leave, by DELETE, and enter, by INSERT, are emitted.

    Args:
        order: the order of the rows of a key.
        ranks: the ranks of the results.
        ttl: the time, since the last change of a key, after which its state expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    _keeps_all: ClassVar[bool]
    """Whether the state has the rows beyond the last rank."""

    def __init__(self, order: RowOrder, ranks: RankRange, ttl: Time | None = None) -> None:
        self._order = order
        self._ranks = ranks
        self._descriptor = expiring(ValueStateDescriptor("rows", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[tuple[list[Any], list[Fields]]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the changes of the results."""
        keys, rows = self._state.value() or ([], [])
        yield from self._changes(value, keys, rows)

    @abstractmethod
    def _changes(self, value: Row[Any], keys: list[Any], rows: list[Fields]) -> Iterator[Row[Any]]:
        """Yield the changes, and update the state: the rows in order, and what they are ordered by."""

    def _inserted(
        self, fields: Fields, place: int, keys: list[Any], rows: list[Fields]
    ) -> Iterator[Row[Any]]:
        """Insert a row, and yield the changes."""
        last = self._ranks.last
        before = rows[place:last] if self._ranks.is_by_rank else []
        keys.insert(place, self._order.key(fields))
        rows.insert(place, fields)
        left = rows[last : last + 1]
        if not self._keeps_all:
            del keys[last:], rows[last:]
        self._state.update((keys, rows))
        if place >= last:
            return
        if self._ranks.is_by_rank:
            yield from self._moved(place, before, rows[place:last])
        elif left:
            yield from self._replaced(left[0], fields)
        else:
            yield self._ranked(fields, 1, RowKind.INSERT)

    def _replaced(self, left: Fields, entered: Fields) -> Iterator[Row[Any]]:
        """Yield the changes for a row that leaves because another enters."""
        yield self._ranked(left, 1, RowKind.DELETE)
        yield self._ranked(entered, 1, RowKind.INSERT)

    def _moved(self, place: int, before: Sequence[Fields], after: Sequence[Fields]) -> Iterator[Row[Any]]:
        """Yield the changes of the rows of consecutive ranks, the first of which is at a place."""
        for rank, (old, new) in enumerate(zip_longest(before, after), place + 1):
            if rank < self._ranks.first:
                continue
            if old is not None:
                kind = RowKind.DELETE if new is None else RowKind.UPDATE_BEFORE
                yield self._ranked(old, rank, kind)
            if new is not None:
                kind = RowKind.INSERT if old is None else RowKind.UPDATE_AFTER
                yield self._ranked(new, rank, kind)

    def _ranked(self, fields: Fields, rank: int, kind: RowKind) -> Row[Any]:
        return make_row((*fields, rank) if self._ranks.has_number else fields, None, kind)


class AppendOnlyTopN(_TopN):
    """Emit how the first rows of each key change, as more rows are inserted.

    The only row of a result of one row without a rank is replaced by UPDATE_BEFORE and UPDATE_AFTER. State
    kept for each key: its first rows. Mirrors ``…table.runtime.operators.rank.AppendOnlyTopNFunction`` and
    ``FastTop1Function``; the arguments are those of every top-N function.
    """

    _keeps_all = False

    def _changes(self, value: Row[Any], keys: list[Any], rows: list[Fields]) -> Iterator[Row[Any]]:
        fields = tuple(value)
        place = bisect_right(keys, self._order.key(fields))
        if place < self._ranks.last:
            yield from self._inserted(fields, place, keys, rows)

    def _replaced(self, left: Fields, entered: Fields) -> Iterator[Row[Any]]:
        if self._ranks.last > 1:
            yield from super()._replaced(left, entered)
        else:
            yield from self._updated(left, entered)

    def _updated(self, old: Fields, new: Fields) -> Iterator[Row[Any]]:
        """Yield the changes for a row that takes the place of another."""
        yield self._ranked(old, 1, RowKind.UPDATE_BEFORE)
        yield self._ranked(new, 1, RowKind.UPDATE_AFTER)


class UpdatableTopN(AppendOnlyTopN):
    """Emit how the first rows of each key change, as rows are inserted and move towards the front.

    An update replaces the row with the same values in some fields; it is never behind that row in the order,
    and no row is deleted. State kept for each key: its first rows. Mirrors
    ``…table.runtime.operators.rank.UpdatableTopNFunction``.

    Args:
        order: as above.
        ranks: as above.
        identity: the positions of the fields that tell rows apart.
        ttl: as above.
    """

    def __init__(
        self, order: RowOrder, ranks: RankRange, identity: Sequence[int], ttl: Time | None = None
    ) -> None:
        super().__init__(order, ranks, ttl)
        self._identity = tuple(identity)

    def _changes(self, value: Row[Any], keys: list[Any], rows: list[Fields]) -> Iterator[Row[Any]]:
        if value.get_row_kind() is RowKind.UPDATE_BEFORE:
            return
        fields = tuple(value)
        identity = self._identity_of(fields)
        known = next((place for place, row in enumerate(rows) if self._identity_of(row) == identity), None)
        if known is None:
            yield from super()._changes(value, keys, rows)
            return
        key = self._order.key(fields)
        formerly, old = rows.copy(), rows.pop(known)
        place = known if keys.pop(known) == key else bisect_right(keys, key)
        keys.insert(place, key)
        rows.insert(place, fields)
        self._state.update((keys, rows))
        if self._ranks.is_by_rank:
            first, end = min(place, known), max(place, known) + 1
            changes = list(self._moved(first, formerly[first:end], rows[first:end]))
            if len(changes) > 2:  # as in Flink, the row leaves its rank before it enters another
                changes.insert(int(first + 1 >= self._ranks.first), changes.pop(-2))
            yield from changes
        else:
            yield from self._updated(old, fields)

    def _identity_of(self, fields: Fields) -> Any:
        return value_key([fields[position] for position in self._identity])


class RetractableTopN(_TopN):
    """Emit how the first rows of each key change, as rows are inserted and retracted.

    Rows of kind UPDATE_BEFORE and DELETE take back the first row that is the same; without one, they are
    ignored. State kept for each key: all its rows. Mirrors
    ``…table.runtime.operators.rank.RetractableTopNFunction``; the arguments are those of every top-N
    function.
    """

    _keeps_all = True

    def _changes(self, value: Row[Any], keys: list[Any], rows: list[Fields]) -> Iterator[Row[Any]]:
        fields = tuple(value)
        key = self._order.key(fields)
        if value.get_row_kind() in (RowKind.INSERT, RowKind.UPDATE_AFTER):
            yield from self._inserted(fields, bisect_right(keys, key), keys, rows)
            return
        wanted = same_key(fields)
        for place in range(bisect_left(keys, key), bisect_right(keys, key)):
            if same_key(rows[place]) == wanted:
                yield from self._deleted(place, keys, rows)
                return

    def _deleted(self, place: int, keys: list[Any], rows: list[Fields]) -> Iterator[Row[Any]]:
        last = self._ranks.last
        fields, before = rows[place], rows[place:last] if self._ranks.is_by_rank else []
        del keys[place], rows[place]
        if rows:
            self._state.update((keys, rows))
        else:
            self._state.clear()
        if place >= last:
            return
        if self._ranks.is_by_rank:
            yield from self._moved(place, before, rows[place:last])
        else:
            yield self._ranked(fields, 1, RowKind.DELETE)
            if len(rows) >= last:
                yield self._ranked(rows[last - 1], 1, RowKind.INSERT)
