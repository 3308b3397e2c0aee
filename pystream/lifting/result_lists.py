"""The columns of lifted results: of the result of a map, and of each result of a flat map."""

from __future__ import annotations

from collections.abc import Hashable

from pystream.expressions.expression import Expression, Op
from pystream.lifting.composites import parts_of, struct
from pystream.lifting.lift import attempted
from pystream.lifting.lists import variable
from typeinfo.formats.layout import has_columns

__all__ = ["columns_of", "result_list"]

_ITEM = -1  # the number of the variable for items that are results as they are


@attempted
def columns_of(expression: Expression) -> list[Expression]:
    """Return the columns of the results of an expression: the fields of a composite, or the results.

    The caller must evaluate each that may raise.
    """
    return _columns_of(expression)


def _columns_of(expression: Expression) -> list[Expression]:
    return parts_of(expression) if has_columns(expression.type) else [expression]


@attempted
def result_list(results: Expression) -> Expression:
    """Return the results of a flat map as a result list, see `pystream.expressions.result_lists`.

    Args:
        results: the list of its results.
    """
    return _result_list(results)


def _result_list(results: Expression) -> Expression:
    parts = results.parts
    match results.op:
        case Op.LIST:
            parts = tuple(struct(_columns_of(row)) for row in parts)
        case Op.IF | Op.GUARD:
            parts = (parts[0], *map(_result_list, parts[1:]))
        case Op.CONCAT_LISTS:
            parts = tuple(map(_result_list, parts))
        case Op.FLATTEN if parts[0].op is Op.TRANSFORM:
            source, lists = parts[0].parts
            return _loop(results, source, _result_list(lists), parts[0].data[0])
        case Op.TRANSFORM:
            source, row = parts
            return _loop(results, source, _one(results, row), results.data[0])
        case _:
            return _loop(results, results, _one(results, variable(results, _ITEM)), _ITEM)
    return Expression(results.op, parts, results.type, data=results.data)


def _one(results: Expression, row: Expression) -> Expression:
    return Expression(Op.LIST, (struct(_columns_of(row)),), results.type)


def _loop(results: Expression, source: Expression, lists: Expression, number: Hashable) -> Expression:
    return Expression(Op.TRANSFORM, (source, lists), results.type, data=(number,))
