"""PickledBytesTypeInfo: the type of elements that are pickled, for lack of a declared type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from typeinfo.info import TypeInformation

__all__ = ["PICKLED_BYTE_ARRAY", "PickledByteArrayTypeInformation", "PickledBytesTypeInfo", "is_pickled"]


@dataclass(frozen=True, slots=True, repr=False)
class PickledBytesTypeInfo(TypeInformation[Any]):
    """Any picklable object, ``None`` included, carried as pickled bytes.

    The type of a stream whose element type is not declared.
    Mirrors ``pyflink.common.typeinfo.PickledBytesTypeInfo``.
    """

    def __call__(self) -> Self:
        return self

    def admits_none(self) -> bool:
        return True

    def is_mutable(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "PickledByteArrayTypeInfo"


PickledByteArrayTypeInformation = PickledBytesTypeInfo

PICKLED_BYTE_ARRAY = PickledBytesTypeInfo()


def is_pickled(type_info: TypeInformation[object]) -> bool:
    """Return whether elements of a type, or parts of them, are carried as pickled bytes."""
    return isinstance(type_info, PickledBytesTypeInfo) or any(
        is_pickled(slot.type) for slot in type_info.slots()
    )
