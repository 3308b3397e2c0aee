"""Segments become one part file of their format, with the elements in order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fastavro
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

from pystream.common.serialization import BulkWriterFactory, Encoder
from pystream.datastream.connectors import BucketAssigner, FileSink, RollingPolicy
from pystream.datastream.formats.avro import AvroBulkWriters, AvroSchema
from pystream.datastream.formats.csv import CsvBulkWriters, CsvSchema
from pystream.datastream.formats.orc import OrcBulkWriters
from pystream.datastream.formats.parquet import AvroParquetWriters, ParquetBulkWriters
from pystream.engine.connectors.file_sink import FilesOutput, SegmentWriter
from pystream.engine.connectors.interfaces import EpochEnd
from pystream.engine.task_info import JobInfo
from pystream.errors import SinkError
from typeinfo import Row, Types

ROW = Types.ROW_NAMED(["n", "s"], [Types.INT(), Types.STRING()])
RECORD = AvroSchema.parse_string(
    '{"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"},'
    ' {"name": "s", "type": "string"}]}'
)
CSV = CsvSchema.builder().add_number_column("n").add_string_column("s").set_use_header().build()


def bulk(path: Path, writers: BulkWriterFactory[Any]) -> FilesOutput:
    sink = FileSink.for_bulk_format(str(path), writers)
    return sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build().bind(ROW)


def merged(output: FilesOutput, *epochs: Sequence[Any]) -> Path:
    """Write one segment an epoch, and return the part file that all of them become."""
    committer = output.committer("f00d.epochs.00", JobInfo("f00d", "job"), "")
    committer.open()
    state = None
    for number, elements in enumerate(epochs):
        writer = SegmentWriter(output, "f00d.epochs.00", 0)
        writer.write(list(elements))
        is_last = number == len(epochs) - 1
        end = EpochEnd(number, 0, publishes=is_last, last=is_last)
        state, action = committer.prepare(end, state, [writer.finish(end_of_input=False)])
    assert state is None
    committer.commit(len(epochs) - 1, action)
    committer.end(complete=False)
    (path,) = Path(output.base_path).iterdir()
    return path


@pytest.mark.parametrize("factory", [ParquetBulkWriters, OrcBulkWriters])
def test_columnar_files_get_one_row_group(tmp_path: Path, factory: Any) -> None:
    path = merged(
        bulk(tmp_path, factory.for_row_type(ROW)), [Row(n=1, s="a"), Row(n=2, s="b")], [Row(n=3, s=None)]
    )
    is_parquet = factory is ParquetBulkWriters
    table = pq.read_table(path) if is_parquet else orc.read_table(path)
    assert [tuple(row.values()) for row in table.to_pylist()] == [(1, "a"), (2, "b"), (3, None)]
    groups = pq.ParquetFile(path).num_row_groups if is_parquet else orc.ORCFile(path).nstripes
    assert groups == 1


def test_avro_files_keep_their_blocks(tmp_path: Path) -> None:
    records = [{"n": n, "s": str(n)} for n in range(5)]
    path = merged(bulk(tmp_path, AvroBulkWriters.for_generic_record(RECORD)), records[:2], records[2:])
    with path.open("rb") as file:
        assert list(fastavro.reader(file)) == records


def test_avro_records_in_parquet(tmp_path: Path) -> None:
    records = [{"n": n, "s": str(n)} for n in range(5)]
    path = merged(bulk(tmp_path, AvroParquetWriters.for_generic_record(RECORD)), records[:2], records[2:])
    assert pq.read_table(path).to_pylist() == records


def test_csv_files_keep_one_header(tmp_path: Path) -> None:
    path = merged(bulk(tmp_path, CsvBulkWriters.for_schema(CSV)), [Row(1, "a")], [Row(2, "b")])
    assert path.read_text() == "n,s\n1,a\n2,b\n"


def test_text_files_keep_one_byte_order_mark(tmp_path: Path) -> None:
    sink = FileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder("UTF-16"))
    sink.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy())
    sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    path = merged(sink.build().bind(Types.STRING()), ["a"], ["ä"])
    assert path.read_bytes() == "a\nä\n".encode("utf-16")


def test_a_single_segment_is_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = bulk(tmp_path, ParquetBulkWriters.for_row_type(ROW))
    monkeypatch.delattr(type(output.format).__mro__[1], "merge")
    assert pq.read_table(merged(output, [Row(n=1, s="a")])).to_pylist() == [{"n": 1, "s": "a"}]


def test_a_damaged_segment_is_an_error_that_names_the_place(tmp_path: Path) -> None:
    output = bulk(tmp_path, ParquetBulkWriters.for_row_type(ROW))
    committer = output.committer("f00d.epochs.00", JobInfo("f00d", "job"), "")
    committer.open()
    writer = SegmentWriter(output, "f00d.epochs.00", 0)
    writer.write([Row(n=1, s="a")])
    state, _ = committer.prepare(EpochEnd(0, 0, publishes=False), None, [writer.finish()])
    (segment,) = state.in_progress[0].segments
    staged = tmp_path / ".inprogress.f00d.epochs.00"
    (staged / segment.name).write_bytes(b"PAR1")
    writer.write([Row(n=2, s="b")])
    with pytest.raises(SinkError, match=f"cannot merge part files in {staged}"):
        committer.prepare(EpochEnd(1, 0), state, [writer.finish()])
    assert not list(staged.glob("merged-*"))
