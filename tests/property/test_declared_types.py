"""A column has values of its declared type, however they got there: read = cast = declared = written."""

from __future__ import annotations

import base64
import csv
import json
import struct
import tempfile
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Context, Decimal
from pathlib import Path
from typing import Any, NamedTuple

import fastavro
import pyarrow.orc
import pyarrow.parquet
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pystream.common import Types
from pystream.table import Schema, StreamTableEnvironment
from pystream.testing import local_environment
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.row import Row

EXACT = Context(prec=100)
BYTES = Types.PRIMITIVE_ARRAY(Types.BYTE())


class Column(NamedTuple):
    """A column with a declared type, and values of a stream that may not fit it.

    Attributes:
        declared: the type that is declared.
        free: the type of all such values, without precision, scale or length.
        type_info: that of the stream.
        value: a value of the stream.
        expected: the value of the declared type.
    """

    declared: str
    free: str
    type_info: TypeInformation[Any]
    value: Any
    expected: Any


def _step(digits: int) -> int:
    return int(10 ** (6 - digits))


def _cut(value: Any, digits: int) -> Any:
    return value.replace(microsecond=value.microsecond - value.microsecond % _step(digits))


@st.composite
def decimals(draw: st.DrawFn) -> Column:
    scale = draw(st.integers(0, 6))
    precision = draw(st.integers(scale + 7, 18))
    value = Decimal(draw(st.integers(-(10**12), 10**12))).scaleb(-draw(st.integers(6, 12)))
    expected = value.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, EXACT)
    expected = expected if expected else abs(expected)
    return Column(f"DECIMAL({precision}, {scale})", "DECIMAL(38, 18)", Types.BIG_DEC(), value, expected)


@st.composite
def times(draw: st.DrawFn) -> Column:
    digits, value = draw(st.integers(0, 6)), draw(st.times()).replace(fold=0)
    return Column(f"TIME({digits})", "TIME(6)", Types.SQL_TIME(), value, _cut(value, digits))


@st.composite
def timestamps(draw: st.DrawFn) -> Column:
    digits, moments = draw(st.integers(0, 6)), st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1))
    value, declared = draw(moments).replace(fold=0), f"TIMESTAMP({digits})"
    return Column(declared, "TIMESTAMP(6)", Types.SQL_TIMESTAMP(), value, _cut(value, digits))


@st.composite
def instants(draw: st.DrawFn) -> Column:
    digits, micros = draw(st.integers(0, 6)), draw(st.integers(-(2**50), 2**50))
    value, expected = (Instant.of_epoch_micro(part) for part in (micros, micros - micros % _step(digits)))
    return Column(f"TIMESTAMP_LTZ({digits})", "TIMESTAMP_LTZ(6)", Types.INSTANT(), value, expected)


LETTERS = st.text(st.sampled_from("abc é€😀"), max_size=6)


@st.composite
def texts(draw: st.DrawFn) -> Column:
    length, value, is_fixed = draw(st.integers(1, 4)), draw(LETTERS), draw(st.booleans())
    cut = "".join(list(value)[:length])
    if is_fixed:
        return Column(f"CHAR({length})", "STRING", Types.STRING(), value, cut + " " * (length - len(cut)))
    return Column(f"VARCHAR({length})", "STRING", Types.STRING(), value, cut)


@st.composite
def binaries(draw: st.DrawFn) -> Column:
    length, value, is_fixed = draw(st.integers(1, 4)), draw(st.binary(max_size=6)), draw(st.booleans())
    cut = value[:length]
    if is_fixed:
        return Column(f"BINARY({length})", "BYTES", BYTES, value, cut + bytes(length - len(cut)))
    return Column(f"VARBINARY({length})", "BYTES", BYTES, value, cut)


def nested(inner: st.SearchStrategy[Column]) -> st.SearchStrategy[Column]:
    return st.one_of(
        inner.map(
            lambda one: Column(
                f"ARRAY<{one.declared}>",
                f"ARRAY<{one.free}>",
                Types.OBJECT_ARRAY(one.type_info),
                [one.value, None],
                [one.expected, None],
            )
        ),
        inner.map(
            lambda one: Column(
                f"MAP<STRING, {one.declared}>",
                f"MAP<STRING, {one.free}>",
                Types.MAP(Types.STRING(), one.type_info),
                {"k": one.value, "none": None},
                {"k": one.expected, "none": None},
            )
        ),
        inner.map(
            lambda one: Column(
                f"ROW<x {one.declared}, n INT>",
                f"ROW<x {one.free}, n INT>",
                Types.ROW_NAMED(["x", "n"], [one.type_info, Types.INT()]),
                Row(x=one.value, n=1),
                Row(one.expected, 1),
            )
        ),
    )


