"""ChangelogNormalize: the changes that rows which replace or delete others by their key make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.table.columns import row_type
from pystream.table.row_key import keyed_rows
from pystream.table.streaming.expiry import expiring, state_ttl
from pystream.table.streaming.value_keys import are_same
from pystream.table.table import Table
from pystream.table.upsert_key import UpsertKey
from typeinfo.row import Row, RowKind, make_row

__all__ = ["ChangelogNormalize", "normalized"]

Fields: TypeAlias = "tuple[Any, ...]"


class ChangelogNormalize(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit how the row of each key changes.

    The first row of a key emits an INSERT, each further one the UPDATE_BEFORE of the former row and the
    UPDATE_AFTER of the new one, in the order of the rows. A row of kind DELETE emits the DELETE of the former
    row; without one, it emits nothing. Without a time to live, a row that is the same as the former one emits
    nothing, either. State kept for each key: its row. Mirrors
    ``…table.runtime.operators.deduplicate.ProcTimeDeduplicateKeepLastRowFunction``.

    Args:
        names: the names of the fields.
        ttl: the time, since the last row of a key, after which its state expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(self, names: Sequence[str], ttl: Time | None = None) -> None:
        self._names = tuple(names)
        self._always_updates = ttl is not None
        self._descriptor = expiring(ValueStateDescriptor("row", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[Fields]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the changes."""
        known = self._state.value()
        if value.get_row_kind() is RowKind.DELETE:
            if known is not None:
                self._state.clear()
                yield make_row(known, self._names, RowKind.DELETE)
            return
        fields = tuple(value)
        if known is None:
            self._state.update(fields)
            yield make_row(fields, self._names)
        elif self._always_updates or not are_same(fields, known):
            self._state.update(fields)
            yield make_row(known, self._names, RowKind.UPDATE_BEFORE)
            yield make_row(fields, self._names, RowKind.UPDATE_AFTER)


def normalized(table: Table, key: Sequence[str]) -> Table:
    """Return the table of changes of rows that replace or delete others by their key.

    Args:
        table: the rows.
        key: the names of the columns of the key.
    """
    names = [column.name for column in table._columns]
    positions = tuple(names.index(name) for name in key)
    rows = keyed_rows(table._rows(), table._columns, positions)
    stream = rows.process(ChangelogNormalize(names, state_ttl(table)), row_type(table._columns))
    stream.name(f"ChangelogNormalize(key=[{', '.join(key)}])")
    upserts = UpsertKey(positions, frozenset(), frozenset(), has_deletes=True)
    return Table(table._environment, stream, table._columns, is_updating=True, upsert_key=upserts)
