"""Loops over columns, written for a number of columns, as Python runs calls of other forms more slowly.

A function that raises StopIteration fails in them as it does in a loop over elements; `map` would end early.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

__all__ = ["Loop", "loop"]


class Loop(Enum):
    """The form of a loop; the value is its text."""

    RESULTS = "[call({fields}) for {fields} in {columns}]"
    LAZY = "(call({fields}) for {fields} in {columns})"
    TRUTHS = "[True if call({fields}) else False for {fields} in {columns}]"


@cache
def loop(form: Loop, count: int) -> Callable[..., Any]:
    """Return a loop that calls a function with the values of columns.

    Args:
        form: what it returns.
        count: the number of columns.

    Returns:
        A function of the function to be called, and the columns.
    """
    fields = ", ".join(f"field_{number}" for number in range(count))
    names = ", ".join(f"column_{number}" for number in range(count))
    text = form.value.format(fields=fields, columns=names if count == 1 else f"zip({names})")
    made: Callable[..., Any] = eval(compile(f"lambda call, {names}: {text}", __file__, "eval"))
    return made
