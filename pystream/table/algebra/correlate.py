"""Correlate: rows, each with the rows that a table function makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pystream.sql_types.data_types import DataType
from pystream.table.algebra.node import SingleRel, numbered
from pystream.table.algebra.scalar import Scalar
from pystream.table.columns import TableColumn
from pystream.table.functions.table_functions import SqlTableFunction
from pystream.table.window_columns import WindowColumns

__all__ = ["Correlate"]


@dataclass(frozen=True, eq=False)
class Correlate(SingleRel):
    """Rows of an input, each with the rows that a table function makes of it; columns are those of both.

    Mirrors ``…table.planner.plan.nodes.physical.stream.StreamPhysicalCorrelate``, and
    ``StreamPhysicalPythonCorrelate`` for functions of the program.

    Attributes:
        function: the function.
        arguments: its arguments.
        names: the names of the columns of its rows.
        is_left_outer: whether rows without one of the function are results.
        condition: a condition on the columns of both; ``None`` if there is none.
    """

    function: SqlTableFunction
    arguments: tuple[Scalar, ...]
    names: tuple[str, ...]
    is_left_outer: bool = False
    condition: Scalar | None = None

    @property
    def types(self) -> tuple[DataType, ...]:
        """The types of the arguments."""
        return tuple(argument.evaluation.data_type for argument in self.arguments)

    def _columns(self) -> tuple[TableColumn, ...]:
        fields = self.function.fields(self.types)
        types = [field.data_type.nullable() if self.is_left_outer else field.data_type for field in fields]
        made = [
            TableColumn(name, data_type, data_type.type_info, 0)
            for name, data_type in zip(self.names, types, strict=True)
        ]
        return numbered([*self.rows.columns, *made])

    @property
    def name(self) -> str:
        return self.function.operator

    @property
    def details(self) -> Sequence[tuple[str, str]]:
        call = f"{self.function.name}({', '.join(map(str, self.arguments))})"
        kind = "LEFT" if self.is_left_outer else "INNER"
        own = ("invocation", call), ("joinType", kind)
        return own if self.condition is None else (*own, ("condition", str(self.condition)))

    @property
    def is_deterministic(self) -> bool:
        """Whether equal rows always have equal results."""
        scalars = self.arguments if self.condition is None else (*self.arguments, self.condition)
        are_deterministic = all(scalar.evaluation.is_deterministic for scalar in scalars)
        return self.function.is_deterministic and are_deterministic

    @property
    def time(self) -> int | None:
        return self.rows.time

    @property
    def windows(self) -> WindowColumns | None:
        return self.rows.windows
