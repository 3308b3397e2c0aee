"""Functions of text, and the values of expressions in Python."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from pystream.expressions.control import GuardError
from pystream.expressions.expression import Expression
from tests.unit.lifting import python_code

Raised = (GuardError, OverflowError, ZeroDivisionError, UnicodeDecodeError)
"""What evaluating an expression raises where it has no value."""


def compiled(text: str, **names: Any) -> Callable[..., Any]:
    """Return the function ``f`` that text defines, with its source available as if it came from a file.

    Args:
        text: the source.
        names: global names of the function.
    """
    file = f"<compiled {hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": file, **names}
    exec(compile(text, file, "exec"), scope)
    return scope["f"]  # type: ignore[no-any-return]


def evaluate(expression: Expression, arguments: Sequence[Any]) -> Any:
    """Return the value of an expression for arguments.

    Raises:
        Raised: it has none.
    """
    return _compiled(expression, len(arguments))(*arguments)


_compiled = lru_cache(maxsize=64)(python_code.compiled)
