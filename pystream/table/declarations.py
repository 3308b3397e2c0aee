"""The computed columns and the watermark that a schema declares, added to a table of its other columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from pystream.common.watermark_strategy import TimestampAssigner, WatermarkStrategy
from pystream.durations import Duration
from pystream.engine.formats.fields import opener_of
from pystream.errors import PlanError, PlanTypeError
from pystream.table.columns import SOURCE_WATERMARK, TableColumn
from pystream.table.query_tables import table_of_query
from pystream.table.schema import ComputedColumn, Schema, Watermark
from pystream.table.table import Table
from typeinfo.composite import FieldsTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.types import Types

__all__ = ["with_declarations"]

_EPOCH = datetime(1970, 1, 1)  # of TIMESTAMP, which has no zone
_TIMES = (Types.SQL_TIMESTAMP, Types.LOCAL_DATE_TIME, Types.INSTANT)


def with_declarations(table: Table, schema: Schema) -> Table:
    """Return a table with the computed columns and the watermark of a schema.

    Args:
        table: the table of the other columns.
        schema: the schema.

    Raises:
        SqlError: the expression of a column or of the watermark is wrong.
        PlanError: the column of the watermark does not exist.
        PlanTypeError: it holds no times.
    """
    if any(isinstance(column, ComputedColumn) for column in schema.columns):
        table = _with_computed_columns(table, schema)
    for watermark in schema.watermarks:
        if watermark.expression.upper() != SOURCE_WATERMARK:
            table = _with_watermark(table, watermark)
    return table


def _with_computed_columns(table: Table, schema: Schema) -> Table:
    from pystream.table.sql.parser import parse_query

    columns = [
        f"{column.expression} AS `{column.name}`"
        if isinstance(column, ComputedColumn)
        else f"`{column.name}`"
        for column in schema.columns
    ]
    if all(isinstance(column, ComputedColumn) for column in schema.columns):
        columns = [*(f"`{column.name}`" for column in table._columns), *columns]
    query = parse_query(f"SELECT {', '.join(columns)} FROM physical_columns")
    return table_of_query(table._environment, query, {"physical_columns": table})


def _with_watermark(table: Table, watermark: Watermark) -> Table:
    from pystream.table.sql.watermarks import watermark_delay

    column = _column(table, watermark.column)
    delay = watermark_delay(watermark.column, watermark.expression)
    # The watermark is the largest time less the delay, and that of the strategy is a millisecond less.
    strategy: WatermarkStrategy[Any] = WatermarkStrategy.for_bounded_out_of_orderness(
        Duration.of_millis(max(delay - 1, 0))
    )
    stream = table._stream
    assigned = stream.assign_timestamps_and_watermarks(
        strategy.with_timestamp_assigner(ColumnTime(stream.get_type(), column))
    )
    return Table(table._environment, assigned, table._columns)


def _column(table: Table, name: str) -> TableColumn:
    found = [column for column in table._columns if column.name == name]
    if not found:
        names = ", ".join(column.name for column in table._columns)
        raise PlanError(f"the watermark is for the column {name!r}, but there are {names}")
    if found[0].type_info not in _TIMES:
        raise PlanTypeError(
            f"the watermark is for the column {name!r}, which is {found[0].data_type}, not a TIMESTAMP or "
            "TIMESTAMP_LTZ"
        )
    return found[0]


class ColumnTime(TimestampAssigner[Any]):
    """Take the timestamp of an element from a column.

    Args:
        element_type: the type of the elements.
        column: the column; a TIMESTAMP counts as one in UTC.
    """

    def __init__(self, element_type: TypeInformation[Any], column: TableColumn) -> None:
        self._element_type = element_type
        self._column = column
        self._opened: Callable[[Any], Sequence[Any]] | None = None  # made on the worker

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        time = value
        if isinstance(self._element_type, FieldsTypeInfo):
            self._opened = self._opened or opener_of(self._element_type)
            time = self._opened(value)[self._column.position]
        match time:
            case datetime():
                return (time - _EPOCH) // timedelta(milliseconds=1)
            case Instant():
                return time.to_epoch_milli()
        raise ValueError(f"column {self._column.name!r} of event time is {time!r}, in the row {value!r}")
