"""File sources and file sinks in jobs."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import os
import re
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pystream.common import Encoder, RestartStrategies, Row, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.datastream import DataStream, MapFunction, RuntimeContext, StreamExecutionEnvironment
from pystream.datastream.connectors import (
    BucketAssigner,
    FileSink,
    FileSource,
    NumberSequenceSource,
    OutputFileConfig,
    StreamFormat,
    StreamingFileSink,
)
from pystream.datastream.formats.csv import CsvRowSerializationSchema
from pystream.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pystream.datastream.formats.parquet import ParquetBulkWriters
from pystream.errors import PyStreamError, SinkError

PART = r"part-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-0"


def lines_of(env: StreamExecutionEnvironment, *paths: Path) -> DataStream[str]:
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), *map(str, paths))
    source = builder.process_static_file_set().build()
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "files")


def collected(stream: DataStream[str]) -> list[str]:
    with stream.execute_and_collect() as elements:
        return list(elements)


def files_below(place: Path) -> dict[str, str]:
    """Return the texts of the files by path, without hidden files and directories."""
    files = {path.relative_to(place): path for path in sorted(place.rglob("*")) if path.is_file()}
    return {
        str(name): path.read_text()
        for name, path in files.items()
        if not any(part.startswith((".", "_")) for part in name.parts)
    }


# reading


@pytest.mark.promise("connector:file-source", "beh:filesource-hidden-files")
def test_directories_are_read_recursively_without_hidden_files(
    env2: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    deep = tmp_path / "sub" / "deep"
    for folder in (deep, tmp_path / "_hidden", tmp_path / ".hidden"):
        folder.mkdir(parents=True)
    for path in ("a", "sub/b", "sub/deep/c", "_d", ".e", "sub/_f", "_hidden/g", ".hidden/h"):
        (tmp_path / path).write_text(f"{Path(path).name} 1\n{Path(path).name} 2")
    assert sorted(collected(lines_of(env2, tmp_path))) == ["a 1", "a 2", "b 1", "b 2", "c 1", "c 2"]


@pytest.mark.promise("beh:filesource-decompress")
@pytest.mark.parametrize(
    ("extension", "compress"),
    [
        ("deflate", zlib.compress),
        ("xz", lzma.compress),
        ("bz2", bz2.compress),
        ("gz", gzip.compress),
        ("gzip", gzip.compress),
    ],
)
def test_files_are_decompressed_by_their_extension(
    env: StreamExecutionEnvironment, tmp_path: Path, extension: str, compress: Callable[[bytes], bytes]
) -> None:
    (tmp_path / f"words.{extension}").write_bytes(compress("grün\nblau\n".encode()))
    assert collected(env.read_text_file(str(tmp_path / f"words.{extension}"))) == ["grün", "blau"]


def test_lines_are_divided_as_by_flink(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("\na\r\n\n b \u2028c".encode())
    assert collected(env.read_text_file(f"file://{tmp_path}/a.txt")) == ["", "a", "", " b \u2028c"]


def test_a_charset_can_be_named(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("grün".encode("latin-1"))
    assert collected(env.read_text_file(str(tmp_path / "a.txt"), "ISO-8859-1")) == ["grün"]


def test_many_lines_are_shared_among_subtasks(env2: StreamExecutionEnvironment, tmp_path: Path) -> None:
    lines = [f"line {number}" for number in range(5_000)]
    (tmp_path / "many.txt").write_text("\n".join(lines))
    assert sorted(collected(lines_of(env2, tmp_path / "many.txt"))) == sorted(lines)


def test_a_large_text_file_is_read_by_all_subtasks(env2: StreamExecutionEnvironment, tmp_path: Path) -> None:
    class WithSubtask(MapFunction[str, tuple[int, str]]):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.subtask = runtime_context.get_index_of_this_subtask()

        def map(self, value: str) -> tuple[int, str]:
            return self.subtask, value

    lines = [f"{number:099}" for number in range(30_000)]
    (tmp_path / "large.txt").write_text("\n".join(lines))
    pairs = collected(env2.read_text_file(str(tmp_path / "large.txt")).map(WithSubtask()))
    read = [[line for reader, line in pairs if reader == subtask] for subtask in (0, 1)]
    assert all(len(share) > 10_000 for share in read)
    assert read[0] + read[1] == lines


@pytest.mark.promise("connector:number-sequence", "beh:number-seq-inclusive", "beh:from-source-supported")
def test_a_number_sequence_includes_both_ends_in_order(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_source(NumberSequenceSource(-2, 3), WatermarkStrategy.no_watermarks(), "numbers")
    assert numbers.get_type() == Types.LONG()
    with numbers.execute_and_collect() as elements:
        assert list(elements) == [-2, -1, 0, 1, 2, 3]
    with env.set_parallelism(3).generate_sequence(1, 10).execute_and_collect() as elements:
        assert sorted(elements) == list(range(1, 11))


# writing


def sink_to(place: Path) -> FileSink.RowFormatBuilder:
    return FileSink.for_row_format(str(place), Encoder.simple_string_encoder())


@pytest.mark.promise("connector:file-sink", "beh:sink-to-supported", "beh:filesink-buckets")
def test_part_files_are_in_a_directory_per_hour(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    before = time.strftime("%Y-%m-%d--%H")
    env.from_collection(["a", "b"], Types.STRING()).sink_to(sink_to(tmp_path).build())
    env.execute()
    ((name, text),) = files_below(tmp_path).items()
    bucket, _, part = name.partition("/")
    assert bucket in (before, time.strftime("%Y-%m-%d--%H"))
    assert re.fullmatch(PART, part)
    assert text == "a\nb\n"


@pytest.mark.promise("beh:file-part-naming")
def test_part_files_are_named_by_prefix_uid_counter_and_suffix(
    env2: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    config = OutputFileConfig.builder().with_part_prefix("pre").with_part_suffix("suf").build()
    builder = sink_to(tmp_path).with_output_file_config(config)
    sink = builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build()
    env2.from_collection([1, 2], Types.INT()).broadcast().map(lambda value: value, Types.INT()).sink_to(sink)
    env2.execute()
    written = files_below(tmp_path)
    assert all(re.fullmatch(PART.replace("part", "pre") + "suf", name) for name in written)
    assert list(written.values()) == ["1\n2\n", "1\n2\n"]


@pytest.mark.promise("beh:filesink-part-states")
def test_part_files_are_hidden_until_the_job_ends(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    place, go = tmp_path / "out", tmp_path / "go"

    def wait(value: int) -> int:
        while value == 20_000 and not go.exists():
            time.sleep(0.01)
        return value

    env.generate_sequence(1, 20_000).map(wait, Types.LONG()).sink_to(sink_to(place).build())
    client = env.execute_async()
    try:
        while not [*place.rglob("part-*")]:
            assert not client.get_job_execution_result().done()
            time.sleep(0.01)
        assert files_below(place) == {}
    finally:
        go.touch()
    client.get_job_execution_result().result()
    ((name, text),) = files_below(place).items()
    assert re.fullmatch(PART, Path(name).name)
    assert text.count("\n") == 20_000
    assert list(place.rglob(".*")) == []


def test_rows_and_tuples_are_written_as_by_flink(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    row = Types.ROW([Types.INT(), Types.STRING(), Types.DOUBLE(), Types.STRING()])
    pair = Types.TUPLE([Types.INT(), Types.STRING(), Types.DOUBLE(), Types.BOOLEAN()])
    env.from_collection([Row(1, "a", 1.5e10, None)], row).sink_to(sink_to(tmp_path / "row").build())
    env.from_collection([(1, "a", 1.5e10, True)], pair).sink_to(sink_to(tmp_path / "tuple").build())
    env.execute()
    assert list(files_below(tmp_path / "row").values()) == ["+I[1, a, 1.5E10, null]\n"]
    assert list(files_below(tmp_path / "tuple").values()) == ["(1,a,1.5E10,true)\n"]


def test_an_existing_directory_is_added_to(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    for _ in range(2):
        env.from_collection(["a"], Types.STRING()).sink_to(sink_to(tmp_path).build())
        env.execute()
    assert list(files_below(tmp_path).values()) == ["a\n", "a\n"]


@pytest.mark.promise("connector:streaming-file-sink", "beh:add-sink-streaming-only")
def test_add_sink_takes_a_streaming_file_sink(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    builder = StreamingFileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder())
    with pytest.deprecated_call(match="FileSink"):
        sink = builder.build()
    env.from_collection([1, 2], Types.INT()).add_sink(sink)
    env.execute()
    assert list(files_below(tmp_path).values()) == ["1\n2\n"]


def test_parquet_files_hold_the_columns_of_the_type(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    row = Types.ROW_NAMED(["number", "name"], [Types.INT(), Types.STRING()])
    writers = ParquetBulkWriters.for_row_type(row)
    rows = env.from_collection([Row(number=1, name="a"), Row(number=2, name=None)], row)
    rows.sink_to(FileSink.for_bulk_format(str(tmp_path), writers).build())
    env.execute()
    table = pq.read_table(tmp_path)
    assert table.select(["number", "name"]).to_pylist() == [
        {"number": 1, "name": "a"},
        {"number": 2, "name": None},
    ]


ORDER: Any = Types.ROW_NAMED(
    ["id", "buyer", "price", "seen"],
    [Types.LONG(), Types.ROW_NAMED(["name"], [Types.STRING()]), Types.DOUBLE(), Types.BOOLEAN()],
)
SOLD: Any = Types.ROW_NAMED(["id", "price", "seen"], [Types.LONG(), Types.DOUBLE(), Types.BOOLEAN()])


def test_columns_are_read_from_json_worked_on_and_written(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    orders = [
        {"id": 1, "buyer": {"name": "Ada"}, "price": 1.5, "seen": True},
        {"id": 2, "buyer": None, "price": 2, "more": ["x"]},
        {"id": 3, "buyer": {"name": "Alan"}, "price": -0.25, "seen": False},
    ]
    source, target = tmp_path / "orders.json", tmp_path / "sold"
    source.write_text("\n".join(map(json.dumps, orders)))
    schema = JsonRowDeserializationSchema.builder().type_info(ORDER).build()
    files = FileSource.for_record_stream_format(StreamFormat.deserialized_lines(schema), str(source)).build()
    read = env.from_source(files, WatermarkStrategy.no_watermarks(), "orders")
    chosen = read.filter(lambda order: re.match("[^x]", str(order.id)))
    sold = chosen.map(lambda order: Row(order.id + 1, order.price * 2, order.seen), SOLD)
    rows = {"id": [2, 3, 4], "price": [3.0, 4.0, -0.5], "seen": [True, None, False]}
    to_json = JsonRowSerializationSchema.builder().with_type_info(SOLD).build()
    to_csv = CsvRowSerializationSchema.Builder(SOLD).build()
    for name, encoder in {"json": to_json, "csv": to_csv}.items():
        lines = FileSink.for_row_format(str(target / name), Encoder.serialized_lines(encoder))
        sold.sink_to(lines.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build())
    sold.sink_to(
        FileSink.for_bulk_format(str(target / "parquet"), ParquetBulkWriters.for_row_type(SOLD)).build()
    )
    plan = {words[1]: words for words in map(str.split, sold.explain().splitlines()) if len(words) > 1}
    assert "fields" in plan["Filter"]
    assert "arrow" in plan["Map"]
    env.execute()
    expected = [dict(zip(rows, values, strict=True)) for values in zip(*rows.values(), strict=True)]
    written = "".join(files_below(target / "json").values())
    assert [json.loads(line) for line in written.splitlines()] == expected
    written = "".join(files_below(target / "csv").values())
    assert list(csv.reader(written.splitlines())) == [
        ["2", "3.0", "true"],
        ["3", "4.0", ""],
        ["4", "-0.5", "false"],
    ]
    assert pq.read_table(target / "parquet").to_pydict() == rows


# several sinks, and files that cannot be published


@contextmanager
def audited(event: str, inspect_event: Callable[[tuple[Any, ...]], None]) -> Iterator[None]:
    """Call a function at each audit event of a kind; the operation fails if the function raises."""
    active = True

    def hook(seen: str, arguments: tuple[Any, ...]) -> None:
        if active and seen == event:
            inspect_event(arguments)

    sys.addaudithook(hook)
    try:
        yield
    finally:
        active = False


class ByElement(BucketAssigner):
    def get_bucket_id(self, element: str, context: Any) -> str:
        return element


def bucketed(place: Path) -> FileSink:
    sink = FileSink.for_row_format(str(place), Encoder.simple_string_encoder())
    return sink.with_bucket_assigner(ByElement()).build()


def test_two_sinks_may_write_to_one_directory(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    for letters in ("ab", "cd"):
        env.from_collection(list(letters), Types.STRING()).sink_to(bucketed(tmp_path))
    env.execute()
    assert sorted(files_below(tmp_path).values()) == ["a\n", "b\n", "c\n", "d\n"]


@pytest.mark.parametrize("restarts", [0, 2])
def test_no_sink_commits_if_one_of_them_cannot(
    env: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str], restarts: int
) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(restarts, 1))
    env.from_collection(["a"], Types.STRING()).sink_to(bucketed(good))
    env.from_collection(["p"], Types.STRING()).print()
    env.from_collection(["b", "c"], Types.STRING()).sink_to(bucketed(bad))
    bad.mkdir()
    (bad / "c").write_text("in the way")
    with pytest.raises(SinkError, match=f"cannot make {bad}/c"):
        env.execute()
    assert files_below(tmp_path) == {"bad/c": "in the way"}
    assert capsys.readouterr().out == ""


def test_files_that_cannot_be_published_are_rolled_back_and_not_tried_again(
    env: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(2, 1))
    env.from_collection(["a"], Types.STRING()).sink_to(bucketed(good))
    env.from_collection(["p"], Types.STRING()).print()
    env.from_collection(["b"], Types.STRING()).sink_to(bucketed(bad))
    tries = []

    def refuse(arguments: tuple[Any, ...]) -> None:
        if str(arguments[1]).startswith(f"{bad}/b/"):
            tries.append(files_below(tmp_path))
            raise OSError(5, "the disk was taken away")

    with audited("os.rename", refuse), pytest.raises(SinkError, match="taken away"):
        env.execute()
    assert [list(visible.values()) for visible in tries] == [["a\n"]]
    assert [path for path in tmp_path.rglob("*") if path not in (good, bad)] == []
    assert capsys.readouterr().out == ""


def test_a_job_fails_with_its_own_error_even_if_cleaning_up_fails(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    def refuse(arguments: tuple[Any, ...]) -> None:
        if str(arguments[0]).startswith(str(tmp_path)):
            raise OSError(5, "cannot be removed")

    env.from_collection(["a"], Types.STRING()).map(lambda value: 1 // 0).sink_to(bucketed(tmp_path))
    with (
        audited("shutil.rmtree", refuse),
        pytest.raises(PyStreamError, match="ZeroDivisionError") as failure,
    ):
        env.execute()
    assert "cannot be removed" in failure.value.__notes__[0]


# jobs that die while they publish

DYING = """
import os, signal, sys, time
from pystream.common import Encoder
from pystream.common.typeinfo import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import BucketAssigner, FileSink, RollingPolicy

