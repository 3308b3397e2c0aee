"""Records of files that cannot be read fail the job, or are skipped and counted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pystream.common import Duration, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import FileSource, StreamFormat
from pystream.datastream.formats.csv import CsvReaderFormat, CsvSchema
from pystream.datastream.formats.json import JsonRowDeserializationSchema
from pystream.errors import JobExecutionError

NUMBER = Types.ROW_NAMED(["n"], [Types.LONG()])
CSV = CsvReaderFormat.for_schema(CsvSchema.builder().add_number_column("n").build())
JSON = JsonRowDeserializationSchema.builder().type_info(NUMBER).build()
PATIENCE = 60  # seconds
NONE = WatermarkStrategy.no_watermarks()


@pytest.mark.parametrize(
    ("name", "format", "content", "printed"),
    [
        ("csv", CSV.with_ignore_parse_errors(), b"1\nx\n\xff\n2\n", ["Row(n=1)", "Row(n=2)"]),
        (
            "json",
            StreamFormat.deserialized_lines(JSON, ignore_parse_errors=True),
            b'{"n": 1}\n{"n": "x"}\n{\n{"n": 2}\n',
            ["Row(n=1)", "Row(n=2)"],
        ),
        (
            "text",
            StreamFormat.text_line_format(ignore_parse_errors=True),
            b"1\n\xff\n\xfe\n2\n",
            ["1", "2"],
        ),
    ],
)
def test_records_that_cannot_be_read_are_skipped_and_counted(
    host: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    format: StreamFormat[object],
    content: bytes,
    printed: list[str],
) -> None:
    (tmp_path / "a").write_bytes(content)
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
    source = FileSource.for_record_stream_format(format, str(tmp_path)).build()
    env.from_source(source, NONE, name).map(str).print()
    result = env.execute()
    assert capsys.readouterr().out.splitlines() == printed
    assert result.get_all_accumulator_results() == {f"Source: {name}.numRecordsInErrors": 2}


def test_a_record_that_cannot_be_read_fails_the_job_by_default(host: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\nx\n")
    env = StreamExecutionEnvironment.get_execution_environment()
    env.from_source(FileSource.for_record_stream_format(CSV, str(tmp_path)).build(), NONE, "csv").print()
    with pytest.raises(JobExecutionError, match=r"a, line 2: .*with_ignore_parse_errors\(\)"):
        env.execute()


def test_an_unbounded_job_counts_the_records_that_it_skips(host: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\nx\n")
    (tmp_path / "b").write_bytes(b"y\nz\n2\n")
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)
    builder = FileSource.for_record_stream_format(CSV.with_ignore_parse_errors(), str(tmp_path))
    env.from_source(builder.monitor_continuously(Duration.of_millis(10)).build(), NONE, "csv").print()
    job = env.execute_async()
    counted: dict[str, object] = {}
    until = time.monotonic() + PATIENCE
    while counted != {"Source: csv.numRecordsInErrors": 3} and time.monotonic() < until:
        counted = job.get_metrics().result()["metrics"]
        time.sleep(0.01)
    job.cancel().result()
    assert counted == {"Source: csv.numRecordsInErrors": 3}
