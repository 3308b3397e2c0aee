"""The scalar types of all families that are constants in ``Types``."""

from __future__ import annotations

from typing import Any

from typeinfo import basic, temporal
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["INFERRED", "SCALARS", "SCALAR_CLASSES"]

SCALARS: dict[str, ScalarTypeInfo[Any]] = {
    name: constant
    for family in (basic, temporal)
    for name, constant in vars(family).items()
    if isinstance(constant, ScalarTypeInfo)
}
"""The types by their names on ``Types``."""

INFERRED: dict[type[Any], ScalarTypeInfo[Any]] = {
    t.value_class: t for t in SCALARS.values() if t.traits.inferred
}
"""The types for annotations that are classes of values, by class."""

SCALAR_CLASSES: frozenset[type[Any]] = frozenset(t.value_class for t in SCALARS.values())
"""The classes of the values of all scalar types; all are immutable."""
