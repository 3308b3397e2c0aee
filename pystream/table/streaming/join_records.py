"""JoinRecords: the rows of one side of a join, which are kept in state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream.functions import RuntimeContext
from pystream.datastream.state import MapState, MapStateDescriptor
from pystream.table.streaming.expiry import expiring
from pystream.table.streaming.value_keys import fields_key

__all__ = ["JoinRecord", "JoinRecords"]

Fields = tuple[Any, ...]


class JoinRecord(NamedTuple):
    """Rows that are the same.

    Attributes:
        key: the key by which they are found.
        fields: the fields of each.
        copies: how many there are.
        partners: how many rows of the other side each is joined with; 0 if that is not counted.
    """

    key: Hashable
    fields: Fields
    copies: int
    partners: int


class JoinRecords:
    """The rows of one side that have the current key, in the order in which they came first.

    Rows that are the same are counted, and expire together after the last one. Mirrors
    ``…operators.join.stream.state.OuterJoinRecordStateViews``.

    Args:
        name: the name of the state.
        ttl: the time after which a row expires; ``None`` for never.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    def __init__(self, name: str, ttl: Time | None) -> None:
        pickled = Types.PICKLED_BYTE_ARRAY()
        self._descriptor = expiring(MapStateDescriptor(name, pickled, pickled), ttl)
        self._state: MapState[Hashable, tuple[Fields, int, int]]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state."""
        self._state = runtime_context.get_map_state(self._descriptor)

    def matching(self, is_partner: Callable[[Fields], bool] | None) -> list[JoinRecord]:
        """Return the rows for which a condition is true; all without one."""
        return [
            JoinRecord(key, fields, copies, partners)
            for key, (fields, copies, partners) in self._state.items()
            if is_partner is None or is_partner(fields)
        ]

    def add(self, fields: Fields, partners: int) -> None:
        """Add a row.

        Args:
            fields: its fields.
            partners: how many rows of the other side it is joined with, as are those that are the same.
        """
        key = fields_key(fields)
        known = self._state.get(key)
        self._state.put(key, (fields, 1 if known is None else known[1] + 1, partners))

    def retract(self, fields: Fields) -> None:
        """Remove one of the rows that are the same as a row, if there is one; it may have expired."""
        key = fields_key(fields)
        known = self._state.get(key)
        if known is not None and known[1] > 1:
            self._state.put(key, (known[0], known[1] - 1, known[2]))
        else:
            self._state.remove(key)

    def change_partners(self, records: Iterable[JoinRecord], change: int) -> None:
        """Change the number of partners of some rows."""
        for key, fields, copies, partners in records:
            self._state.put(key, (fields, copies, partners + change))
