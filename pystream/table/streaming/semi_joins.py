"""Semi and anti joins of unbounded tables: rows for which there are rows of another table, or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from pystream.common.time import Time
from pystream.datastream.functions import KeyedCoProcessFunction, RuntimeContext
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.join_records import JoinRecords
from pystream.table.streaming.joins import RETRACTIONS, JoinSide
from typeinfo.row import Row, RowKind, make_row

__all__ = ["SemiJoin"]

Fields = tuple[Any, ...]


class SemiJoin(KeyedCoProcessFunction[Any, Row[Any], Row[Any], Row[Any]]):
    """Select the rows of one stream for which the other has a partner, a row of the same key; or has none.

    A result is a left row, without names. Rows of both inputs may be retracted by UPDATE_BEFORE and DELETE;
    a retraction finds a row by all its values. In a semi join, the first partner of a row INSERTs it and the
    retraction of the last one retracts it, with the kind of the right row; in an anti join, the first partner
    DELETEs it and the retraction of the last one INSERTs it. Otherwise results have the kinds of the left
    rows. A row with a null among its required fields has no partners.

    State kept for each key: the rows of both sides. Mirrors
    ``…table.runtime.operators.join.stream.StreamingSemiAntiJoinOperator``.

    Args:
        left: the side of the first stream.
        right: that of the second one.
        is_anti: whether rows without partners are selected.
        condition: a further condition on the fields of both sides; ``None`` if there is none.
        ttl: the time after which a row expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(
        self,
        left: JoinSide,
        right: JoinSide,
        *,
        is_anti: bool,
        condition: Evaluation | None = None,
        ttl: Time | None = None,
    ) -> None:
        self._left = left
        self._right = right
        self._is_anti = is_anti
        self._condition = condition
        self._left_rows = JoinRecords("left rows", ttl)
        self._right_rows = JoinRecords("right rows", ttl)

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state of both sides."""
        self._left_rows.open(runtime_context)
        self._right_rows.open(runtime_context)
        if self._condition is not None:
            self._condition.open(runtime_context)

    def close(self) -> None:
        """Close the condition."""
        if self._condition is not None:
            self._condition.close()

    def process_element1(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterator[Row[Any]]:
        """Yield a left row if it is selected."""
        fields, kind = tuple(value), value.get_row_kind()
        count = 0
        if self._left.may_have_partners(fields):
            is_partner = None if self._condition is None else partial(self._is_right_partner, fields)
            count = sum(record.copies for record in self._right_rows.matching(is_partner))
            if kind in RETRACTIONS:
                self._left_rows.retract(fields)
            else:
                self._left_rows.add(fields, count)
        if (count == 0) == self._is_anti:
            yield make_row(fields, None, kind)

    def process_element2(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterable[Row[Any]]:
        """Yield the changes of left rows by a right row."""
        fields, kind = tuple(value), value.get_row_kind()
        if not self._right.may_have_partners(fields):
            return
        is_retracted = kind in RETRACTIONS
        if is_retracted:
            self._right_rows.retract(fields)
        else:
            self._right_rows.add(fields, 0)
        is_partner = None if self._condition is None else partial(self._is_left_partner, fields)
        partners = self._left_rows.matching(is_partner)
        if self._is_anti:
            kind = RowKind.INSERT if is_retracted else RowKind.DELETE
        for record in partners:
            if record.partners == int(is_retracted):
                for _ in range(record.copies):
                    yield make_row(record.fields, None, kind)
        self._left_rows.change_partners(partners, -1 if is_retracted else 1)

    def _is_right_partner(self, left: Fields, right: Fields) -> bool:
        assert self._condition is not None
        return self._condition(left + right) is True

    def _is_left_partner(self, right: Fields, left: Fields) -> bool:
        return self._is_right_partner(left, right)
