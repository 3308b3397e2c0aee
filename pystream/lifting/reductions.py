"""Reduce functions and aggregations by a field, recognised as one fold for each field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.expressions.folds import Fold, Reduction
from pystream.lifting.arithmetic import add, extremum
from pystream.lifting.composites import argument, field, parts_of
from pystream.lifting.conforming import conform
from pystream.lifting.folds import COMPARED, SUMMED, extremum_forms, float_fold_error
from pystream.lifting.keys import fixed_by_key
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from pystream.lifting.lift import NotLifted, attempted, check_is_known, lifted_call
from pystream.lifting.members import attribute, item
from pystream.lifting.records import check_is_replaceable
from pystream.lifting.values import FALSE, constant
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo
from typeinfo.extended import optional_of

__all__ = ["lift_field_fold", "lift_reduce", "refusal_of_order"]


@attempted
def lift_reduce(
    function: Any, t: TypeInformation[Any], *, in_order: bool = False, is_declared: bool = True
) -> Reduction:
    """Recognise a reduce function that sums, compares or keeps each field independently of the others.

    Args:
        function: takes two elements and returns one.
        t: their type.
        in_order: whether it is applied in the order of elements, so that floats can be summed and compared.
        is_declared: whether the type is declared, so that results are converted to it.
    """
    result = lifted_call(function, [t, t])
    if is_declared:
        result = conform(result, t)
    elif result.type != t:
        raise NotExact(f"returns {result.type} where it takes {t}")
    arguments = argument(t, 0), argument(t, 1)
    if not isinstance(t, FieldsTypeInfo):
        return Reduction(t, (_fold(result, *arguments, "its result", in_order),))
    if result in arguments:
        return Reduction(t, (Fold.FIRST if result == arguments[0] else Fold.LAST,) * t.get_arity())
    if result.op is not Op.STRUCT:
        raise NotExact(
            "reduces whole elements; only fields that are each summed, compared or kept are lifted"
        )
    fields = ((part, field(arguments[0], i), field(arguments[1], i)) for i, part in enumerate(result.parts))
    return Reduction(t, tuple(_fold(*each, f"field {i}", in_order) for i, each in enumerate(fields)))


def _fold(result: Expression, a: Expression, b: Expression, role: str, in_order: bool) -> Fold:
    """Return the fold that computes a value from two others."""
    value = result.parts[0] if result.op is Op.NARROW else result
    for fold, form in _forms(a, b, in_order):
        if form in (value, result):
            return fold
    if kind_of(a) is Kind.FLOAT and not in_order:
        raise float_fold_error(role)
    raise NotExact(f"reduces {role} otherwise than by +, min or max of both, or by keeping one of them")


def _forms(a: Expression, b: Expression, in_order: bool) -> Iterator[tuple[Fold, Expression]]:
    """Yield the expressions by which functions compute each fold of two values."""
    yield Fold.FIRST, a
    yield Fold.LAST, b
    if kind_of(a) in SUMMED:
        yield Fold.SUM, add(a, b)
        yield Fold.SUM, add(b, a)
    if kind_of(a) in COMPARED:
        yield from extremum_forms(a, b, FALSE)
    if kind_of(a) is Kind.FLOAT and in_order:
        yield Fold.SUM, add(a, b)
        yield Fold.SUM, add(b, a)
        yield Fold.MIN, extremum([a, b], least=True)
        yield Fold.MAX, extremum([a, b], least=False)


_FIELD_FOLDS = {
    "sum": (Fold.SUM, Fold.FIRST),
    "min": (Fold.MIN, Fold.FIRST),
    "max": (Fold.MAX, Fold.FIRST),
    "min_by": (Fold.MIN, Fold.CHOSEN),
    "max_by": (Fold.MAX, Fold.CHOSEN),
}
"""Folds of the given field and of all others."""


@attempted
def lift_field_fold(
    kind: str, name: int | str, t: TypeInformation[Any], *, in_order: bool = False
) -> Reduction:
    """Return the folds of all fields for an aggregation by one of them.

    Args:
        kind: sum, min, max, min_by or max_by.
        name: name or position of the field; 0 for elements without fields, which are folded themselves.
        t: the type of the elements.
        in_order: whether it is applied in the order of elements, so that floats can be summed and compared.
    """
    fold, others = _FIELD_FOLDS[kind]
    check_is_known(t)
    element = argument(t, 0)
    if not isinstance(t, FieldsTypeInfo):
        if name != 0:
            raise NotExact(f"takes field {name!r} of {name_of(element)}, which has no fields")
        _check_foldable(fold, element, t, "its elements", in_order)
        return Reduction(t, (fold,))
    index = _position(t, name)
    if others is Fold.FIRST and isinstance(t, RecordTypeInfo):
        check_is_replaceable(t)
    slot = t.slots()[index]
    slot_type = optional_of(slot.type) if slot.nullable else slot.type
    _check_foldable(fold, _read_field(element, t, name), slot_type, f"field {index}", in_order)
    folds = [others] * t.get_arity()
    folds[index] = fold
    return Reduction(t, tuple(folds))


def _position(t: FieldsTypeInfo[Any], name: int | str) -> int:
    names = t.get_field_names()
    position = names.index(name) if name in names else name
    if not isinstance(position, int) or position >= len(names):
        raise NotExact(f"takes field {name!r} of {name_of(t)}, which has no such field")
    return position


def _read_field(element: Expression, t: FieldsTypeInfo[Any], name: int | str) -> Expression:
    """Return a field, read as the operator reads it in Python.

    Raises:
        NotExact: elements of this class cannot be read that way, or look up fields in their own way.
    """
    if isinstance(t, RecordTypeInfo) and t.kind is not RecordKind.TYPED_DICT:
        if isinstance(name, str):
            return attribute(element, name)
        if t.kind is not RecordKind.NAMED_TUPLE:
            return attribute(element, t.field_names[name])
    return item(element, constant(name))


def _check_foldable(
    fold: Fold, value: Expression, t: TypeInformation[Any], role: str, in_order: bool
) -> None:
    """Refuse values whose fold depends on their order, or does not conform to their type."""
    kind = kind_of(value)
    if kind is Kind.FLOAT:
        if in_order:
            return
        raise float_fold_error(role)
    if kind not in (SUMMED if fold is Fold.SUM else COMPARED):
        raise NotExact(f"reduces {role} of class {name_of(value)} by {fold.value}, which is not lifted")
    result = add(value, value) if fold is Fold.SUM else extremum([value, value], least=fold is Fold.MIN)
    conform(result, t)


_ORDERED_FOLDS = {
    Fold.FIRST: "the first of",
    Fold.LAST: "the last of",
    Fold.CHOSEN: "the first of several elements that are equal but for",
}
"""Folds that depend on the order of elements, by their name in messages."""


@attempted
def refusal_of_order(reduction: Reduction, key: Expression) -> NotLifted | None:
    """Return why a reduction by a key depends on the order of elements, ``None`` if it does not.

    A field that is filtered, not summed or compared, depends on it unless it is part of the key.
    """
    element = argument(reduction.type, 0)
    values = parts_of(element) if isinstance(reduction.type, FieldsTypeInfo) else [element]
    fixed = fixed_by_key(key)
    for index, (fold, value) in enumerate(zip(reduction.folds, values, strict=True)):
        if fold in _ORDERED_FOLDS and value not in fixed:
            return NotLifted(
                f"keeps {_ORDERED_FOLDS[fold]} field {index}, which the order of elements decides"
            )
    return None
