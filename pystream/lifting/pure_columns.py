"""Pure columns: the columns of a result that are expressions of the fields, beside others that are not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from pystream.expressions.expression import Expression
from pystream.lifting.bindings import names_in
from pystream.lifting.composites import argument
from pystream.lifting.evaluator import Evaluator
from pystream.lifting.frame import Frame
from pystream.lifting.inlining import Inliner
from pystream.lifting.kinds import is_exactly
from pystream.lifting.lift import attempted
from pystream.lifting.results import ReturnConversion
from typeinfo.info import Slot, TypeInformation

__all__ = ["pure_columns"]


def pure_columns(
    function: FunctionType,
    parameter: str,
    element_type: TypeInformation[Any],
    columns: Sequence[tuple[ast.expr, Slot]],
    is_computed: Callable[[Expression], bool],
    *,
    is_declared: bool,
) -> tuple[Expression | None, ...]:
    """Return the columns that may be computed apart from calls of the function, ``None`` for others.

    Those that use variables outside the function are among the others, as its calls may change these.

    Args:
        function: the function.
        parameter: the name of its element.
        element_type: the type of the element.
        columns: the columns of its result in its syntax tree, with their types.
        is_computed: returns whether an expression is one that is wanted.
        is_declared: whether values are converted to these types; else they must have them already.
    """
    outside = function.__globals__
    builtins = {"__builtins__": outside.get("__builtins__", {})}
    frame = Frame(function.__code__, builtins, (), {parameter: argument(element_type, 0)})

    def pure(node: ast.expr, slot: Slot) -> Expression | None:
        if names_in([node]) & outside.keys():
            return None
        found = evaluated(node, slot.type)
        if not isinstance(found, Expression) or not is_computed(found):
            return None
        return found if is_declared or is_exactly(found, slot.type, nullable=slot.nullable) else None

    @attempted
    def evaluated(node: ast.expr, t: TypeInformation[Any]) -> Expression:
        value = Evaluator(Inliner()).expression(frame, node)
        return ReturnConversion(declared=t).converted(value) if is_declared else value

    return tuple(pure(node, slot) for node, slot in columns)
