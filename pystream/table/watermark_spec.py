"""WatermarkSpec: the event time of a resolved schema, and its watermark."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.errors import ArgumentTypeError
from pystream.sql_types.names import quoted_name
from pystream.table.resolved_expression import ResolvedExpression
from typeinfo.arguments import checks_arguments

__all__ = ["WatermarkSpec"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, eq=False)
class WatermarkSpec:
    """The column of event time of a `ResolvedSchema`, and the expression of its watermark.

    Two are equal if their declarations are.

    Mirrors ``org.apache.flink.table.catalog.WatermarkSpec``.

    Attributes:
        rowtime_attribute: the name of the column.
        watermark_expression: the expression of the watermark.
    """

    rowtime_attribute: str
    watermark_expression: ResolvedExpression

    @staticmethod
    def of(rowtime_attribute: str, watermark_expression: ResolvedExpression) -> WatermarkSpec:
        """Return the watermark of a column of event time."""
        return WatermarkSpec(rowtime_attribute, watermark_expression)

    def get_rowtime_attribute(self) -> str:
        """Return the name of the column of event time."""
        return self.rowtime_attribute

    def get_watermark_expression(self) -> ResolvedExpression:
        """Return the expression of the watermark."""
        return self.watermark_expression

    def as_summary_string(self) -> str:
        """Return the watermark as it is shown with a schema: with the type of its expression."""
        expression = self.watermark_expression
        return (
            f"WATERMARK FOR {quoted_name(self.rowtime_attribute)}: {expression.get_output_data_type()} "
            f"AS {expression.as_summary_string()}"
        )

    def __str__(self) -> str:
        return self.as_summary_string()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WatermarkSpec) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))
