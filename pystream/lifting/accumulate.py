"""Aggregate functions recognised as folds of what is computed of each element, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pystream.lifting.arithmetic import add, extremum, negative, subtract
from pystream.lifting.building import (
    FALSE,
    NONE,
    TRUE,
    all_of,
    any_of,
    argument,
    coerced,
    conditional,
    constant,
    guarded,
    is_null,
    negation,
    parts_of,
    present,
    unified,
)
from pystream.lifting.comparing import less, less_or_equal
from pystream.lifting.conforming import conform
from pystream.lifting.expression import Expression, Op, constant_value, is_constant
from pystream.lifting.interpret import Interpreter
from pystream.lifting.kinds import Kind, NotExact, kind_of, nullable_type
from pystream.lifting.lift import NotLifted, attempted, lifted_call
from pystream.lifting.reduce import COMPARED, SUMMED, Fold, order_counts
from pystream.lifting.static import lifted
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo, TupleTypeInfo
from typeinfo.extended import optional_of
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["Accumulation", "Part", "lift_aggregate"]

_TRIES = 4
ZERO = constant(0)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an accumulator.

    Attributes:
        fold: what becomes of the values: their sum, least or greatest, or any of them, as all are the same.
        value: what is folded of an element; null where it is left out.
        initial: the constant that is folded with them; null if there is none.
    """

    fold: Fold
    value: Expression
    initial: Expression


@dataclass(frozen=True, slots=True)
class Accumulation:
    """An aggregate function whose results are the same in any order of elements.

    Attributes:
        parts: the fields of an accumulator, or the accumulator itself if it has none.
        type: the type of the accumulators of at least one element.
        emits: whether an accumulator has a result.
        result: the result of one that has.
        checked: what may raise of each element, and may not be computed of each for the result.
    """

    parts: tuple[Part, ...]
    type: TypeInformation[Any]
    emits: Expression
    result: Expression
    checked: tuple[Expression, ...]


def lift_aggregate(
    function: Any,
    element_type: TypeInformation[Any],
    accumulator_type: TypeInformation[Any],
    declared: TypeInformation[Any] | None,
    key: Expression,
) -> Accumulation | NotLifted:
    """Recognise an aggregate function that sums or compares each part of its accumulators by itself.

    ``merge`` is not looked at: nobody calls it where the elements of a key come in the order of time.

    Args:
        function: an object with ``create_accumulator``, ``add`` and ``get_result``.
        element_type: the type of the elements.
        accumulator_type: what accumulators are held to before their result is taken; pickled if to nothing.
        declared: what results are held to.
        key: the key of the elements that are folded together.
    """
    return attempted(lambda: _recognised(function, element_type, accumulator_type, declared, key))


def _recognised(
    function: Any,
    element_type: TypeInformation[Any],
    accumulator_type: TypeInformation[Any],
    declared: TypeInformation[Any] | None,
    key: Expression,
) -> Accumulation:
    created = lifted_call(function.create_accumulator, [])
    if kind_of(created) is Kind.LIST:
        raise NotExact("keeps a list for an accumulator; a tuple is lifted")
    t, after = _added(function.add, element_type, created)
    before = _parts(argument(t, 1))
    if not before:
        raise NotExact("keeps nothing in its accumulator; a tuple that has fields is lifted")
    whole = key.parts[0] if key.op is Op.NOT_NULL else key
    known = [whole, *(whole.parts if whole.op is Op.STRUCT else ())]
    each = zip(_parts(created), before, after, strict=True)
    parts = tuple(_part(*of_one, known, _role(position, t)) for position, of_one in enumerate(each))
    accumulator = given = argument(_of_parts(t, before, parts), 0)
    if not isinstance(accumulator_type, PickledBytesTypeInfo):
        given = conform(accumulator, accumulator_type)
    result = lifted(Interpreter().called(function.get_result, [given], {}))
    if kind_of(result) is Kind.NONE or (result.nullable and isinstance(result.type, FieldsTypeInfo)):
        raise NotExact("may give None for a result, which is not lifted")
    emits = negation(is_null(result)) if result.nullable else TRUE
    result = present(result)
    result = result if declared is None else conform(result, declared)
    used = set(_used(result, accumulator)) | set(_used(emits, accumulator))
    if None in used:
        used = set(range(len(parts)))
    unused = (p.value for n, p in enumerate(parts) if n not in used or p.fold is Fold.FIRST)
    return Accumulation(
        parts, nullable_type(accumulator), emits, result, tuple(value for value in unused if value.fails)
    )


