"""Folds whose result does not depend on the order of the values, and the expressions that compute them."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.expressions.expression import Expression
from pystream.expressions.folds import Fold
from pystream.lifting.arithmetic import extremum
from pystream.lifting.building import all_of, any_of, negation, not_null
from pystream.lifting.comparing import less, less_or_equal
from pystream.lifting.composites import conditional
from pystream.lifting.kinds import Kind, NotExact

__all__ = ["COMPARED", "SUMMED", "extremum_forms", "float_fold_error"]


SUMMED = (Kind.INT,)
"""Kinds of values whose sum does not depend on their order."""

COMPARED = (Kind.INT, Kind.STR, Kind.DATE, Kind.TIME, Kind.DATETIME)
"""Kinds of values whose least and greatest do not depend on their order."""


def float_fold_error(role: str) -> NotExact:
    """Return the error for folds of floats: sums depend on the order of terms, extremes on that of NaN.

    Args:
        role: name of the floats in messages.
    """
    return NotExact(f"reduces {role} of floats, where the order of the elements matters")


def extremum_forms(
    old: Expression, new: Expression, is_first: Expression
) -> Iterator[tuple[Fold, Expression]]:
    """Yield the expressions by which functions compute the least and the greatest of two values.

    Args:
        old: the least or greatest value so far.
        new: the value of the next element.
        is_first: whether the new value is the first one, and so the result.
    """
    for fold, is_least in ((Fold.MIN, True), (Fold.MAX, False)):
        for x, y in ((old, new), (new, old)):
            best = extremum([x, y], least=is_least)
            yield fold, conditional(is_first, new, best)
            yield fold, conditional(negation(is_first), best, new)
        for compared in (less, less_or_equal):
            better = compared(new, old) if is_least else compared(old, new)
            worse = compared(old, new) if is_least else compared(new, old)
            for unchanged in (old, not_null(old)):
                yield fold, conditional(any_of(is_first, better), new, unchanged)
                yield fold, conditional(is_first, new, conditional(better, new, unchanged))
                yield fold, conditional(all_of(negation(is_first), worse), unchanged, new)