def columns(*kinds: st.SearchStrategy[Column], is_nested: bool = True) -> st.SearchStrategy[list[Column]]:
    one = st.one_of(*kinds)
    either = st.one_of(one, nested(one), nested(nested(one))) if is_nested else one
    return st.lists(either, min_size=2, max_size=6)


PLAIN: list[tuple[str, TypeInformation[Any], st.SearchStrategy[Any]]] = [
    ("BOOLEAN", Types.BOOLEAN(), st.booleans()),
    ("TINYINT", Types.BYTE(), st.sampled_from([-128, 0, 127])),
    ("SMALLINT", Types.SHORT(), st.sampled_from([-(2**15), 0, 2**15 - 1])),
    ("INT", Types.INT(), st.sampled_from([-(2**31), 0, 2**31 - 1])),
    ("BIGINT", Types.LONG(), st.sampled_from([-(2**63), 2**53 + 1, 2**63 - 1])),
    ("FLOAT", Types.FLOAT(), st.sampled_from([-0.0, 1.401298464324817e-45, 3.4028234663852886e38])),
    ("DOUBLE", Types.DOUBLE(), st.sampled_from([-0.0, 5e-324, 1.7976931348623157e308])),
    ("DATE", Types.SQL_DATE(), st.sampled_from([date.min, date(1970, 1, 1), date.max])),
]


@st.composite
def plain_values(draw: st.DrawFn) -> Column:
    declared, type_info, values = draw(st.sampled_from(PLAIN))
    value = draw(values)
    return Column(declared, declared, type_info, value, value)


ALL = (decimals(), texts(), binaries(), timestamps(), plain_values())
FORMATS: dict[str, st.SearchStrategy[list[Column]]] = {
    "json": columns(*ALL, times(), instants()),
    "csv": columns(*ALL, times(), instants(), is_nested=False),
    "avro": columns(*ALL, times()),
    "parquet": columns(*ALL, times(), instants()),
    "orc": columns(*ALL, instants()),
}


class Tables:
    """Tables of one row in an environment of their own."""

    def __init__(self, row: list[Column]) -> None:
        self.row = row
        self.env = local_environment()
        self.t_env = StreamTableEnvironment.create(self.env)
        self.names = [f"c{number}" for number in range(len(row))]

    def stream(self, declared: Callable[[Column], str]) -> Any:
        """Return the table of the values in a stream, with declared types."""
        t = Types.ROW_NAMED(self.names, [column.type_info for column in self.row])
        stream = self.env.from_collection([tuple(column.value for column in self.row)], t)
        schema = Schema.new_builder()
        for name, column in zip(self.names, self.row, strict=True):
            schema.column(name, declared(column))
        return self.t_env.from_data_stream(stream, schema.build())

    def files(self, name: str, path: Path, file_format: str, declared: Callable[[Column], str]) -> None:
        """Declare a table in files."""
        fields = ", ".join(f"{n} {declared(column)}" for n, column in zip(self.names, self.row, strict=True))
        options = f"'connector' = 'filesystem', 'path' = '{path}', 'format' = '{file_format}'"
        self.t_env.execute_sql(f"CREATE TABLE {name} ({fields}) WITH ({options})")

    def rows(self, query: str) -> list[list[Any]]:
        with self.t_env.sql_query(query).execute().collect() as rows:
            return [list(row) for row in rows]


def declared_type(column: Column) -> str:
    return column.declared


def free_type(column: Column) -> str:
    return column.free


HUNDRED = Column("DECIMAL(16, 4)", "DECIMAL(38, 18)", Types.BIG_DEC(), Decimal("-100"), Decimal("-100.0000"))
ZERO = Column("DECIMAL(7, 0)", "DECIMAL(38, 18)", Types.BIG_DEC(), Decimal("0.000000"), Decimal(0))


