"""Types that record which map values and row fields an annotation allows to be None.

``Types.of(dict[str, int])`` and ``Types.of(dict[str, int | None])`` are one type, as values of a MAP may be
null always, and so may fields of a ROW. ``typeinfo.infer.declared_type`` keeps them apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from typeinfo.collection import MapTypeInfo
from typeinfo.composite import RowTypeInfo
from typeinfo.info import Slot

__all__ = ["DeclaredMapTypeInfo", "DeclaredRowTypeInfo"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False, init=False)
class DeclaredMapTypeInfo(MapTypeInfo[T, T]):
    """A MAP whose values are null only if their type admits it; not for serializers."""

    def slots(self) -> tuple[Slot, ...]:
        return (
            Slot("{}", self.key_type, nullable=False),
            Slot("[]", self.value_type, nullable=False),
        )


@dataclass(frozen=True, slots=True, repr=False, init=False)
class DeclaredRowTypeInfo(RowTypeInfo[Any]):
    """A ROW whose fields are null only if their type admits it; not for serializers."""

    def slots(self) -> tuple[Slot, ...]:
        return tuple(slot._replace(nullable=False) for slot in RowTypeInfo.slots(self))
