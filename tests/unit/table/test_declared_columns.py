"""Rows of messages and files become columns at once, with values of the types that a table declares."""

from __future__ import annotations

import json
import pickle
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pystream.engine.connectors.converted_files import ConvertedReader
from pystream.engine.connectors.file_source import FileReader
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.vectorised.columns import ColumnValues
from pystream.errors import SourceError
from pystream.sql_types.data_types import DataTypes
from pystream.table import Schema
from pystream.table.columns import TableColumn, row_data_type
from pystream.table.connectors.base import TableDefinition
from pystream.table.connectors.filesystem import FileSystem
from pystream.table.formats.avro import AvroFormat
from pystream.table.formats.avro_records import avro_schema_of
from pystream.table.formats.declared_rows import DeclaredColumns
from pystream.table.formats.json import JsonFormat
from typeinfo import Row, Types
from typeinfo.instant import Instant
from typeinfo.serde import serializer_for

T = Types
COLUMNS = [
    TableColumn("id", DataTypes.INT(nullable=False), T.INT, 0),
    TableColumn("name", DataTypes.VARCHAR(3), T.STRING, 1),
    TableColumn("at", DataTypes.TIMESTAMP(3), T.LOCAL_DATE_TIME, 2),
]
JSON = {name: option.default for name, option in JsonFormat.options.items()}
AT = datetime(2024, 1, 31, 12, 0, 0, 123_000)
ROWS = [Row(id=1, name="abcde", at=AT), Row(id=2, name=None, at=None)]
DECLARED = [Row(id=1, name="abc", at=AT), ROWS[1]]


def test_messages_have_values_of_the_declared_types() -> None:
    format = AvroFormat(COLUMNS, {}, "table 't'")
    write, schema = format.serialization_schema().serialize, format.deserialization_schema()
    at_once: Any = pickle.loads(pickle.dumps(schema.at_once()))
    found = [write(row) for row in ROWS]
    columns = at_once.of_messages(found)
    assert isinstance(columns, ColumnValues)
    assert repr(list(columns)) == repr(DECLARED) == repr(list(map(schema.deserialize, found)))
    assert [column.is_array for column in columns.columns] == [True, True, True]
    assert at_once.of_messages([*found, b"\x02"]) is None
    assert at_once.of_lines(b"") is None


def test_rows_whose_decimals_columns_would_change_are_converted_one_by_one() -> None:
    format = AvroFormat([TableColumn("price", DataTypes.DECIMAL(6, 2), T.BIG_DEC, 0)], {}, "table 't'")
    at_once: Any = format.deserialization_schema().at_once()
    message = format.serialization_schema().serialize(Row(price=Decimal("1.5")))
    assert at_once.of_messages([message]) is None


def test_json_with_decimals_of_any_digits_is_read_one_by_one() -> None:
    columns = [TableColumn("price", DataTypes.DECIMAL(6, 2), T.BIG_DEC, 0)]
    assert JsonFormat(columns, JSON, "table 't'").deserialization_schema().at_once() is None


def test_values_inside_of_rows_and_arrays_get_their_digits_as_columns() -> None:
    moment = DataTypes.ROW(
        [DataTypes.FIELD("at", DataTypes.TIMESTAMP(3)), DataTypes.FIELD("n", DataTypes.INT())]
    )
    types = [moment, DataTypes.ARRAY(DataTypes.TIMESTAMP(0)), DataTypes.TIMESTAMP_LTZ(2)]
    columns = [
        TableColumn(name, t, t.type_info, at) for at, (name, t) in enumerate(zip("abc", types, strict=True))
    ]
    schema = JsonFormat(columns, JSON, "table 't'").deserialization_schema()
    at_once: Any = pickle.loads(pickle.dumps(schema.at_once()))
    found = [
        b'{"a": {"at": "1969-12-31 23:59:59.123456", "n": 1}, "b": ["2024-01-31 12:00:00.9", null]}',
        b'{"a": {"at": null, "n": 2}, "b": [], "c": "1969-12-31 23:59:59.999999Z"}',
        b'{"a": null, "b": null, "c": "2024-01-31 12:00:00.129Z"}',
    ]
    rows = [
        Row(
            a=Row(at=datetime(1969, 12, 31, 23, 59, 59, 123_000), n=1),
            b=[datetime(2024, 1, 31, 12), None],
            c=None,
        ),
        Row(a=Row(at=None, n=2), b=[], c=Instant(-1, 990_000_000)),
        Row(a=None, b=None, c=Instant(1_706_702_400, 120_000_000)),
    ]
    read = at_once.of_lines(b"\n".join(found))
    assert [column.is_array for column in read.columns] == [True, True, True]
    assert repr(list(read)) == repr(rows) == repr(list(map(schema.deserialize, found)))


def test_json_that_does_not_fit_its_columns_is_read_one_by_one() -> None:
    format = JsonFormat([TableColumn("id", DataTypes.INT(nullable=False), T.INT, 0)], JSON, "table 't'")
    at_once: Any = format.deserialization_schema().at_once()
    assert list(at_once.of_lines(b'{"id": 1}')) == [Row(id=1)]
    assert at_once.of_lines(b'{"id": null}') is None


def avro_file(path: Path, rows: list[dict[str, Any]]) -> None:
    from fastavro import writer

    nullable = [TableColumn(c.name, c.data_type.nullable(), c.type_info, c.position) for c in COLUMNS]
    with path.open("wb") as file:
        writer(file, json.loads(avro_schema_of(row_data_type(nullable))), rows)


def parquet_file(path: Path, rows: list[dict[str, Any]]) -> None:
    types = [pa.int32(), pa.string(), pa.timestamp("us")]
    schema = pa.schema(list(zip([column.name for column in COLUMNS], types, strict=True)))
    pq.write_table(pa.Table.from_pylist(rows, schema), str(path))


def read(reader: FileReader, path: Path) -> list[Any]:
    """Return the batches of elements in a file."""
    size = path.stat().st_size
    with pa.OSFile(str(path)) as file:
        split = FileSplit(0, 0, size, InputFile(str(path.parent), str(path), size))
        return list(reader.read(file, split))


def reader_of(format: str, path: Path) -> FileReader:
    options = {"path": str(path), "format": format}
    values = {name: option.default for name, option in FileSystem.options.items()} | options
    return FileSystem(
        TableDefinition("t", tuple(COLUMNS), Schema.new_builder().build(), options), values
    )._records()


@pytest.mark.parametrize("format", ["avro", "parquet"])
def test_rows_of_files_have_values_of_the_declared_types(format: str, tmp_path: Path) -> None:
    write = {"avro": avro_file, "parquet": parquet_file}[format]
    rows = [row.as_dict() for row in ROWS]
    write(tmp_path / "rows", rows)
    reader = reader_of(format, tmp_path)
    assert isinstance(reader, ConvertedReader)
    assert reader.yields_columns()
    (columns,) = read(reader, tmp_path / "rows")
    assert isinstance(columns, ColumnValues)
    with patch.object(DeclaredColumns, "of", return_value=None):
        (one_by_one,) = read(reader, tmp_path / "rows")
    conformed = serializer_for(columns.layout.type).conform(one_by_one)
    assert repr(list(columns)) == repr(DECLARED) == repr(conformed)


def test_a_null_that_is_not_allowed_is_named(tmp_path: Path) -> None:
    parquet_file(tmp_path / "rows", [*(row.as_dict() for row in ROWS), {"id": None}])
    with pytest.raises(SourceError, match=r"rows, record 3: field id: null is not allowed by the type"):
        read(reader_of("parquet", tmp_path), tmp_path / "rows")
