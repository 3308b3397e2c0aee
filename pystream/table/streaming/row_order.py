"""RowOrder: the order of rows by the values of some of their fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.table.algebra.sorts import SortField

__all__ = ["RowOrder"]


class RowOrder:
    """The order of rows by the values of fields; rows that are equal in all of them have none.

    NaN is greater than all numbers; 0.0 and -0.0 are equal; text is compared by code points, which is the
    order of its bytes in UTF-8.

    Args:
        fields: the fields, the one that decides first at the front; none if no row comes before another.
    """

    def __init__(self, fields: Sequence[SortField]) -> None:
        self._fields = tuple(fields)

    def key(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """Return a value, compared by ``<`` and ``==``, that is less for rows that come first."""
        return tuple(_key_of(row[field.position], field) for field in self._fields)

    def key_of_value(self, value: Any) -> tuple[Any, ...]:
        """Return the key of a row with a value in the only field."""
        (field,) = self._fields
        return (_key_of(value, field),)


def _key_of(value: Any, field: SortField) -> tuple[Any, ...]:
    if value is None:
        return (0,) if field.nulls_first else (3,)
    if value != value:
        return (1,) if field.is_descending else (2,)
    if not field.is_descending:
        return 1, value
    return 2, -value if isinstance(value, (int, float)) else _Descending(value)


class _Descending:
    """Compares as a value does, in the opposite direction."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Descending) -> bool:
        is_less: bool = other.value < self.value
        return is_less

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]
