"""Calc: the conditions and expressions of a query on single rows, computed in Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pystream.datastream.functions import FlatMapFunction, RuntimeContext
from pystream.table.conversions import ElementConversion
from pystream.table.evaluation import Evaluation
from typeinfo.row import Row

__all__ = ["Calc", "CalcStep"]


class CalcStep(NamedTuple):
    """A SELECT of expressions of single rows.

    Attributes:
        conditions: what must be true of a row.
        fields: the values of the columns of the results.
    """

    conditions: tuple[Evaluation, ...]
    fields: tuple[Evaluation, ...]


class Calc(FlatMapFunction[Any, Row[Any]]):
    """Compute expressions of each row for which conditions are true; a row keeps its kind.

    Mirrors ``…table.planner.plan.nodes.exec.stream.StreamExecCalc``.

    Args:
        conversion: makes a row of an element.
        steps: the SELECTs, from the innermost outwards.
    """

    def __init__(self, conversion: ElementConversion, steps: Sequence[CalcStep]) -> None:
        self._conversion = conversion
        self._steps = tuple(steps)

    def open(self, runtime_context: RuntimeContext) -> None:
        self._conversion.open(runtime_context)
        for evaluation in self._evaluations():
            evaluation.open(runtime_context)

    def close(self) -> None:
        for evaluation in self._evaluations():
            evaluation.close()

    def flat_map(self, value: Any) -> Iterator[Row[Any]]:
        row = self._conversion.map(value)
        values: Sequence[Any] = row
        for conditions, fields in self._steps:
            for condition in conditions:
                if not condition(values):
                    return
            values = [field(values) for field in fields]
        result = Row(*values)
        result.set_row_kind(row.get_row_kind())
        yield result

    def _evaluations(self) -> Iterator[Evaluation]:
        for conditions, fields in self._steps:
            yield from conditions
            yield from fields
