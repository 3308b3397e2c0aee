"""Random changelogs, and what remains of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

from pystream.common import Row, RowKind
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction
from pystream.testing import ProcessFunctionTestHarnesses
from typeinfo.info import TypeInformation
from typeinfo.row import make_row

__all__ = ["Remaining", "changelogs", "changes_of", "inserts"]

Values = tuple[Any, ...]
ADDED = (RowKind.INSERT, RowKind.UPDATE_AFTER)


class Remaining:
    """The rows that remain of a changelog, as they were added; the first of equal ones is taken back."""

    def __init__(self) -> None:
        self.rows: list[Values] = []

    def apply(self, row: Row[Any]) -> None:
        values = tuple(row)
        if row.get_row_kind() in ADDED:
            self.rows.append(values)
        else:
            places = [place for place, known in enumerate(self.rows) if repr(known) == repr(values)]
            assert places, f"{row!r} was not added"
            del self.rows[places[0]]


def inserts(rows: st.SearchStrategy[Values]) -> st.SearchStrategy[list[Row[Any]]]:
    """Return lists of rows that are only inserted."""
    return st.lists(rows.map(lambda values: make_row(values, None)), max_size=15)


@st.composite
def changelogs(draw: st.DrawFn, rows: st.SearchStrategy[Values]) -> list[Row[Any]]:
    """Return rows that are inserted, updated and deleted; only rows that remain are updated or deleted."""
    present: list[Values] = []
    changes: list[Row[Any]] = []
    for _ in range(draw(st.integers(0, 15))):
        values = draw(rows)
        step = draw(st.sampled_from(["insert", "insert", "update", "delete"]))
        if step == "insert" or not present:
            changes.append(make_row(values, None))
            present.append(values)
            continue
        old = present.pop(draw(st.integers(0, len(present) - 1)))
        kind = RowKind.DELETE if step == "delete" else RowKind.UPDATE_BEFORE
        changes.append(make_row(old, None, kind))
        if step == "update":
            changes.append(make_row(values, None, RowKind.UPDATE_AFTER))
            present.append(values)
    return changes


def changes_of(
    function: KeyedProcessFunction[Any, Row[Any], Row[Any]],
    rows: Iterable[Row[Any]],
    key_type: TypeInformation[Any] = Types.STRING,
    *,
    pairs_updates: bool = True,
) -> Iterator[tuple[list[Values], list[Values]]]:
    """Yield, after each row, the rows that remain of the input and those that remain of the results.

    The first field of the rows is their key.

    Args:
        function: the function.
        rows: the input.
        key_type: the type of the key.
        pairs_updates: whether each row of kind UPDATE_AFTER has one of kind UPDATE_BEFORE.
    """
    given, results = Remaining(), Remaining()
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], key_type
    ) as harness:
        for row in rows:
            harness.clear_output()
            harness.process_element(row)
            given.apply(row)
            output = harness.extract_output_values()
            for result in output:
                results.apply(result)
            kinds = [result.get_row_kind() for result in output]
            if pairs_updates:
                assert kinds.count(RowKind.UPDATE_BEFORE) == kinds.count(RowKind.UPDATE_AFTER)
            yield given.rows, results.rows
