"""The fields that programs give in ``from_data_stream``: fields of the elements, and time attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from pystream.arguments.checks import require
from pystream.errors import PlanError
from pystream.sql_types.atomic_types import (
    BigIntType,
    DateType,
    TimestampType,
    TimeType,
)
from pystream.sql_types.data_types import DataTypes
from pystream.table.columns import SOURCE_WATERMARK, TableColumn, require_distinct_names
from pystream.table.declarations import with_declarations
from pystream.table.expression.base import trees
from pystream.table.expression.expression import Expression
from pystream.table.expression.times import WINDOW_CLOCK, WINDOW_TIME
from pystream.table.record_times import with_record_time
from pystream.table.schema import Column, ComputedColumn, PhysicalColumn, Schema, Watermark
from pystream.table.table import Table

__all__ = ["table_of_fields"]

_CALL = "from_data_stream"
_CLOCK = "proctime"
_TIMES = {WINDOW_TIME: "rowtime", WINDOW_CLOCK: _CLOCK}
_REPLACED = (BigIntType, TimestampType, DateType, TimeType)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a program gives.

    Attributes:
        text: the text, for messages.
        field: the name of a field, or a new one.
        name: the name of the column.
        kind: that of a time attribute, or ``None``.
    """

    text: str
    field: str
    name: str
    kind: str | None = None

    @property
    def is_renamed(self) -> bool:
        return self.field != self.name

    @staticmethod
    def of(given: Expression[Any], names: Sequence[str]) -> _Given:
        tree = given._tree
        if (column := trees().renamed_field(tree)) is not None:
            return _Given(str(given), *column)
        function, field, name = trees().renamed_call(tree) or ("", "", "")
        if function not in _TIMES:
            raise PlanError(
                f"{_CALL}: {given} is no field such as col('a') among {', '.join(names)}, and no time such "
                "as col('t').rowtime; a Schema declares computed columns"
            )
        kind = _TIMES[function]
        return _Given(f"col({field!r}).{kind}", field, name, kind)


def table_of_fields(table: Table, fields: Sequence[Any]) -> Table:
    """Return the table of the columns that a program gives in ``from_data_stream``.

    If one of the names is that of a field, or a field is renamed, they choose fields; else they are new names
    by position. The timestamps of elements take the place of the field of that name or position, if there is
    one, and are a new column otherwise. The time of the clock is a new column.

    Args:
        table: the table of all fields of the elements.
        fields: what the program gives, all names or all expressions.

    Raises:
        PlanTypeError: one is neither a name nor an expression, or both occur.
        PlanError: a name is unknown or occurs twice, or there are more names than fields; or a time takes the
            place of a field that holds no time, or occurs twice.
    """
    own = {column.name: column for column in table._columns}
    given = _given_fields(fields, [*own])
    is_by_name = any(one.kind is None and (one.field in own or one.is_renamed) for one in given)
    places = map(own.get, (one.field for one in given)) if is_by_name else chain(own.values(), repeat(None))
    columns: list[TableColumn] = []
    declared: list[Column] = []
    watermarks: list[Watermark] = []
    for one, place in zip(given, places, strict=False):
        if one.kind is None and place is None:
            raise PlanError(
                f"{_CALL}: there is no field {one.field!r} among {', '.join(own)}; name fields that exist, "
                "or give new names to all of them"
                if is_by_name
                else f"{_CALL}: there are {len(given)} names for {len(own)} columns"
            )
        if one.kind is not None:
            _check_time(one, place, is_by_name=is_by_name)
        if one.kind == _CLOCK:
            declared.append(ComputedColumn(one.name, "PROCTIME()"))
            continue
        if one.kind is not None:
            table = with_record_time(table, one.name, DataTypes.TIMESTAMP(3))
            watermarks.append(Watermark(one.name, SOURCE_WATERMARK))
            place = table._columns[-1]
        assert place is not None
        columns.append(place.renamed(one.name))
        declared.append(PhysicalColumn(one.name, place.data_type))
    schema = Schema(tuple(declared), tuple(watermarks))
    return with_declarations(Table(table._environment, table._stream, columns), schema)


def _given_fields(fields: Sequence[Any], own: Sequence[str]) -> list[_Given]:
    """Return what a program gives.

    Raises:
        PlanTypeError: one is neither a name nor an expression, or both occur.
        PlanError: an expression is neither a field nor a time, or a name or time occurs twice.
    """
    if any(isinstance(field, Expression) for field in fields):
        for field in fields:
            require(field, Expression, _CALL, "either names or expressions such as col('a')")
        given = [_Given.of(field, own) for field in fields]
    else:
        given = [_Given(repr(field), field, field) for field in fields]
    require_distinct_names([one.name for one in given], _CALL)
    for kind in _TIMES.values():
        times = [one.text for one in given if one.kind == kind]
        if len(times) > 1:
            raise PlanError(f"{_CALL}: {' and '.join(times)} are the same time; give it once")
    return given


def _check_time(given: _Given, place: TableColumn | None, *, is_by_name: bool) -> None:
    """Check a time attribute, which is in the place of a field or a new column.

    Raises:
        PlanError: the field holds no time, or the program renames what is no field.
    """
    if given.kind == _CLOCK:
        if place is not None:
            raise PlanError(
                f"{_CALL}: {given.text} is in the place of the field {place.name!r}, but the time of the "
                "clock is a new column; give it after all fields, with another name than theirs"
            )
    elif given.is_renamed and (place is None or not is_by_name):
        raise PlanError(
            f"{_CALL}: {given.text} chooses no field to be renamed to {given.name!r}; write "
            f"col({given.name!r}).{given.kind}"
        )
    elif place is not None and not isinstance(place.data_type, _REPLACED):
        raise PlanError(
            f"{_CALL}: {given.text} is in the place of the field {place}, which is no time, such as a BIGINT "
            "or TIMESTAMP; give it after all fields, with another name than theirs"
        )
