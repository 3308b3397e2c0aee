"""Reduce functions recognised as aggregations, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pystream.lifting.arithmetic import add, extremum
from pystream.lifting.building import FALSE, all_of, any_of, argument, conditional, field, negation, present
from pystream.lifting.comparing import less, less_or_equal
from pystream.lifting.conforming import conform
from pystream.lifting.expression import Expression, Op
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.lift import NotLifted, attempted, lifted_call
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo

__all__ = ["COMPARED", "SUMMED", "Aggregation", "Fold", "extremes", "lift_reduce", "order_counts"]


class Fold(Enum):
    """Fold of the values of one field."""

    FIRST = "first"
    LAST = "last"
    CHOSEN = "chosen"
    """The value from the first element in which another field is least or greatest."""
    SUM = "sum"
    MIN = "min"
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Aggregation:
    """A reduce function as folds of fields, whose results do not depend on the order of elements.

    A function is never called for a group of one element, which stays as it is. In a larger one it raises
    where a value summed or compared is ``None``, and where a sum leaves the range of its type, be it on the
    way: it never is if the absolute values have a sum in range.

    Attributes:
        type: the type of the elements.
        folds: one for each field of a composite in order; one for the element itself if it is none.
    """

    type: TypeInformation[Any]
    folds: tuple[Fold, ...]


SUMMED = (Kind.INT,)
"""Kinds of values whose sum is the same in any order."""

COMPARED = (Kind.INT, Kind.STR, Kind.DATE, Kind.TIME, Kind.DATETIME)
"""Kinds of values whose least and greatest are the same in any order."""


def lift_reduce(function: Any, element_type: TypeInformation[Any]) -> Aggregation | NotLifted:
    """Recognise a reduce function that sums, compares or keeps each field by itself.

    A sum of floats depends on the order of its terms, the least of floats on NaN: both are left to Python.

    Args:
        function: takes two elements and returns one.
        element_type: their type.
    """
    return attempted(lambda: _recognised(function, element_type))


def _recognised(function: Any, t: TypeInformation[Any]) -> Aggregation:
    result = conform(lifted_call(function, [t, t]), t)
    arguments = argument(t, 0), argument(t, 1)
    if not isinstance(t, FieldsTypeInfo):
        return Aggregation(t, (_fold(result, *arguments, "its result"),))
    if result in arguments:
        return Aggregation(t, (Fold.FIRST if result == arguments[0] else Fold.LAST,) * t.get_arity())
    if result.op is not Op.STRUCT:
        raise NotExact(
            "reduces whole elements; only fields that are each summed, compared or kept are lifted"
        )
    fields = ((part, field(arguments[0], i), field(arguments[1], i)) for i, part in enumerate(result.parts))
    return Aggregation(t, tuple(_fold(*each, f"field {i}") for i, each in enumerate(fields)))


def _fold(result: Expression, a: Expression, b: Expression, role: str) -> Fold:
    value = result.parts[0] if result.op is Op.NARROW else result
    for fold, form in _forms(a, b):
        if form in (value, result):
            return fold
    kind = kind_of(a)
    if kind is Kind.FLOAT:
        raise order_counts(role)
    raise NotExact(f"reduces {role} otherwise than by +, min or max of both, or by keeping one of them")


def order_counts(role: str) -> NotExact:
    """Return why floats are not folded.

    Args:
        role: name of the floats in messages.
    """
    return NotExact(f"reduces {role} of floats, where the order of the elements counts")


def _forms(a: Expression, b: Expression) -> Iterator[tuple[Fold, Expression]]:
    """Yield each way to write each fold; the constructors give the same expression for the same way."""
    yield Fold.FIRST, a
    yield Fold.LAST, b
    if kind_of(a) in SUMMED:
        yield Fold.SUM, add(a, b)
        yield Fold.SUM, add(b, a)
    if kind_of(a) in COMPARED:
        yield from extremes(a, b, FALSE)


def extremes(old: Expression, new: Expression, first: Expression) -> Iterator[tuple[Fold, Expression]]:
    """Yield each way to write the least and the greatest of two values.

    Args:
        old: one of them.
        new: the other.
        first: whether there is no old one yet, so that it is the new one.
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
