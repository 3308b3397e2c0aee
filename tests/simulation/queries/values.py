"""Values that SQL calls equal though they are written differently, and changelogs of rows of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple, TypeAlias

from pystream.common import Row, RowKind, TypeInformation, Types
from typeinfo.row import make_row

__all__ = ["FAMILIES", "Change", "Values", "changes_of_rows", "folded", "multiset", "remaining"]

Values: TypeAlias = "tuple[Any, ...]"
NAN, INFINITE = math.nan, math.inf

FAMILIES: dict[str, tuple[TypeInformation[Any], list[Any]]] = {
    "DOUBLE": (Types.DOUBLE(), [0.0, -0.0, NAN, -NAN, 1.5, -2.0, INFINITE, -INFINITE, None]),
    "DECIMAL": (
        Types.BIG_DEC(),
        [*(Decimal(text) for text in ("1", "1.0", "1.00", "0", "-0.0", "2.5")), None],
    ),
    "ROW": (
        Types.ROW_NAMED(["x", "y"], [Types.DOUBLE(), Types.STRING()]),
        [Row(x=x, y=y) for x in (0.0, -0.0, NAN) for y in ("a", "b")],
    ),
    "ARRAY": (Types.LIST(Types.DOUBLE()), [[0.0], [-0.0], [NAN], [0.0, -0.0], [-0.0, 0.0], []]),
    "STRING": (Types.STRING(), ["a", "A", "a ", "é", "e\u0301", "", None]),
    "INT": (Types.INT(), [None, -1, 0, 1, 2, 3]),
}
"""The types of columns, by their names here, and the values that columns of them have."""


class Change(NamedTuple):
    """A row that is added or taken back."""

    is_added: bool
    row: Values


def changes_of_rows(random: Random, families: Sequence[str], *, is_updating: bool) -> list[Row[Any]]:
    """Draw rows of some families; only rows that remain are updated or deleted."""
    rows: list[Row[Any]] = []
    present: list[Values] = []
    for _ in range(random.choice([0, 1, 3, 8, 20])):
        values = tuple(random.choice(FAMILIES[family][1]) for family in families)
        step = random.choice(["insert", "insert", "update", "delete"]) if is_updating else "insert"
        if step == "insert" or not present:
            rows.append(make_row(values, None))
            present.append(values)
            continue
        old = present.pop(random.randrange(len(present)))
        rows.append(make_row(old, None, RowKind.DELETE if step == "delete" else RowKind.UPDATE_BEFORE))
        if step == "update":
            rows.append(make_row(values, None, RowKind.UPDATE_AFTER))
            present.append(values)
    return rows


def remaining(changes: Iterable[Change]) -> list[Values]:
    """Return the rows that remain, as they were added; the first of those written alike is taken back.

    Raises:
        AssertionError: a row is taken back that is not there.
    """
    rows: dict[str, list[tuple[int, Values]]] = {}
    for number, (is_added, row) in enumerate(changes):
        known = rows.setdefault(repr(row), [])
        if is_added:
            known.append((number, row))
        else:
            assert known, f"change {number} takes back {row!r}, which is not there"
            known.pop(0)
    return [row for _, row in sorted((entry for known in rows.values() for entry in known), key=_number)]


def _number(entry: tuple[int, Values]) -> int:
    return entry[0]


def folded(value: Any) -> Hashable:
    """Return a value so that values which SQL calls equal are equal in Python."""
    match value:
        case float():
            return "NaN" if math.isnan(value) else value
        case list() | tuple() | Row():
            return tuple(map(folded, value))
    hashable: Hashable = value
    return hashable


def multiset(rows: Iterable[Values]) -> Counter[Hashable]:
    """Return how often there is each row."""
    return Counter(map(folded, rows))
