"""Evaluation: an SQL expression as a function of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.engine.lifecycle import close_all
from pystream.sql_types.data_types import DataType
from pystream.table.functions.values.calls import Evaluate

if TYPE_CHECKING:
    from pystream.engine.context import RuntimeContext
    from pystream.engine.function_context import FunctionContext
    from pystream.table.functions.values.batch_calls import BatchEvaluation
    from pystream.table.functions.values.program import ScalarProgramFunction

__all__ = ["Evaluation"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An SQL expression, which has a value for each row; it can be pickled.

    Attributes:
        data_type: the type of its values; nullable if they may be null.
        positions: the fields of rows that it reads; ``None`` if they are not known.
    """

    _evaluate: Evaluate
    data_type: DataType
    _functions: tuple[ScalarProgramFunction, ...] = ()
    _batched: BatchEvaluation | None = None
    _is_repeatable: bool = True
    positions: frozenset[int] | None = None

    @property
    def takes_batches(self) -> bool:
        """Whether it calls functions for several rows at a time, so that it is faster for many rows."""
        return self._batched is not None

    @property
    def composition(self) -> Evaluate:
        """The function of a row that it is, composed of functions of values."""
        return self._evaluate

    @property
    def calls_program(self) -> bool:
        """Whether it calls functions of the program, which must be opened."""
        return bool(self._functions)

    @property
    def is_deterministic(self) -> bool:
        """Whether equal rows always have equal values."""
        return self._is_repeatable and all(function.is_deterministic for function in self._functions)

    def __call__(self, row: Sequence[Any]) -> Any:
        """Return the value for a row.

        Args:
            row: the fields of the row as values of their types in a stream, ``None`` for null.

        Returns:
            The value, ``None`` for null.

        Raises:
            SqlArithmeticError: a number is not defined, as that of a division by 0, or out of range.
            ConversionError: a value cannot be converted to the type of a CAST.
            TaskFailure: a function of the program raised.
        """
        return self._evaluate(row)

    def of_rows(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the values for rows, as for one row.

        Raises:
            SqlArithmeticError, ConversionError, TaskFailure: as for one row.
        """
        if self._batched is not None:
            return self._batched.of_rows(rows)
        return [self._evaluate(row) for row in rows]

    def open(self, context: RuntimeContext | FunctionContext) -> None:
        """Open the functions of the program; called once, before any row.

        Raises:
            TaskFailure: one of them raised.
        """
        for function in self._functions:
            function.open(context)

    def close(self) -> None:
        """Close the functions of the program; called once, after a failure too.

        Raises:
            TaskFailure: one of them raised; the others are closed all the same.
        """
        close_all(function.close for function in self._functions)
