"""Rows as JSON messages; where Flink 2.3 is named, its answer was recorded."""

from __future__ import annotations

import datetime as dt
import enum
import math
import pickle
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple, TypedDict

import pytest

from pystream.common.serialization import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pystream.errors import ConfigurationError, DeserializationError, SerializationError
from typeinfo import Instant, Row, Types, UnsupportedTypeError
from typeinfo.info import TypeInformation

T = Types
S = Types.STRING


def named(*types: TypeInformation[Any]) -> TypeInformation[Any]:
    return T.ROW_NAMED([f"a{i}" for i in range(len(types))], types)


def reader(type_info: TypeInformation[Any], *settings: str) -> JsonRowDeserializationSchema:
    builder = JsonRowDeserializationSchema.builder().type_info(type_info)
    for setting in settings:
        getattr(builder, setting)()
    schema: JsonRowDeserializationSchema = pickle.loads(pickle.dumps(builder.build()))
    return schema


def writer(type_info: TypeInformation[Any]) -> JsonRowSerializationSchema:
    schema = JsonRowSerializationSchema.builder().with_type_info(type_info).build()
    copy: JsonRowSerializationSchema = pickle.loads(pickle.dumps(schema))
    return copy


def read_field(type_info: TypeInformation[Any], text: str, *settings: str) -> Any:
    row = reader(named(type_info), *settings).deserialize(f'{{"a0":{text}}}'.encode())
    assert row is not None
    return row[0]


def write_field(type_info: TypeInformation[Any], value: Any) -> str:
    message = writer(named(type_info)).serialize(Row(a0=value)).decode()
    return message.removeprefix('{"a0":').removesuffix("}")


AS_FLINK: list[tuple[TypeInformation[Any], str, Any]] = [
    (T.INT, "1", 1),
    (T.INT, '" 12 "', 12),
    (T.INT, "1e2", 100),
    (T.INT, "null", None),
    (T.LONG, "9223372036854775807", 2**63 - 1),
    (T.SHORT, '"3"', 3),
    (T.BYTE, "-128", -128),
    (T.DOUBLE, "1", 1.0),
    (T.DOUBLE, '"1.5"', 1.5),
    (T.DOUBLE, '"-Infinity"', -math.inf),
    (T.FLOAT, "1.1", 1.100000023841858),
    (T.BOOLEAN, "true", True),
    (T.BOOLEAN, '" TRUE "', True),
    (S, '"x"', "x"),
    (S, "1", "1"),
    (S, "1.50", "1.5"),
    (S, "1e5", "100000.0"),
    (S, "true", "true"),
    (S, "[1, 2]", "[1,2]"),
    (S, '{"b": 1}', '{"b":1}'),
    (S, '"\\u00e9\\ud83d\\ude00"', "é😀"),
    (T.CHAR, '"x"', "x"),
    (T.BIG_DEC, '"1.5"', Decimal("1.5")),
    (T.BIG_DEC, "12345678901234567890.123456789", Decimal("12345678901234567890.123456789")),
    (T.BIG_INT, "123456789012345678901234567890", 123456789012345678901234567890),
    (T.SQL_DATE, '"2020-01-02"', dt.date(2020, 1, 2)),
    (T.SQL_TIME, '"12:34:56Z"', dt.time(12, 34, 56)),
    (T.SQL_TIMESTAMP, '"2020-01-02T12:34:56.123456Z"', dt.datetime(2020, 1, 2, 12, 34, 56, 123456)),
    (T.LOCAL_DATE, '"2020-01-02"', dt.date(2020, 1, 2)),
    (T.LOCAL_TIME, '"12:34:56Z"', dt.time(12, 34, 56)),
    (T.LOCAL_DATE_TIME, '"2020-01-02T12:34:56Z"', dt.datetime(2020, 1, 2, 12, 34, 56)),
    (T.INSTANT, '"2020-01-02T12:34:56+01:00"', Instant(1_577_964_896)),
    (T.PRIMITIVE_ARRAY(T.BYTE), '"aGk="', b"hi"),
    (T.PRIMITIVE_ARRAY(T.INT), "[1,2]", [1, 2]),
    (T.BASIC_ARRAY(S), '["a",null]', ["a", None]),
    (T.OBJECT_ARRAY(named(T.INT)), '[{"a0":1},{}]', [Row(a0=1), Row(a0=None)]),
    (T.LIST(T.INT), "[]", []),
    (T.MAP(S, T.INT), '{"x":1,"y":null}', {"x": 1, "y": None}),
    (T.MAP(T.INT, T.INT), '{"1":1}', {1: 1}),
    (named(T.INT, S), '{"a1":"x","z":9}', Row(a0=None, a1="x")),
    (T.ROW([T.INT, T.INT]), '{"f0":1,"f1":2}', Row(f0=1, f1=2)),
    (T.TUPLE([T.INT, T.INT]), '{"f0":1,"f1":2}', (1, 2)),
]


