"""Parts of accumulators, recognised as folds of values computed from each element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pystream.expressions.expression import Expression, Op, always_evaluated, constant_value, is_constant
from pystream.expressions.folds import Fold, Part
from pystream.lifting.arithmetic import add, negative, subtract
from pystream.lifting.building import all_of, guarded, is_null, negation, not_null
from pystream.lifting.composites import coerced, conditional
from pystream.lifting.folds import COMPARED, SUMMED, extremum_forms
from pystream.lifting.keys import fixed_by_key
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.values import FALSE, NONE, TRUE, constant

__all__ = ["AddFacts", "part_of"]

_ZERO = constant(0)


@dataclass(frozen=True, slots=True)
class AddFacts:
    """Facts about the expressions in an ``add`` method.

    Attributes:
        fixed: expressions that have the same value for all elements of a key.
        evaluated: expressions that ``add`` evaluates for each element.
        in_order: whether it is applied in the order of elements, so that floats can be summed.
    """

    fixed: tuple[Expression, ...]
    evaluated: frozenset[Expression]
    in_order: bool

    @staticmethod
    def of(key: Expression, after: list[Expression], *, in_order: bool) -> AddFacts:
        """Return the facts.

        Args:
            key: the key of the elements.
            after: the parts of the accumulator that ``add`` returns.
            in_order: whether it is applied in the order of elements.
        """
        evaluated = frozenset(e for part in after for e in always_evaluated(part))
        return AddFacts(fixed_by_key(key), evaluated, in_order)


def part_of(created: Expression, before: Expression, after: Expression, facts: AddFacts, role: str) -> Part:
    """Return a part of an accumulator as a fold.

    Args:
        created: its initial value.
        before: its value before ``add``.
        after: its value after ``add``.
        facts: facts about the expressions in ``add``.
        role: its name in messages.

    Raises:
        NotExact: it may depend on the order of elements, or is not a fold that is lifted.
    """
    if not is_constant(created):
        raise NotExact(f"starts {role} with a value that is not a constant")
    if kind_of(before) is Kind.NONE:
        raise NotExact(f"keeps None for {role}, which is not lifted")
    initial = created if kind_of(created) is Kind.NONE else coerced(created, before.type)
    if after.op is Op.GUARD and _is_of_element(after.parts[0]):
        inner = part_of(created, before, after.parts[1], facts, role)
        return Part(inner.fold, guarded(after.parts[0], inner.value, str(after.data[0])), inner.initial)
    if after in (before, not_null(before)):
        return Part(Fold.FIRST, initial, NONE)
    if after in facts.fixed:
        return Part(Fold.FIRST, after, NONE)
    if _is_of_element(after):
        if facts.in_order:
            return Part(Fold.LAST, after, NONE)
        raise NotExact(f"keeps {role} of the last element, which the order of elements decides")
    part = _sum(before, after, initial) or _extremum(before, after, initial, facts.evaluated, TRUE)
    if part is None and facts.in_order:
        part = _float_sum(before, after, initial)
    if part is None:
        raise NotExact(f"changes {role} otherwise than by + or -, min or max of it and of an element")
    return part


def _sum(before: Expression, after: Expression, initial: Expression) -> Part | None:
    """Recognise a part to which a number computed from each element is added."""
    if kind_of(before) not in SUMMED or constant_value(initial) is None:
        return None
    term = _term(before, after)
    return None if term is None else Part(Fold.SUM, term, initial)


def _float_sum(before: Expression, after: Expression, initial: Expression) -> Part | None:
    """Recognise a part to which a float computed from each element is added."""
    if kind_of(before) is Kind.FLOAT and after.op is Op.ADD and constant_value(initial) is not None:
        for one, other in (after.parts, after.parts[::-1]):
            if one in (before, not_null(before)) and _is_of_element(other):
                return Part(Fold.SUM, other, initial)
    return None


def _term(before: Expression, after: Expression) -> Expression | None:
    """Return the number that is added to a part, ``None`` if something else is done to it."""
    if after in (before, not_null(before)):
        return _ZERO
    match after.op:
        case Op.IF if _is_of_element(after.parts[0]):
            then, otherwise = (_term(before, part) for part in after.parts[1:])
            if then is not None and otherwise is not None:
                return conditional(after.parts[0], then, otherwise)
        case Op.ADD:
            for one, other in (after.parts, after.parts[::-1]):
                term = _term(before, one) if _is_of_element(other) else None
                if term is not None:
                    return other if term == _ZERO else add(term, other)
        case Op.SUBTRACT:
            one, other = after.parts
            term = _term(before, one) if _is_of_element(other) else None
            if term is not None:
                return negative(other) if term == _ZERO else subtract(term, other)
    return None


def _extremum(
    before: Expression,
    after: Expression,
    initial: Expression,
    evaluated: frozenset[Expression],
    condition: Expression,
) -> Part | None:
    """Recognise a part that keeps the least or greatest value of the elements that satisfy a condition."""
    if kind_of(before) not in COMPARED:
        return None
    if after.op is Op.IF and _is_of_element(after.parts[0]):
        test, then, otherwise = after.parts
        for unchanged, changed, holds in ((otherwise, then, test), (then, otherwise, negation(test))):
            if unchanged != before:
                continue
            part = _extremum(before, changed, initial, evaluated, all_of(condition, holds))
            if part is not None:
                left_out = coerced(NONE, part.value.type)
                return Part(part.fold, conditional(holds, part.value, left_out), initial)
    is_first = [is_null(before)] if initial.nullable else [is_null(before), FALSE]
    for value in dict.fromkeys(_element_values(after)):
        if kind_of(value) is not kind_of(before):
            continue
        for first in is_first:
            for fold, form in extremum_forms(before, value, first):
                if form == after:
                    raises = not initial.nullable or not_null(value) in evaluated
                    return Part(fold, _compared_value(value, condition, raises=raises), initial)
    return None


def _compared_value(value: Expression, condition: Expression, *, raises: bool) -> Expression:
    """Return a value that is compared, which must not be ``None``.

    Args:
        value: the value.
        condition: holds for the elements whose value is compared.
        raises: whether Python raises on ``None``. If not, ``None`` replaces the least or greatest value so
            far, and the next value is compared with nothing.
    """
    is_value = negation(is_null(value))
    if raises or is_value in _conjuncts(condition):
        return not_null(value)
    return guarded(is_value, not_null(value), "None resets the accumulator")


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    """Yield all conditions that hold where a condition does."""
    yield condition
    if condition.op is Op.AND:
        for part in condition.parts:
            yield from _conjuncts(part)


def _element_values(e: Expression) -> Iterator[Expression]:
    """Yield the largest parts of an expression that are computed from the element alone."""
    if _is_of_element(e):
        yield e
        return
    for part in e.parts:
        yield from _element_values(part)


def _is_of_element(e: Expression) -> bool:
    """Return whether an expression is computed from the element alone, without the accumulator."""
    return not (e.op is Op.INPUT and e.data == (1,)) and all(map(_is_of_element, e.parts))