def _added(
    function: Any, element_type: TypeInformation[Any], created: Expression
) -> tuple[TypeInformation[Any], list[Expression]]:
    """Return a type that holds all accumulators, and the parts of one with an element more."""
    t = nullable_type(created)
    for _ in range(_TRIES):
        accumulator = argument(t, 1)
        after = lifted_call(function, [element_type, t])
        old, new = _parts(accumulator), _parts(after)
        for position, (a, b) in enumerate(zip(old, new, strict=False)):
            if kind_of(b) is Kind.FLOAT and a != b:
                raise order_counts(_role(position, t))
        common, nullable = unified([created, after])
        wider = optional_of(common) if nullable else common
        if wider == t:
            return t, [coerced(b, a.type) for a, b in zip(old, new, strict=True)]
        t = wider
    raise NotExact("gives accumulators of ever other types")


def _parts(accumulator: Expression) -> list[Expression]:
    """Return the fields of an accumulator, each without what the others may raise."""
    if not isinstance(accumulator.type, FieldsTypeInfo):
        return [accumulator]
    match accumulator.op:
        case Op.STRUCT:
            return list(accumulator.parts)
        case Op.IF:
            condition, then, otherwise = accumulator.parts
            pairs = zip(_parts(then), _parts(otherwise), strict=True)
            return [conditional(condition, *pair) for pair in pairs]
        case Op.GUARD:
            condition, value = accumulator.parts
            return [guarded(condition, part, str(accumulator.data[0])) for part in _parts(value)]
    return parts_of(accumulator)


def _of_parts(
    t: TypeInformation[Any], before: list[Expression], parts: tuple[Part, ...]
) -> TypeInformation[Any]:
    """Return the type of the accumulators of an element or more."""
    nullable = [part.value.nullable and part.initial.nullable for part in parts]
    types = [optional_of(b.type) if n else b.type for b, n in zip(before, nullable, strict=True)]
    if isinstance(t, FieldsTypeInfo):
        return TupleTypeInfo(types) if isinstance(t, TupleTypeInfo) else t
    if nullable[0]:
        raise NotExact("may leave its accumulator None, which begins it anew")
    return types[0]


def _role(position: int, t: TypeInformation[Any]) -> str:
    return f"field {position} of its accumulator" if isinstance(t, FieldsTypeInfo) else "its accumulator"


def _part(
    created: Expression, before: Expression, after: Expression, known: list[Expression], role: str
) -> Part:
    """Return what becomes of a part of an accumulator."""
    if not is_constant(created):
        raise NotExact(f"begins {role} with what is no constant")
    initial = created if kind_of(created) is Kind.NONE else coerced(created, before.type)
    if after.op is Op.GUARD and _is_free(after.parts[0]):
        inner = _part(created, before, after.parts[1], known, role)
        return Part(inner.fold, guarded(after.parts[0], inner.value, str(after.data[0])), inner.initial)
    if after in (before, present(before)):
        return Part(Fold.FIRST, initial, NONE)
    if after in known:
        return Part(Fold.FIRST, after, NONE)
    if _is_free(after):
        raise NotExact(f"keeps {role} of the last element, which the order of elements decides")
    part = _summed(before, after, initial) or _compared(before, after, initial)
    if part is None:
        raise NotExact(f"changes {role} otherwise than by + or -, min or max of it and of an element")
    return part


def _summed(before: Expression, after: Expression, initial: Expression) -> Part | None:
    if kind_of(before) not in SUMMED or constant_value(initial) is None:
        return None
    term = _term(before, after)
    return None if term is None else Part(Fold.SUM, term, initial)


