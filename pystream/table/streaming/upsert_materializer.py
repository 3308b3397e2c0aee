"""UpsertMaterializer: the last row of each primary key, of rows that may be retracted in any order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueState, ValueStateDescriptor
from pystream.datastream.streams.data_stream import DataStream
from pystream.table.columns import TableColumn, row_type
from pystream.table.row_key import keyed_rows
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.value_keys import fields_key
from typeinfo.row import Row, RowKind, make_row

__all__ = ["UpsertMaterializer", "upsert_materialized"]

Fields: TypeAlias = "tuple[Any, ...]"

_RETRACTED = (RowKind.UPDATE_BEFORE, RowKind.DELETE)


class UpsertMaterializer(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit the row of each key that came last of those that no row has retracted.

    The first row of a key emits an INSERT, each further one an UPDATE_AFTER. The retraction of the last row
    emits the UPDATE_AFTER of the row before it, or its DELETE if there is none; that of another row, or of an
    unknown one, emits nothing. State kept for each key: its rows, in order. Mirrors
    ``…table.runtime.operators.sink.SinkUpsertMaterializer``.

    Args:
        names: the names of the fields.
        ttl: the time, since the last row of a key, after which its state expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(self, names: Sequence[str], ttl: Time | None = None) -> None:
        self._names = tuple(names)
        self._descriptor = expiring(ValueStateDescriptor("rows", Types.PICKLED_BYTE_ARRAY()), ttl)
        self._state: ValueState[list[Fields]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_state(self._descriptor)

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> Iterator[Row[Any]]:
        """Yield the change of the last row, if there is one."""
        rows, fields = list(self._state.value() or ()), tuple(value)
        if value.get_row_kind() not in _RETRACTED:
            kind = RowKind.UPDATE_AFTER if rows else RowKind.INSERT
            self._state.update([*rows, fields])
            yield make_row(fields, self._names, kind)
            return
        key = fields_key(fields)
        places = [place for place, row in enumerate(rows) if fields_key(row) == key]
        if not places:
            return
        last = rows[-1]
        del rows[places[-1]]
        if not rows:
            self._state.clear()
            yield make_row(last, self._names, RowKind.DELETE)
            return
        self._state.update(rows)
        if places[-1] == len(rows):
            yield make_row(rows[-1], self._names, RowKind.UPDATE_AFTER)


def upsert_materialized(
    rows: DataStream[Row[Any]], columns: Sequence[TableColumn], key: Sequence[int], ttl: Time | None
) -> DataStream[Row[Any]]:
    """Return the changes of the last row of each key.

    Args:
        rows: rows of all kinds.
        columns: their columns.
        key: the positions of those of the key.
        ttl: the time after which the state of a key expires; ``None`` for never.
    """
    names = [column.name for column in columns]
    function = UpsertMaterializer(names, ttl)
    stream = keyed_rows(rows, columns, key).process(function, row_type(columns))
    stream.set_parallelism(rows.get_parallelism())
    return stream.name(f"SinkMaterializer(key=[{', '.join(names[position] for position in key)}])")