number = None
moved = 0

def at_each_move(event, arguments):
    global moved
    if event == "os.rename" and "/part-" in str(arguments[1]):
        moved += 1
        if moved == 30:
            os.kill(os.getpid(), number)
            time.sleep(2)  # so that the signal arrives while the job publishes

def run(place):
    global moved
    moved = 0
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
    for sink in ("a", "b"):
        builder = FileSink.for_row_format(f"{place}/{sink}", Encoder.simple_string_encoder())
        builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        builder.with_rolling_policy(RollingPolicy.default_rolling_policy(part_size=1))
        env.generate_sequence(0, 39).sink_to(builder.build())
    env.execute()

sys.addaudithook(at_each_move)
number = signal.SIGTERM
try:
    run(sys.argv[1])
except SystemExit as end:
    print(end.code, flush=True)
number = signal.SIGKILL
run(sys.argv[2])
"""


@pytest.mark.promise("beh:filesink-part-states")
def test_a_job_ended_while_it_publishes_is_completed(
    env: StreamExecutionEnvironment, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ended, killed = tmp_path / "ended", tmp_path / "killed"
    done = subprocess.run(
        [sys.executable, "-c", DYING, str(ended), str(killed)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    numbers = sorted(f"{number}\n" for number in range(40))

    assert done.stdout == f"{128 + signal.SIGTERM}\n"
    for sink in ("a", "b"):
        assert sorted(files_below(ended / sink).values()) == numbers
    assert list(ended.rglob(".*")) == []

    assert 0 < len(files_below(killed)) < 80
    assert list(killed.rglob("_*")) == []
    env.from_collection(["next"], Types.STRING()).sink_to(bucketed(killed / "b"))
    env.execute()
    (told,) = (record.getMessage() for record in caplog.records if "completed job" in record.getMessage())
    assert told.endswith(f"40 files in {killed}/a, 40 files in {killed}/b")
    assert sorted(files_below(killed / "a").values()) == numbers
    assert sorted(files_below(killed / "b").values()) == sorted([*numbers, "next\n"])
    assert sorted(path.parent.name for path in killed.rglob("_SUCCESS")) == ["a", "b"]
    assert list(killed.rglob(".*")) == []
