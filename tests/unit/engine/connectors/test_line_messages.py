"""Files with one message per line: JSON Lines, and user-defined schemas."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pystream.common.serialization import (
    ByteArraySchema,
    CsvRowSerializationSchema,
    DeserializationSchema,
    Encoder,
    JsonRowDeserializationSchema,
    JsonRowSerializationSchema,
)
from pystream.datastream.connectors import FileEnumeratorProvider, FileSource, StreamFormat
from pystream.errors import ConfigurationError, SerializationError, SourceError
from tests.unit.engine.connectors.jobs import read_shares
from typeinfo import Row, Types
from typeinfo.info import TypeInformation

PAIR = Types.ROW_NAMED(["i", "s"], [Types.LONG(), Types.STRING()])
JSON = JsonRowDeserializationSchema.builder().type_info(PAIR).build()


def read(path: Path, schema: Any = JSON, parallelism: int = 1, **options: Any) -> list[list[Any]]:
    source = FileSource.for_record_stream_format(
        StreamFormat.deserialized_lines(schema, **options), str(path)
    ).set_file_enumerator(FileEnumeratorProvider.default_splittable_file_enumerator())
    built = source.build()
    assert built.get_produced_type() == schema.get_produced_type()
    return read_shares(built, parallelism)


def test_json_lines_of_pandas_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame({"i": [1, 2], "s": ['q"\n', None], "more": [0, 0]})
    frame.to_json(tmp_path / "x", orient="records", lines=True)
    assert read(tmp_path / "x") == [[Row(i=1, s='q"\n'), Row(i=2, s=None)]]


def test_a_byte_order_mark_blank_lines_and_any_line_end_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b'\xef\xbb\xbf{"i": 1, "s": "\xc3\xa9"}\r\n\r\n{"i": 2}\r \t\n\nnull\n')
    assert read(tmp_path / "x") == [[Row(i=1, s="é"), Row(i=2, s=None)]]


def test_large_files_are_cut_between_lines(tmp_path: Path) -> None:
    rows = [{"i": n, "s": f"{n:0200}"} for n in range(10_000)]
    (tmp_path / "x").write_text("\n".join(map(json.dumps, rows)))
    first, second = read(tmp_path / "x", parallelism=2)
    assert second
    assert [row.i for row in first + second] == list(range(10_000))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{", "cannot read the JSON message"),
        (b'{"i": "x"}', "field i"),
        (b'{"s": "\xff"}', "message"),
    ],
)
def test_a_line_that_cannot_be_read_is_an_error_or_skipped(
    tmp_path: Path, line: bytes, complaint: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "x").write_bytes(b'{"i": 1}\n' + line + b'\n{"i": 2}\n')
    with pytest.raises(SourceError, match=f"{tmp_path}/x, line 2: .*{complaint}.*ignore_parse_errors=True"):
        read(tmp_path / "x")
    with caplog.at_level(logging.WARNING):
        assert read(tmp_path / "x", ignore_parse_errors=True) == [[Row(i=1, s=None), Row(i=2, s=None)]]
    assert caplog.messages == [f"{tmp_path}/x: skipped 1 that cannot be read, the first in line 2"]


class Wrong(DeserializationSchema[int]):
    def deserialize(self, message: bytes) -> int:
        return message.decode()  # type: ignore[return-value]

    def get_produced_type(self) -> TypeInformation[int]:
        return Types.INT()


def test_elements_are_validated_by_the_type_of_the_schema(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\n")
    assert read(tmp_path / "x", ByteArraySchema()) == [[b"a"]]
    with pytest.raises(SourceError, match=f"{tmp_path}/x, line 1: 'a'"):
        read(tmp_path / "x", Wrong())


class Plain(DeserializationSchema[int]):
    def deserialize(self, message: bytes) -> int:
        return int(json.loads(message)["n"])

    def get_produced_type(self) -> TypeInformation[int]:
        return Types.INT()


@pytest.mark.parametrize(
    ("line", "complaint"), [("{", "JSONDecodeError: "), ("{}", "KeyError: 'n'"), ("[]", "TypeError: ")]
)
def test_any_error_of_a_schema_is_placed_or_skipped(tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / "x").write_text(f'{{"n": 1}}\n{line}\n{{"n": 2}}\n')
    with pytest.raises(SourceError, match=f"{tmp_path}/x, line 2: {complaint}"):
        read(tmp_path / "x", Plain())
    assert read(tmp_path / "x", Plain(), ignore_parse_errors=True) == [[1, 2]]


def test_a_message_is_written_as_a_line() -> None:
    written = Encoder.serialized_lines(JsonRowSerializationSchema.builder().with_type_info(PAIR).build())
    assert written.encode(Row(i=1, s="a\nb")) == b'{"i":1,"s":"a\\nb"}\n'
    cells = Encoder.serialized_lines(CsvRowSerializationSchema.Builder(PAIR).build())
    assert cells.encode(Row(i=1, s="a")) == b"1,a\n"
    with pytest.raises(SerializationError, match="holds a line end"):
        cells.encode(Row(i=1, s="a\nb"))


def test_only_schemas_make_lines() -> None:
    with pytest.raises(ConfigurationError, match="takes a DeserializationSchema such as"):
        StreamFormat.deserialized_lines("json")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="takes a SerializationSchema such as"):
        Encoder.serialized_lines(JSON)  # type: ignore[arg-type]
