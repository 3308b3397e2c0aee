"""Files that are not as long as when they were listed, in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest

from pystream.datastream.connectors import FileSource, StreamFormat
from pystream.datastream.formats.avro import AvroReaders, AvroSchema
from pystream.datastream.formats.csv import CsvReaderFormat, CsvSchema
from pystream.datastream.formats.orc import OrcColumnarRowInputFormat
from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat
from pystream.errors import SourceError
from pystream.table import DataTypes
from typeinfo import Types

RECORD = {"type": "record", "name": "R", "fields": [{"name": "n", "type": "long"}]}
ROW = Types.ROW_NAMED(["n"], [Types.LONG()])
FORMATS: dict[str, Any] = {
    "text": StreamFormat.text_line_format(),
    "csv": CsvReaderFormat.for_schema(CsvSchema.builder().add_number_column("n", DataTypes.BIGINT()).build()),
    "avro": AvroReaders.for_generic_record(AvroSchema(json.dumps(RECORD))),
    "parquet": ParquetColumnarRowInputFormat(ROW),
    "orc": OrcColumnarRowInputFormat(ROW),
}


def write(path: Path, kind: str, count: int) -> None:
    table = pa.table({"n": range(count)})
    match kind:
        case "avro":
            with path.open("wb") as stream:
                fastavro.writer(stream, RECORD, [{"n": n} for n in range(count)])
        case "parquet":
            pq.write_table(table, path)
        case "orc":
            orc.write_table(table, str(path))
        case _:
            path.write_text("".join(f"{n}\n" for n in range(count)))


def listed(path: Path, kind: str) -> tuple[Any, Any]:
    """Return the reader of a file, and its split."""
    make: Any = FileSource.for_record_stream_format
    if kind in ("parquet", "orc"):
        make = FileSource.for_bulk_file_format
    reader = make(FORMATS[kind], str(path)).build().reader()
    ((split,),) = reader.splits(1)
    return reader, split


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("count", [1, 9000])
def test_a_file_that_has_changed_since_it_was_listed_is_an_error(
    tmp_path: Path, kind: str, count: int
) -> None:
    write(tmp_path / "f", kind, 3000)
    reader, split = listed(tmp_path / "f", kind)
    assert sum(len(batch) for batch in reader.read(split)) == 3000
    write(tmp_path / "f", kind, count)
    with pytest.raises(SourceError, match=f"cannot read {tmp_path}/f: it had .* bytes when it was listed"):
        list(reader.read(split))


@pytest.mark.parametrize("kind", ["text", "csv"])
def test_a_file_that_is_cut_while_it_is_read_is_an_error(tmp_path: Path, kind: str) -> None:
    write(tmp_path / "f", kind, 1_200_000)
    reader, split = listed(tmp_path / "f", kind)
    batches = reader.read(split)
    next(batches)
    with (tmp_path / "f").open("r+") as file:
        file.truncate(4_800_000)
    with pytest.raises(SourceError, match=f"cannot read {tmp_path}/f: it ends after 4800000 bytes, but had"):
        list(batches)


def test_lines_that_are_appended_while_a_file_is_read_belong_to_no_split(tmp_path: Path) -> None:
    write(tmp_path / "f", "text", 200_000)
    reader, split = listed(tmp_path / "f", "text")
    batches = reader.read(split)
    count = len(next(batches))
    with (tmp_path / "f").open("a") as file:
        file.write("more\n")
    assert count + sum(map(len, batches)) == 200_000


@pytest.mark.parametrize(("kind", "name"), [("parquet", "Parquet"), ("orc", "ORC")])
def test_rows_that_are_not_as_many_as_the_metadata_says_are_an_error(
    tmp_path: Path, kind: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "f", kind, 10)
    reader, split = listed(tmp_path / "f", kind)
    with (tmp_path / "f").open("rb") as file:
        opened = type(reader.reader).open(pa.PythonFile(file))
    monkeypatch.setattr(type(opened), "rows", lambda self, units: 11)
    with pytest.raises(
        SourceError, match=f"cannot read {tmp_path}/f as .*: it has 10 rows where its metadata says 11"
    ):
        list(reader.read(split))