@settings(max_examples=10, deadline=None)
@example(("avro", [ZERO, ZERO]))
@example(("csv", [HUNDRED, HUNDRED]))
@given(st.sampled_from(sorted(FORMATS)).flatmap(lambda name: st.tuples(st.just(name), FORMATS[name])))
def test_values_have_the_declared_type_however_they_get_there(case: tuple[str, list[Column]]) -> None:
    file_format, row = case
    tables, expected = Tables(row), [column.expected for column in row]
    tables.t_env.create_temporary_view("free", tables.stream(free_type))
    tables.t_env.create_temporary_view("declared", tables.stream(declared_type))
    with tempfile.TemporaryDirectory() as directory:
        free, written = Path(directory, "free"), Path(directory, "written")
        tables.files("free_files", free, file_format, free_type)
        tables.files("read", free, file_format, declared_type)
        tables.files("written", written, file_format, declared_type)
        tables.files("as_written", written, file_format, free_type)
        inserts = tables.t_env.create_statement_set()
        inserts.add_insert_sql("INSERT INTO free_files SELECT * FROM free")
        inserts.add_insert_sql("INSERT INTO written SELECT * FROM declared")
        inserts.execute().wait()
        query = "SELECT * FROM declared UNION ALL SELECT * FROM `read` UNION ALL SELECT * FROM written"
        assert list(map(repr, tables.rows(query))) == [repr(expected)] * 3
        if file_format in ("json", "csv"):
            assert tables.rows("SELECT * FROM as_written") == [expected]
        (found,) = [row for part in written.glob("part-*") for row in read_elsewhere(file_format, part)]
        assert all(map(is_written_as, expected, found)), found


def read_elsewhere(file_format: str, path: Path) -> list[list[Any]]:
    """Return the rows of a file as another library reads them."""
    match file_format:
        case "json":
            parsed: list[Any] = [
                json.loads(line, parse_float=Decimal) for line in path.read_text().splitlines()
            ]
            return [list(row.values()) for row in parsed]
        case "csv":
            with path.open(newline="") as file:
                return list(csv.reader(file))
        case "avro":
            with path.open("rb") as container:
                records: list[Any] = list(fastavro.reader(container))
                return [list(record.values()) for record in records]
    read = pyarrow.parquet.read_table if file_format == "parquet" else pyarrow.orc.read_table
    return [list(row.values()) for row in read(str(path)).to_pylist()]


def is_written_as(value: Any, found: Any) -> bool:
    """Return whether what another library found is a value, in the form that a format has for it."""
    is_text = isinstance(found, str)
    match value:
        case Row():
            return all(map(is_written_as, value, found.values()))
        case dict():
            return all(map(is_written_as, value.values(), dict(found).values())) and [*value] == [
                *dict(found)
            ]
        case list():
            return all(map(is_written_as, value, found)) and len(value) == len(found)
        case Instant():
            moment = datetime.fromisoformat(found) if is_text else found
            return value == Instant.of_datetime(moment.replace(tzinfo=UTC))
        case datetime():
            return value == (datetime.fromisoformat(found) if is_text else found).replace(tzinfo=None)
        case time() | date():
            return value == (type(value).fromisoformat(found) if is_text else found)
        case bytes():
            return value == (base64.b64decode(found) if is_text else found)
        case bool() if is_text:
            return bool(found == str(value).lower())
        case float():
            number = float(found)
            return bool(value == number or struct.pack("f", value) == struct.pack("f", number))
        case int() | Decimal() if is_text:
            return value == type(value)(found)
    return bool(value == found)


@settings(max_examples=5, deadline=None)
@given(columns(*ALL, times(), instants(), is_nested=False))
def test_a_cast_gives_what_a_declaration_does(row: list[Column]) -> None:
    tables = Tables(row)
    tables.t_env.get_config().set("table.local-time-zone", "UTC")
    tables.t_env.create_temporary_view("free", tables.stream(free_type))
    casts = ", ".join(f"CAST({n} AS {c.declared})" for n, c in zip(tables.names, row, strict=True))
    (values,) = tables.rows(f"SELECT {casts} FROM free")
    assert repr(values) == repr([column.expected for column in row])