@pytest.mark.promise(
    "format:pyflink.common.serialization.JsonRowDeserializationSchema",
    "JsonRowDeserializationSchema.builder",
    "JsonRowDeserializationSchema.Builder.type_info",
    "JsonRowDeserializationSchema.Builder.build",
    "DeserializationSchema",
)
@pytest.mark.parametrize(("type_info", "text", "value"), AS_FLINK, ids=str)
def test_values_are_read_as_flink_reads_them(type_info: TypeInformation[Any], text: str, value: Any) -> None:
    found = read_field(type_info, text)
    assert found == value
    assert type(found) is type(value)


STRICTER: list[tuple[TypeInformation[Any], str, str]] = [
    # Flink cuts the fraction off, takes any other text for false, null for 0, an array for an empty map.
    (T.INT, "1.5", "1.5 is not a whole number that fits INT"),
    (T.LONG, "1.5", "1.5 is not a whole number"),
    (T.BOOLEAN, '"yes"', "'yes' is neither true nor false"),
    (T.BOOLEAN, "1", "expected true or false, not 1"),
    (T.PRIMITIVE_ARRAY(T.INT), "[1,null]", r"field a0\[1\]: null is not allowed by the type"),
    (T.MAP(S, T.INT), "[]", r"expected an object, not \[\]"),
    (T.PRIMITIVE_ARRAY(T.BYTE), "[1]", r"expected a string, not \[1\]"),
    (T.SQL_TIMESTAMP, '"2020-01-02T12:34:56.1234567Z"', "finer than a microsecond; declare the field STRING"),
    (T.FLOAT, "1e60", "does not fit FLOAT; declare DOUBLE"),
]
WRONG: list[tuple[TypeInformation[Any], str, str]] = [
    (T.INT, "true", "field a0: expected a whole number, not true"),
    (T.INT, "99999999999", r"99999999999 does not fit INT \(-2147483648..2147483647\)"),
    (T.INT, '"x"', "'x' is not a whole number"),
    (T.INT, '""', "'' is not a whole number"),
    (T.INT, '"1_0"', "'1_0' is not a whole number"),
    (T.INT, "[1]", r"expected a whole number, not \[1\]"),
    (T.INT, "1e999999999", "is not a whole number that fits INT"),
    (T.BIG_INT, "1.5", "1.5 is not a whole number"),
    (named(T.INT, T.BIG_DEC), '{"a0":1e999999999}', r"field a0.a0: 1E\+999999999 is not a whole number"),
    (T.LONG, "9223372036854775808", "does not fit LONG"),
    (T.SHORT, "40000", "40000 does not fit SHORT"),
    (T.BYTE, "200", "200 does not fit BYTE"),
    (T.DOUBLE, "true", "expected a number, not true"),
    (T.DOUBLE, '"1_0"', "'1_0' is not a number"),
    (T.DOUBLE, "1" + "0" * 400, "an integer of 401 digits does not fit DOUBLE"),
    (T.BIG_DEC, '"1,5"', "'1,5' is not a decimal number"),
    (T.BIG_DEC, '"NaN"', "'NaN' is not a decimal number"),
    (T.CHAR, '"xy"', "'xy' is not a single character"),
    (T.SQL_DATE, '"2020-02-30"', "day is out of range for month"),
    (T.SQL_DATE, "5", "expected a string, not 5"),
    (T.SQL_TIME, '"25:00:00Z"', "hour must be in 0..23"),
    (T.SQL_TIMESTAMP, '"2020-01-02T12:34:56+01:00"', "is not a date and time such as 2020-01-31T12:34:56Z"),
    (T.DOUBLE, "1e400", "does not fit DOUBLE"),
    (T.INSTANT, '"2020-01-02T12:34:56"', "is not a date and time with a zone"),
    (T.PRIMITIVE_ARRAY(T.BYTE), '"!"', "'!' is not Base64"),
    (T.PRIMITIVE_ARRAY(T.INT), "5", "expected an array, not 5"),
    (T.OBJECT_ARRAY(named(T.INT)), '[{"a0":1},{"a0":"x"}]', r"field a0\[1\].a0: 'x' is not a whole number"),
    (T.MAP(S, T.INT), '{"x":"q"}', r"field a0\['x'\]: 'q' is not a whole number"),
    (named(T.INT), "[1]", r"expected an object, not \[1\]"),
    (T.TUPLE([T.INT, T.INT]), '{"f0":1}', r"field a0.f1: missing; the message has \['f0'\]"),
    (T.VOID, "5", "expected a string, not 5|is not null, the only allowed value"),
]


