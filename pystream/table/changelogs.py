"""Streams of changes: rows of the kinds that a changelog mode has."""

from __future__ import annotations

from typing import Any

from pystream.datastream.functions import FilterFunction
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import TypeCheckError
from pystream.table.changelog_mode import ChangelogMode
from typeinfo.errors import short_repr
from typeinfo.row import Row, RowKind

__all__ = ["of_mode"]


def of_mode(rows: DataStream[Row[Any]], mode: ChangelogMode) -> DataStream[Row[Any]]:
    """Return a stream of changes; a row of a kind that is not in the mode fails the job."""
    kinds = mode.contained_kinds
    if kinds == frozenset(RowKind):
        return rows
    checked = rows.filter(_OfKinds(kinds)).set_parallelism(rows.get_parallelism())
    return checked.name(f"Changelog ({', '.join(str(kind) for kind in RowKind if kind in kinds)})")


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
