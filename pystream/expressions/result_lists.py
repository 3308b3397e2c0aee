"""Result lists: the results of a flat map as lists of composites, which have a part for each column."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.expressions.expression import Expression, Op

__all__ = ["conditions_in", "rows_in"]


def rows_in(results: Expression) -> Iterator[tuple[Expression, ...]]:
    """Yield the columns of each result that an element may have, in the order of the results."""
    if results.op is Op.LIST:
        for row in results.parts:
            yield row.parts
    else:
        for part in _lists_of(results):
            yield from rows_in(part)


def conditions_in(results: Expression) -> Iterator[Expression]:
    """Yield the conditions of results."""
    if results.op in (Op.IF, Op.GUARD):
        yield results.parts[0]
    if results.op is not Op.LIST:
        for part in _lists_of(results):
            yield from conditions_in(part)


def _lists_of(results: Expression) -> tuple[Expression, ...]:
    return results.parts if results.op is Op.CONCAT_LISTS else results.parts[1:]