@pytest.mark.parametrize(("type_info", "text", "message"), STRICTER + WRONG, ids=str)
def test_values_that_do_not_fit_are_errors_that_name_the_field(
    type_info: TypeInformation[Any], text: str, message: str
) -> None:
    with pytest.raises(DeserializationError, match=message) as caught:
        read_field(type_info, text)
    assert "cannot read the JSON message b'{" in str(caught.value)


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (b'{"a0":1', "Expecting"),
        (b"[]", r"expected an object, not \[\]"),
        (b'{"a0":1} x', "Extra data"),
        (b"\xff", "codec can't decode"),
        (b'{"a0":NaN}', "NaN is not JSON"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_a_message_that_is_not_a_json_object_is_an_error(message: bytes, fault: str) -> None:
    with pytest.raises(DeserializationError, match=fault):
        reader(named(T.INT)).deserialize(message)
    assert reader(named(T.INT), "ignore_parse_errors").deserialize(message) is None


def test_a_null_message_holds_no_element_and_the_last_of_equal_keys_counts_as_in_flink() -> None:
    assert reader(named(T.INT)).deserialize(b"null") is None
    assert reader(named(T.INT)).deserialize(b'{"a0":1,"a0":2}') == Row(a0=2)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_of_unicode_are_recognised(encoding: str) -> None:
    assert reader(named(S)).deserialize('{"a0":"é"}'.encode(encoding)) == Row(a0="é")


@pytest.mark.promise("JsonRowDeserializationSchema.Builder.fail_on_missing_field")
def test_a_missing_field_is_null_unless_it_is_to_fail() -> None:
    nested = named(T.INT, named(S, T.INT))
    assert reader(nested).deserialize(b'{"a1":{"a0":"x"}}') == Row(a0=None, a1=Row(a0="x", a1=None))
    strict = reader(nested, "fail_on_missing_field")
    assert strict.deserialize(b'{"a0":null,"a1":null}') == Row(a0=None, a1=None)
    with pytest.raises(DeserializationError, match=r"field a1.a1: missing; the message has \['a0'\]"):
        strict.deserialize(b'{"a0":1,"a1":{"a0":"x"}}')


@pytest.mark.promise("JsonRowDeserializationSchema.Builder.ignore_parse_errors")
def test_ignoring_errors_makes_the_innermost_part_that_may_be_null_null() -> None:
    lenient = reader(named(T.INT, named(S, T.INT), T.LIST(T.INT)), "ignore_parse_errors")
    assert lenient.deserialize(b'{"a0":"q","a1":{"a0":"x","a1":"r"},"a2":[1,"s"]}') == Row(
        a0=None, a1=Row(a0="x", a1=None), a2=None
    )


def test_failing_on_missing_fields_and_ignoring_errors_contradict() -> None:
    builder = JsonRowDeserializationSchema.builder().type_info(named(T.INT))
    with pytest.raises(ConfigurationError, match="contradict"):
        builder.fail_on_missing_field().ignore_parse_errors().build()


WRITTEN_AS_FLINK: list[tuple[TypeInformation[Any], Any, str]] = [
    (T.INT, None, "null"),
    (T.LONG, 2**63 - 1, "9223372036854775807"),
    (T.BOOLEAN, False, "false"),
    (T.DOUBLE, 0.1, "0.1"),
    (T.DOUBLE, 1.0, "1.0"),
    (T.DOUBLE, math.nan, '"NaN"'),
    (T.DOUBLE, math.inf, '"Infinity"'),
    (T.DOUBLE, -math.inf, '"-Infinity"'),
    (T.FLOAT, 1.1, "1.1"),
    (S, 'é"\\/\n\x01<\u2028', '"é\\"\\\\/\\n\\u0001<\u2028"'),
    (T.BIG_DEC, Decimal("1.5"), "1.5"),
    (T.BIG_DEC, Decimal("-0.000001"), "-0.000001"),
    (T.BIG_DEC, Decimal("12345678901234567890.123456789"), "12345678901234567890.123456789"),
    (T.BIG_INT, 123456789012345678901234567890, "123456789012345678901234567890"),
    (T.SQL_DATE, dt.date(2020, 1, 2), '"2020-01-02"'),
    (T.SQL_TIME, dt.time(12, 34, 56), '"12:34:56Z"'),
    (T.SQL_TIMESTAMP, dt.datetime(2020, 1, 2, 12, 34), '"2020-01-02T12:34:00Z"'),
    (T.SQL_TIMESTAMP, dt.datetime(2020, 1, 2, 12, 34, 56, 100_000), '"2020-01-02T12:34:56.1Z"'),
    (T.LOCAL_DATE_TIME, dt.datetime(2020, 1, 2, 12, 34, 56, 120_000), '"2020-01-02T12:34:56.12Z"'),
    (T.LOCAL_TIME, dt.time(12, 34, 56), '"12:34:56Z"'),
    (T.INSTANT, Instant(1_577_968_496), '"2020-01-02T12:34:56Z"'),
    (T.INSTANT, Instant(1_577_968_496, 100_000_000), '"2020-01-02T12:34:56.100Z"'),
    (T.INSTANT, Instant(1_577_968_496, 1000), '"2020-01-02T12:34:56.000001Z"'),
    (T.PRIMITIVE_ARRAY(T.BYTE), b"hi", '"aGk="'),
    (T.BASIC_ARRAY(S), ["a", None], '["a",null]'),
    (T.OBJECT_ARRAY(named(T.INT)), [Row(a0=1), Row(a0=None)], '[{"a0":1},{"a0":null}]'),
    (T.MAP(T.INT, T.INT), {1: 1}, '{"1":1}'),
    (T.ROW([T.INT, T.INT]), Row(1, 2), '{"f0":1,"f1":2}'),
]
WRITTEN_OTHERWISE: list[tuple[TypeInformation[Any], Any, str]] = [
    # Parts of a second of a time, which Flink loses, and tuples, which it gives a field "arity".
    (T.SQL_TIME, dt.time(12, 34, 56, 7), '"12:34:56.000007Z"'),
    (T.TUPLE([T.INT, T.INT]), (1, 2), '{"f0":1,"f1":2}'),
    (T.BIG_DEC, Decimal("1E+3"), "1000"),
    (T.BIG_DEC, Decimal(0), "0"),
    (T.SQL_DATE, dt.date(1, 2, 3), '"0001-02-03"'),
    (T.INSTANT, Instant(-62_135_596_800), '"0001-01-01T00:00:00Z"'),
    (T.DURATION, dt.timedelta(hours=1, milliseconds=500), '"PT1H0.5S"'),
    (T.UUID, uuid.UUID(int=5), '"00000000-0000-0000-0000-000000000005"'),
    (T.MAP(T.SQL_DATE, T.BOOLEAN), {dt.date(2020, 1, 2): True}, '{"2020-01-02":true}'),
]


@pytest.mark.promise(
    "format:pyflink.common.serialization.JsonRowSerializationSchema",
    "JsonRowSerializationSchema.builder",
    "JsonRowSerializationSchema.Builder.with_type_info",
    "JsonRowSerializationSchema.Builder.build",
    "SerializationSchema",
)
@pytest.mark.parametrize(("type_info", "value", "text"), WRITTEN_AS_FLINK + WRITTEN_OTHERWISE, ids=str)
def test_values_are_written_as_flink_writes_them(
    type_info: TypeInformation[Any], value: Any, text: str
) -> None:
    assert write_field(type_info, value) == text


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@dataclass
class Order:
    id: int
    colour: Colour | None
    size: Literal["s", "l"]
    lines: list[Line]


class Line(NamedTuple):
    item: uuid.UUID
    wait: dt.timedelta


class Loose(TypedDict, total=False):
    a: int
    b: int | None


@pytest.mark.parametrize(
    ("annotation", "element", "message"),
    [
        (
            Order,
            Order(1, Colour.GREEN, "l", [Line(uuid.UUID(int=1), dt.timedelta(seconds=1.5))]),
            '{"id":1,"colour":"GREEN","size":"l",'
            '"lines":[{"item":"00000000-0000-0000-0000-000000000001","wait":"PT1.5S"}]}',
        ),
        (Order, Order(2, None, "s", []), '{"id":2,"colour":null,"size":"s","lines":[]}'),
        (Loose, {}, "{}"),
        (Loose, {"b": None}, '{"b":null}'),
        (Loose, {"a": 1, "b": 2}, '{"a":1,"b":2}'),
    ],
)
def test_records_are_objects(annotation: type[Any], element: Any, message: str) -> None:
    type_info = Types.of(annotation)
    assert writer(type_info).serialize(element) == message.encode()
    assert reader(type_info).deserialize(message.encode()) == element


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (b'{"colour":null,"size":"s","lines":[]}', "field id: missing"),
        (b'{"id":null,"colour":null,"size":"s","lines":[]}', "field id: null is not allowed by"),
        (
            b'{"id":1,"colour":"BLUE","size":"s","lines":[]}',
            r"field colour: 'BLUE' is not one of \['RED', 'GREEN'\]",
        ),
        (b'{"id":1,"colour":null,"size":"m","lines":[]}', r"field size: 'm' is not one of \['s', 'l'\]"),
        (
            b'{"id":1,"colour":null,"size":"s","lines":[{"item":"x"}]}',
            r"field lines\[0\].item: 'x' is not of type UUID",
        ),
    ],
)
def test_a_record_that_lacks_something_is_an_error(message: bytes, fault: str) -> None:
    with pytest.raises(DeserializationError, match=fault):
        reader(Types.of(Order)).deserialize(message)


