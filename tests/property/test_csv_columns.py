"""CSV messages read at once as columns are those read one by one, or are left to be read so."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from pystream.engine.connectors import csv_files, text_files
from pystream.engine.connectors.csv_files import CsvColumn, CsvFileReader, CsvFormat
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_columns import csv_columns
from pystream.engine.formats.csv_reader import csv_reader
from pystream.engine.formats.csv_writer import csv_writer
from pystream.errors import DeserializationError, SerializationError, SourceError
from pystream.messages.csv import CsvRowDeserializationSchema
from pystream.sql_types.data_types import DataTypes
from pystream.table.column_casts import declarations
from pystream.table.columns import TableColumn, row_type
from tests.property.test_fast_json import Event
from typeinfo import Row, Types
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import type_infos, values

T = Types


@dataclass
class Pair:
    """A record with a field that is never null."""

    id: int
    name: str | None


SCALARS: list[Any] = [T.LONG, T.INT, T.BYTE, T.STRING, T.DOUBLE, T.FLOAT, T.BOOLEAN, T.BIG_DEC, T.CHAR]
SCALARS += [T.SQL_TIMESTAMP, T.LOCAL_DATE_TIME, T.INSTANT, T.SQL_DATE, T.SQL_TIME]
ROWS: st.SearchStrategy[Any] = st.lists(st.sampled_from(SCALARS), min_size=1, max_size=4).map(T.ROW)
TYPES = st.one_of(ROWS, ROWS.map(lambda t: T.ROW([t, T.LIST(T.LONG)])), st.just(T.of(Event)), type_infos())
OPTIONS = [
    CsvOptions(),
    CsvOptions(field_delimiter="|", null_literal="null"),
    CsvOptions(null_literal="", ignore_parse_errors=True),
    CsvOptions(reads_empty_as_null=True, allow_comments=True),
    CsvOptions(quote=None),
    CsvOptions(escape="\\"),
    CsvOptions(quote="'", allows_more_cells=True),
    CsvOptions(trims_spaces=True),
    CsvOptions(field_delimiter="§"),
]


def holds(t: Any, found: list[bytes], options: CsvOptions = OPTIONS[0], declared: Any = ()) -> bool:
    """Return whether messages are read as columns, checked to be the elements that they have."""
    at_once = csv_columns(t, options, declared)
    columns = None if at_once is None else at_once.of_messages(found)
    if columns is None:
        return False
    read = csv_reader(t, options, declared)
    elements = serializer_for(t).conform([read(message) for message in found])
    assert same(list(columns), elements), (found, list(columns), elements)
    assert repr(list(columns)) == repr(elements)
    return True


@given(TYPES, st.sampled_from(OPTIONS), st.sampled_from([b"", b"\n", b"\r\n"]), st.data())
@settings(max_examples=80, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_written_messages_are_read_alike(
    t: Any, options: CsvOptions, end: bytes, data: st.DataObject
) -> None:
    if not isinstance(t, FieldsTypeInfo):
        t = T.ROW([t])
    try:
        write, read = csv_writer(t, options), csv_reader(t, options)
    except UnsupportedTypeError:
        reject()
    rows = data.draw(st.lists(values(t), min_size=1, max_size=3))
    try:
        found = [write(row).removesuffix(b"\n") + end for row in rows]
        assume(None not in map(read, found))
    except (SerializationError, DeserializationError):
        reject()
    holds(t, found, options)


ALPHABET = ['"', '"', ",", ",", "a", "1", " ", "\n", "\r", "\\", "'", "#", "é", "\0", "\ufeff", "|", "-"]
PAIRS: list[Any] = [T.ROW([T.STRING, T.STRING]), T.ROW([T.STRING]), T.ROW([T.LONG, T.STRING])]


@given(
    st.lists(st.lists(st.sampled_from(ALPHABET), max_size=7).map("".join), min_size=1, max_size=4),
    st.sampled_from(PAIRS),
    st.sampled_from(OPTIONS),
)
@settings(max_examples=400)
def test_any_text_is_divided_alike(texts: list[str], t: Any, options: CsvOptions) -> None:
    holds(t, [text.encode() for text in texts], options)


BROKEN = [
    ["1,2", ""],
    ["1,2\n3,4", ""],
    ["", "1,2\n3,4"],
    ['"1', '2",3', "4,5\n6,7"],
    ['"a"b,c'],
    ['a,"b'],
    ['"a,b', 'c",d'],
    ['a"b"c,d'],
    ['a,b"'],
    ['a"x,",b"y"'],
    ["a\\b,c"],
    ['"a', 'b"', "d\re"],
    ['"a" ,b'],
    ["a"],
    ["a,b,c"],
    ["a,b,"],
    ["\ufeffa,b", "c,d"],
    ["a\rb,c"],
    ["#a,b"],
]


@pytest.mark.parametrize("texts", BROKEN)
def test_what_only_one_parser_takes_is_read_one_by_one(texts: list[str]) -> None:
    for t, options in product(PAIRS[:2], OPTIONS):
        try:
            holds(t, [text.encode() for text in texts], options)
        except DeserializationError:
            pytest.fail(f"{texts} are read at once, but not one by one")


USUAL: Any = T.ROW([T.LONG, T.STRING, T.DOUBLE, T.SQL_TIMESTAMP, T.BIG_DEC, T.LIST(T.INT)])


@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_usual_messages_are_read_at_once(quote: str) -> None:
    lines = [
        f"1;{quote}a b{quote};1.5;2024-01-31 12:34:56;1.50;1/2",
        f"-1;{quote}é{quote};1e3;{quote}2024-01-31 12:34:56.123{quote};-7;3",
        f"+3;{quote}{quote};-0.0;2024-01-31 00:00:00;0.00;4",
    ]
    options = CsvOptions(";", array_element_delimiter="/", quote=quote or None, escape="\\")
    for end in ("", "\n", "\r\n"):
        assert holds(USUAL, [(line + end).encode() for line in lines], options)
    if quote:
        doubled = f"1;{quote}a{quote * 2}b{quote * 2}{quote};1.5;2024-01-31 12:34:56;1.50;1/2"
        assert holds(USUAL, [doubled.encode(), *map(str.encode, lines)], options)


def test_nulls_are_read_alike() -> None:
    t = T.ROW([T.LONG, T.STRING, T.SQL_DATE])
    assert holds(t, [b"1,a,2024-01-01", b"null,null,null", b'"null",b,null'], CsvOptions(null_literal="null"))
    pair = T.of(Pair)
    assert holds(pair, [b"1,a", b"2,null"], CsvOptions(null_literal="null"))
    assert not holds(pair, [b"1,a", b"null,a"], CsvOptions(null_literal="null"))


DECLARED = [
    TableColumn("id", DataTypes.INT(nullable=False), T.INT, 0),
    TableColumn("name", DataTypes.VARCHAR(3), T.STRING, 1),
    TableColumn("price", DataTypes.DECIMAL(6, 2), T.BIG_DEC, 2),
]


def test_values_of_tables_have_the_declared_types() -> None:
    t, declared = row_type(DECLARED), declarations(DECLARED)
    found = [b"1,abcdef,1.234", b"2,a,-"]
    assert holds(t, found[:1], CsvOptions(), declared)
    assert holds(t, found, CsvOptions(null_literal="-"), declared)
    assert not holds(t, [*found, b"-,a,1"], CsvOptions(null_literal="-"), declared)
    at_once = csv_columns(t, CsvOptions(), declared)
    assert at_once is not None
    columns = pickle.loads(pickle.dumps(at_once)).of_lines(found[0] + b"\n")
    assert list(columns) == [Row(id=1, name="abc", price=Decimal("1.23"))]
    assert str(columns[0].price) == "1.23"


def test_a_subclass_that_decodes_by_itself_is_asked_for_each_message() -> None:
    class Own(CsvRowDeserializationSchema[Any]):
        def deserialize(self, message: bytes) -> Any:
            return super().deserialize(message.lower())

    assert CsvRowDeserializationSchema(PAIRS[0], CsvOptions()).at_once() is not None
    assert Own(PAIRS[0], CsvOptions()).at_once() is None


@pytest.mark.parametrize(
    ("t", "cells", "others"),
    [
        (T.LONG, ["1", "-2", "3"], [" 4", "+5", "1_000"]),
        (T.DOUBLE, ["1.5", "-2", "1e3"], ["", "n/a", " 1.5", ".5", "1_0.5"]),
        (T.BOOLEAN, ["true", "false", "true"], ["True", "", "1", " false"]),
    ],
)
def test_single_cells_that_arrow_reads_in_another_way_leave_a_column_to_it(
    t: Any, cells: list[str], others: list[str]
) -> None:
    options = CsvOptions(ignore_parse_errors=True)
    row = T.ROW([t])
    at_once, read = csv_columns(row, options), csv_reader(row, options)
    for other in others:
        found = [cell.encode() for cell in [cells[0], other, *cells[1:]]]
        columns = None if at_once is None else at_once.of_lines(b"\n".join(found))
        if columns is None:
            assert not other  # an empty line is no record
            continue
        assert columns.columns[0].is_array
        assert same(list(columns), [read(message) for message in found])


DECIMAL_COLUMNS = [
    TableColumn(name, data_type, data_type.type_info, number)
    for number, (name, data_type) in enumerate(
        [("price", DataTypes.DECIMAL(6, 2)), ("share", DataTypes.DECIMAL(3, 3))]
    )
]
DIGITS = row_type(DECIMAL_COLUMNS)
FILES = [*PAIRS, DIGITS]


def rows_of(content: bytes, t: Any, options: CsvOptions, has_header: bool, skips: bool) -> list[str]:
    """Return the rows of a file, or the error if one cannot be read."""
    columns = tuple(map(CsvColumn, t.get_field_names(), t.field_types))
    reader = CsvFileReader(CsvFormat(columns, options, has_header), skips_bad_records=skips)
    split = FileSplit(0, 0, len(content), InputFile("/in", "/in/file.csv", len(content)))
    found: list[str] = []
    try:
        for rows in reader.read(pa.BufferReader(content), split):
            found.extend(map(repr, rows))
    except SourceError as error:
        return [str(error)]
    return found


LINES = st.sampled_from(
    ["a,b", "1,2", "-1.50,.5", "0.05,0.125", "1234.56,-0.999", '"a,""b",c', '"a', "#c,d", ""]
)


@given(
    st.lists(LINES | st.lists(st.sampled_from(ALPHABET), max_size=7).map("".join), max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(FILES),
    st.sampled_from(OPTIONS),
    st.booleans(),
    st.booleans(),
    st.integers(1, 30),
)
@settings(max_examples=300)
def test_files_are_read_by_columns_as_they_are_record_by_record(
    lines: list[str], end: str, t: Any, options: CsvOptions, has_header: bool, skips: bool, size: int
) -> None:
    content = "".join(line + end for line in lines).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "_BLOCK_BYTES", size)
        found = rows_of(content, t, options, has_header, skips)
        patch.setattr(csv_files, "csv_columns", lambda *_: None)
        assert found == rows_of(content, t, options, has_header, skips)


@pytest.mark.parametrize("has_header", [True, False])
def test_usual_files_are_not_read_record_by_record(has_header: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> None:
        raise AssertionError("a record was read by itself")

    monkeypatch.setattr(csv_files.CsvRecords, "batches", refuse)
    content = b"price,share\n" * has_header + b'1.5,0.125\n"-0.00",0.5\n'
    assert rows_of(content, DIGITS, CsvOptions(), has_header, False) == [
        "Row(price=Decimal('1.50'), share=Decimal('0.125'))",
        "Row(price=Decimal('0.00'), share=Decimal('0.500'))",
    ]


def test_decimals_of_the_declared_digits_stay_columns() -> None:
    columns = csv_columns(DIGITS, CsvOptions(), declarations(DECIMAL_COLUMNS))
    assert columns is not None
    found = columns.of_lines(b"1.5,0.125\n-0,0.5\n")
    assert found is not None
    assert all(column.is_array for column in found.columns)
    assert [str(row.price) for row in found] == ["1.50", "0.00"]
    rounded = columns.of_lines(b"1.555,0.125\n")
    assert rounded is not None
    assert [str(row.price) for row in rounded] == ["1.56"]
