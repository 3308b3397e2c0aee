"""The computed columns and the watermark that a schema declares, added to a table of its other columns."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.errors import PlanError, PlanTypeError, SqlError
from pystream.table.columns import SOURCE_WATERMARK, TableColumn
from pystream.table.query_tables import table_of_query
from pystream.table.schema import ComputedColumn, Schema, Watermark
from pystream.table.sql.computed_queries import PHYSICAL, computed_query
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute, with_event_time
from typeinfo.types import Types

__all__ = ["time_column", "with_declarations"]

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
        table = _with_watermark(table, watermark)
    return table


def _with_computed_columns(table: Table, schema: Schema) -> Table:
    changes = _computed_changes(table, schema) if table._is_updating else None
    if changes is not None:
        return changes
    computed = [column for column in schema.columns if isinstance(column, ComputedColumn)]
    try:
        return table_of_query(table._environment, computed_query(table._columns, schema), {PHYSICAL: table})
    except (PlanError, SqlError):
        for column in computed:
            _check_alone(table, column)
        raise


def _computed_changes(table: Table, schema: Schema) -> Table | None:
    """Return the changes of a table with the computed columns; ``None`` if Python cannot compute these."""
    from pystream.table.algebra.scans import Scan
    from pystream.table.planner.computed_columns import computed_columns
    from pystream.table.streaming.lowering import Lowering

    plan = computed_columns(Scan(table, PHYSICAL), schema)
    return None if plan is None else Lowering(table._environment).table(plan)


def _check_alone(table: Table, column: ComputedColumn) -> None:
    """Check the expression of a computed column; the message shows it as it is written.

    Raises:
        SqlError: it is wrong.
    """
    from pystream.table.sql.parser import parse_column

    try:
        query = parse_column(column.expression, column.name, PHYSICAL)
        table_of_query(table._environment, query, {PHYSICAL: table})
    except (PlanError, SqlError) as error:
        raise SqlError(f"computed column {column}: {error}") from None


def _with_watermark(table: Table, watermark: Watermark) -> Table:
    from pystream.table.sql.watermarks import watermark_delay

    column = time_column(table._columns, watermark.column)
    stream, relation, time = table._stream, table._relation, TimeAttribute(column.position)
    if "".join(watermark.expression.split()).upper() != SOURCE_WATERMARK:
        delay = watermark_delay(watermark.column, watermark.expression)
        stream, relation = with_event_time(stream, column, delay), None
        time = TimeAttribute(column.position, delay, table)
    return Table(
        table._environment,
        stream,
        table._columns,
        relation,
        time=time,
        is_updating=table._is_updating,
        upsert_key=table._upsert_key,
        proctimes=table._proctimes,
    )


def time_column(columns: Sequence[TableColumn], name: str) -> TableColumn:
    """Return the column of a watermark.

    Raises:
        PlanError: it does not exist.
        PlanTypeError: it holds no times.
    """
    found = [column for column in columns if column.name == name]
    if not found:
        names = ", ".join(column.name for column in columns)
        raise PlanError(f"the watermark is for the column {name!r}, but there are {names}")
    if found[0].type_info not in _TIMES:
        raise PlanTypeError(
            f"the watermark is for the column {name!r}, which is {found[0].data_type}, not a TIMESTAMP or "
            "TIMESTAMP_LTZ"
        )
    return found[0]
