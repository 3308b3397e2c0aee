"""Evaluation: an SQL expression as a function of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pystream.sql_types.data_types import DataType
from pystream.table.evaluation.values import Evaluate

__all__ = ["Evaluation"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An SQL expression, which has a value for each row.

    Attributes:
        data_type: the type of its values; nullable if they may be null.
    """

    _evaluate: Evaluate
    data_type: DataType

    def __call__(self, row: Sequence[Any]) -> Any:
        """Return the value for a row.

        Args:
            row: the fields of the row, ``None`` for null.

        Returns:
            The value, ``None`` for null.

        Raises:
            SqlArithmeticError: a number is not defined, as that of a division by 0, or out of range.
            ConversionError: a value cannot be converted to the type of a CAST.
        """
        return self._evaluate(row)

    def open(self, context: Any) -> None:
        """Open the functions of the program; called once, before any row."""

    def close(self) -> None:
        """Close the functions of the program; called once, after a failure too."""
