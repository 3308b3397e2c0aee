"""Inner joins of unbounded tables: of all rows, and of rows whose times lie close together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedCoProcessFunction, ProcessJoinFunction, RuntimeContext
from pystream.datastream.state import ListState, ListStateDescriptor
from pystream.table.streaming.expiry import expiring
from typeinfo.row import Row, make_row

__all__ = ["InnerJoin", "JoinedRows"]


class InnerJoin(KeyedCoProcessFunction[Any, Row[Any], Row[Any], Row[Any]]):
    """Join each row with all rows of the other stream that have the same key.

    A result is a row without names: the fields of the left row, then those of the right one. It is emitted
    when the second of the two arrives; a row joins those of the other side in the order they came, equal ones
    each. A row with a null in its key joins nothing. Both inputs have only rows of kind INSERT, and so has
    the output. State kept for each key: the rows of both sides. Mirrors
    ``…table.runtime.operators.join.stream.StreamingJoinOperator``, except that equal rows of one side expire
    each on its own.

    Args:
        left_keys: positions of the values of the key among the fields of a left row.
        right_keys: those of a right row.
        ttl: the time after which a row expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(self, left_keys: Sequence[int], right_keys: Sequence[int], ttl: Time | None = None) -> None:
        self._keys = tuple(left_keys), tuple(right_keys)
        rows = Types.PICKLED_BYTE_ARRAY()
        self._descriptors = [
            expiring(ListStateDescriptor(name, rows), ttl) for name in ("left rows", "right rows")
        ]
        self._states: list[ListState[tuple[Any, ...]]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state of both sides."""
        self._states = [runtime_context.get_list_state(descriptor) for descriptor in self._descriptors]

    def process_element1(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterator[Row[Any]]:
        """Yield a left row with each right row."""
        if not _has_null(value, self._keys[0]):
            left, right = self._states
            fields = tuple(value)
            left.add(fields)
            for others in right.get():
                yield make_row(fields + others, None)

    def process_element2(
        self, value: Row[Any], ctx: KeyedCoProcessFunction.Context[Any]
    ) -> Iterator[Row[Any]]:
        """Yield each left row with a right row."""
        if not _has_null(value, self._keys[1]):
            left, right = self._states
            fields = tuple(value)
            right.add(fields)
            for others in left.get():
                yield make_row(others + fields, None)


class JoinedRows(ProcessJoinFunction[Row[Any], Row[Any], Row[Any]]):
    """Join the pairs of rows of an interval join.

    A result is a row without names: the fields of the left row, then those of the right one. Rows with a null
    in their key are not joined. Mirrors ``…table.runtime.operators.join.interval.IntervalJoinFunction``.

    Args:
        left_keys: positions of the values of the key among the fields of a left row; those of the right row
            are equal.
    """

    def __init__(self, left_keys: Sequence[int]) -> None:
        self._left_keys = tuple(left_keys)

    def process_element(
        self, left: Row[Any], right: Row[Any], ctx: ProcessJoinFunction.Context
    ) -> Iterator[Row[Any]]:
        """Yield a pair as one row."""
        if not _has_null(left, self._left_keys):
            yield make_row((*left, *right), None)


def _has_null(row: Row[Any], positions: tuple[int, ...]) -> bool:
    return any(row[position] is None for position in positions)
