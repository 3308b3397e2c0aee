"""Jobs whose files and state are in an object store with the interface of S3, and in HDFS."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from pyarrow.fs import FileType

from pystream.common import Configuration, Duration, Encoder, Types, WatermarkStrategy
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.connectors import FileSink, FileSource, RollingPolicy, StreamFormat
from pystream.engine.connectors.files import list_files, resolve
from pystream.engine.connectors.storage import storage_of
from pystream.errors import ConnectorError
from pystream.testing import local_environment
from tests.servers.availability import server_or_skip
from tests.servers.hdfs import Hdfs
from tests.servers.s3 import S3

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.time_limit(120)

PATIENCE = 60  # seconds
LINES = StreamFormat.text_line_format()
NONE = WatermarkStrategy.no_watermarks()


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The location of a bucket, by Hadoop's scheme."""
    with (
        server_or_skip(lambda: S3(tmp_path_factory.mktemp("s3"))) as server,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in server.environment.items():
            patch.setenv(name, value)
        server.create_bucket("bucket")
        yield "s3a://bucket"


@pytest.fixture(scope="module")
def hdfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The location of the root directory of HDFS."""
    with server_or_skip(lambda: Hdfs(tmp_path_factory.mktemp("hdfs"))) as server:
        yield server.location


@pytest.fixture(
    params=["bucket", pytest.param("hdfs", marks=pytest.mark.promise("connector:hadoop-filesystem"))]
)
def place(request: pytest.FixtureRequest) -> str:
    location: str = request.getfixturevalue(request.param)
    return location


def put(location: str, text: str) -> None:
    filesystem, path = resolve(location)
    filesystem.create_dir(path.rpartition("/")[0])
    with filesystem.open_output_stream(path) as file:
        file.write(text.encode())


def lines(location: str) -> list[str]:
    """Return the lines of the files at a location."""
    source = FileSource.for_record_stream_format(LINES, location).build()
    env = local_environment().set_parallelism(1)
    return sorted(env.from_source(source, NONE, "lines").execute_and_collect(limit=1_000))


def test_files_are_read_and_written(place: str) -> None:
    put(f"{place}/in/1.txt", "a\nb\n")
    put(f"{place}/in/2.txt", "c\n")
    env = local_environment()
    source = FileSource.for_record_stream_format(LINES, f"{place}/in").build()
    sink = FileSink.for_row_format(f"{place}/out", Encoder.simple_string_encoder()).build()
    env.from_source(source, NONE, "lines").map(str.upper, Types.STRING()).sink_to(sink)
    env.execute("upper")
    assert lines(f"{place}/out") == ["A", "B", "C"]


def test_hdfs_replaces_files_atomically(hdfs: str) -> None:
    storage, directory = storage_of(f"{hdfs}/a b%20c?d#e")
    storage.make_directory(directory)
    for data in (b"old", b"", b"new"):
        storage.replace(f"{directory}/file", data, f"{directory}/.file")
        assert storage.read(f"{directory}/file") == data
    storage.replace(f"{directory}/other", b"other", f"{directory}/.other")
    assert storage.files_below(directory) == {"file", "other"}
    storage.move(f"{directory}/other", f"{directory}/file")
    assert storage.read(f"{directory}/file") == b"other"
    with pytest.raises(FileNotFoundError):
        storage.move(f"{directory}/other", f"{directory}/file")
    with pytest.raises(FileNotFoundError):
        storage.move(f"{directory}/file", f"{directory}/missing/file")
    assert storage.names(directory) == ["file"]
    storage.remove(f"{directory}/missing")
    storage.remove_tree(directory)
    assert storage.read(f"{directory}/file") is None


def test_files_of_hdfs_have_their_times(hdfs: str) -> None:
    before = time.time_ns()
    put(f"{hdfs}/times/1.txt", "a")
    (file,) = list_files(f"{hdfs}/times")
    assert before - 10**9 < file.modified < time.time_ns() + 10**9
    assert file.size == 1


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("webhdfs:///path", "names no host; write webhdfs://namenode:9870/path"),
        ("swebhdfs:///path", "names no host; write swebhdfs://namenode:9871/path"),
        ("webhdfs://127.0.0.1:1/path", r"cannot list input path webhdfs://127.0.0.1:1/path: "),
    ],
)
def test_hdfs_that_is_not_there_is_named(location: str, message: str) -> None:
    with pytest.raises(ConnectorError, match=message):
        list_files(location)


def test_an_unbounded_job_keeps_its_files_and_its_state_there(place: str) -> None:
    check_resumed_job(place, local_environment, joined, ["a", "bb"], ["a", "ac", "bb", "bbdd"])


def test_spark_keeps_its_checkpoint_in_hdfs(hdfs: str, by_value: None, spark: SparkSession) -> None:
    environment = StreamExecutionEnvironment.get_execution_environment
    check_resumed_job(f"{hdfs}/spark", environment, upper, ["A", "BB"], ["A", "BB", "C", "DD"])


def joined(words: DataStream[str]) -> DataStream[str]:
    return words.key_by(len, Types.INT()).reduce(lambda a, b: a + b)


def upper(words: DataStream[str]) -> DataStream[str]:
    return words.map(str.upper, Types.STRING())


def check_resumed_job(
    place: str,
    environment: Callable[[Configuration], StreamExecutionEnvironment],
    operator: Callable[[DataStream[str]], DataStream[str]],
    first: list[str],
    then: list[str],
) -> None:
    """Run a job whose files and state are in a place, and resume it.

    Args:
        place: the location.
        environment: makes an environment.
        operator: what the job does.
        first: the lines that it writes for "a" and "bb".
        then: all lines after "c" and "dd".
    """

    def run(*, resume: bool, until: list[str]) -> None:
        """Run the job until it has written these lines, then cancel it."""
        configuration = Configuration()
        configuration.set_string("execution.checkpointing.dir", f"{place}/state")
        configuration.set_string("pystream.resume", str(resume).lower())
        retention = "execution.checkpointing.externalized-checkpoint-retention"
        configuration.set_string(retention, "RETAIN_ON_CANCELLATION")
        env = environment(configuration).set_parallelism(1)
        files = FileSource.for_record_stream_format(LINES, f"{place}/arriving")
        files.monitor_continuously(Duration.of_millis(50))
        sink = FileSink.for_row_format(f"{place}/written", Encoder.simple_string_encoder())
        sink.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy())
        operator(env.from_source(files.build(), NONE, "files")).sink_to(sink.build())
        job = env.execute_async("words")
        end = time.monotonic() + PATIENCE
        while len(found := written()) < len(until):
            assert time.monotonic() < end, found
            time.sleep(0.05)
        job.cancel().result()
        assert found == until

    def written() -> list[str]:
        filesystem, path = resolve(f"{place}/written")
        is_there = filesystem.get_file_info(path).type == FileType.Directory
        return lines(f"{place}/written") if is_there else []

    put(f"{place}/arriving/1.txt", "a\nbb\n")
    run(resume=False, until=first)
    put(f"{place}/arriving/2.txt", "c\ndd\n")
    run(resume=True, until=then)
