"""NativeStep: what an operator does to the columns of a table, instead of calling its function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pystream.lifting import Aggregation, Expression
from pystream.runtime.spec import OperatorKind
from typeinfo.info import TypeInformation

__all__ = ["NativeStep"]


@dataclass(frozen=True, slots=True)
class NativeStep:
    """An operator whose function was lifted.

    Attributes:
        kind: whether the expression gives the result, a condition, a list of results, or a key.
        expression: what is computed of an element.
        type_info: type of the results, known even where the program says nothing of it.
        aggregation: what the elements of a key become, for REDUCE.
    """

    kind: OperatorKind
    expression: Expression
    type_info: TypeInformation[Any]
    aggregation: Aggregation | None = None
