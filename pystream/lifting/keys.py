"""Key functions as expressions, and which aggregations by such a key depend on no order."""

from __future__ import annotations

from typing import Any

from pystream.lifting.building import argument, field, present
from pystream.lifting.conforming import conform
from pystream.lifting.expression import Expression, Op
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.lift import NotLifted, attempted, lifted_call
from pystream.lifting.members import fields_of
from pystream.lifting.reduce import Aggregation, Fold
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["lift_key", "refusal_of_order"]

_KEPT = {
    Fold.FIRST: "the first of",
    Fold.LAST: "the last of",
    Fold.CHOSEN: "the first of several elements that are equal but for",
}
_KEYS = (Kind.BOOL, Kind.INT, Kind.STR, Kind.BYTES, Kind.DATE, Kind.TIME, Kind.DATETIME)


def lift_key(
    selector: Any, element_type: TypeInformation[Any], key_type: TypeInformation[Any]
) -> Expression | NotLifted:
    """Turn a key selector into an expression that is never null.

    Args:
        selector: a function, an object with ``get_key``, or the name or position of a field.
        element_type: type of the elements.
        key_type: declared type of the keys; pickled if there is none.

    Returns:
        The expression; equal keys have equal values of it, and others have not. Or why there is none.
    """
    return attempted(lambda: _key(selector, element_type, key_type))


def refusal_of_order(aggregation: Aggregation, key: Expression) -> NotLifted | None:
    """Return why an aggregation by a key depends on the order of elements, ``None`` if it does not.

    What is kept of a field that is not folded depends on it, unless the field is part of the key.
    """
    return attempted(lambda: _refusal(aggregation, key))


def _refusal(aggregation: Aggregation, key: Expression) -> NotLifted | None:
    element = argument(aggregation.type, 0)
    if isinstance(aggregation.type, FieldsTypeInfo):
        fields = [field(element, index) for index in range(len(aggregation.folds))]
    else:
        fields = [element]
    given = key.parts[0] if key.op is Op.NOT_NULL else key
    known = [given, *(given.parts if given.op is Op.STRUCT else ())]
    for index, (fold, own) in enumerate(zip(aggregation.folds, fields, strict=True)):
        if fold in _KEPT and own not in known:
            return NotLifted(f"keeps {_KEPT[fold]} field {index}, which the order of elements decides")
    return None


def _key(selector: Any, element_type: TypeInformation[Any], key_type: TypeInformation[Any]) -> Expression:
    key = present(_selected(selector, element_type))
    if not isinstance(key_type, PickledBytesTypeInfo):
        key = present(conform(key, key_type))
    if not _is_exact(key):
        raise NotExact(f"returns keys of {key.type}, which Spark may compare otherwise than Python")
    return key


def _selected(selector: Any, element_type: TypeInformation[Any]) -> Expression:
    if isinstance(selector, (str, int)):
        assert isinstance(element_type, FieldsTypeInfo)
        names = element_type.get_field_names()
        return field(
            argument(element_type, 0), names.index(selector) if isinstance(selector, str) else selector
        )
    return lifted_call(getattr(selector, "get_key", selector), [element_type])


def _is_exact(key: Expression) -> bool:
    if kind_of(key) in _KEYS:
        return True
    parts = fields_of(key) if kind_of(key) is Kind.TUPLE else None
    return parts is not None and all(kind_of(part) in _KEYS for part in parts)
