"""Pure columns: the columns of a result that are expressions of the fields, beside others that are not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from pystream.expressions.expression import Expression
from pystream.lifting.bindings import names_in
from pystream.lifting.building import argument
from pystream.lifting.evaluator import Evaluator
from pystream.lifting.frame import Frame
from pystream.lifting.inlining import Inliner
from pystream.lifting.lift import attempted
from pystream.lifting.results import ReturnConversion
from typeinfo.info import TypeInformation

__all__ = ["pure_columns"]


def pure_columns(
    function: FunctionType,
    parameter: str,
    element_type: TypeInformation[Any],
    columns: Sequence[tuple[ast.expr, TypeInformation[Any]]],
    is_computed: Callable[[Expression], bool],
) -> tuple[Expression | None, ...]:
    """Return the columns that may be computed apart from calls of the function, ``None`` for others.

    Those that use variables outside the function are among the others, as its calls may change these.

    Args:
        function: the function.
        parameter: the name of its element.
        element_type: the type of the element.
        columns: the columns of its result in its syntax tree, with the types to which they are converted.
        is_computed: returns whether an expression is one that is wanted.
    """
    outside = function.__globals__
    builtins = {"__builtins__": outside.get("__builtins__", {})}
    frame = Frame(function.__code__, builtins, (), {parameter: argument(element_type, 0)})

    def pure(node: ast.expr, t: TypeInformation[Any]) -> Expression | None:
        if names_in([node]) & outside.keys():
            return None
        found = attempted(
            lambda: ReturnConversion(declared=t).converted(Evaluator(Inliner()).expression(frame, node))
        )
        return found if isinstance(found, Expression) and is_computed(found) else None

    return tuple(pure(node, t) for node, t in columns)
