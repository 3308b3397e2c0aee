"""Random changes of tables, and the rows that they leave."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from pystream.common import Row, RowKind

ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)
VALUES = st.sampled_from([None, 1, 1, 0.0, -0.0, float("nan"), -float("nan")])


class Change(NamedTuple):
    """A change of one of two tables.

    Attributes:
        side: the number of the table.
        row: the row, with its kind.
    """

    side: int
    row: Row[Any]


@st.composite
def changes(draw: st.DrawFn) -> list[Change]:
    """Return changes of two tables of a key and a value, which only retract rows that are there."""
    result: list[Change] = []
    present: tuple[list[tuple[Any, ...]], ...] = ([], [])
    for _ in range(draw(st.integers(0, 16))):
        side = draw(st.integers(0, 1))
        rows = present[side]
        if rows and draw(st.booleans()):
            fields = rows.pop(draw(st.integers(0, len(rows) - 1)))
            kind = draw(st.sampled_from([RowKind.DELETE, RowKind.UPDATE_BEFORE]))
        else:
            fields = draw(st.sampled_from(["a", "b", None])), draw(VALUES)
            rows.append(fields)
            kind = draw(st.sampled_from(ADDED))
        result.append(Change(side, row_of(kind, *fields)))
    return result


def row_of(kind: RowKind, *fields: Any) -> Row[Any]:
    row = Row(*fields)
    row.set_row_kind(kind)
    return row


def comparable(fields: Iterable[Any]) -> tuple[Any, ...]:
    """Return the fields of a row so that equal ones are equal in Python: NaN is, 0.0 and -0.0 are not."""
    return tuple(struct.pack(">d", abs(f) if f != f else f) if isinstance(f, float) else f for f in fields)


def left_by(rows: Iterable[Row[Any]]) -> Counter[tuple[Any, ...]]:
    """Return the rows that changes leave, each of which retracts only a row that is there."""
    left: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        fields = comparable(row)
        left[fields] += 1 if row.get_row_kind() in ADDED else -1
        assert left[fields] >= 0, row
    return +left


def rows_of(given: Sequence[Change], side: int) -> list[tuple[Any, ...]]:
    """Return the rows that are left of a table."""
    rows: list[tuple[Any, ...]] = []
    for change in given:
        if change.side == side:
            fields = tuple(change.row)
            if change.row.get_row_kind() in ADDED:
                rows.append(fields)
            else:
                rows.pop([*map(comparable, rows)].index(comparable(fields)))
    return rows
