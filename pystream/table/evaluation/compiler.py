"""Make functions of rows from SQL expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from functools import partial
from operator import itemgetter

from sqlglot import exp

from pystream.errors import ConfigurationError
from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.arithmetic import ARITHMETIC
from pystream.table.evaluation.calls import called
from pystream.table.evaluation.casts import CASTS
from pystream.table.evaluation.choices import CHOICES
from pystream.table.evaluation.comparisons import COMPARISONS
from pystream.table.evaluation.containers import CONTAINERS, NAMED_CONTAINERS, shape_of
from pystream.table.evaluation.declared import declared_call
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.evaluation import Evaluation
from pystream.table.evaluation.literals import LITERALS
from pystream.table.evaluation.logic import LOGIC
from pystream.table.evaluation.patterns import PATTERNS
from pystream.table.evaluation.texts import TEXTS
from pystream.table.evaluation.values import Rule, Value
from pystream.table.functions.declared import DECLARED
from pystream.table.functions.kinds import kind_of
from pystream.table.functions.values.batch_calls import AsyncCall, BatchCall, BatchEvaluation
from pystream.table.functions.values.program import ScalarProgramFunction
from pystream.table.functions.values.records import rows_at
from pystream.table.sql.type_trees import data_type_of_sql

__all__ = ["evaluated", "title_of"]

_RULES: Mapping[type[exp.Expr], Rule] = {
    **ARITHMETIC,
    **CASTS,
    **CHOICES,
    **COMPARISONS,
    **CONTAINERS,
    **LITERALS,
    **LOGIC,
    **PATTERNS,
    **TEXTS,
}


def evaluated(
    tree: exp.Expr,
    position_of: Callable[[exp.Column], int],
    functions: Sequence[QueryFunction] = (),
    *,
    type_of: Callable[[exp.Column], DataType] | None = None,
    zone: tzinfo | None = None,
) -> Evaluation:
    """Return an expression as a function of rows.

    Args:
        tree: the expression, as in the tree of an `AnalysedQuery`.
        position_of: returns the position of a column in the rows.
        functions: the functions of the program that it may call.
        type_of: returns the type of a column in the rows, which may be NOT NULL; the type that it has in the
            tree unless given.
        zone: the time zone of TIMESTAMP_LTZ; if it is not known, expressions that depend on it are refused.

    Raises:
        NotEvaluatedError: a part of it is not supported, or its type is not known.
    """
    compiler = _Compiler(position_of, functions, type_of or _type_in_tree, zone)
    value = compiler.value(tree)
    batched = BatchEvaluation(tuple(compiler.batch_calls), value.evaluate) if compiler.batch_calls else None
    return Evaluation(
        value.evaluate if batched is None else batched.of_row,
        value.data_type,
        tuple(compiler.program_functions.values()),
        batched,
        compiler.is_repeatable,
        frozenset(compiler.positions),
    )


class _Compiler:
    """Composes the functions of the parts of an expression.

    Attributes:
        zone: the time zone of TIMESTAMP_LTZ, ``None`` if it is not known.
        is_repeatable: whether all declared functions so far return the same for the same arguments.
        program_functions: the functions of the program that were called so far, by name.
        batch_calls: the calls of those that are called for several rows at a time.
        positions: the positions of the columns that were read so far.
    """

    def __init__(
        self,
        position_of: Callable[[exp.Column], int],
        functions: Sequence[QueryFunction],
        type_of: Callable[[exp.Column], DataType],
        zone: tzinfo | None,
    ) -> None:
        self._position_of = position_of
        self._functions = {function.name: function for function in functions}
        self._type_of = type_of
        self.zone = zone
        self.is_repeatable = True
        self.program_functions: dict[str, ScalarProgramFunction] = {}
        self.batch_calls: list[BatchCall | AsyncCall] = []
        self.positions: set[int] = set()

    def value(self, node: exp.Expr) -> Value:
        """Return the values of an expression.

        Raises:
            NotEvaluatedError: it is not supported.
        """
        if isinstance(node, exp.Column):
            return self._column(node)
        if isinstance(node, exp.Anonymous) and node.name in self._functions:
            function = self._functions[node.name]
            program = self.program_functions.setdefault(node.name, ScalarProgramFunction(function))
            return called(self, node, function, program, self.batch_calls)
        if isinstance(node, exp.Anonymous) and node.name in DECLARED:
            return declared_call(self, node, DECLARED[node.name])
        is_named = isinstance(node, exp.Anonymous)
        rule = NAMED_CONTAINERS.get(node.name.upper()) if is_named else _RULES.get(type(node))
        if rule is None:
            raise NotEvaluatedError(node, f"{title_of(node)} is not supported")
        if node.error_messages():
            raise NotEvaluatedError(node, f"{title_of(node)} lacks an argument")
        return rule(self, node)

    def _column(self, node: exp.Column) -> Value:
        data_type, position = self._type_of(node), self._position_of(node)
        self.positions.add(position)
        if kind_of(data_type) is None:
            raise NotEvaluatedError(node, f"the type of the column {node.name!r} is {data_type}")
        shape = shape_of(data_type)
        return Value(itemgetter(position) if shape is None else partial(rows_at, shape, position), data_type)


def _type_in_tree(node: exp.Column) -> DataType:
    try:
        return data_type_of_sql(node.type)
    except ConfigurationError as error:
        raise NotEvaluatedError(node, f"the type of the column {node.name!r}: {error}") from None


def title_of(node: exp.Expr) -> str:
    """Return the name of a function or operator, for messages."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).upper()
    if isinstance(node, exp.Func):
        return node.sql_name()
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).upper()
