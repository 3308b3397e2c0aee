"""Joins of all rows of unbounded tables, whose results are updated where that is necessary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from pystream.common.time import Time
from pystream.datastream.functions import KeyedCoProcessFunction, RuntimeContext
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.join_records import JoinRecord, JoinRecords
from pystream.table.streaming.pair_condition import PairCondition
from typeinfo.row import Row, RowKind, make_row

__all__ = ["JoinSide", "RegularJoin"]

Fields = tuple[Any, ...]
_RETRACTIONS = (RowKind.UPDATE_BEFORE, RowKind.DELETE)


@dataclass(frozen=True, slots=True)
class JoinSide:
    """One side of a join.

    Attributes:
        width: the number of fields of its rows.
        required: the fields that are not null in a row that has partners, as the values of its key.
        is_outer: whether its rows without partners are results, too.
    """

    width: int
    required: tuple[int, ...]
    is_outer: bool = False

    def may_have_partners(self, fields: Fields) -> bool:
        """Return whether no required field of a row is null."""
        return not any(fields[position] is None for position in self.required)


class RegularJoin(KeyedCoProcessFunction[Any, Row[Any], Row[Any], Row[Any]]):
    """Join each row with all rows of the other stream that have the same key.

    A result is a row without names: the fields of the left row, then those of the right one; the fields of a
    side are null in the result of a row without a partner, if the other side is outer. Rows of both inputs
    may be retracted by UPDATE_BEFORE and DELETE; a retraction finds a row by all its values. Equal rows
    count each.

    The results of a row are emitted when it arrives, with its partners in the order in which they came first.
    Those of an inner join have the kind of the row; the first partner of a row of an outer side DELETEs its
    result with nulls, and the retraction of the last one INSERTs it again. A row with a null among its
    required fields has no partners.

    State kept for each key: the rows of both sides. Mirrors
    ``…table.runtime.operators.join.stream.StreamingJoinOperator``.

    Args:
        left: the side of the first stream.
        right: that of the second one.
        condition: a further condition on the fields of both sides; ``None`` if there is none.
        left_ttl: the time after which a left row expires; ``None`` for never.
        right_ttl: that of a right row.

    Raises:
        TimeToLiveError: a time to live is not positive.
    """

    def __init__(
        self,
        left: JoinSide,
        right: JoinSide,
        condition: Evaluation | None = None,
        left_ttl: Time | None = None,
        right_ttl: Time | None = None,
    ) -> None:
        self._sides = left, right
        self._condition = PairCondition(condition)
        self._records = JoinRecords("left rows", left_ttl), JoinRecords("right rows", right_ttl)

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state of both sides."""
        for records in self._records:
            records.open(runtime_context)
        self._condition.open(runtime_context)

    def close(self) -> None:
        """Close the condition."""
        self._condition.close()

    def process_element1(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterable[Row[Any]]:
        """Yield the changes by a left row."""
        return self._changes(0, tuple(value), value.get_row_kind())

    def process_element2(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterable[Row[Any]]:
        """Yield the changes by a right row."""
        return self._changes(1, tuple(value), value.get_row_kind())

    def _changes(self, own: int, fields: Fields, kind: RowKind) -> Iterator[Row[Any]]:
        """Yield the changes by a row of a side."""
        partners = None
        if self._sides[own].may_have_partners(fields):
            is_partner = None if self._condition.is_always_true else partial(self._is_partner, own, fields)
            partners = self._records[1 - own].matching(is_partner)
        if kind in _RETRACTIONS:
            return self._retracted(own, fields, kind, partners)
        return self._added(own, fields, kind, partners)

    def _is_partner(self, own: int, fields: Fields, others: Fields) -> bool:
        return self._condition.holds(fields + others if own == 0 else others + fields)

    def _added(
        self, own: int, fields: Fields, kind: RowKind, partners: list[JoinRecord] | None
    ) -> Iterator[Row[Any]]:
        side, other = self._sides[own], self._sides[1 - own]
        if not partners and side.is_outer:
            yield self._without_partner(own, fields, RowKind.INSERT)
        if partners is None:
            return
        if other.is_outer:
            for record in partners:
                if record.partners == 0:
                    for _ in range(record.copies):
                        yield self._without_partner(1 - own, record.fields, RowKind.DELETE)
            self._records[1 - own].change_partners(partners, 1)
        yield from self._pairs(
            own, fields, partners, RowKind.INSERT if side.is_outer or other.is_outer else kind
        )
        self._records[own].add(fields, sum(record.copies for record in partners) if side.is_outer else 0)

    def _retracted(
        self, own: int, fields: Fields, kind: RowKind, partners: list[JoinRecord] | None
    ) -> Iterator[Row[Any]]:
        side, other = self._sides[own], self._sides[1 - own]
        if not partners and side.is_outer:
            yield self._without_partner(own, fields, RowKind.DELETE)
        if partners is None:
            return
        self._records[own].retract(fields)
        yield from self._pairs(own, fields, partners, RowKind.DELETE if side.is_outer else kind)
        if other.is_outer:
            for record in partners:
                if record.partners == 1:
                    for _ in range(record.copies):
                        yield self._without_partner(1 - own, record.fields, RowKind.INSERT)
            self._records[1 - own].change_partners(partners, -1)

    def _pairs(
        self, own: int, fields: Fields, partners: Iterable[JoinRecord], kind: RowKind
    ) -> Iterator[Row[Any]]:
        for record in partners:
            pair = fields + record.fields if own == 0 else record.fields + fields
            for _ in range(record.copies):
                yield make_row(pair, None, kind)

    def _without_partner(self, own: int, fields: Fields, kind: RowKind) -> Row[Any]:
        nulls = (None,) * self._sides[1 - own].width
        return make_row(fields + nulls if own == 0 else nulls + fields, None, kind)
