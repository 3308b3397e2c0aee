"""Rows of one field as raw messages; the answers are those that Flink 2.3 gave."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from pystream.errors import ConfigurationError, DeserializationError, SerializationError
from pystream.messages.raw import RawFormatDeserializationSchema, RawFormatSerializationSchema
from typeinfo import Row, Types, UnsupportedTypeError
from typeinfo.info import TypeInformation

T = Types


def named(t: TypeInformation[Any]) -> Any:
    return T.ROW_NAMED(["a"], [t])


@pytest.mark.parametrize(
    ("t", "message", "value", "swapped"),
    [
        (T.BOOLEAN, b"\x01", True, True),
        (T.BYTE, b"\xff", -1, -1),
        (T.SHORT, b"\x00\x01", 1, 256),
        (T.INT, b"\x00\x00\x01\x02", 258, 33_619_968),
        (T.LONG, bytes(7) + b"\x01", 1, 2**56),
        (T.FLOAT, b"\x3f\x80\x00\x00", 1.0, pytest.approx(4.6006e-41)),
        (T.DOUBLE, b"\x3f\xf0" + bytes(6), 1.0, pytest.approx(3.03865e-319)),
        (T.STRING, "é\n".encode(), "é\n", "é\n"),
        (T.PRIMITIVE_ARRAY(T.BYTE), b"\x00\xff", b"\x00\xff", b"\x00\xff"),
    ],
    ids=str,
)
def test_a_message_is_the_value_in_either_byte_order(
    t: TypeInformation[Any], message: bytes, value: Any, swapped: Any
) -> None:
    for is_big_endian, expected in ((True, value), (False, swapped)):
        reader = RawFormatDeserializationSchema(named(t), is_big_endian=is_big_endian)
        row = pickle.loads(pickle.dumps(reader)).deserialize(message)
        assert row == Row(a=expected)
        assert reader.get_produced_type() == named(t)
        assert RawFormatSerializationSchema(named(t), is_big_endian=is_big_endian).serialize(row) == message


def test_a_boolean_is_any_byte_but_zero() -> None:
    read = RawFormatDeserializationSchema(named(T.BOOLEAN)).deserialize
    assert [read(bytes([n])).a for n in (0, 1, 2)] == [False, True, True]


def test_text_has_the_charset() -> None:
    assert RawFormatSerializationSchema(named(T.STRING), "UTF-16LE").serialize(Row(a="x")) == b"x\x00"
    assert RawFormatDeserializationSchema(named(T.STRING), "ISO-8859-1").deserialize(b"\xe9") == Row(a="é")
    with pytest.raises(ConfigurationError, match="unknown charset 'klingon'"):
        RawFormatSerializationSchema(named(T.STRING), "klingon")


@pytest.mark.parametrize(
    ("t", "message", "fault"),
    [
        (T.LONG, b"\0\0\1\2", "field a: Long needs 8 bytes, but the message has 4"),
        (T.BOOLEAN, b"", "needs 1 bytes, but the message has 0"),
        (T.STRING, b"\xff", "field a: not UTF-8 text"),
    ],
)
def test_a_message_of_another_size_or_charset_is_an_error(
    t: TypeInformation[Any], message: bytes, fault: str
) -> None:
    with pytest.raises(DeserializationError, match=fault):
        RawFormatDeserializationSchema(named(t)).deserialize(message)


@pytest.mark.parametrize(
    ("t", "row", "fault"),
    [
        (T.INT, Row(a=None), "None, for which the raw format has no bytes"),
        (T.INT, Row(a=2**31), "2147483648 does not fit INT"),
        (T.STRING, Row(a=1), "not a STRING"),
    ],
)
def test_a_value_that_has_no_bytes_is_an_error(t: TypeInformation[Any], row: Any, fault: str) -> None:
    with pytest.raises(SerializationError, match=fault):
        RawFormatSerializationSchema(named(t)).serialize(row)
    with pytest.raises(SerializationError, match="cannot be written in ISO-8859-1"):
        RawFormatSerializationSchema(named(T.STRING), "ISO-8859-1").serialize(Row(a="€"))


@pytest.mark.parametrize(
    ("t", "fault"),
    [
        (T.ROW([T.INT, T.INT]), "exactly one column, not f0, f1"),
        (named(T.SQL_DATE), "no values of type .* .field a"),
        (named(T.LIST(T.INT)), "no values of type"),
    ],
)
def test_other_rows_are_refused_when_the_schema_is_built(t: Any, fault: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=fault):
        RawFormatDeserializationSchema(t)
    with pytest.raises(UnsupportedTypeError, match=fault):
        RawFormatSerializationSchema(t)
