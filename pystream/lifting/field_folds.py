"""Folds of one field: sum, minimum, maximum, or the element with the minimum or maximum."""

from __future__ import annotations

from typing import Any, NamedTuple

from pystream.lifting.arithmetic import add, extremum
from pystream.lifting.building import argument, constant, parts_of
from pystream.lifting.conforming import conform
from pystream.lifting.expression import Expression
from pystream.lifting.intrinsics import call_class
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from pystream.lifting.lift import NotLifted, attempted
from pystream.lifting.members import attribute, item
from pystream.lifting.reduce import COMPARED, SUMMED, Aggregation, Fold, order_counts
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo
from typeinfo.extended import optional_of
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["lift_field_fold"]

_FOLDS = {
    "sum": (Fold.SUM, Fold.FIRST),
    "min": (Fold.MIN, Fold.FIRST),
    "max": (Fold.MAX, Fold.FIRST),
    "min_by": (Fold.MIN, Fold.CHOSEN),
    "max_by": (Fold.MAX, Fold.CHOSEN),
}
"""Folds of the field and of all others."""


class _Plain(NamedTuple):
    field: Any


_REPLACE: Any = _Plain._replace


def lift_field_fold(
    kind: str, name: int | str, element_type: TypeInformation[Any]
) -> Aggregation | NotLifted:
    """Return the folds of all fields for an aggregation by one of them.

    Args:
        kind: sum, min, max, min_by or max_by.
        name: name or position of the field; 0 for elements without fields, which are folded themselves.
        element_type: type of the elements.
    """
    return attempted(lambda: _by_field(*_FOLDS[kind], name, element_type))


def _by_field(fold: Fold, others: Fold, name: int | str, t: TypeInformation[Any]) -> Aggregation:
    if isinstance(t, PickledBytesTypeInfo):
        raise NotExact("takes elements of unknown type; declare it with output_type or type_info")
    element = argument(t, 0)
    if not isinstance(t, FieldsTypeInfo):
        if name != 0:
            raise NotExact(f"takes field {name!r} of {name_of(element)}, which has no fields")
        _require_foldable(fold, element, t, "its elements")
        return Aggregation(t, (fold,))
    index = _position(t, name)
    if others is Fold.FIRST and isinstance(t, RecordTypeInfo):
        _require_replaceable(element, t)
    slot = t.slots()[index]
    slot_type = optional_of(slot.type) if slot.nullable else slot.type
    _require_foldable(fold, _field(element, t, name), slot_type, f"field {index}")
    folds = [others] * t.get_arity()
    folds[index] = fold
    return Aggregation(t, tuple(folds))


def _position(t: FieldsTypeInfo[Any], name: int | str) -> int:
    names = t.get_field_names()
    position = names.index(name) if name in names else name
    if not isinstance(position, int) or position >= len(names):
        raise NotExact(f"takes field {name!r} of {name_of(t)}, which has no such field")
    return position


def _field(element: Expression, t: FieldsTypeInfo[Any], name: int | str) -> Expression:
    """Return a field as it is read by its name or position, which not every class takes.

    Raises:
        NotExact: the field does not exist, or its class has its own way to look it up.
    """
    if not isinstance(t, RecordTypeInfo) or t.kind is RecordKind.TYPED_DICT:
        return item(element, constant(name))
    if isinstance(name, str):
        return attribute(element, name)
    if t.kind is RecordKind.NAMED_TUPLE:
        return item(element, constant(name))
    return attribute(element, t.field_names[name])


def _require_replaceable(element: Expression, t: RecordTypeInfo[Any]) -> None:
    """Refuse records that are not simply made anew with another value of a field."""
    cls = t.record_class
    if t.kind is RecordKind.TYPED_DICT:
        return
    call_class(cls, parts_of(element), {})
    if t.kind is RecordKind.NAMED_TUPLE and cls._replace.__code__ != _REPLACE.__code__:
        raise NotExact(f"changes a {cls.__name__}, which has a _replace() of its own")


def _require_foldable(fold: Fold, value: Expression, t: TypeInformation[Any], role: str) -> None:
    kind = kind_of(value)
    if kind is Kind.FLOAT:
        raise order_counts(role)
    if kind not in (SUMMED if fold is Fold.SUM else COMPARED):
        raise NotExact(f"reduces {role} of class {name_of(value)} by {fold.value}, which is not lifted")
    result = add(value, value) if fold is Fold.SUM else extremum([value, value], least=fold is Fold.MIN)
    conform(result, t)
