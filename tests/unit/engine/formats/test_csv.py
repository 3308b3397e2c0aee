"""Rows as lines of CSV; where Flink 2.3 is named, its answer was recorded."""

from __future__ import annotations

import datetime as dt
import pickle
from decimal import Decimal
from typing import Any, TypedDict

import pytest

from pystream.common.serialization import CsvRowDeserializationSchema, CsvRowSerializationSchema
from pystream.errors import ConfigurationError, DeserializationError, SerializationError
from typeinfo import Instant, Row, Types, UnsupportedTypeError
from typeinfo.info import TypeInformation

T = Types
S = Types.STRING


def named(*types: TypeInformation[Any]) -> TypeInformation[Any]:
    return T.ROW_NAMED([f"a{i}" for i in range(len(types))], types)


BASE = named(S, T.INT)


def writer(type_info: TypeInformation[Any] = BASE, **options: Any) -> CsvRowSerializationSchema:
    builder = CsvRowSerializationSchema.Builder(type_info)
    for name, value in options.items():
        getattr(builder, name)(*([] if value is None else [value]))
    schema: CsvRowSerializationSchema = pickle.loads(pickle.dumps(builder.build()))
    return schema


def reader(type_info: TypeInformation[Any] = BASE, **options: Any) -> CsvRowDeserializationSchema:
    builder = CsvRowDeserializationSchema.Builder(type_info)
    for name, value in options.items():
        getattr(builder, name)(value)
    schema: CsvRowDeserializationSchema = pickle.loads(pickle.dumps(builder.build()))
    return schema


@pytest.mark.promise("format:pyflink.common.serialization.CsvRowSerializationSchema")
@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("x", "x"),
        ("a b", '"a b"'),
        (" lead", '" lead"'),
        ("a,b", '"a,b"'),
        ('a"b', '"a""b"'),
        ("a\nb", '"a\nb"'),
        ("a\rb", '"a\rb"'),
        ("a\tb", '"a\tb"'),
        ("", ""),
        ("a;b", "a;b"),
        ("a'b", '"a\'b"'),
        ("#c", '"#c"'),
        ("a\\b", '"a\\b"'),
        ("abcdefghijklmnopqrstuvwxyz", '"abcdefghijklmnopqrstuvwxyz"'),
        ("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx"),
        ("é", "é"),
        ("-1", "-1"),
        ("+x", '"+x"'),
        ("(x)", '"(x)"'),
        ("null", "null"),
    ],
)
def test_text_is_quoted_where_flink_quotes_it(text: str, cell: str) -> None:
    assert writer().serialize(Row(a0=text, a1=1)) == f"{cell},1\n".encode()


@pytest.mark.parametrize(
    ("options", "text", "line"),
    [
        ({"set_field_delimiter": "|"}, "a|b", '"a|b"|1\n'),
        ({"set_field_delimiter": "|"}, "x", '"x"|1\n'),
        ({"set_field_delimiter": "\t"}, "a,b", "a,b\t1\n"),
        ({"set_field_delimiter": "\t"}, "it's", "it's\t1\n"),
        ({"set_field_delimiter": "\t"}, "b\\s", '"b\\s"\t1\n'),
        ({"set_line_delimiter": "\r\n"}, "x", "x,1\r\n"),
        ({"set_line_delimiter": "\r"}, "x", "x,1\r"),
        ({"set_line_delimiter": ""}, "x", "x,1"),
        ({"set_quote_character": "'"}, "it's", "'it''s',1\n"),
        ({"set_quote_character": "'"}, 'q"q', "'q\"q',1\n"),
        ({"set_quote_character": "|", "set_field_delimiter": ";"}, "a,b", "|a,b|;1\n"),
        ({"disable_quote_character": None}, 'a"b', 'a"b,1\n'),
        ({"set_escape_character": "\\"}, "b\\s", '"b\\\\s",1\n'),
        ({"set_escape_character": "\\"}, 'q"q', '"q""q",1\n'),
        ({"set_null_literal": "N"}, "a|b", "a|b,1\n"),
        ({"set_null_literal": "n/a"}, None, "n/a,1\n"),
        ({}, None, ",1\n"),
    ],
)
def test_the_characters_of_csv_can_be_chosen(options: dict[str, Any], text: str | None, line: str) -> None:
    assert writer(**options).serialize(Row(a0=text, a1=1)) == line.encode()


