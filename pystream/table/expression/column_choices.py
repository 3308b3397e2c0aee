"""Choices of columns, for methods and functions that take several expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import choices
from pystream.table.expression.expression import Expression
from typeinfo.arguments import checks_arguments

__all__ = ["range_", "with_columns", "without_columns"]

ChosenColumn: TypeAlias = "Expression[Any] | int"


@checks_arguments(ArgumentTypeError)
def with_columns(head: ChosenColumn, *tails: ChosenColumn) -> Expression[Any]:
    """Return columns, as several expressions where a method or function takes several.

    Args:
        head: a column such as ``col("a")``, its number from 1 on, or columns by `range_`.
        tails: further ones.

    Examples:
        >>> from pystream.table.expressions import col
        >>> with_columns(col("id"), range_("price", "tax"))
        Expression(WITH_COLUMNS(`id`, RANGE_TO('price', 'tax')))
    """
    return _choice([head, *tails], is_without=False)


@checks_arguments(ArgumentTypeError)
def without_columns(head: ChosenColumn, *tails: ChosenColumn) -> Expression[Any]:
    """Return all columns but some, as several expressions where a method or function takes several.

    Args:
        head: a column such as ``col("a")``, its number from 1 on, or columns by `range_`.
        tails: further ones.

    Examples:
        >>> without_columns(range_(1, 3))
        Expression(WITHOUT_COLUMNS(RANGE_TO(1, 3)))
    """
    return _choice([head, *tails], is_without=True)


@checks_arguments(ArgumentTypeError)
def range_(start: str | int, end: str | int) -> Expression[Any]:
    """Return the columns from one to another, for `with_columns` and `without_columns`.

    Args:
        start: the first column, by its name or its number from 1 on.
        end: the last one.
    """
    return Expression(lambda: choices().range_tree(start, end))


def _choice(columns: Sequence[ChosenColumn], *, is_without: bool) -> Expression[Any]:
    chosen = [Expression._operand(column) for column in columns]
    return Expression._over(
        chosen, lambda: choices().choice_tree([one._tree for one in chosen], is_without=is_without)
    )
