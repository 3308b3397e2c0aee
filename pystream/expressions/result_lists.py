"""Result lists: the results of a flat map as lists of composites, which have a part for each column.

They are lists, concatenated or under conditions and guards, and loops: a TRANSFORM has the result list for
each item of a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pystream.expressions.expression import Expression, Op
from pystream.expressions.kernels import has_column_kernels, has_kernels
from pystream.expressions.list_items import has_item_kernels

__all__ = ["has_result_kernels", "rows_in"]


def rows_in(results: Expression) -> Iterator[tuple[Expression, ...]]:
    """Yield the columns of each result that an element may have, in the order of the results."""
    if results.op is Op.LIST:
        for row in results.parts:
            yield row.parts
    else:
        for part in _lists_of(results):
            yield from rows_in(part)


def has_result_kernels(results: Expression) -> bool:
    """Return whether kernels compute all results and their conditions."""
    if results.op is Op.LIST:
        return all(map(has_column_kernels, chain.from_iterable(rows_in(results))))
    if results.op is Op.TRANSFORM and not has_item_kernels(results.parts[0]):
        return False
    if results.op in (Op.IF, Op.GUARD) and not has_kernels(results.parts[0]):
        return False
    return all(map(has_result_kernels, _lists_of(results)))


def _lists_of(results: Expression) -> tuple[Expression, ...]:
    return results.parts if results.op is Op.CONCAT_LISTS else results.parts[1:]
