"""Columns of metadata in tables of streams: the timestamps of the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pystream.datastream.functions import ProcessFunction, RuntimeContext
from pystream.engine.events import NO_TIMESTAMP
from pystream.errors import PlanError, PlanTypeError, UnsupportedOperationError
from pystream.sql_types.atomic_types import (
    DateType,
    LocalZonedTimestampType,
    TimestampType,
    TimeType,
    VarCharType,
)
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.sql_types.names import quoted_name
from pystream.table.column_casts import declared_casts
from pystream.table.columns import TableColumn, row_type
from pystream.table.conversions import ElementConversion
from pystream.table.schema import Column, ComputedColumn, MetadataColumn, PhysicalColumn, Schema
from pystream.table.table import Table
from typeinfo.instant import Instant
from typeinfo.row import Row, make_row

__all__ = ["target_rows", "with_record_time", "with_record_times"]

_EPOCH = datetime(1970, 1, 1)  # of TIMESTAMP, which has no zone
_ROWTIME = "rowtime"
_CAST = (TimestampType, DateType, TimeType, VarCharType)


def _record_time_of(schema: Schema) -> MetadataColumn | None:
    """Return the column of a schema that holds the timestamps of records, ``None`` if there is none.

    Raises:
        PlanError: there are several, or a column is one of other metadata.
    """
    columns = [column for column in schema.columns if isinstance(column, MetadataColumn)]
    for column in columns:
        key = column.key or column.name
        if key != _ROWTIME:
            raise PlanError(
                f"the schema: column {column.name!r} is one of the metadata {key!r}, but a stream has only "
                f"{_ROWTIME!r}, the timestamps of its records"
            )
    if len(columns) > 1:
        names = " and ".join(repr(column.name) for column in columns)
        raise PlanError(
            f"the schema: columns {names} are both of the metadata 'rowtime'; compute one of them"
        )
    return columns[0] if columns else None


def with_record_times(table: Table, schema: Schema) -> tuple[Table, Schema]:
    """Return a table with the timestamps that its schema declares, and the schema with them as a column.

    A schema without physical columns has all columns of the table before its own.

    Args:
        table: the table of a stream.
        schema: its schema.

    Raises:
        PlanError: a column is one of other metadata, or has the name of another one.
        PlanTypeError: its type is not one that timestamps are cast to.
    """
    declared = _record_time_of(schema)
    if declared is None:
        return table, schema
    columns: tuple[Column, ...] = schema.columns
    if not any(isinstance(column, PhysicalColumn) for column in columns):
        columns = (*(PhysicalColumn(one.name, one.data_type) for one in table._columns), *columns)
    name = declared.name
    if sum(column.name == name for column in columns) > 1:
        raise PlanError(f"the schema: there are two columns of the name {name!r}; give one another name")
    if isinstance(declared.data_type, LocalZonedTimestampType):
        held: Column = PhysicalColumn(name, declared.data_type)
        timed = name
    elif not isinstance(declared.data_type, _CAST):
        raise PlanTypeError(
            f"the schema: column {name!r} of the metadata 'rowtime' is TIMESTAMP_LTZ(3), which is not cast "
            f"to {declared.data_type}"
        )
    else:
        timed = f"$rowtime of {name}"
        held = ComputedColumn(name, f"CAST({quoted_name(timed)} AS {declared.data_type})")
    columns = tuple(held if column is declared else column for column in columns)
    time = DataTypes.TIMESTAMP_LTZ(3).not_null()
    return with_record_time(table, timed, time), replace(schema, columns=columns)


def with_record_time(table: Table, name: str, data_type: DataType) -> Table:
    """Return a table with the timestamps of the records as a further column.

    Args:
        table: the table of a stream.
        name: the name of the column.
        data_type: its type; a TIMESTAMP is one in UTC.
    """
    time = TableColumn(name, data_type, data_type.type_info, len(table._columns))
    own = [replace(column, position=number) for number, column in enumerate(table._columns)]
    fields = [column.renamed(f"f{column.position}") for column in (*own, time)]
    positions = [column.position for column in table._columns]
    conversion = ElementConversion(table._stream._type, positions, row_type(fields[:-1]))
    stream = table._stream.process(_RecordTime(conversion, data_type), row_type(fields)).name("Rowtime")
    stream.set_parallelism(table._stream.get_parallelism())  # rows keep their order
    return Table(table._environment, stream, [*own, time])


class _RecordTime(ProcessFunction[Any, Row[Any]]):
    """Add the timestamp of an element to its row.

    Args:
        conversion: makes a row of an element.
        data_type: the type of the timestamp.
    """

    def __init__(self, conversion: ElementConversion, data_type: DataType) -> None:
        self._conversion = conversion
        self._is_zoned = isinstance(data_type, LocalZonedTimestampType)

    def open(self, runtime_context: RuntimeContext) -> None:
        self._conversion.open(runtime_context)

    def process_element(self, value: Any, ctx: ProcessFunction.Context) -> Iterator[Row[Any]]:
        time = ctx.timestamp()
        if time == NO_TIMESTAMP:
            raise ValueError(
                "the column of the timestamps of elements, 'rowtime', needs elements with timestamps; call "
                "assign_timestamps_and_watermarks on the stream"
            )
        row = self._conversion.map(value)
        held = Instant.of_epoch_milli(time) if self._is_zoned else _EPOCH + timedelta(milliseconds=time)
        yield make_row((*row, held), None, row.get_row_kind())


def target_rows(table: Table, schema: Schema) -> Table:
    """Return the rows of a table with the columns of a schema, which correspond by position.

    Computed and virtual columns of the schema are ignored. A schema without physical columns keeps those of
    the table. The column of the metadata ``rowtime`` is left out: it is the timestamp of the records.

    Args:
        table: the table.
        schema: the schema.

    Raises:
        PlanError: there are not as many columns, or a column is one of other metadata.
        PlanTypeError: a column has not the type that the schema declares.
        UnsupportedOperationError: the column of the timestamps is not the event time of the table.
    """
    time = _record_time_of(schema)
    if time is not None and time.is_virtual:
        time = None
    names = [column.name for column in table._columns]
    wanted = [column for column in schema.columns if isinstance(column, PhysicalColumn) or column is time]
    if not any(isinstance(column, PhysicalColumn) for column in wanted):
        own = [PhysicalColumn(column.name, column.data_type) for column in table._columns]
        wanted = [time if time is not None and column.name == time.name else column for column in own]
    if len(wanted) != len(names) or (time is not None and time not in wanted):
        expected = ", ".join(column.name for column in wanted)
        raise PlanError(
            f"to_changelog_stream: the columns {', '.join(names)} are not those of the schema, {expected}"
        )
    pairs = list(zip(table._columns, wanted, strict=True))
    for column, declared in pairs:
        if declared is time and (table._time is None or table._time.position != column.position):
            raise UnsupportedOperationError(
                f"to_changelog_stream: column {column.name!r} is to be the timestamp of the records, but is "
                "not the event time of the table; make it a column of the rows"
            )
    chosen = [column for column, declared in pairs if declared is not time]
    targets = [
        TableColumn(declared.name, declared.data_type, declared.data_type.type_info, position)
        for position, declared in enumerate(one for one in wanted if isinstance(one, PhysicalColumn))
    ]
    rows = Table(table._environment, table._stream, chosen)._cast_rows(
        targets, declared_casts(chosen, targets)
    )
    return Table(table._environment, rows, targets, is_updating=table._is_updating)
