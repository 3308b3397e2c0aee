"""Messages read at once as columns are those read one by one, or are left to be read so."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from pystream.datastream.formats.json import JsonRowDeserializationSchema
from pystream.engine.connectors import text_files
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.connectors.text_files import LineMessageReader
from pystream.engine.events import RecordErrors
from pystream.engine.formats.fields import has_part
from pystream.engine.formats.json_columns import json_columns
from pystream.engine.formats.json_reader import json_reader
from pystream.errors import DeserializationError, SourceError
from pystream.sql_types.data_types import DataTypes
from pystream.sql_types.decimals import rounded
from pystream.table.columns import TableColumn
from pystream.table.formats.json import JsonFormat
from tests.property.test_fast_json import TEXTS, Event, messages
from typeinfo import Row, Types
from typeinfo.composite import FieldsTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo, RoundedDecimalTypeInfo
from typeinfo.errors import TypeCheckError, UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same

T = Types
SCALARS: list[Any] = [T.LONG, T.INT, T.BYTE, T.STRING, T.DOUBLE, T.FLOAT, T.BOOLEAN]
SCALARS += [T.SQL_TIMESTAMP, T.LOCAL_DATE_TIME, T.INSTANT, T.SQL_DATE, T.SQL_TIME]
DECIMALS = [BigDecimalTypeInfo(6, 2), BigDecimalTypeInfo(38, 0), BigDecimalTypeInfo(38, 38)]
DECIMALS += [RoundedDecimalTypeInfo(6, 2), RoundedDecimalTypeInfo(38, 18)]
SCALARS += DECIMALS
ROWS: st.SearchStrategy[Any] = st.lists(st.sampled_from(SCALARS), min_size=1, max_size=3).map(T.ROW)
LISTS = st.sampled_from(SCALARS).map(lambda t: T.ROW([T.LIST(t), T.OBJECT_ARRAY(T.ROW([t]))]))
TYPES = st.one_of(ROWS, LISTS, st.just(T.of(Event)), st.tuples(ROWS, LISTS).map(T.ROW), ROWS.map(T.LIST))


def one_by_one(t: Any, reader: Any, found: list[bytes]) -> list[Any] | None:
    """Return the elements of messages, ``None`` if one of them cannot be read.

    Decimals get the digits of their type after the reader, by all sources.
    """
    try:
        elements = [reader(message) for message in found]
        return serializer_for(t).conform(elements) if has_digits(t) else elements
    except (DeserializationError, TypeCheckError):
        return None


def has_digits(t: TypeInformation[Any]) -> bool:
    """Return whether a type has decimals of a fixed number of digits."""
    return has_part(t, lambda part: isinstance(part, BigDecimalTypeInfo))


def are_null_where_allowed(array: Any, *, nullable: bool) -> bool:
    """Return whether no value is null that may not be, also below nulls."""
    parts: list[tuple[Any, pa.Field]] = []
    if isinstance(array, pa.StructArray):
        parts = [(array.field(at), field) for at, field in enumerate(array.type)]
    elif isinstance(array, pa.ListArray):
        parts = [(array.values, array.type.value_field)]
    is_allowed = nullable or not array.null_count
    return is_allowed and all(are_null_where_allowed(part, nullable=field.nullable) for part, field in parts)


def holds(t: Any, found: list[bytes], *, fails_on_missing: bool = False) -> bool:
    """Return whether messages are read as columns, checked to be the elements that they have."""
    at_once = json_columns(t, fails_on_missing, "RFC-3339")
    assert at_once is not None
    columns = at_once.of_messages(found)
    if columns is None:
        return False
    columns.batch.validate(full=True)
    for column, field in zip(columns.batch.columns, columns.batch.schema, strict=True):
        assert are_null_where_allowed(column, nullable=field.nullable)
    assert columns.layout.batch(columns.batch.columns).equals(columns.batch)
    elements = one_by_one(t, json_reader(t, fails_on_missing), found)
    assert elements is not None
    assert same(list(columns), elements), (found, list(columns), elements)
    assert repr(list(columns)) == repr(elements)
    return True


@given(TYPES, st.booleans(), st.data())
@settings(max_examples=80, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_columns_are_the_elements_read_one_by_one(
    t: Any, fails_on_missing: bool, data: st.DataObject
) -> None:
    if not isinstance(t, FieldsTypeInfo):
        t = T.ROW([t])
    try:
        found = data.draw(st.lists(messages(t), min_size=1, max_size=3))
    except UnsupportedTypeError:
        reject()
    holds(t, found, fails_on_missing=fails_on_missing)


BROKEN = [
    ['{"f0":1}{"f0":2}', ""],
    ['{"f0":1', "}", '{"f0":1}{"f0":2}'],
    ['{"f0":[{}', "{}]}", '{"f0":1}{"f0":2}'],
    ['{"f0":"a}', '{"}', '{"f0":1}{"f0":2}'],
    ['{"f0":1}\r{"f0":2}'],
    ['{"f0":1}\n{"f0":2}'],
    ['\ufeff{"f0":1}'],
    ['{"f0":1}\0'],
    ['{"f0":1}\0}'],
    ['{"f0":1}', '{"f0":1}\0}'],
    ['{"g":{}', ',"f0":1}', '{"f0":1}{"f0":2}'],
    ['{"f0":1}\0{"f0":2}', '{"f0":1}'],
    ['{"f0":1,"f0":2}'],
    ['{"f0":1,"\\u0066\\u0030":2}'],
    ['{"g":1,"g":2,"f0":1}'],
    ['{"g":NaN}'],
    ['{"g":[-Infinity ]}'],
    ['{"g":"NaN, no"}'],
    ['{"g":' + "[" * 500 + "]" * 500 + "}"],
    ['{"g":' + "[" * 100_000 + "]" * 100_000 + "}"],
    ['{"g":"' + "[" * 500 + '"}'],
    ['{"f0":"\\udc00"}', "{}"],
    ['{"f0":"\\ud800"}', '{"f0":"\\ud800a"}'],
    ['{"f0":"\\ud800\\udc00"}', '{"f0":"\\\\udc00"}'],
    ["null"],
    ["{}"],
    ["[]"],
    [" {} "],
    ['{"f0":1}', "", '{"f0":1}'],
]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (T.ROW([T.LONG]), b'{"f0":[{}]}'),
        (T.LIST(T.ROW([T.LONG])), b'{"f0":[[{}]]}'),
        (T.ROW([T.ROW([T.LONG])]), b'{"f0":[{"f0":{}}]}'),
    ],
)
@pytest.mark.parametrize("collection", [T.LIST, T.OBJECT_ARRAY])
def test_a_field_may_be_missing_in_the_items_of_a_list(collection: Any, item: Any, message: bytes) -> None:
    t = T.ROW([collection(item)])
    assert not holds(t, [message], fails_on_missing=True)
    assert holds(t, [message])


@pytest.mark.parametrize("found", BROKEN)
def test_what_only_one_parser_takes_is_read_one_by_one(found: list[str]) -> None:
    for t in (T.LONG, T.STRING, T.LIST(T.ROW([T.LONG]))):
        holds(T.ROW([t]), [message.encode() for message in found])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_empty_message_is_not_taken_for_a_line_end(place: int) -> None:
    t: Any = T.ROW([T.LONG])
    found = [b'{"f0": 1}', b'{"f0": 2}']
    found.insert(place, b"")
    at_once = json_columns(t, False, "RFC-3339")
    assert at_once is not None
    assert at_once.of_messages(found) is None


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "Inf"])
def test_a_number_that_is_not_json_is_found_in_any_message(number: str) -> None:
    t: Any = T.ROW([T.LONG])
    for place in range(3):
        found = ['{"f0":1}'] * 3
        found[place] = f'{{"f0":1,"g":{number}}}'
        assert not holds(t, [message.encode() for message in found])
        found[place] = f'{{"f0":1,"g":"{number} Na Info"}}'
        assert holds(t, [message.encode() for message in found])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "Inf"])
@pytest.mark.parametrize(
    ("t", "form"),
    [
        (T.DOUBLE, '{"f0":%s}'),
        (T.FLOAT, '{"f0":%s}'),
        (T.LIST(T.DOUBLE), '{"f0":[1,%s]}'),
        (T.ROW([T.DOUBLE]), '{"f0":{"f0":%s}}'),
        (T.ROW([T.LONG]), '{"f0":{"g":%s}}'),
        (T.LIST(T.ROW([T.LONG])), '{"f0":[{"f0":1,"g":[%s]}]}'),
    ],
)
def test_a_number_that_is_not_json_is_found_in_any_part(number: str, t: Any, form: str) -> None:
    row: Any = T.ROW([t])
    assert not holds(row, [b'{"f0":null}', (form % number).encode()])
    assert holds(row, [b'{"f0":null}', (form % "1").encode()])


@dataclass(frozen=True)
class Inner:
    """A part with a field that may not be null."""

    id: int
    name: str | None


@dataclass(frozen=True)
class Pair:
    """A part of which both fields may be null."""

    first: int | None
    second: Inner | None


@dataclass(frozen=True)
class Outer:
    """Objects with parts of both kinds."""

    maybe: Inner | None
    each: list[Inner]
    pair: Pair


@dataclass(frozen=True)
class Whole:
    """An object that may be null, with parts that may not."""

    inner: Inner
    outer: Outer | None


@pytest.mark.parametrize(
    "message",
    [
        '{"inner":{"id":1},"outer":null}',
        '{"inner":{"id":null},"outer":null}',
        '{"inner":null,"outer":null}',
        '{"inner":{"id":1},"outer":{"maybe":null,"each":[{"id":1}],"pair":{}}}',
        '{"inner":{"id":1},"outer":{"maybe":{"id":1,"name":"a"},"each":[{"id":1}],"pair":{}}}',
        '{"inner":{"id":1},"outer":{"maybe":{"name":"a"},"each":[],"pair":{}}}',
        '{"inner":{"id":1},"outer":{"maybe":null,"each":[{"id":null}],"pair":{}}}',
        '{"inner":{"id":1},"outer":{"maybe":null,"each":null,"pair":{}}}',
    ],
)
def test_only_parts_that_may_be_null_are_null(message: str) -> None:
    t: Any = T.of(Whole)
    others = b'{"inner":{"id":2,"name":"b"}}', b'{"inner":{"id":3},"outer":{"each":[],"pair":{}}}'
    holds(t, [message.encode()])
    holds(t, [others[0], message.encode(), others[1]])


@pytest.mark.parametrize("depth", [150, 480, 501, 900])
@pytest.mark.parametrize("place", range(3))
def test_only_messages_of_many_brackets_are_read_one_by_one(depth: int, place: int) -> None:
    t: Any = T.ROW([T.LONG])
    found = [b'{"f0":1}'] * 3
    found[place] = b'{"g":' + b"[" * depth + b"]" * depth + b',"h":"' + b" " * 1200 + b'"}'
    assert holds(t, found) == (depth < 500)
    found[place] = b'{"g":[' + b",".join([b"[1]"] * depth) + b"]}"
    assert holds(t, found) == (depth < 500)
    assert holds(t, [b'{"f0":1,"g":"' + b" " * 1200 + b'"}'] * 500)


def test_bytes_that_are_not_text_are_read_one_by_one() -> None:
    t: Any = T.ROW([T.LONG])
    for damage in (b"\xff", b"\xed\xa0\x80", b"\xc0\x80"):
        assert not holds(t, [b'{"f0":1,"g":"' + damage + b'"}'])


@pytest.mark.parametrize("t", [*SCALARS, *map(T.LIST, SCALARS[:6])], ids=str)
def test_single_values_are_read_alike(t: TypeInformation[Any]) -> None:
    for text in TEXTS:
        for form in ('{"f0":%s,"f1":1}', '{"f1":{"g":%s}}', '{"f0":[%s]}'):
            message = (form % text).encode("utf-8", "surrogatepass")
            holds(T.ROW([t, T.INT]), [b"{}", message])


def test_usual_messages_are_read_at_once() -> None:
    t: Any = T.ROW_NAMED(
        ["id", "price", "at", "seller", "tags"],
        [T.LONG, T.DOUBLE, T.SQL_TIMESTAMP, T.ROW_NAMED(["name"], [T.STRING]), T.LIST(T.STRING)],
    )
    values = [
        {"id": 1, "price": 1.5, "at": "2020-01-31T12:34:56Z", "seller": {"name": "é"}, "tags": ["a", "b"]},
        {"id": -1, "price": 1, "at": None, "seller": None, "tags": None, "more": [{"x": "NaN"}]},
        {"seller": {}, "price": -0.5, "tags": []},
    ]
    assert holds(t, [json.dumps(value).encode() for value in values])
    assert holds(t, [json.dumps(value, ensure_ascii=False).encode() for value in values])
    assert not holds(t, [json.dumps(value).encode() for value in values], fails_on_missing=True)


ROW: Any = T.ROW_NAMED(["f0", "f1"], [T.LONG, T.STRING])
GOOD = st.builds(lambda n, text: json.dumps({"f0": n, "f1": text}), st.integers(-9, 9), st.text(max_size=3))
LINES = GOOD | GOOD | st.sampled_from(["", "null", "[]", '{"f0":1', '{"f0":"x"}', '{"f1":2}', "\ufeff{}"])


def read(reader: LineMessageReader, split: FileSplit) -> tuple[Any, ...]:
    """Return the elements, the number of lines that were skipped, and the error."""
    found: list[Any] = []
    skipped = 0
    try:
        with pa.OSFile(split.file.path) as file:
            for batch in reader.read(file, split):
                if isinstance(batch, RecordErrors):
                    skipped += batch.skipped
                else:
                    found += batch
    except SourceError as error:
        return (str(error),)
    return found, skipped


@given(st.lists(LINES, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_of_files_are_read_alike(
    tmp_path: Path, lines: list[str], end: str, skips: bool, data: st.DataObject
) -> None:
    path = tmp_path / "lines"
    path.write_bytes(data.draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + end.join(lines).encode())
    size = path.stat().st_size
    start = data.draw(st.integers(0, size))
    split = FileSplit(0, start, size, InputFile(str(tmp_path), str(path), size))
    schema = JsonRowDeserializationSchema.builder().type_info(ROW).build()
    readers = [LineMessageReader(schema.deserialize_all, ROW, skips, way) for way in (None, schema.at_once())]
    with patch.object(text_files, "_BLOCK_BYTES", data.draw(st.sampled_from([16, 64, 1_024]))):
        one_by_one, at_once = (read(reader, split) for reader in readers)
    assert same(at_once, one_by_one)


def test_a_subclass_that_decodes_by_itself_is_asked_for_each_message() -> None:
    class Own(JsonRowDeserializationSchema[Any]):
        def deserialize(self, message: bytes) -> Any:
            return super().deserialize(message.lower())

    assert Own(ROW, False, False).at_once() is None
    assert JsonRowDeserializationSchema(ROW, False, False).at_once() is not None


def digits(most: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=1, max_size=most) | st.text("09", min_size=1, max_size=most)


WHOLE = (digits(4) | digits(19) | digits(45)).map(lambda text: text.lstrip("0") or "0")
FRACTION = st.just("") | (digits(4) | digits(19) | digits(45)).map(lambda text: f".{text}")
EXPONENT = st.sampled_from(["", "", "", "e0", "E1", "e+2", "e-2", "E-7", "e-20", "e37", "E-38", "e39", "e75"])
NUMBERS = st.builds("{}{}{}{}".format, st.sampled_from(["", "", "-"]), WHOLE, FRACTION, EXPONENT)
OTHERS = ["null", '"+1.5"', '".5"', '"5."', '" 1.5 "', '""', '"NaN"', "true", "1e400", "1e-400", "[]", "-0.0"]
OTHERS += ["1e-99999999999999999999", '"1e-99999999999999999999"']
DECIMAL_NODES = NUMBERS | NUMBERS.map(lambda text: f'"{text}"') | st.sampled_from(OTHERS)


def holds_in_tables(data_type: Any, found: list[bytes], *, ignores: bool = False) -> bool:
    """Return whether messages with a column are read as columns, checked to be the rows that they have."""
    column = TableColumn("f0", data_type, data_type.type_info, 0)
    values = {name: option.default for name, option in JsonFormat.options.items()}
    values["ignore-parse-errors"] = ignores
    schema = JsonFormat([column], values, "table 't'").deserialization_schema()
    at_once: Any = schema.at_once()
    columns = at_once.of_messages(found)
    if columns is None:
        return False
    columns.batch.validate(full=True)
    assert repr(list(columns)) == repr([row for message in found for row in schema.deserialize_all(message)])
    return True


@st.composite
def decimal_types(draw: st.DrawFn) -> tuple[int, int]:
    precision = draw(st.integers(1, 38) | st.sampled_from([5, 38]))
    return precision, draw(st.integers(0, precision) | st.sampled_from([0, precision]))


DECIMAL_FORMS = [
    ('{"f0":%s}', lambda t: t),
    ('{"f0":[%s,null]}', DataTypes.ARRAY),
    ('{"f0":{"d":%s}}', lambda t: DataTypes.ROW([DataTypes.FIELD("d", t)])),
    ('{"f0":[{"d":%s},null]}', lambda t: DataTypes.ARRAY(DataTypes.ROW([DataTypes.FIELD("d", t)]))),
]


@given(
    decimal_types(),
    st.sampled_from(DECIMAL_FORMS),
    st.lists(DECIMAL_NODES, min_size=1, max_size=2),
    st.booleans(),
)
@settings(max_examples=300)
def test_decimals_are_read_alike(
    digits: tuple[int, int], form: tuple[str, Any], nodes: list[str], ignores: bool
) -> None:
    message, wrap = form
    data_type = wrap(DataTypes.DECIMAL(*digits))
    found = [(message % node).encode() for node in nodes]
    holds(T.ROW([data_type.type_info]), found)
    holds(T.ROW([rounded(data_type.type_info)]), found)
    holds_in_tables(data_type, found, ignores=ignores)


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("form", DECIMAL_FORMS)
def test_usual_decimals_are_read_at_once(form: tuple[str, Any], quote: str) -> None:
    message, wrap = form
    for number, precision, scale in [
        ("1.5", 6, 2),
        ("-1234.56", 6, 2),
        ("1.500", 6, 2),
        ("1e2", 6, 2),
        ("-0.0", 1, 0),
        ("0.999", 3, 3),
        ("9" * 19, 38, 0),
        ("-0." + "9" * 19, 38, 38),
        ("1." + "9" * 18, 38, 18),
    ]:
        data_type = wrap(DataTypes.DECIMAL(precision, scale))
        found = [b'{"f0":null}', (message % f"{quote}{number}{quote}").encode()]
        assert holds(T.ROW([data_type.type_info]), found)
        assert holds_in_tables(data_type, found)


@pytest.mark.parametrize("form", DECIMAL_FORMS)
def test_tables_round_decimals_at_once(form: tuple[str, Any]) -> None:
    message, wrap = form
    data_type = wrap(DataTypes.DECIMAL(6, 2))
    for number in ("1.005", "-1.005", "0.30000000000000004", "-0.001", "9999.994", "1E-7"):
        found = [(message % "1.5").encode(), (message % number).encode()]
        assert not holds(T.ROW([data_type.type_info]), found)
        assert holds(T.ROW([rounded(data_type.type_info)]), found)
        assert holds_in_tables(data_type, found)
    assert not holds_in_tables(data_type, [(message % "9999.995").encode()])


@pytest.mark.parametrize("number", ["1e-99999999999999999999", "0e99999999999999999999"])
def test_exponents_beyond_those_of_decimals_matter_only_to_decimals(number: str) -> None:
    t: Any = T.ROW([BigDecimalTypeInfo(6, 2), T.DOUBLE])
    read = json_reader(t)
    found = f'{{"f0":1.5,"f1":{number},"g":{number}}}'.encode()
    assert read(found) == Row(f0=Decimal("1.5"), f1=0.0)
    holds(t, [found])
    with pytest.raises(DeserializationError, match="field f0: the exponent of the number is beyond"):
        read(f'{{"f0":{number}}}'.encode())
    assert json_reader(t, ignore_parse_errors=True)(f'{{"f0":{number}}}'.encode()) == Row(f0=None, f1=None)
