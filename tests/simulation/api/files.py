"""Random files: cut, damaged, missing, of another format or schema; each is read, or its name is told."""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.orc
import pyarrow.parquet

from pystream.common import Types, WatermarkStrategy
from pystream.datastream.connectors.file_system import FileSource, StreamFormat
from pystream.datastream.formats.avro import AvroInputFormat, AvroSchema
from pystream.datastream.formats.csv import CsvReaderFormat, CsvSchema
from pystream.datastream.formats.orc import OrcColumnarRowInputFormat
from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.testing import local_environment
from tests.simulation.api.verdict import judged

__all__ = ["read_at_random"]

_ROWS: list[dict[str, Any]] = [
    {"a": 1, "s": "x"},
    {"a": -5, "s": "☃"},
    {"a": None, "s": None},
    {"a": 2**31 - 1, "s": "'\",\n"},
]
_OTHER: list[dict[str, Any]] = [{"b": 1.5, "s": [1]}, {"b": -0.0, "s": []}]
_FORMATS = ("csv", "json", "avro", "parquet", "orc")


def read_at_random(random: Random) -> None:
    """Read a file, most likely a wrong one, as a stream or as a table.

    Raises:
        AssertionError: an error does not help.
    """
    with tempfile.TemporaryDirectory(prefix="pystream-api-") as folder:
        form = random.choice(_FORMATS)
        path = Path(folder) / f"input.{form}"
        fault = _spoil(random, path, form)
        read = random.choice([_stream, _table])
        try:
            result = judged(lambda: read(path, form), [path.name], quotes_program=True)
            assert fault != "nothing" or result is not None, "a file without fault is refused"
        except AssertionError as error:
            error.args = (f"{read.__name__} of {form}, {fault}: {error.args[0]}",)
            raise


def _spoil(random: Random, path: Path, form: str) -> str:
    """Write an input, and return what is wrong with it."""
    content = _content(form, _ROWS)
    cut, at = random.randrange(len(content)), random.randrange(len(content))
    noise = random.randbytes(random.randint(1, 8))
    other = random.choice([name for name in _FORMATS if name != form])
    contents: dict[str, Callable[[], bytes]] = {
        "nothing": lambda: content,
        "cut": lambda: content[:cut],
        "without its start": lambda: content[cut:],
        "damaged": lambda: content[:at] + noise + content[at + len(noise) :],
        "longer": lambda: content + noise,
        "empty": lambda: b"",
        "noise": lambda: random.randbytes(200),
        "of another format": lambda: _content(other, _ROWS),
        "of another schema": lambda: _content(form, _OTHER),
    }
    places: dict[str, Callable[[], object]] = {
        "missing": lambda: None,
        "a directory": path.mkdir,
        "a link to nothing": lambda: os.symlink(path.parent / "gone", path),
        "a link to itself": lambda: os.symlink(path, path),
    }
    if form == "orc":  # libraries for ORC may end the process for damaged stripes
        del contents["damaged"], contents["longer"]
    fault = random.choice([*contents, *places])
    if fault in contents:
        path.write_bytes(contents[fault]())
    else:
        places[fault]()
    return fault


def _content(form: str, rows: list[dict[str, Any]]) -> bytes:
    if form == "json":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    if form == "csv":
        text = io.StringIO()
        csv.writer(text).writerows(row.values() for row in rows if None not in row.values())
        return text.getvalue().encode()
    target: Any = io.BytesIO()
    if form == "avro":
        texts = {"type": "array", "items": "int"} if rows is _OTHER else ["null", "string"]
        kinds = {"a": ["null", "int"], "b": "double", "s": texts}
        fields = [{"name": name, "type": kinds[name]} for name in rows[0]]
        fastavro.writer(target, {"type": "record", "name": "record", "fields": fields}, rows)
    elif form == "parquet":
        pa.parquet.write_table(pa.Table.from_pylist(rows), target)
    else:
        pa.orc.write_table(pa.Table.from_pylist(rows), target)
    return bytes(target.getvalue())


def _stream(path: Path, form: str) -> object:
    row = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("s", DataTypes.STRING())])
    uri = str(path)
    if form == "parquet":
        source: Any = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(row), uri)
    elif form == "orc":
        source = FileSource.for_bulk_file_format(OrcColumnarRowInputFormat(row), uri)
    elif form == "csv":
        schema = CsvSchema.builder().add_number_column("a", DataTypes.INT()).add_string_column("s").build()
        source = FileSource.for_record_stream_format(CsvReaderFormat.for_schema(schema), uri)
    elif form == "json":
        source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), uri)
    env = local_environment()
    if form == "avro":
        record = {"type": "record", "name": "record", "fields": [{"name": "a", "type": ["null", "int"]}]}
        stream = env.create_input(AvroInputFormat(uri, AvroSchema.parse_string(json.dumps(record))))
    else:
        stream = env.from_source(source.build(), WatermarkStrategy.no_watermarks(), "files")
    return stream.map(str, Types.STRING()).execute_and_collect(limit=10)


def _table(path: Path, form: str) -> object:
    t_env = StreamTableEnvironment.create(local_environment())
    options = f"'connector' = 'filesystem', 'path' = '{path}', 'format' = '{form}'"
    t_env.execute_sql(f"CREATE TABLE t (a INT, s STRING) WITH ({options})")
    return list(t_env.execute_sql("SELECT * FROM t").collect())
