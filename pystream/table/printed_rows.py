"""Rows as the tables of plain text that Flink prints."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial
from typing import Any

from pystream.sql_types.atomic_types import BinaryType, VarBinaryType
from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, DecimalType, MapType, RowType
from pystream.table.columns import TableColumn
from pystream.zones import time_zone, zone_of_machine
from typeinfo.instant import Instant
from typeinfo.row import Row

__all__ = ["Lines", "fitted_lines", "raw_lines", "table_lines"]

Lines = Callable[[Sequence[TableColumn], Iterable[Row[Any]]], Iterator[str]]

_LONGEST = 30
_CUT = "..."
_NULL = "<NULL>"
_KIND = "op"
_NAME = re.compile(r"(?P<name>[A-Z_]+)(\((?P<size>\d+)\))?")
# The greatest width of the values of a type, after the width of its fraction of a second.
_WIDTHS = {
    "BOOLEAN": 5,
    "TINYINT": 4,
    "SMALLINT": 6,
    "INT": 11,
    "BIGINT": 20,
    "DATE": 10,
    "TIME": 8,
    "TIMESTAMP": 19,
    "TIMESTAMP_LTZ": 19,
}


def table_lines(
    columns: Sequence[TableColumn], rows: Iterable[Row[Any]], *, shows_kinds: bool, zone: tzinfo | None
) -> Iterator[str]:
    """Yield the lines of a table of rows as they come; its columns are as wide as their types need.

    Args:
        columns: the columns of the rows.
        rows: the rows.
        shows_kinds: whether the first column is the kind of each row.
        zone: the time zone of TIMESTAMP_LTZ, ``None`` for that of the machine.
    """
    names = [column.name for column in columns]
    widths = [max(_width(c.name), _type_width(c.data_type)) for c in columns]
    widths = [max(width, len(_NULL)) for width in widths]
    texts = [_text(column, zone) for column in columns]
    if not shows_kinds:
        return _lines(names, widths, (_cells(texts, row) for row in rows))
    cells = ([str(row.get_row_kind()), *_cells(texts, row)] for row in rows)
    return _lines([_KIND, *names], [len(_KIND), *widths], cells)


def fitted_lines(columns: Sequence[TableColumn], rows: Iterable[Row[Any]]) -> Iterator[str]:
    """Yield the lines of a table of rows, its columns as wide as their values."""
    names = [column.name for column in columns]
    texts = [_text(column, None) for column in columns]
    cells = [_cells(texts, row) for row in rows]
    widths = [max(map(_width, column)) for column in zip(names, *cells, strict=True)]
    return _lines(names, widths, cells)


def raw_lines(columns: Sequence[TableColumn], rows: Iterable[Row[Any]]) -> Iterator[str]:
    """Yield the texts of rows of one column as they are, which may be of several lines."""
    return (text for (text,) in rows)


def _lines(names: Sequence[str], widths: Sequence[int], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    border = f"+{'+'.join('-' * (width + 2) for width in widths)}+"
    count = 0
    for cells in rows:
        if not count:
            yield from (border, _line(names, widths), border)
        yield _line(cells, widths)
        count += 1
    if count:
        yield border
    yield f"{count} row{'s' if count > 1 else ''} in set" if count else "Empty set"


def _cells(texts: Sequence[Callable[[Any], str]], row: Row[Any]) -> list[str]:
    return [_NULL if value is None else text(value) for text, value in zip(texts, row, strict=True)]


def _text(column: TableColumn, zone: tzinfo | None) -> Callable[[Any], str]:
    """Return the text of values of a column: that of a cast to STRING, with bytes as literals of SQL."""
    name, size = _parsed(column.data_type)
    if name == "TIMESTAMP":
        return lambda value: _timestamp(value, size)
    if name in ("BYTES", "BINARY", "VARBINARY"):
        return _hexadecimal
    # These are slow to import.
    from pystream.table.evaluation.containers import shape_of
    from pystream.table.functions.conversion import conversion
    from pystream.table.functions.values.records import as_rows
    from typeinfo.text import text_of

    text = text_of(column.type_info, "encoder")
    if name == "TIMESTAMP_LTZ":
        return partial(_local_timestamp, zone, size, text)
    data_type, with_texts = _with_texts_of_bytes(column.data_type)
    convert = conversion(data_type, DataTypes.STRING(), zone or time_zone(zone_of_machine()))
    if convert is None:
        return text
    shape = shape_of(data_type)
    if shape is None:
        return lambda value: convert(with_texts(value))
    return lambda value: convert(as_rows(shape, with_texts(value)))


def _with_texts_of_bytes(data_type: DataType) -> tuple[DataType, Callable[[Any], Any]]:
    """Return a type with STRING for bytes, and the function that makes values of it."""
    match data_type:
        case ArrayType():
            element, convert = _with_texts_of_bytes(data_type.element_type)
            items = partial(_or_null, convert)
            return ArrayType(element, data_type.is_nullable), lambda value: [items(one) for one in value]
        case MapType():
            (key, key_of), (one, value_of) = map(
                _with_texts_of_bytes, (data_type.key_type, data_type.value_type)
            )
            keys, values = partial(_or_null, key_of), partial(_or_null, value_of)
            made = MapType(key, one, data_type.is_nullable)
            return made, lambda value: {keys(k): values(v) for k, v in value.items()}
        case RowType():
            parts = [_with_texts_of_bytes(field.data_type) for field in data_type]
            fields = [replace(f, data_type=t) for f, (t, _) in zip(data_type, parts, strict=True)]
            converts = [partial(_or_null, convert) for _, convert in parts]
            row = RowType(fields, data_type.is_nullable)
            return row, lambda value: Row(*(f(v) for f, v in zip(converts, value, strict=True)))
        case BinaryType() | VarBinaryType():
            return DataTypes.STRING(), _hexadecimal
    return data_type, _same


def _hexadecimal(value: bytes) -> str:
    return f"x'{value.hex()}'"


def _same(value: Any) -> Any:
    return value


def _or_null(convert: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else convert(value)


def _timestamp(value: datetime, digits: int) -> str:
    text = value.isoformat(" ", "microseconds")
    return text[: 20 + digits] if digits else text[:19]


def _local_timestamp(zone: tzinfo | None, digits: int, text: Callable[[Any], str], value: Instant) -> str:
    try:
        local = value.to_datetime().astimezone(zone)
    except OverflowError:  # a year that Python does not know
        return text(value)
    return _timestamp(local.replace(tzinfo=None), digits)


def _parsed(data_type: DataType) -> tuple[str, int]:
    parsed = _NAME.match(str(data_type))
    return (parsed["name"], int(parsed["size"] or 0)) if parsed else ("", 0)


def _type_width(data_type: DataType) -> int:
    if isinstance(data_type, DecimalType):
        return data_type.precision + 2
    name, size = _parsed(data_type)
    if name in ("CHAR", "VARCHAR") and size:
        return min(size, _LONGEST)
    fraction = size + 1 if size else 0
    return _WIDTHS[name] + fraction if name in _WIDTHS else _LONGEST


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (_padded(cell, width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def _padded(cell: str, width: int) -> str:
    if _width(cell) > width:
        kept = cell[: width - len(_CUT)]
        while _width(kept) > width - len(_CUT):
            kept = kept[:-1]
        cell = kept + _CUT
    return " " * (width - _width(cell)) + cell


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