CELLS: list[tuple[TypeInformation[Any], Any, str]] = [
    (T.DOUBLE, 1e10, "1.0E10"),
    (T.DOUBLE, -0.000001, "-1.0E-6"),
    (T.FLOAT, 1.1, "1.1"),
    (T.BOOLEAN, True, "true"),
    (T.BIG_DEC, Decimal("1.5"), "1.5"),
    (T.BIG_INT, 10**30, str(10**30)),
    (T.SQL_DATE, dt.date(2020, 1, 2), "2020-01-02"),
    (T.SQL_TIME, dt.time(12, 34, 56), "12:34:56"),
    (T.SQL_TIMESTAMP, dt.datetime(2020, 1, 2, 12, 34, 56, 123_000), '"2020-01-02 12:34:56.123"'),
    (T.SQL_TIMESTAMP, dt.datetime(2020, 1, 2, 12, 34, 56), '"2020-01-02 12:34:56.0"'),
    (T.LOCAL_DATE_TIME, dt.datetime(2020, 1, 2, 12, 34), '"2020-01-02 12:34:00"'),
    (T.LOCAL_DATE_TIME, dt.datetime(2020, 1, 2, 12, 34, 56, 120_000), '"2020-01-02 12:34:56.12"'),
    (T.LOCAL_DATE, dt.date(2020, 1, 2), "2020-01-02"),
    (T.LOCAL_TIME, dt.time(12, 34, 56), "12:34:56"),
    (T.INSTANT, Instant(1_577_968_496), '"2020-01-02 12:34:56Z"'),
    (T.INSTANT, Instant(1_577_968_496, 100_000_000), '"2020-01-02 12:34:56.1Z"'),
    (T.PRIMITIVE_ARRAY(T.BYTE), b"hi", "aGk="),
    (T.BASIC_ARRAY(S), ["a", "b"], "a;b"),
    (T.BASIC_ARRAY(S), ["p q"], '"p q"'),
    (T.BASIC_ARRAY(S), [], ""),
    (named(S, T.INT), Row(a0="x", a1=2), "x;2"),
    (named(S, T.INT), Row(a0=None, a1=None), ";"),
]


@pytest.mark.parametrize(("type_info", "value", "cell"), CELLS, ids=str)
def test_values_are_written_as_flink_writes_them(
    type_info: TypeInformation[Any], value: Any, cell: str
) -> None:
    line = writer(named(S, type_info, S)).serialize(Row(a0="l", a1=value, a2="r"))
    assert line == f"l,{cell},r\n".encode()


# An empty cell means an empty list, and without a literal for null nothing else.
READABLE = [case for case in CELLS if case[1] != Row(a0=None, a1=None)]


@pytest.mark.promise("format:pyflink.common.serialization.CsvRowDeserializationSchema")
@pytest.mark.parametrize(("type_info", "value", "cell"), READABLE, ids=str)
def test_written_values_are_read_back(type_info: TypeInformation[Any], value: Any, cell: str) -> None:
    expected = 1.100000023841858 if value == 1.1 else value
    assert reader(named(S, type_info, S)).deserialize(f"l,{cell},r\n".encode()) == Row(
        a0="l", a1=expected, a2="r"
    )


@pytest.mark.parametrize(
    ("options", "message", "row"),
    [
        ({}, "a,1", ("a", 1)),
        ({}, "a,1\n", ("a", 1)),
        ({}, "a,1\r\n", ("a", 1)),
        ({}, '"a,b",1', ("a,b", 1)),
        ({}, '"a""b",1', ('a"b', 1)),
        ({}, '"a\nb",1\r\n', ("a\nb", 1)),
        ({}, 'a,"1"', ("a", 1)),
        ({}, 'a"b,1', ('a"b', 1)),
        ({}, " a , 1 ", (" a ", 1)),
        ({}, "a,1,", ("a", 1)),
        ({}, '"",1', ("", 1)),
        ({}, ",1", ("", 1)),
        ({}, "'a',1", ("'a'", 1)),
        ({}, "#a,1", ("#a", 1)),
        ({}, "é,1", ("é", 1)),
        ({"set_null_literal": "null"}, "null,null", (None, None)),
        ({"set_null_literal": ""}, ",", (None, None)),
        ({"set_field_delimiter": ";"}, "a,b;1", ("a,b", 1)),
        ({"set_field_delimiter": "|"}, "a|1", ("a", 1)),
        ({"set_quote_character": "'"}, "'a,''b',1", ("a,'b", 1)),
        ({"set_quote_character": "'"}, '"a",1', ('"a"', 1)),
        ({"set_escape_character": "\\"}, r"a\,b,1", ("a,b", 1)),
        ({"set_escape_character": "\\"}, r"a\nb\tc\0d\\e\"f,1", ('a\nb\tc\0d\\e"f', 1)),
        ({"set_escape_character": "\\"}, r'"a\"b\nc",1', ('a"b\nc', 1)),
        ({"set_allow_comments": True}, "#x\n#y\na,1", ("a", 1)),
    ],
)
def test_lines_are_taken_apart_as_flink_does(
    options: dict[str, Any], message: str, row: tuple[Any, Any]
) -> None:
    assert reader(**options).deserialize(message.encode()) == Row(a0=row[0], a1=row[1])


