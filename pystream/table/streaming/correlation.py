"""Correlation: emit rows, each with the rows that a table function makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pystream.datastream.functions import FlatMapFunction, RuntimeContext
from pystream.engine.lifecycle import close_all
from pystream.table.evaluation import Evaluation
from pystream.table.functions.values.table_calls import TableCall
from typeinfo.row import Row, make_row

__all__ = ["Correlation"]


class Correlation(FlatMapFunction[Row[Any], Row[Any]]):
    """Emit a row once with each row that a table function makes of it; all have its kind.

    Mirrors ``…table.runtime.operators.python.table.PythonTableFunctionOperator``.

    Args:
        arguments: the arguments of the function.
        call: the function.
        condition: what must be true of both rows, ``None`` for nothing.
        unmatched: the values in place of a row of the function where there is none; ``None`` if there is no
            result then.
    """

    def __init__(
        self,
        arguments: Sequence[Evaluation],
        call: TableCall,
        condition: Evaluation | None,
        unmatched: tuple[None, ...] | None,
    ) -> None:
        self._arguments = tuple(arguments)
        self._call = call
        self._condition = condition
        self._unmatched = unmatched

    def open(self, runtime_context: RuntimeContext) -> None:
        for evaluation in self._evaluations():
            evaluation.open(runtime_context)
        self._call.open(runtime_context)

    def close(self) -> None:
        close_all([evaluation.close for evaluation in self._evaluations()] + [self._call.close])

    def _evaluations(self) -> Sequence[Evaluation]:
        return self._arguments if self._condition is None else (*self._arguments, self._condition)

    def flat_map(self, value: Row[Any]) -> Iterator[Row[Any]]:
        given, kind, condition = tuple(value), value.get_row_kind(), self._condition
        is_matched = False
        for made in self._call.rows([argument(given) for argument in self._arguments]):
            both = (*given, *made)
            if condition is None or condition(both):
                is_matched = True
                yield make_row(both, None, kind)
        if self._unmatched is not None and not is_matched:
            yield make_row((*given, *self._unmatched), None, kind)
