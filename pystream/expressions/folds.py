"""Folds of the elements of a group, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from pystream.expressions.expression import Expression
from typeinfo.info import TypeInformation

__all__ = ["Accumulation", "Aggregation", "Fold", "Part", "Reduction"]


class Fold(Enum):
    """A fold over the values of one field."""

    FIRST = "first"
    LAST = "last"
    CHOSEN = "chosen"
    """The value of the first element in which another field is least or greatest."""
    SUM = "sum"
    MIN = "min"
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Reduction:
    """A reduction of the elements of a group, field by field.

    A group of one element is returned as it is. In a larger group, summing or comparing ``None`` raises, and
    so does a sum that leaves the range of its type. An intermediate sum may leave it, too, depending on the
    order; it never does if the sum of the absolute values is in range.

    Attributes:
        type: the type of the elements.
        folds: the fold of each field, in order; for elements without fields, that of the element.
    """

    type: TypeInformation[Any]
    folds: tuple[Fold, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an accumulator: a fold of values computed from each element.

    Attributes:
        fold: SUM, MIN or MAX of the values; FIRST if all have the same.
        value: the value of an element; where it is null, the element is left out.
        initial: a constant that is folded as well; null if there is none.
    """

    fold: Fold
    value: Expression
    initial: Expression


@dataclass(frozen=True, slots=True)
class Accumulation:
    """The accumulators of an aggregate function, which folds each of their parts in the order of elements.

    Attributes:
        element_type: the type of the elements.
        type: the type of accumulators to which ``add`` has been applied.
        parts: the folds of their fields, or the one fold of an accumulator without fields.
        results: the columns of results, as expressions of accumulators; empty if calls compute them.
        result_type: the type of results that are columns.
    """

    element_type: TypeInformation[Any]
    type: TypeInformation[Any]
    parts: tuple[Part, ...]
    results: tuple[Expression, ...] = ()
    result_type: TypeInformation[Any] | None = None


@dataclass(frozen=True, slots=True)
class Aggregation:
    """An aggregate function whose results do not depend on the order of elements.

    Attributes:
        parts: the folds of the fields of an accumulator, or the one fold of an accumulator without fields.
        type: the type of accumulators to which ``add`` has been applied.
        emits: whether an accumulator has a result.
        result: the result of such an accumulator.
        checked: expressions of an element that may raise, and that computing the result may not evaluate.
    """

    parts: tuple[Part, ...]
    type: TypeInformation[Any]
    emits: Expression
    result: Expression
    checked: tuple[Expression, ...]
