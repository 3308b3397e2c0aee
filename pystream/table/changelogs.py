"""Streams of changes: rows of the kinds that a changelog mode has."""

from __future__ import annotations

from typing import Any

from pystream.datastream.functions import FilterFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import TypeCheckError, UnsupportedOperationError
from pystream.table.changelog_mode import ChangelogMode
from typeinfo.errors import short_repr
from typeinfo.row import Row, RowKind

__all__ = ["in_mode", "of_mode"]


def of_mode(rows: DataStream[Row[Any]], mode: ChangelogMode) -> DataStream[Row[Any]]:
    """Return a stream of changes; a row of a kind that is not in the mode fails the job."""
    kinds = mode.contained_kinds
    if kinds == frozenset(RowKind):
        return rows
    checked = rows.filter(_OfKinds(kinds)).set_parallelism(rows.get_parallelism())
    return checked.name(f"Changelog ({', '.join(str(kind) for kind in RowKind if kind in kinds)})")


def in_mode(rows: DataStream[Row[Any]], mode: ChangelogMode) -> DataStream[Row[Any]]:
    """Return the changes of a table as a stream of a mode, which leaves out the rows before updates or not.

    Raises:
        UnsupportedOperationError: it is one of insertions, or without deletions.
    """
    kinds = mode.contained_kinds
    if not {RowKind.UPDATE_AFTER, RowKind.DELETE} <= kinds:
        raise UnsupportedOperationError(
            "to_changelog_stream: rows of the table may be updated and deleted, which the changelog mode "
            "lacks; use ChangelogMode.all() or ChangelogMode.upsert()"
        )
    if RowKind.UPDATE_BEFORE in kinds:
        return rows
    kept = rows.filter(_is_no_row_before).set_parallelism(rows.get_parallelism())
    return kept.name("Changelog (without -U)")


def _is_no_row_before(row: Row[Any]) -> bool:
    return row.get_row_kind() is not RowKind.UPDATE_BEFORE


class _OfKinds(FilterFunction[Row[Any]]):
    """Pass on rows, all of certain kinds."""

    def __init__(self, kinds: frozenset[RowKind]) -> None:
        self._kinds = kinds

    def filter(self, value: Row[Any]) -> bool:
        if value.get_row_kind() not in self._kinds:
            kinds = ", ".join(kind.name for kind in RowKind if kind in self._kinds)
            raise TypeCheckError(
                f"{short_repr(value)} is of kind {value.get_row_kind().name}, but the "
                f"changelog mode has only {kinds}"
            )
        return True