@pytest.mark.parametrize(
    ("type_info", "element", "fault"),
    [
        (named(T.INT), Row(a0="x"), r"value.a0: 'x' \(str\) is not an INT"),
        (named(T.INT), Row(a0=2**31), "value.a0: 2147483648 does not fit INT"),
        (named(T.LIST(T.INT)), Row(a0=[1, None]), r"value.a0\[1\]: None"),
        (named(S), Row(a0="\ud800"), "lone surrogate"),
        (named(T.INSTANT), Row(a0=Instant(10**12)), "out of range"),
    ],
)
def test_an_element_that_does_not_fit_is_an_error_that_names_the_field(
    type_info: TypeInformation[Any], element: Any, fault: str
) -> None:
    with pytest.raises(SerializationError, match=fault):
        writer(type_info).serialize(element)


def test_a_tuple_is_written_as_a_row() -> None:
    assert writer(named(T.INT, S)).serialize((1, "x")) == b'{"a0":1,"a1":"x"}'


@pytest.mark.promise(
    "beh:exported-serialization",
    "JsonRowDeserializationSchema.Builder.__init__",
    "JsonRowSerializationSchema.Builder.__init__",
)
def test_the_constructor_of_a_builder_takes_the_type_as_the_flip_says() -> None:
    """Examples F09 and F10: the rows they send through a topic."""
    row_schema = T.ROW_NAMED(
        ["f1", "f2", "f3", "f4", "f5"],
        [T.INT(), T.BOOLEAN(), T.STRING(), T.SQL_TIMESTAMP(), T.LOCAL_DATE_TIME()],
    )
    when = dt.datetime(2020, 1, 2, 3, 4, 5)
    row = Row(f1=1, f2=True, f3="x", f4=when, f5=when)
    message = JsonRowSerializationSchema.Builder(row_schema).build().serialize(row)
    assert message == b'{"f1":1,"f2":true,"f3":"x","f4":"2020-01-02T03:04:05Z","f5":"2020-01-02T03:04:05Z"}'
    schema = JsonRowDeserializationSchema.Builder(row_schema).build()
    assert schema.get_produced_type() == row_schema
    assert schema.deserialize(message) == row


