"""The operands of operators and functions, whose kinds are checked."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.kinds import INTEGERS, NUMBERS, Kind
from pystream.table.evaluation.values import Scope, Value

__all__ = ["condition", "integer", "number", "text"]


def _operand(name: str, kinds: tuple[Kind, ...]) -> Callable[[Scope, exp.Expr], Value]:
    def operand(scope: Scope, node: exp.Expr) -> Value:
        value = scope.value(node)
        if value.kind not in (*kinds, Kind.NULL):
            raise NotEvaluatedError(node, f"{name} is needed here, not {value.data_type.nullable()}")
        return value

    return operand


condition = _operand("BOOLEAN", (Kind.BOOLEAN,))
"""Return the values of a condition; raise a NotEvaluatedError if it is none."""

integer = _operand("an integer", INTEGERS)
"""Return the values of an expression of integers; raise a NotEvaluatedError if it is none."""

number = _operand("a number", NUMBERS)
"""Return the values of a numeric expression; raise a NotEvaluatedError if it is none."""

text = _operand("text", (Kind.TEXT,))
"""Return the values of an expression of text; raise a NotEvaluatedError if it is none."""