@pytest.mark.parametrize(
    ("type_info", "cell", "value"),
    [
        (T.BOOLEAN, "TRUE", True),
        (T.DOUBLE, "1e5", 1e5),
        (T.LONG, " 1", 1),
        (T.SQL_DATE, "2020-1-2", dt.date(2020, 1, 2)),
        (T.SQL_TIMESTAMP, "2020-01-02 12:34:56.123456", dt.datetime(2020, 1, 2, 12, 34, 56, 123456)),
        (T.BASIC_ARRAY(S), "a;;b", ["a", "", "b"]),
        (T.BASIC_ARRAY(T.INT), "1;2", [1, 2]),
        (T.INSTANT, "2020-01-02 12:34:56Z", Instant(1_577_968_496)),
        # Beyond what Flink reads.
        (T.SQL_TIME, "12:34:56.123", dt.time(12, 34, 56, 123_000)),
        (T.CHAR, "x", "x"),
        (T.LIST(T.INT), "1;2", [1, 2]),
        (T.TUPLE([T.INT, S]), "1;x", (1, "x")),
    ],
    ids=str,
)
def test_cells_are_read_by_their_type(type_info: TypeInformation[Any], cell: str, value: Any) -> None:
    assert reader(named(S, type_info)).deserialize(f"k,{cell}".encode()) == Row(a0="k", a1=value)


def test_a_literal_for_null_counts_inside_cells_too_but_an_empty_cell_is_an_empty_list() -> None:
    schema = reader(named(S, T.BASIC_ARRAY(T.INT), named(S, T.INT)), set_null_literal="")
    assert schema.deserialize(b"k,1;;2,;") == Row(a0="k", a1=[1, None, 2], a2=Row(a0=None, a1=None))
    assert schema.deserialize(b"k,,") == Row(a0="k", a1=[], a2=None)
    literal = reader(named(S, T.BASIC_ARRAY(T.INT)), set_null_literal="N")
    assert literal.deserialize(b"k,N") == Row(a0="k", a1=None)


def test_the_delimiter_inside_cells_can_be_chosen() -> None:
    row = Row(a0=[1, 2])
    assert writer(named(T.LIST(T.INT)), set_array_element_delimiter="-").serialize(row) == b"1-2\n"
    assert reader(named(T.LIST(T.INT)), set_array_element_delimiter="-").deserialize(b"1-2") == row


FAULTS = [
    (b"a", "1 cells, but there are 2 columns"),
    (b"a,1,2", "3 cells, but there are 2 columns"),
    (b"", "the message is empty"),
    (b"\n", "1 cells, but there are 2 columns"),
    (b"a,", "field a1: '' is not a whole number"),
    (b"a,x", "field a1: 'x' is not a whole number"),
    (b"a,99999999999", "field a1: 99999999999 does not fit INT"),
    (b"a,1.5", "field a1: '1.5' is not a whole number"),
    (b'"a', "unexpected end of data"),
    (b'"a"x,1', "',' expected after '\"'"),
    (b"\xff,1", "codec can't decode"),
    # Flink takes the first line and loses the rest.
    (b"a,1\nb,2", "a message is one line, but a second line follows"),
]


@pytest.mark.parametrize(("message", "fault"), FAULTS)
def test_a_message_that_cannot_be_read_is_an_error(message: bytes, fault: str) -> None:
    with pytest.raises(DeserializationError, match=f"cannot read the CSV message .*{fault}"):
        reader().deserialize(message)


@pytest.mark.parametrize(
    ("type_info", "cell", "fault"),
    [
        # Flink reads any other text as false.
        (T.BOOLEAN, "yes", "field a0: 'yes' is neither true nor false"),
        (T.BASIC_ARRAY(T.INT), "1;x", r"field a0\[1\]: 'x' is not a whole number"),
        (named(S, T.INT), "x", "field a0: 1 values in the cell 'x', but the type has 2 fields"),
        (named(S, T.INT), "x;y", "field a0.a1: 'y' is not a whole number"),
        (T.SQL_TIMESTAMP, "2020-01-02", "is not a date and time"),
    ],
    ids=str,
)
def test_a_cell_that_cannot_be_read_is_an_error(
    type_info: TypeInformation[Any], cell: str, fault: str
) -> None:
    with pytest.raises(DeserializationError, match=fault):
        reader(named(type_info)).deserialize(cell.encode())


