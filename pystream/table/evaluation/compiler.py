"""Make functions of rows from SQL expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from sqlglot import exp

from pystream.errors import ConfigurationError
from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.arithmetic import ARITHMETIC
from pystream.table.evaluation.comparisons import COMPARISONS
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.evaluation import Evaluation
from pystream.table.evaluation.kinds import kind_of
from pystream.table.evaluation.literals import LITERALS
from pystream.table.evaluation.logic import LOGIC
from pystream.table.evaluation.values import Rule, Value
from pystream.table.sql.column_types import data_type_of_sql

__all__ = ["evaluated"]

_RULES: Mapping[type[exp.Expr], Rule] = {**ARITHMETIC, **COMPARISONS, **LITERALS, **LOGIC}
_NAMED: Mapping[str, Rule] = {}


def evaluated(
    tree: exp.Expr, position_of: Callable[[exp.Column], int], functions: Sequence[QueryFunction] = ()
) -> Evaluation:
    """Return an expression as a function of rows.

    Args:
        tree: the expression, in Flink's semantics; it and its parts have types.
        position_of: returns the position of a column in the rows.
        functions: the functions of the program that it may call.

    Raises:
        NotEvaluatedError: a part of it is not supported, or its type is not known.
    """
    value = _Compiler(position_of, functions).value(tree)
    return Evaluation(value.evaluate, value.data_type)


class _Compiler:
    """Composes the functions of the parts of an expression."""

    def __init__(self, position_of: Callable[[exp.Column], int], functions: Sequence[QueryFunction]) -> None:
        self._position_of = position_of
        self._functions = {function.name: function for function in functions}

    def value(self, node: exp.Expr) -> Value:
        """Return the values of an expression.

        Raises:
            NotEvaluatedError: it is not supported.
        """
        if isinstance(node, exp.Column):
            return Value(itemgetter(self._position_of(node)), _type_of_column(node))
        rule = _NAMED.get(node.name.upper()) if isinstance(node, exp.Anonymous) else _RULES.get(type(node))
        if rule is None:
            raise NotEvaluatedError(node, f"{_title(node)} is not supported")
        return rule(self, node)


def _type_of_column(node: exp.Column) -> DataType:
    try:
        data_type = data_type_of_sql(node.type)
    except ConfigurationError as error:
        raise NotEvaluatedError(node, f"the column {node.name!r}: {error}") from None
    if kind_of(data_type) is None:
        raise NotEvaluatedError(node, f"the column {node.name!r} is of type {data_type}")
    return data_type


def _title(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return node.name.upper()
    return node.sql_name() if isinstance(node, exp.Func) else node.key.upper()