@pytest.mark.parametrize(
    ("type_info", "fault"),
    [
        (named(T.PICKLED_BYTE_ARRAY), "JSON has no values of type PickledByteArrayTypeInfo .field a0"),
        (named(T.LIST(T.PICKLED_BYTE_ARRAY)), r"field a0\[\]"),
        (named(T.MAP(T.TUPLE(T.INT), T.INT)), "no map with keys of type TupleTypeInfo.Integer. .field a0"),
    ],
)
def test_a_type_json_has_nothing_for_is_refused_when_the_schema_is_built(
    type_info: TypeInformation[Any], fault: str
) -> None:
    with pytest.raises(UnsupportedTypeError, match=fault):
        reader(type_info)
    with pytest.raises(UnsupportedTypeError, match=fault):
        writer(type_info)


def test_a_schema_needs_the_type_of_something_with_fields() -> None:
    readers, writers = JsonRowDeserializationSchema.builder(), JsonRowSerializationSchema.builder()
    for give in (readers.type_info, writers.with_type_info):
        with pytest.raises(UnsupportedTypeError, match="the type of a row, tuple or record"):
            give(T.INT)
        with pytest.raises(ConfigurationError, match=r"takes a TypeInformation .*not 'INT'"):
            give("INT")  # type: ignore[arg-type]


