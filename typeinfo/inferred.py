"""InferredTypeInfo: the type that elements of undeclared type are expected to have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY, PickledBytesTypeInfo

__all__ = ["InferredTypeInfo", "declared_only", "expected_type", "inferred_as"]


@dataclass(frozen=True, slots=True, repr=False)
class InferredTypeInfo(PickledBytesTypeInfo):
    """Any picklable object, expected to be a value of a certain type.

    Nothing is validated or converted: elements that are exactly values of the expected type are carried as
    such, in columns, and all others pickled. So each is received as it was sent.

    Attributes:
        value_type: the expected type.
    """

    value_type: TypeInformation[Any]

    def __repr__(self) -> str:
        return f"{self.value_type} (inferred)"


def inferred_as(value_type: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type of elements that are expected to have a type, but not declared to."""
    return value_type if isinstance(value_type, PickledBytesTypeInfo) else InferredTypeInfo(value_type)


def expected_type(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the type that elements are declared or else expected to have."""
    return t.value_type if isinstance(t, InferredTypeInfo) else t


def declared_only(t: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return the declared type of elements; that of pickled elements if there is none."""
    return PICKLED_BYTE_ARRAY if isinstance(t, InferredTypeInfo) else t
