"""The base schemas, strings as messages, and what importing them loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pystream.common.serialization
import pystream.datastream.connectors
import pystream.datastream.formats
from pystream.common.serialization import ByteArraySchema, RowFieldExtractorSchema, SimpleStringSchema
from pystream.errors import ConfigurationError, DeserializationError, SerializationError
from typeinfo import Row, Types


@pytest.mark.promise("format:pyflink.common.serialization.SimpleStringSchema")
@pytest.mark.parametrize(
    ("charset", "message"), [("UTF-8", b"\xc3\xa9"), ("ISO-8859-1", b"\xe9"), ("UTF-16BE", b"\0\xe9")]
)
def test_a_message_is_the_text(charset: str, message: bytes) -> None:
    schema = SimpleStringSchema(charset)
    assert schema.serialize("é") == message
    assert schema.deserialize(message) == "é"
    assert schema.get_produced_type() is Types.STRING


def test_text_that_the_charset_cannot_represent_is_an_error() -> None:
    with pytest.raises(SerializationError, match="'é' cannot be written in US-ASCII"):
        SimpleStringSchema("US-ASCII").serialize("é")
    with pytest.raises(SerializationError, match="writes str, not 5"):
        SimpleStringSchema().serialize(5)  # type: ignore[arg-type]
    with pytest.raises(DeserializationError, match=r"b'\\xff' is not UTF-8 text"):
        SimpleStringSchema().deserialize(b"\xff")


def test_an_unknown_charset_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="unknown charset 'nope'"):
        SimpleStringSchema("nope")


@pytest.mark.promise("beh:exported-pyflink-datastream-connectors")
@pytest.mark.parametrize(
    "module", [pystream.common.serialization, pystream.datastream.connectors, pystream.datastream.formats]
)
def test_every_name_a_package_exports_is_there(module: object) -> None:
    for name in module.__all__:  # type: ignore[attr-defined]
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Nope'"):
        module.Nope  # type: ignore[attr-defined]


def test_building_sources_sinks_and_schemas_imports_no_library() -> None:
    program = """
import sys
from pystream.common.serialization import Encoder, JsonRowDeserializationSchema, CsvRowSerializationSchema
from pystream.datastream.connectors import FileSink, FileSource, NumberSequenceSource, StreamFormat
from pystream.datastream.formats import ParquetBulkWriters
from typeinfo import Types

row = Types.ROW_NAMED(["a"], [Types.INT])
FileSource.for_record_stream_format(StreamFormat.text_line_format(), "in").build().reader()
FileSink.for_row_format("out", Encoder.simple_string_encoder()).build().bind(Types.INT)
FileSink.for_bulk_format("out", ParquetBulkWriters.for_row_type(row)).build().bind(row)
NumberSequenceSource(1, 2).reader()
JsonRowDeserializationSchema.builder().type_info(row).build()
CsvRowSerializationSchema.Builder(row).build()
print([name for name in ("pyspark", "pyarrow", "pandas", "numpy", "fastavro") if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_bytes_pass_through_unchanged() -> None:
    schema = ByteArraySchema()
    assert schema.serialize(b"\x00\xff") == schema.deserialize(b"\x00\xff") == b"\x00\xff"
    assert schema.get_produced_type() == Types.PRIMITIVE_ARRAY(Types.BYTE)
    with pytest.raises(SerializationError, match="ByteArraySchema writes bytes, not 'a'"):
        schema.serialize("a")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "message"), [(Row(b"a", b"b"), b"a"), (Row(None, b"b"), b""), ((b"x",), b"x")]
)
def test_a_field_of_a_row_is_the_message_as_flink_extracts_it(row: object, message: bytes) -> None:
    assert RowFieldExtractorSchema(0).serialize(row) == message


def test_only_a_field_of_bytes_can_be_extracted() -> None:
    schema = RowFieldExtractorSchema(1)
    with pytest.raises(SerializationError, match=r"field 1 of .* must hold bytes; encode it in a map"):
        schema.serialize(Row(b"a", "b"))
    with pytest.raises(SerializationError, match="has only 1 fields"):
        schema.serialize(Row(b"a"))
    with pytest.raises(SerializationError, match="takes a Row, not 'ab'"):
        schema.serialize("ab")
    with pytest.raises(ConfigurationError, match="field_index must be a non-negative int, not -1"):
        RowFieldExtractorSchema(-1)
