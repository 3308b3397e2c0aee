"""Values survive round trips through JSON, CSV and Parquet, and through the modules json and csv."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from pystream.engine.connectors.csv_files import CsvColumn, CsvFileReader, CsvFormat
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.parquet import ParquetParts, ParquetReader
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import csv_reader
from pystream.engine.formats.csv_writer import csv_writer
from pystream.engine.formats.json_reader import json_reader
from pystream.engine.formats.json_writer import json_writer
from pystream.errors import SerializationError
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import type_infos, values
from typeinfo.types import Types

COMPOSITES = type_infos().map(lambda t: t if isinstance(t, FieldsTypeInfo) else TupleTypeInfo([t]))
NULL = "∅"


def conformed(t: TypeInformation[Any], value: Any) -> Any:
    """Return a value as a column holds it, where decimals have the declared scale."""
    serializer = serializer_for(t)
    (result,) = serializer.from_batch(serializer.to_batch([value]))
    return result


def written(write: Any, value: Any) -> bytes:
    try:
        message: bytes = write(value)
    except SerializationError as error:
        if "date value out of range" not in str(error):  # instants go further than Python's calendar
            raise
        reject()
    return message


@given(COMPOSITES, st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_values_survive_json(t: FieldsTypeInfo[Any], data: st.DataObject) -> None:
    try:
        write, read = json_writer(t), json_reader(t)
    except UnsupportedTypeError:
        reject()
    value = data.draw(values(t))
    assert same(conformed(t, read(written(write, value))), conformed(t, value), kinds=False)


def is_told_apart(value: object) -> bool:
    """Return whether a cell cannot be mistaken for null, an empty list, or a list of more elements."""
    if isinstance(value, (list, tuple, set, frozenset, Row)):
        parts = list(value)
        return all(map(is_told_apart, parts)) and parts not in ([None], [""], [b""])
    return not isinstance(value, str) or (value != NULL and ";" not in value)


@given(st.lists(type_infos(max_leaves=1), min_size=1, max_size=5), st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_values_survive_csv(fields: list[TypeInformation[Any]], data: st.DataObject) -> None:
    t: RowTypeInfo[Any] = RowTypeInfo(fields)
    options = CsvOptions(
        field_delimiter=data.draw(st.sampled_from(",;|\t")),
        quote=data.draw(st.sampled_from("\"'")),
        escape=data.draw(st.sampled_from([None, "\\", "~"])),
        array_element_delimiter=";;",
        null_literal=NULL,
    )
    assume(not any(isinstance(field, RecordTypeInfo) for field in fields))
    try:
        write, read = csv_writer(t, options), csv_reader(t, options)
    except UnsupportedTypeError:
        reject()
    value = data.draw(values(t))
    assume(all(map(is_told_apart, value)))
    assert same(conformed(t, read(written(write, value))), conformed(t, value), kinds=False)


MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999))
FOREIGN: list[
    tuple[TypeInformation[Any], st.SearchStrategy[Any], Callable[[Any], str], Callable[[Any], Any]]
] = [
    (Types.LONG(), st.integers(-(2**63), 2**63 - 1), str, int),
    (Types.BOOLEAN(), st.booleans(), lambda value: str(value).lower(), "true".__eq__),
    (Types.DOUBLE(), st.floats(allow_nan=False, allow_infinity=False), repr, float),
    (Types.BIG_DEC(), st.decimals(-(10**18), 10**18, places=6), lambda value: format(value, "f"), Decimal),
    (Types.SQL_DATE(), st.dates(), str, date.fromisoformat),
    (Types.SQL_TIMESTAMP(), MOMENTS, str, datetime.fromisoformat),
    (Types.STRING(), st.text(st.characters(codec="utf-8")), str, str),
    (Types.PRIMITIVE_ARRAY(Types.BYTE()), st.binary(), lambda v: b64encode(v).decode(), b64decode),
]
"""Types, their values, and how Python's own functions write and read them."""
NAMES = [f"f{i}" for i in range(len(FOREIGN))]
FOREIGN_TYPE: RowTypeInfo[Any] = RowTypeInfo([t for t, _, _, _ in FOREIGN], NAMES)
FOREIGN_ROWS = st.tuples(*(st.none() | values for _, values, _, _ in FOREIGN))


@given(
    st.lists(FOREIGN_ROWS, min_size=1, max_size=4),
    st.sampled_from(",;\t|"),
)
def test_csv_is_what_the_csv_module_reads_and_writes(rows: list[Any], delimiter: str) -> None:
    options = CsvOptions(delimiter, null_literal=NULL, time_style="CSV")
    file = io.StringIO(newline="")
    write = csv_writer(FOREIGN_TYPE, options)
    file.write("".join(write(Row(*row)).decode() for row in rows))
    file.seek(0)
    found = [
        tuple(
            None if cell == NULL else read(cell) for (_, _, _, read), cell in zip(FOREIGN, cells, strict=True)
        )
        for cells in csv.reader(file, delimiter=delimiter)
    ]
    assert found == rows
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows(
        [NULL if value is None else text(value) for (_, _, text, _), value in zip(FOREIGN, row, strict=True)]
        for row in rows
    )
    columns = tuple(CsvColumn(name, t) for name, (t, _, _, _) in zip(NAMES, FOREIGN, strict=True))
    content = file.getvalue().encode()
    split = FileSplit(0, 0, len(content), InputFile("/", "/f", len(content)))
    batches = CsvFileReader(CsvFormat(columns, options)).read(pa.BufferReader(content), split)
    assert [tuple(row) for batch in batches for row in batch] == rows


@given(FOREIGN_ROWS)
def test_json_is_what_the_json_module_reads_and_writes(row: tuple[Any, ...]) -> None:
    natural = {bool, int, float, str}
    message = json_writer(FOREIGN_TYPE, "SQL")(Row(*row))
    found = json.loads(message, parse_float=lambda text: text, parse_int=lambda text: text)
    for name, value, (_, _, _, read) in zip(NAMES, row, FOREIGN, strict=True):
        node = found[name]
        assert node is value is None or (node if isinstance(node, bool) else read(node)) == value
    nodes = [
        value if value is None or type(value) in natural else text(value)
        for (_, _, text, _), value in zip(FOREIGN, row, strict=True)
    ]
    reader = json_reader(FOREIGN_TYPE, time_style="SQL")
    element = reader(json.dumps(dict(zip(NAMES, nodes, strict=True))).encode())
    assert element is not None
    assert tuple(element) == row


@given(type_infos(), st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_values_survive_parquet(t: TypeInformation[Any], data: st.DataObject) -> None:
    elements = data.draw(st.lists(values(t), max_size=4))
    stream = pa.BufferOutputStream()
    parts = ParquetParts(t)
    part = parts.open(stream)
    if elements:
        part.write(parts.encoder()(elements), 0, None)
    part.close()
    content = stream.getvalue().to_pybytes()
    file: Any = pa.BufferReader(content)
    split = FileSplit(0, 0, len(content), InputFile("/", "/f", len(content)))
    found = [value for batch in ParquetReader(t, 3).read(file, split) for value in batch]
    assert len(found) == len(elements)
    assert all(same(a, b, kinds=False) for a, b in zip(found, elements, strict=True))
