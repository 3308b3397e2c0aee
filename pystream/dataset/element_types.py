"""The common type of the elements of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typeinfo.composite import TupleTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = ["common_type"]

_SIMPLE: dict[type[Any], TypeInformation[Any]] = {
    bool: Types.BOOLEAN(),
    int: Types.LONG(),
    float: Types.DOUBLE(),
    str: Types.STRING(),
}


def common_type(elements: Sequence[Any]) -> TypeInformation[Any] | None:
    """Return the type of elements that are all of one simple type, or tuples of such.

    It is ``None`` for all others, which are pickled: of several classes, or with ``None``. Values may still
    not fit the type, such as integers beyond 64 bits.
    """
    if not elements:
        return None
    classes = {type(element) for element in elements}
    if classes == {tuple}:
        arities = {len(element) for element in elements}
        if len(arities) > 1 or arities == {0}:
            return None
        fields = [common_type(values) for values in zip(*elements, strict=True)]
        known = [field for field in fields if field is not None]
        return TupleTypeInfo(known) if len(known) == len(fields) else None
    if len(classes) > 1:
        return None
    (only,) = classes
    return _SIMPLE.get(only)