def test_an_escape_character_needs_one_to_escape() -> None:
    with pytest.raises(DeserializationError, match="unexpected end of data"):
        reader(named(S), set_escape_character="\\").deserialize(b"a\\")


def test_null_where_the_type_has_none_is_an_error() -> None:
    with pytest.raises(DeserializationError, match="'', which is null, is not allowed by the type"):
        reader(T.TUPLE([T.INT]), set_null_literal="").deserialize(b"\n")


def test_a_message_of_comments_holds_no_element() -> None:
    assert reader(set_allow_comments=True).deserialize(b"#a,1\n#b") is None


@pytest.mark.parametrize(
    ("message", "row"),
    [
        (b"a", ("a", None)),
        (b"a,x", ("a", None)),
        (b"a,", ("a", None)),
        (b"a,99999999999", ("a", None)),
        (b"a,1,2", None),
        (b"", None),
        (b'"a', None),
        (b"\xff,1", None),
    ],
)
def test_errors_can_be_ignored_as_in_flink(message: bytes, row: tuple[Any, Any] | None) -> None:
    expected = None if row is None else Row(a0=row[0], a1=row[1])
    assert reader(set_ignore_parse_errors=True).deserialize(message) == expected


def test_an_element_that_does_not_fit_is_an_error_that_names_the_field() -> None:
    with pytest.raises(
        SerializationError, match=r"cannot write .* as CSV: value.a1: 'x' \(str\) is not an INT"
    ):
        writer().serialize(Row(a0="a", a1="x"))


class Loose(TypedDict, total=False):
    a: int


@pytest.mark.parametrize(
    ("type_info", "fault"),
    [
        (named(T.MAP(S, T.INT)), "no cell for field a0 of type MapTypeInfo"),
        (named(T.OBJECT_ARRAY(named(S))), "no cell for field a0"),
        (named(named(S, named(S))), "no cell for field a0"),
        (named(T.PICKLED_BYTE_ARRAY), "no cell for field a0"),
        (T.of(Loose), "a may be missing"),
        (T.INT, "needs the type of a row, tuple or record, not Integer"),
        (None, "needs the type of a row"),
    ],
)
def test_a_type_csv_has_no_cell_for_is_refused_when_the_schema_is_built(
    type_info: TypeInformation[Any], fault: str
) -> None:
    with pytest.raises(UnsupportedTypeError, match=fault):
        CsvRowSerializationSchema.Builder(type_info).build()
    with pytest.raises(UnsupportedTypeError, match=fault):
        CsvRowDeserializationSchema.Builder(type_info).build()


@pytest.mark.parametrize(
    ("option", "value", "fault"),
    [
        ("set_field_delimiter", "||", "takes a single character"),
        ("set_field_delimiter", "", "takes a single character"),
        ("set_field_delimiter", "\n", "ends no line"),
        ("set_quote_character", "''", "takes a single character"),
        ("set_escape_character", None, "takes a single character"),
        ("set_array_element_delimiter", "", "takes a str"),
        ("set_null_literal", None, "takes a str"),
        ("set_line_delimiter", "x", "takes one of"),
    ],
)
def test_an_invalid_option_is_refused(option: str, value: Any, fault: str) -> None:
    with pytest.raises(ConfigurationError, match=fault):
        getattr(CsvRowSerializationSchema.Builder(BASE), option)(value)


def test_the_special_characters_must_differ() -> None:
    with pytest.raises(ConfigurationError, match="must differ"):
        CsvRowDeserializationSchema.Builder(BASE).set_field_delimiter('"').build()
    with pytest.raises(ConfigurationError, match="must differ"):
        CsvRowSerializationSchema.Builder(BASE).set_escape_character('"').build()


def test_the_type_read_is_the_one_given() -> None:
    assert reader().get_produced_type() == BASE


def test_builders_take_the_parameter_names_of_pyflink() -> None:
    written = (
        CsvRowSerializationSchema.Builder(BASE).set_field_delimiter(c="|").set_null_literal(s="n").build()
    )
    assert written.serialize(Row(None, 1)) == b"n|1\n"
    read = CsvRowDeserializationSchema.Builder(BASE).set_field_delimiter(delimiter="|")
    assert read.set_null_literal(null_literal="n").build().deserialize(b"n|1") == Row(a0=None, a1=1)
