"""Formats of messages of tables: their options, and what they write and read, as PyFlink 2.3 did."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from pystream.errors import ConfigurationError, DeserializationError, UnsupportedTypeError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.columns import TableColumn
from pystream.table.connectors.base import TableDefinition
from pystream.table.connectors.options import read_options
from pystream.table.formats.base import MessageFormat
from pystream.table.formats.registry import FORMATS, format_options, message_format
from pystream.table.schema import Schema
from typeinfo import Instant, Row

D = DataTypes
WHEN = dt.datetime(2020, 1, 31, 12, 34, 56, 120_000)
PERSON = {"a": D.INT(), "b": D.STRING()}


def format_of(
    name: str, types: Mapping[str, DataType], options: Mapping[str, str] | None = None, prefix: str = ""
) -> MessageFormat:
    columns = tuple(
        TableColumn(column, t, t.type_info, position) for position, (column, t) in enumerate(types.items())
    )
    given = dict(options or {})
    table = TableDefinition("t", columns, Schema(()), given)
    values = read_options(given, format_options(prefix=prefix), list(types), "table 't'")
    return message_format(name, table, values, prefix)


def written(row: Row[Any], *arguments: Any) -> bytes:
    return format_of(*arguments).serialization_schema().serialize(row)


def read(message: bytes, *arguments: Any) -> Any:
    return format_of(*arguments).deserialization_schema().deserialize(message)


TIMES = {"t": D.TIME(3), "ts": D.TIMESTAMP(6), "tl": D.TIMESTAMP_LTZ(3), "d": D.DATE()}
ROW = Row(
    t=dt.time(12, 34, 56, 500_000),
    ts=WHEN,
    tl=Instant.of_datetime(WHEN.replace(tzinfo=dt.UTC)),
    d=dt.date(2020, 1, 31),
)


@pytest.mark.parametrize(
    ("standard", "separator"), [(None, " "), ("SQL", " "), ("ISO-8601", "T"), ("iso8601", "T")]
)
def test_json_writes_and_reads_times_by_the_standard(standard: str | None, separator: str) -> None:
    options = {} if standard is None else {"json.timestamp-format.standard": standard}
    message = written(ROW, "json", TIMES, options).decode()
    assert message == (
        '{"t":"12:34:56.5","ts":"2020-01-31 12:34:56.12","tl":"2020-01-31 12:34:56.12Z","d":"2020-01-31"}'
    ).replace(" ", separator)
    assert read(message.encode(), "json", TIMES, options) == ROW


def test_json_ignores_errors_field_by_field() -> None:
    ignoring = {"json.ignore-parse-errors": "true"}
    assert read(b'{"a":"x","b":"y"}', "json", PERSON, ignoring) == Row(a=None, b="y")
    assert read(b"{bad", "json", PERSON, ignoring) is None
    with pytest.raises(DeserializationError, match="field a: 'x' is not a whole number"):
        read(b'{"a":"x","b":"y"}', "json", PERSON)


def test_json_fails_for_missing_fields_on_request() -> None:
    failing = {"json.fail-on-missing-field": "true"}
    assert read(b'{"b":"y"}', "json", PERSON) == Row(a=None, b="y")
    with pytest.raises(DeserializationError, match="field a: missing"):
        read(b'{"b":"y"}', "json", PERSON, failing)
    with pytest.raises(ConfigurationError, match=r"table 't': .* contradict"):
        format_of("json", PERSON, failing | {"json.ignore-parse-errors": "true"}).deserialization_schema()


def test_csv_has_the_characters_of_its_options() -> None:
    options = {
        "csv.field-delimiter": ";",
        "csv.quote-character": "'",
        "csv.allow-comments": "true",
        "csv.escape-character": "\\",
        "csv.null-literal": "NULL",
    }
    assert read(b"1;'a;b'", "csv", PERSON, options) == Row(a=1, b="a;b")
    assert read(b"1;a\\;b", "csv", PERSON, options) == Row(a=1, b="a;b")
    assert read(b"1;NULL", "csv", PERSON, options) == Row(a=1, b=None)
    assert read(b"#c", "csv", PERSON, options) is None
    assert written(Row(a=None, b="x;y"), "csv", PERSON, options) == b"NULL;'x;y'\n"
    lists = {"a": D.ARRAY(D.INT())}
    assert written(Row(a=[1, 2]), "csv", lists, {"csv.array-element-delimiter": "|"}) == b"1|2\n"
    assert read(b"1\tx", "csv", PERSON, {"csv.field-delimiter": "\\t"}) == Row(a=1, b="x")


def test_csv_ignores_errors_cell_by_cell() -> None:
    assert read(b"x,y", "csv", PERSON, {"csv.ignore-parse-errors": "true"}) == Row(a=None, b="y")
    with pytest.raises(DeserializationError, match="field a"):
        read(b"x,y", "csv", PERSON)


def test_csv_without_quotes_has_no_quote_character() -> None:
    plain = {"csv.disable-quote-character": "true"}
    assert read(b'1,"x"', "csv", PERSON, plain) == Row(a=1, b='"x"')
    assert written(Row(a=1, b='"'), "csv", PERSON, plain) == b'1,"\n'
    with pytest.raises(ConfigurationError, match=r"table 't': .* contradict"):
        format_of("csv", PERSON, plain | {"csv.quote-character": "'"}).deserialization_schema()


def test_avro_messages_have_the_types_of_the_columns() -> None:
    types = {
        "a": D.TINYINT(),
        "b": D.STRING(False),
        "c": D.TIMESTAMP(3),
        "d": D.TIMESTAMP(6),
        "e": D.DECIMAL(10, 2),
        "f": D.TIME(0),
        "g": D.ARRAY(D.ROW([D.FIELD("x", D.INT())])),
    }
    row = Row(a=1, b="x", c=WHEN, d=WHEN, e=Decimal("1.50"), f=dt.time(1), g=[Row(x=1), None])
    format = format_of("avro", types)
    message = format.serialization_schema().serialize(row)
    reading = format.deserialization_schema()
    assert reading.deserialize(message) == row
    assert reading.get_produced_type() == format.row_type
    millis = int(WHEN.replace(tzinfo=dt.UTC).timestamp() * 1000)
    zigzag = written(Row(c=WHEN), "avro", {"c": D.TIMESTAMP(3, False)})
    number = sum((byte & 127) << 7 * i for i, byte in enumerate(zigzag))
    assert number == 2 * millis  # as Flink writes it


def test_raw_messages_are_the_only_column() -> None:
    number = {"n": D.INT()}
    assert written(Row(n=258), "raw", number) == b"\0\0\1\2"
    assert read(b"\2\1\0\0", "raw", number, {"raw.endianness": "little-endian"}) == Row(n=258)
    assert read(b"\xe9", "raw", {"s": D.STRING()}, {"raw.charset": "ISO-8859-1"}) == Row(s="é")
    with pytest.raises(UnsupportedTypeError, match="exactly one column, not a, b"):
        format_of("raw", PERSON).deserialization_schema()


def test_options_have_the_prefix_of_the_part_of_the_message() -> None:
    key = {"n": D.INT()}
    prefixed = {"key.raw.endianness": "little-endian"}
    assert written(Row(n=1), "raw", key, prefixed, "key.") == b"\1\0\0\0"
    with pytest.raises(ConfigurationError, match=r"'key.raw.endianness' is for the format raw, not json"):
        format_of("json", key, prefixed, "key.")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_its_own_options_only(name: str) -> None:
    assert all(key.startswith(f"value.{name}.") for key in format_options(name, prefix="value."))
    other = "csv" if name == "json" else "json"
    with pytest.raises(ConfigurationError, match=f"is for the format {other}, not {name}"):
        format_of(name.upper(), PERSON, {f"{other}.ignore-parse-errors": "true"})
