"""The tables of the SQL queries that are recorded in PyFlink, as rows of Python values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from ctypes import c_float
from datetime import date, datetime, time
from decimal import Context, Decimal
from typing import Any, NamedTuple

from pystream.sql_types.data_types import (
    ArrayType,
    DataType,
    DecimalType,
    MapType,
    RowType,
)
from pystream.table.sql.column_types import parse_data_type
from tests.oracle_modules import oracle_module
from typeinfo.instant import Instant
from typeinfo.row import Row

harness = oracle_module("sql/harness")


class RecordedTable(NamedTuple):
    """A table.

    Attributes:
        columns: the names and types of its columns.
        rows: its rows.
    """

    columns: Sequence[tuple[str, DataType]]
    rows: Sequence[Sequence[Any]]


def _float(value: Any) -> float:
    return c_float(value).value


_SCALARS: Mapping[str, Callable[[Any], Any]] = {
    "DATE": date.fromisoformat,
    "FLOAT": _float,
    "DOUBLE": float,
    "TIME": time.fromisoformat,
    "TIMESTAMP": datetime.fromisoformat,
    "TIMESTAMP_LTZ": lambda value: Instant.of_datetime(datetime.fromisoformat(value)),
}


def value_of(data_type: DataType, value: Any) -> Any:
    """Return a value of JSON as one of a type."""
    if value is None:
        return None
    match data_type:
        case ArrayType(element_type=element):
            return [value_of(element, item) for item in value]
        case MapType(value_type=kind):
            return {key: value_of(kind, item) for key, item in value.items()}
        case RowType(fields=fields):
            return Row(**{field.name: value_of(field.data_type, value[field.name]) for field in fields})
        case DecimalType(scale=scale):
            return Context(prec=60).quantize(Decimal(str(value)), Decimal(1).scaleb(-scale))
    return _SCALARS.get(str(data_type).partition("(")[0], lambda same: same)(value)


def _columns(text: str) -> list[tuple[str, DataType]]:
    """Return the columns in a list of names and types."""
    columns, depth, start = [], 0, 0
    for index, character in enumerate(f"{text},"):
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            name, _, kind = text[start:index].strip().partition(" ")
            columns.append((name, parse_data_type(kind)))
            start = index + 1
    return columns


def recorded_tables() -> dict[str, RecordedTable]:
    """Return the tables by name."""
    tables = {}
    for statement in harness.statements():
        found = re.fullmatch(r"CREATE TABLE (\w+) \((.*)\) WITH \(.*\)", statement, re.DOTALL)
        if found is not None:
            columns = _columns(found[2])
            file = harness.HERE / "tables" / f"{found[1]}.json"
            lines = [json.loads(line, parse_float=_number) for line in file.read_text("utf-8").splitlines()]
            rows = [[value_of(kind, line[name]) for name, kind in columns] for line in lines]
            tables[found[1]] = RecordedTable(columns, rows)
    return tables


def _number(text: str) -> Decimal:
    return Decimal(text)