def test_a_schema_needs_a_type() -> None:
    with pytest.raises(ConfigurationError, match="set type_info or json_schema"):
        JsonRowDeserializationSchema.builder().build()
    with pytest.raises(ConfigurationError, match="set with_type_info"):
        JsonRowSerializationSchema.builder().build()


@pytest.mark.parametrize(
    ("names", "row", "message"),
    [
        # What Flink 2.3 writes: the first fields by position.
        (["a"], Row(1, 2, 3), b'{"a":1}'),
        (["a"], Row(a=1, b=2), b'{"a":1}'),
        (["x", "y"], Row(a=1, b=2, c=3), b'{"x":1,"y":2}'),
        (["x", "y"], Row(a=1, b=2), b'{"x":1,"y":2}'),
        # Flink refuses rows that have names only.
        (["b", "a"], Row(a=1, b=2), b'{"b":2,"a":1}'),
    ],
    ids=str,
)
def test_the_first_fields_of_a_wider_row_are_written(names: list[str], row: Row[Any], message: bytes) -> None:
    t = T.ROW_NAMED(names, [T.INT] * len(names))
    assert JsonRowSerializationSchema.builder().with_type_info(t).build().serialize(row) == message


def test_a_field_is_not_written_by_the_name_of_another() -> None:
    t = T.ROW_NAMED(["b"], [T.INT])
    with pytest.raises(SerializationError, match="b would get the value of another field"):
        JsonRowSerializationSchema.builder().with_type_info(t).build().serialize(Row(a=1, b=2))