def _term(before: Expression, after: Expression) -> Expression | None:
    """Return what is added to a number, ``None`` if something else is done to it."""
    if after in (before, present(before)):
        return ZERO
    match after.op:
        case Op.IF if _is_free(after.parts[0]):
            then, otherwise = (_term(before, part) for part in after.parts[1:])
            if then is not None and otherwise is not None:
                return conditional(after.parts[0], then, otherwise)
        case Op.ADD:
            for one, other in (after.parts, after.parts[::-1]):
                term = _term(before, one) if _is_free(other) else None
                if term is not None:
                    return other if term == ZERO else add(term, other)
        case Op.SUBTRACT:
            one, other = after.parts
            term = _term(before, one) if _is_free(other) else None
            if term is not None:
                return negative(other) if term == ZERO else subtract(term, other)
    return None


def _compared(
    before: Expression, after: Expression, initial: Expression, given: Expression = TRUE
) -> Part | None:
    """Return what is compared with a part, where a condition on the element holds."""
    if kind_of(before) not in COMPARED:
        return None
    if after.op is Op.IF and _is_free(after.parts[0]):
        condition, then, otherwise = after.parts
        for kept, changed, holds in ((otherwise, then, condition), (then, otherwise, negation(condition))):
            part = _compared(before, changed, initial, all_of(given, holds)) if kept == before else None
            if part is not None:
                nothing = coerced(NONE, part.value.type)
                return Part(part.fold, conditional(holds, part.value, nothing), initial)
    firsts = [is_null(before)] if initial.nullable else [is_null(before), FALSE]
    for value in dict.fromkeys(_free(after)):
        if kind_of(value) is not kind_of(before):
            continue
        for first in firsts:
            for fold, form in _forms(before, value, first):
                if form == after:
                    return Part(fold, _folded(value, initial, given), initial)
    return None


def _folded(value: Expression, initial: Expression, given: Expression) -> Expression:
    """Return a value that is compared, which is an error where it is ``None`` unless nothing came before."""
    is_there = negation(is_null(value))
    if not (initial.nullable and value.nullable) or is_there in _holding(given):
        return present(value)
    return guarded(is_there, present(value), "None begins anew")


def _holding(condition: Expression) -> Iterator[Expression]:
    """Yield all that holds where a condition does."""
    yield condition
    if condition.op is Op.AND:
        for part in condition.parts:
            yield from _holding(part)


def _forms(old: Expression, new: Expression, first: Expression) -> Iterator[tuple[Fold, Expression]]:
    """Yield each way to write the least and the greatest of a part and a value.

    Args:
        old: the part.
        new: the value.
        first: whether the part is still ``None``.
    """
    for fold, is_least in ((Fold.MIN, True), (Fold.MAX, False)):
        for x, y in ((old, new), (new, old)):
            best = extremum([x, y], least=is_least)
            yield fold, conditional(first, new, best)
            yield fold, conditional(negation(first), best, new)
        for compared in (less, less_or_equal):
            better = compared(new, old) if is_least else compared(old, new)
            worse = compared(old, new) if is_least else compared(new, old)
            for kept in (old, present(old)):
                yield fold, conditional(any_of(first, better), new, kept)
                yield fold, conditional(first, new, conditional(better, new, kept))
                yield fold, conditional(all_of(negation(first), worse), kept, new)


def _free(e: Expression) -> Iterator[Expression]:
    """Yield the largest parts of an expression that are computed of the element alone."""
    if _is_free(e):
        yield e
        return
    for part in e.parts:
        yield from _free(part)


def _is_free(e: Expression) -> bool:
    """Tell whether an expression is computed of the element alone, not of the accumulator."""
    return not (e.op is Op.INPUT and e.data == (1,)) and all(map(_is_free, e.parts))


def _used(e: Expression, accumulator: Expression) -> Iterator[int | None]:
    """Yield the numbers of the parts of an accumulator that are used, ``None`` for all of it."""
    if e.op is Op.FIELD and e.parts[0] == accumulator:
        yield e.data[0]  # type: ignore[misc]
        return
    if e == accumulator:
        yield None
    for part in e.parts:
        yield from _used(part, accumulator)
