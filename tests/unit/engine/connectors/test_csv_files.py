"""CSV files as source and sink; where Flink 2.3 is named, its answer was recorded."""

from __future__ import annotations

import csv
import gzip
import io
import logging
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.datastream.connectors import FileEnumeratorProvider, FileSource
from pystream.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat, CsvSchema, CsvSchemaBuilder
from pystream.engine.vectorised.columns import ColumnValues
from pystream.errors import ConfigurationError, SerializationError, SourceError
from pystream.table import DataTypes
from tests.unit.engine.connectors.jobs import read_shares, write_bulk
from typeinfo import Row, Types

Build = Callable[[CsvSchemaBuilder], CsvSchemaBuilder]


def pair(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
    return builder.add_number_column("i").add_string_column("s")


def listed(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
    return builder.add_number_column("i").add_array_column("l")


def schema(build: Build) -> CsvSchema:
    return build(CsvSchema.builder()).build()


def read_file(path: Path, build: Build = pair, parallelism: int = 1, **options: Any) -> list[list[Any]]:
    """The rows of a file, by subtask."""
    source = FileSource.for_record_stream_format(
        CsvReaderFormat.for_schema(schema(build), **options), str(path)
    ).set_file_enumerator(FileEnumeratorProvider.default_splittable_file_enumerator())
    return read_shares(source.build(), parallelism)


def read(path: Path, content: bytes, build: Build = pair, name: str = "in.csv", **options: Any) -> list[Any]:
    (path / name).write_bytes(content)
    (rows,) = read_file(path / name, build, **options)
    return [tuple(row) for row in rows]


def written(path: Path, rows: list[Any], build: Build = pair) -> bytes:
    (file,) = write_bulk(path / "out", CsvBulkWriters.for_schema(schema(build)), rows)
    content = file.read_bytes()
    file.unlink()
    return content


def money(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
    return builder.add_number_column("n", DataTypes.DECIMAL(4, 2))


def escaped(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
    return pair(builder).set_escape_char("\\")


# What Flink 2.3 reads

AS_FLINK: list[tuple[bytes, Build, list[Any]]] = [
    (b"1,a\n2,b\n", pair, [(1, "a"), (2, "b")]),
    (b"1,a\r\n2,b\r\n", pair, [(1, "a"), (2, "b")]),
    (b"1,a\r2,b\r", pair, [(1, "a"), (2, "b")]),
    (b"1,a\n2,b", pair, [(1, "a"), (2, "b")]),
    (b"\xef\xbb\xbf1,a\n", pair, [(1, "a")]),
    (b"", pair, []),
    (b'1,""\n2,\n', pair, [(1, ""), (2, "")]),
    (b'1,NULL\nNULL,"NULL"\n', lambda b: pair(b).set_null_value("NULL"), [(1, None), (None, None)]),
    (b'1,\n,""\n', lambda b: pair(b).set_null_value(""), [(1, None), (None, None)]),
    (b'1,"a\nb"\n2,"c\r\nd"\n', pair, [(1, "a\nb"), (2, "c\r\nd")]),
    (b'1,"a""b"\n2,c"d\n', pair, [(1, 'a"b'), (2, 'c"d')]),
    (b" 1 , a \n", pair, [(1, " a ")]),
    (b"1,a\\,b\n2,a\\nb\\tc\\0d\\xe\n", escaped, [(1, "a,b"), (2, "a\nb\tc\0dxe")]),
    (b'1,"a\\"b"\n2,"a\\nb"\n', escaped, [(1, 'a"b'), (2, "a\nb")]),
    (b'1,"a"\n', lambda b: pair(b).disable_quote_char(), [(1, '"a"')]),
    (b"\n1,a\n \n2,b\n", lambda b: pair(b).set_allow_comments(), [(1, "a"), (2, "b")]),
    (b"1,a,\n", pair, [(1, "a")]),
    (b"#c,d\n1,a\n  #x\n2,#b\n", lambda b: pair(b).set_allow_comments(), [(1, "a"), (2, "#b")]),
    (b"x,y\n1,a\n", lambda b: pair(b).set_skip_first_data_row(), [(1, "a")]),
    (b"i,s\n1,a\n", lambda b: pair(b).set_use_header(), [(1, "a")]),
    (b"i,z\n1,2\n", lambda b: pair(b).set_use_header(), [(1, "2")]),
    (b"\xef\xbb\xbfi,s\n1,a\n", lambda b: pair(b).set_use_header().set_strict_headers(), [(1, "a")]),
    (b"i,s\nx,y\n1,a\n", lambda b: pair(b).set_use_header().set_skip_first_data_row(), [(1, "a")]),
    (b"1,a,x\n", lambda b: pair(b).set_any_property_name("rest"), [(1, "a")]),
    (b"1,a;b;c\n2,\n3,x\n4,a;;b\n", listed, [(1, ["a", "b", "c"]), (2, []), (3, ["x"]), (4, ["a", "", "b"])]),
    (b'1,"a;b"\n', listed, [(1, ["a", "b"])]),
    (b"1,a ; b\n", listed, [(1, ["a ", " b"])]),
    (b"1,a;NULL\n2,NULL\n", lambda b: listed(b).set_null_value("NULL"), [(1, ["a", None]), (2, None)]),
    (b"1,\n", lambda b: listed(b).set_null_value(""), [(1, [])]),
    (b"1,a:b;c\n", lambda b: listed(b).set_array_element_separator(":"), [(1, ["a:b", "c"])]),
    (
        b"1,a:b;c\n",
        lambda b: listed(b).remove_array_element_separator(1).set_array_element_separator(":"),
        [(1, ["a", "b;c"])],
    ),
    (b"1,a::b\n", lambda b: b.add_number_column("i").add_array_column("l", "::"), [(1, ["a", "b"])]),
    (
        b"1|1,2, 3\n",
        lambda b: (
            b.add_number_column("i").add_array_column("l", ",", DataTypes.INT()).set_column_separator("|")
        ),
        [(1, [1, 2, 3])],
    ),
    (
        b"1.1\nInfinity\n1e3\n",
        lambda b: b.add_number_column("n", DataTypes.FLOAT()),
        [(1.100000023841858,), (float("inf"),), (1000.0,)],
    ),
    (b"1.1\n", lambda b: b.add_number_column("n", DataTypes.DECIMAL(4, 2)), [(Decimal("1.10"),)]),
    (
        b"1.5\n-2.5\n2.4999\n",
        lambda b: b.add_number_column("n", DataTypes.DECIMAL(2, 0)),
        [(2,), (-3,), (2,)],
    ),
    (b"1.234\n-0.005\n", money, [(Decimal("1.23"),), (Decimal("-0.01"),)]),
    (b"true\nfalse\nTRUE\n", lambda b: b.add_boolean_column("b"), [(True,), (False,), (True,)]),
]


@pytest.mark.parametrize(("content", "build", "rows"), AS_FLINK, ids=lambda value: repr(value)[:40])
def test_records_are_read_as_flink_reads_them(
    tmp_path: Path, content: bytes, build: Build, rows: list[Any]
) -> None:
    assert read(tmp_path, content, build) == rows


@pytest.mark.parametrize(
    ("content", "build", "complaint"),
    [
        (b"1,a\n\n2,b\n", pair, "line 2: 1 cells, but there are 2 columns"),
        (b"1\n", pair, "line 1: 1 cells, but there are 2 columns"),
        (b"1,a\n2,b,x\n", pair, "line 2: 3 cells, but there are 2 columns"),
        (b'1,"a\nb"\nx,a\n', pair, "line 3: field i: 'x' is not a whole number"),
        (
            b",a\n",
            pair,
            r"field i: '' is not a whole number; read empty cells as null: .*set_null_value\(''\)",
        ),
        (b"1.7,a\n", pair, "field i: '1.7' is not a whole number"),
        (b"0x1F,a\n", pair, "field i: '0x1F' is not a whole number"),
        (b"99999999999999999999,a\n", pair, "field i: 99999999999999999999 does not fit LONG"),
        (b'1,"a"b\n', pair, "line 1: .*expected after"),
        (b'1,a\n2,"b\n3,c\n', pair, "line 2: unexpected end of data"),
        (b"#c,d\n", pair, "field i: '#c' is not a whole number"),
        (b"1,a\n2,a\xff\n", pair, "not UTF-8 text: byte 7 in line 2"),
        (b"#\n\n#\nx,a\n", lambda b: pair(b).set_allow_comments(), "line 4: field i"),
        (b"#\n#\nx,a\n", lambda b: pair(b).set_allow_comments(), "line 3: field i: 'x'"),
        (
            b"s,i\na,1\n",
            lambda b: pair(b).set_use_header(),
            r"has the columns \['s', 'i'\], but \['i', 's'\] are declared",
        ),
        (b"i\n1\n", lambda b: pair(b).set_use_header().set_strict_headers(), "the header has the columns"),
        (b"300\n", lambda b: b.add_number_column("n", DataTypes.TINYINT()), "300 does not fit BYTE"),
        (
            b"12345\n",
            lambda b: b.add_number_column("n", DataTypes.DECIMAL(4, 2)),
            "12345 does not fit DECIMAL",
        ),
        (b"x\n", lambda b: b.add_boolean_column("b"), "field b: 'x' is neither true nor false"),
        (
            b"1,a;x\n",
            lambda b: b.add_number_column("i").add_array_column("l", ";", Types.INT),
            r"field l\[0\]",
        ),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_record_that_cannot_be_read_is_an_error_that_says_where(
    tmp_path: Path, content: bytes, build: Build, complaint: str
) -> None:
    with pytest.raises(SourceError, match=f"{tmp_path}/in.csv.*{complaint}"):
        read(tmp_path, content, build)


def test_records_that_cannot_be_read_are_skipped_where_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    content = b'1,a\nx,b\n3\n4,\xff\n5,"q"q\n6,"m\nn"\n7,"open\n8,h\n'
    with caplog.at_level(logging.WARNING):
        assert read(tmp_path, content, ignore_parse_errors=True) == [(1, "a"), (6, "m\nn")]
    assert caplog.messages == [f"{tmp_path}/in.csv: skipped 5 that cannot be read, the first in line 2"]


def test_charsets_and_compressed_files_are_read(tmp_path: Path) -> None:
    assert read(tmp_path, gzip.compress(b"1,a\n"), name="in.csv.gz") == [(1, "a")]
    assert read(tmp_path, "1,é\n".encode("latin-1"), charset_name="ISO-8859-1") == [(1, "é")]
    assert read(tmp_path, "1,é\n".encode("utf-16"), charset_name="UTF-16") == [(1, "é")]


def test_a_quoted_line_end_is_kept_at_any_end_of_a_block(tmp_path: Path) -> None:
    rows = [(n, 'é\r\n\n",' * (n % 7)) for n in range(30_000)]
    with (tmp_path / "big.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    assert (tmp_path / "big.csv").stat().st_size > 800_000
    (only, nothing) = read_file(tmp_path / "big.csv", parallelism=2)
    assert [tuple(row) for row in only] == rows
    assert nothing == []


def test_a_file_without_quotes_is_cut(tmp_path: Path) -> None:
    rows = [(n, f"text {n:0100}") for n in range(30_000)]
    (tmp_path / "big.csv").write_text("i,s\n" + "".join(f"{n},{text}\n" for n, text in rows))
    shares = read_file(tmp_path / "big.csv", lambda b: pair(b).disable_quote_char().set_use_header(), 2)
    assert all(shares)
    assert [tuple(row) for share in shares for row in share] == rows


def test_cells_and_lines_may_be_long(tmp_path: Path) -> None:
    text = "x" * 3_000_000
    assert read(tmp_path, f'1,"{text}"\n2,{text}\n'.encode()) == [(1, text), (2, text)]


def test_rows_stay_columns_in_batches_of_bounded_size(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("".join(f"{n},{'x' * 1000}\n" for n in range(20_000)))
    source = FileSource.for_record_stream_format(
        CsvReaderFormat.for_schema(schema(pair)), str(tmp_path / "in.csv")
    ).build()
    reader = source.reader()
    ((split,),) = reader.splits(1)
    batches = list(reader.read(split))
    assert all(isinstance(batch, ColumnValues) for batch in batches)
    assert sum(map(len, batches)) == 20_000
    assert max(map(len, batches)) < 9_000


# What Flink 2.3 writes

ROWS = [
    Row(1, "a"), Row(None, None), Row(2, ""), Row(3, 'q"q'), Row(4, "x,y"), Row(5, "n\nl"), Row(6, " sp "),
    Row(7, "é"), Row(8, "#h"), Row(9, "a" * 30),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "build", "content"),
    [
        (
            ROWS,
            pair,
            '1,a\n,\n2,\n3,"q""q"\n4,"x,y"\n5,"n\nl"\n6," sp "\n7,é\n8,"#h"\n9,"' + "a" * 30 + '"\n',
        ),
        ([Row(1, None), Row(None, "NULL")], lambda b: pair(b).set_null_value("NULL"), "1,NULL\nNULL,NULL\n"),
        ([Row(1, "a")], lambda b: pair(b).set_use_header(), "i,s\n1,a\n"),
        (
            [Row(1, 'a"b'), Row(2, "c\\d"), Row(3, "e,f"), Row(4, "g\nh\tx")],
            escaped,
            '1,"a""b"\n2,"c\\\\d"\n3,"e,f"\n4,"g\nh\tx"\n',
        ),
        ([Row(1, 'a"b')], lambda b: pair(b).disable_quote_char(), '1,a"b\n'),
        ([Row(1, "a"), Row(None, None)], lambda b: pair(b).set_line_separator("\r\n"), "1,a\r\n,\r\n"),
        ([Row(""), Row(None), Row("a")], lambda b: b.add_string_column("s"), "\n\na\n"),
        (
            [Row(1.5, Decimal("2.5"), True), Row(float("nan"), Decimal("-0.005"), None)],
            lambda b: (
                b.add_number_column("f", DataTypes.DOUBLE())
                .add_number_column("d", DataTypes.DECIMAL(6, 2))
                .add_boolean_column("b")
            ),
            "1.5,2.5,true\nNaN,-0.01,\n",
        ),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_rows_are_written_as_flink_writes_them(
    tmp_path: Path, rows: list[Any], build: Build, content: str
) -> None:
    assert written(tmp_path, rows, build).decode() == content


def test_each_array_column_is_written_with_its_separator(tmp_path: Path) -> None:
    rows = [Row(["a", "b"], [1, 2]), Row([], None)]

    def two(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
        return builder.add_array_column("a", "|").add_array_column("b", element_type=DataTypes.INT())

    assert written(tmp_path, rows, two) == b"a|b,1;2\n,\n"


def test_the_last_record_may_end_in_an_escaped_line_end(tmp_path: Path) -> None:
    assert read(tmp_path, b"1,a\n2,b\\n", escaped) == [(1, "a"), (2, "b\n")]


def test_a_decimal_with_too_many_digits_is_not_null(tmp_path: Path) -> None:
    with pytest.raises(SerializationError, match=r"100.5 does not fit DECIMAL\(4, 2\)"):
        written(tmp_path, [Row(Decimal("100.5"))], money)

    def several(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
        return builder.add_array_column("l", ";", DataTypes.DECIMAL(4, 2))

    assert written(tmp_path, [Row([Decimal("0.125"), None])], several) == b"0.13;\n"


# Other programs


def test_files_written_here_are_read_by_pandas_and_the_reverse(tmp_path: Path) -> None:
    def headed(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
        return pair(builder).set_use_header().set_strict_headers().set_null_value("")

    rows = [(1, 'a "b", c'), (2, "line\nbreak"), (3, None)]
    frame = pd.read_csv(io.BytesIO(written(tmp_path, [Row(*row) for row in rows], headed)))
    assert list(frame["i"]) == [1, 2, 3]
    assert list(frame["s"].astype(object).where(frame["s"].notna(), None)) == [row[1] for row in rows]
    frame.to_csv(tmp_path / "pandas.csv", index=False)
    assert read(tmp_path, (tmp_path / "pandas.csv").read_bytes(), headed) == rows


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
CELLS |= st.sampled_from(['"', ",", "\n", "\\N", "\r\n"])
SEVERAL = st.tuples(
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.none() | st.booleans(),
    st.none() | st.floats(allow_nan=False),
    st.none() | CELLS.filter(lambda text: text != "\\N"),
    st.none() | st.decimals(-1000, 1000, places=2),
    st.lists(st.none() | st.integers(-9, 9), max_size=3).filter(lambda values: values != [None]),
)


@given(rows=st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), CELLS), max_size=20))
def test_files_of_the_csv_module_are_read(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows(rows)
    assert read(tmp_path_factory.mktemp("csv"), buffer.getvalue().encode()) == rows


def several(builder: CsvSchemaBuilder) -> CsvSchemaBuilder:
    builder.add_number_column("l").add_boolean_column("b").add_number_column("d", DataTypes.DOUBLE())
    builder.add_string_column("s").add_number_column("n", DataTypes.DECIMAL(6, 2))
    return builder.add_array_column("a", element_type=DataTypes.INT()).set_null_value("\\N")


@given(rows=st.lists(SEVERAL, min_size=1, max_size=9))
def test_rows_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("csv")
    assert read(path, written(path, [Row(*row) for row in rows], several), several) == rows


# What is refused


@pytest.mark.parametrize(
    ("build", "complaint"),
    [
        (lambda b: b, "needs at least one column"),
        (lambda b: pair(b).add_string_column("s"), "unique, not 's'"),
        (lambda b: b.add_number_column("n", DataTypes.STRING()), "STRING is not a type of numbers"),
        (
            lambda b: b.add_array_column("l", ";", DataTypes.ARRAY(DataTypes.INT())),
            "a cell cannot hold ARRAY",
        ),
        (lambda b: pair(b).set_column_separator(",,"), "set_column_separator takes a single character"),
        (lambda b: pair(b).set_quote_char(","), "must differ"),
        (lambda b: pair(b).set_line_separator(""), "set_line_separator takes a str"),
        (lambda b: listed(b).remove_array_element_separator(2), "there is no column 2"),
        (
            lambda b: listed(b).remove_array_element_separator(1).disable_array_element_separator(),
            "array column 'l' has no separator",
        ),
    ],
)
def test_a_schema_that_contradicts_itself_is_refused(build: Build, complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        schema(build)


def test_only_a_schema_makes_a_format() -> None:
    with pytest.raises(ConfigurationError, match=r"CsvReaderFormat.for_schema takes a CsvSchema, not"):
        CsvReaderFormat.for_schema(CsvSchema.builder())  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="unknown charset 'nope'"):
        CsvReaderFormat.for_schema(schema(pair), "nope")


def test_a_schema_shows_its_columns_and_can_be_extended() -> None:
    first = schema(pair)
    both = CsvSchema.builder().add_columns_from(first).add_boolean_column("b")
    assert (len(first), len(both), both.clear_columns().size()) == (2, 3, 0)
    assert repr(first) == "CsvSchema(i: Long, s: String)"
