"""Small part files of a job that become few before it publishes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Encoder
from pystream.datastream.connectors import BucketAssigner, FileSink, RollingPolicy
from pystream.datastream.connectors.file_system import FileCompactor, FileCompactStrategy
from pystream.datastream.formats.csv import CsvBulkWriters, CsvSchema
from pystream.datastream.formats.parquet import ParquetBulkWriters
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import transaction_of
from pystream.errors import ConfigurationError, SinkError
from tests.unit.engine.connectors.jobs import write_job
from typeinfo import Row, Types

CONCAT = FileCompactor.concat_file_compactor()
ROW = Types.ROW_NAMED(["a"], [Types.INT])


def strategy(size: int, threads: int = 1) -> FileCompactStrategy:
    return FileCompactStrategy.builder().set_size_threshold(size).set_num_compact_threads(threads).build()


class ByParity(BucketAssigner[int]):
    def get_bucket_id(self, element: int, context: Any) -> str:
        return f"even={element % 2 == 0}"


def small_files(place: Path, charset: str = "UTF-8") -> FileSink.RowFormatBuilder[Any]:
    """Return the builder of a sink with a file for each element."""
    builder = FileSink.for_row_format(str(place), Encoder.simple_string_encoder(charset))
    builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    return builder.with_rolling_policy(RollingPolicy.default_rolling_policy(part_size=1))


def contents(place: Path) -> list[str]:
    return sorted(path.read_text() for path in place.rglob("compacted-part-*"))


@pytest.mark.parametrize("threads", [1, 3])
def test_files_of_a_bucket_are_merged_and_stay_in_it(tmp_path: Path, threads: int) -> None:
    builder = small_files(tmp_path).with_bucket_assigner(ByParity())
    write_job(builder.enable_compact(strategy(4, threads), CONCAT).build().bind(Types.INT()), list(range(10)))
    assert contents(tmp_path / "even=True") == ["0\n2\n", "4\n6\n", "8\n"]
    assert contents(tmp_path / "even=False") == ["1\n3\n", "5\n7\n", "9\n"]
    assert sum(path.is_file() for path in tmp_path.rglob("*")) == 7  # one of them is the marker


def test_files_of_several_subtasks_are_merged(tmp_path: Path) -> None:
    output = small_files(tmp_path).enable_compact(strategy(1000), CONCAT).build().bind(Types.INT())
    job = JobFiles.begin("f00d", "job", {0: output.base_path})
    transaction = transaction_of("f00d", 0)
    messages = []
    for subtask in range(3):
        writer = output.writer(transaction)
        writer.write([subtask, subtask])
        messages.append(writer.finish())
    job.publish({0: output.finish(transaction, messages)})
    assert contents(tmp_path) == ["0\n0\n1\n1\n2\n2\n"]


def test_a_byte_order_mark_stands_once_in_a_merged_file(tmp_path: Path) -> None:
    builder = small_files(tmp_path, "UTF-16").enable_compact(strategy(1000), CONCAT)
    write_job(builder.build().bind(Types.STRING()), ["ä", "ö"])
    (merged,) = tmp_path.glob("compacted-*")
    assert merged.read_bytes().decode("UTF-16") == "ä\nö\n"


def test_a_header_stands_once_in_a_merged_file(tmp_path: Path) -> None:
    schema = CsvSchema.builder().add_number_column("a").set_use_header().build()
    output = (
        FileSink.for_bulk_format(str(tmp_path), CsvBulkWriters.for_schema(schema))
        .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        .enable_compact(strategy(1000), CONCAT)
        .build()
        .bind(Types.PICKLED_BYTE_ARRAY())
    )
    job = JobFiles.begin("f00d", "job", {0: output.base_path})
    transaction = transaction_of("f00d", 0)
    messages = []
    for number in (1, 2):
        writer = output.writer(transaction)
        writer.write([Row(a=number)])
        messages.append(writer.finish())
    job.publish({0: output.finish(transaction, messages)})
    assert contents(tmp_path) == ["a\n1\n2\n"]


def test_columnar_files_cannot_be_joined(tmp_path: Path) -> None:
    builder = FileSink.for_bulk_format(str(tmp_path), ParquetBulkWriters.for_row_type(ROW))
    with pytest.raises(ConfigurationError, match="concat_file_compactor joins files of rows only"):
        builder.enable_compact(strategy(1), CONCAT).build().bind(ROW)


def test_single_columnar_files_can_be_copied(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    builder = FileSink.for_bulk_format(str(tmp_path), ParquetBulkWriters.for_row_type(ROW))
    builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    builder.enable_compact(strategy(1), FileCompactor.identical_file_compactor())
    write_job(builder.build().bind(ROW), [Row(a=1)])
    (merged,) = tmp_path.glob("compacted-*")
    assert pq.ParquetFile(merged).read().to_pylist() == [{"a": 1}]


def test_several_files_cannot_be_copied_into_one(tmp_path: Path) -> None:
    builder = small_files(tmp_path).enable_compact(strategy(1000), FileCompactor.identical_file_compactor())
    with pytest.raises(
        SinkError, match="identical_file_compactor copies single files, but 2 are to become one"
    ):
        write_job(builder.build().bind(Types.INT()), [1, 2])
    assert list(tmp_path.iterdir()) == []


def test_a_sink_without_elements_merges_nothing(tmp_path: Path) -> None:
    write_job(small_files(tmp_path).enable_compact(strategy(4), CONCAT).build().bind(Types.INT()), [])
    assert [path.name for path in tmp_path.iterdir()] == ["_SUCCESS"]


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("a file sink takes a FileCompactStrategy, not None", (None, CONCAT)),
        ("a file sink takes a FileCompactor such as", (strategy(1), b"|")),
    ],
)
def test_what_is_enabled_is_a_strategy_and_a_compactor(
    tmp_path: Path, message: str, arguments: tuple[Any, Any]
) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        small_files(tmp_path).enable_compact(*arguments)
