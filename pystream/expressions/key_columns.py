"""KeyColumns: a key selector as expressions over the columns of elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pystream.expressions.expression import Expression
from typeinfo.info import TypeInformation

__all__ = ["KeyColumns"]


@dataclass(frozen=True, slots=True)
class KeyColumns:
    """A key selector as expressions that have kernels, whose values Python and Arrow compare alike.

    Attributes:
        element_type: the type of the elements.
        parts: the key, or its parts.
        is_tuple: whether keys are tuples of the parts.
    """

    element_type: TypeInformation[Any]
    parts: tuple[Expression, ...]
    is_tuple: bool
