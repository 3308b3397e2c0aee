"""Aggregate functions as folds: one for each part of the accumulator that ``add`` returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pystream.lifting.arithmetic import add, negative, subtract
from pystream.lifting.building import (
    FALSE,
    NONE,
    TRUE,
    all_of,
    coerced,
    conditional,
    constant,
    guarded,
    is_null,
    negation,
    present,
)
from pystream.lifting.expression import Expression, Op, certain, constant_value, is_constant
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.reduce import COMPARED, SUMMED, Fold, extremes

__all__ = ["Known", "Part", "part_of"]

_ZERO = constant(0)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an accumulator.

    Attributes:
        fold: the fold of the values: their sum, least or greatest, or any of them, as all are the same.
        value: the value of an element that is folded; null where it is left out.
        initial: the constant that is folded with them; null if there is none.
    """

    fold: Fold
    value: Expression
    initial: Expression


@dataclass(frozen=True, slots=True)
class Known:
    """Facts about the elements of one fold.

    Attributes:
        of_key: expressions with the same value for all elements.
        evaluated: expressions evaluated for each element.
    """

    of_key: tuple[Expression, ...]
    evaluated: frozenset[Expression]

    @staticmethod
    def of(key: Expression, after: list[Expression]) -> Known:
        """Return the facts that follow from the key and from the parts of the accumulator after ``add``."""
        whole = key.parts[0] if key.op is Op.NOT_NULL else key
        fields = whole.parts if whole.op is Op.STRUCT else ()
        return Known((whole, *fields), frozenset(e for part in after for e in certain(part)))


def part_of(created: Expression, before: Expression, after: Expression, known: Known, role: str) -> Part:
    """Return the fold of a part of an accumulator.

    Args:
        created: its initial value.
        before: the part itself, of the second argument of ``add``.
        after: its value with one element more.
        known: facts about the elements.
        role: its name in messages.

    Raises:
        NotExact: the order of elements may decide what it becomes, or it is none of the folds.
    """
    if not is_constant(created):
        raise NotExact(f"begins {role} with a value that is not a constant")
    if kind_of(before) is Kind.NONE:
        raise NotExact(f"keeps None for {role}, which is not lifted")
    initial = created if kind_of(created) is Kind.NONE else coerced(created, before.type)
    if after.op is Op.GUARD and _is_free(after.parts[0]):
        inner = part_of(created, before, after.parts[1], known, role)
        return Part(inner.fold, guarded(after.parts[0], inner.value, str(after.data[0])), inner.initial)
    if after in (before, present(before)):
        return Part(Fold.FIRST, initial, NONE)
    if after in known.of_key:
        return Part(Fold.FIRST, after, NONE)
    if _is_free(after):
        raise NotExact(f"keeps {role} of the last element, which the order of elements decides")
    part = _summed(before, after, initial) or _compared(before, after, initial, known.evaluated, TRUE)
    if part is None:
        raise NotExact(f"changes {role} otherwise than by + or -, min or max of it and of an element")
    return part


def _summed(before: Expression, after: Expression, initial: Expression) -> Part | None:
    if kind_of(before) not in SUMMED or constant_value(initial) is None:
        return None
    term = _term(before, after)
    return None if term is None else Part(Fold.SUM, term, initial)


def _term(before: Expression, after: Expression) -> Expression | None:
    """Return the number added to a part, ``None`` for other operations."""
    if after in (before, present(before)):
        return _ZERO
    match after.op:
        case Op.IF if _is_free(after.parts[0]):
            then, otherwise = (_term(before, part) for part in after.parts[1:])
            if then is not None and otherwise is not None:
                return conditional(after.parts[0], then, otherwise)
        case Op.ADD:
            for one, other in (after.parts, after.parts[::-1]):
                term = _term(before, one) if _is_free(other) else None
                if term is not None:
                    return other if term == _ZERO else add(term, other)
        case Op.SUBTRACT:
            one, other = after.parts
            term = _term(before, one) if _is_free(other) else None
            if term is not None:
                return negative(other) if term == _ZERO else subtract(term, other)
    return None


def _compared(
    before: Expression,
    after: Expression,
    initial: Expression,
    evaluated: frozenset[Expression],
    condition: Expression,
) -> Part | None:
    """Recognise a part that keeps the least or greatest value, of the elements that satisfy a condition."""
    if kind_of(before) not in COMPARED:
        return None
    if after.op is Op.IF and _is_free(after.parts[0]):
        chosen, then, otherwise = after.parts
        for kept, changed, holds in ((otherwise, then, chosen), (then, otherwise, negation(chosen))):
            if kept != before:
                continue
            part = _compared(before, changed, initial, evaluated, all_of(condition, holds))
            if part is not None:
                nothing = coerced(NONE, part.value.type)
                return Part(part.fold, conditional(holds, part.value, nothing), initial)
    firsts = [is_null(before)] if initial.nullable else [is_null(before), FALSE]
    for value in dict.fromkeys(_free(after)):
        if kind_of(value) is not kind_of(before):
            continue
        for first in firsts:
            for fold, form in extremes(before, value, first):
                if form == after:
                    fails = not initial.nullable or present(value) in evaluated
                    return Part(fold, _not_none(value, condition, fails=fails), initial)
    return None


def _not_none(value: Expression, condition: Expression, *, fails: bool) -> Expression:
    """Return a value where a condition holds, and raise where it is ``None``.

    Args:
        value: the compared value.
        condition: holds for the elements that are compared.
        fails: whether Python raises as well. Else the first that is not ``None`` begins anew.
    """
    is_there = negation(is_null(value))
    if fails or is_there in _holding(condition):
        return present(value)
    return guarded(is_there, present(value), "None resets the accumulator")


def _holding(condition: Expression) -> Iterator[Expression]:
    """Yield all that holds where a condition does."""
    yield condition
    if condition.op is Op.AND:
        for part in condition.parts:
            yield from _holding(part)


def _free(e: Expression) -> Iterator[Expression]:
    """Yield the largest parts of an expression that are computed of the element alone."""
    if _is_free(e):
        yield e
        return
    for part in e.parts:
        yield from _free(part)


def _is_free(e: Expression) -> bool:
    """Return whether an expression is computed of the element alone, not of the accumulator."""
    return not (e.op is Op.INPUT and e.data == (1,)) and all(map(_is_free, e.parts))
