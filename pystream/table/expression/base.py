"""Base of expressions: a syntax tree that is built on first use."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, cast

from typing_extensions import TypeVar

from pystream.errors import ArgumentTypeError, PlanTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

if TYPE_CHECKING:
    from sqlglot import exp

    from pystream.table.expression.expression import Expression
    from pystream.table.function_definition import FunctionDefinition
    from pystream.table.sql.relations import Relation

__all__ = ["ExpressionTree", "Subquery", "calls", "choices", "given", "trees"]

T_co = TypeVar("T_co", covariant=True, default=Any)

_LONG_BITS = 63
_LITERALS = (bool, int, float, str, bytes, Decimal, datetime.date, type(None))


def trees() -> Any:
    """Return the module that makes trees, which loads the parser of SQL."""
    from pystream.table.sql import expression_trees

    return expression_trees


def calls() -> Any:
    """Return the module of calls by name, which loads the parser of SQL."""
    from pystream.table.sql import operation_calls

    return operation_calls


def choices() -> Any:
    """Return the module of trees that stand for several columns, which loads the parser of SQL."""
    from pystream.table.sql import column_choices

    return column_choices


def given(*arguments: Any) -> list[Any]:
    """Return the arguments that are given, of which only the last ones may be left out."""
    return [argument for argument in arguments if argument is not None]


class Subquery(ABC):
    """A relation that a query selects from."""

    @abstractmethod
    def _as_relation(self) -> Relation:
        """Return it as a tree over tables."""


@checks_arguments(ArgumentTypeError)
class ExpressionTree(Generic[T_co]):
    """A tree that is made when it is needed, because that loads the parser of SQL.

    Args:
        build: returns the tree.
        subqueries: the tables that the tree selects from.
    """

    def __init__(self, build: Callable[[], exp.Expr], subqueries: Iterable[Subquery] = ()) -> None:
        self._build = build
        self._subqueries = tuple(subqueries)

    @cached_property
    def _tree(self) -> exp.Expr:
        return self._build()

    @classmethod
    def _of_sql(cls, template: str, *arguments: Any) -> Expression[Any]:
        """Return the expression of SQL in which ``:p0``, ``:p1`` and so on stand for arguments."""
        operands = [cls._operand(argument) for argument in arguments]

        return cls._over(operands, lambda: trees().sql_tree(template, [one._tree for one in operands]))

    @classmethod
    def _of_operation(cls, name: str, *arguments: Any) -> Expression[Any]:
        """Return the expression of an operation by its name in Flink, by which a program can replace it."""
        operands = [cls._operand(argument) for argument in arguments]

        return cls._over(operands, lambda: trees().operation_tree(name, [one._tree for one in operands]))

    @classmethod
    def _of_call(cls, name: str, *arguments: Any) -> Expression[Any]:
        """Return the expression of a call of a function."""
        operands = [cls._operand(argument) for argument in arguments]

        return cls._over(operands, lambda: trees().call_tree(name, [one._tree for one in operands]))

    @classmethod
    def _of_function(cls, definition: FunctionDefinition, *arguments: Any) -> Expression[Any]:
        """Return the expression of a call of a function of the program."""
        operands = [cls._operand(argument) for argument in arguments]

        return cls._over(operands, lambda: trees().function_tree(definition, [one._tree for one in operands]))

    def _changed(self, build: Callable[[], exp.Expr]) -> Expression[Any]:
        """Return an expression whose tree is made from that of this one."""
        return self._over([self], build)

    @classmethod
    def _over(cls, operands: Iterable[ExpressionTree[Any]], build: Callable[[], exp.Expr]) -> Expression[Any]:
        subqueries = [subquery for operand in operands for subquery in operand._subqueries]
        return cast("Expression[Any]", cls(build, subqueries))

    @classmethod
    def _operand(cls, value: Any) -> Self:
        """Return an expression, or that of a literal for any other value.

        Raises:
            PlanTypeError: there are no literals of the class of the value.
        """
        if isinstance(value, cls):
            return value
        if not isinstance(value, _LITERALS):
            raise PlanTypeError(
                "an expression takes other expressions and values such as 1, 1.5, 'a', None, a Decimal, "
                f"date or datetime, not {short_repr(value)}"
            )
        if isinstance(value, Decimal) and not value.is_finite():
            raise PlanTypeError(f"{short_repr(value)} is no DECIMAL; give a float")
        if isinstance(value, int) and value.bit_length() > _LONG_BITS:
            raise PlanTypeError(
                f"the literal {short_repr(value)} is out of the range of BIGINT; give a Decimal"
            )
        return cls(lambda: trees().literal_tree(value))

    def __str__(self) -> str:
        text: str = trees().tree_text(self._tree)
        return text

    def __repr__(self) -> str:
        return f"Expression({self})"

    def __bool__(self) -> NoReturn:
        raise PlanTypeError(
            f"{self} has no value before the program runs; combine conditions by &, | and ~, with each of "
            "them in parentheses, instead of and, or, not"
        )
