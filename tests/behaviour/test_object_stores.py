"""Jobs whose files are in an object store: a server with the interface of S3."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from pyarrow.fs import FileSystem, FileType

from pystream.common import Configuration, Duration, Encoder, Types, WatermarkStrategy
from pystream.datastream.connectors import FileSink, FileSource, RollingPolicy, StreamFormat
from pystream.testing import local_environment
from tests.servers.availability import server_or_skip
from tests.servers.s3 import S3

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


def put(location: str, text: str) -> None:
    filesystem, path = FileSystem.from_uri(location.replace("s3a:", "s3:"))
    with filesystem.open_output_stream(path) as file:
        file.write(text.encode())


def lines(location: str) -> list[str]:
    """Return the lines of the files at a location."""
    source = FileSource.for_record_stream_format(LINES, location).build()
    env = local_environment().set_parallelism(1)
    return sorted(env.from_source(source, NONE, "lines").execute_and_collect(limit=1_000))


def test_files_are_read_and_written(bucket: str) -> None:
    put(f"{bucket}/in/1.txt", "a\nb\n")
    put(f"{bucket}/in/2.txt", "c\n")
    env = local_environment()
    source = FileSource.for_record_stream_format(LINES, f"{bucket}/in").build()
    sink = FileSink.for_row_format(f"{bucket}/out", Encoder.simple_string_encoder()).build()
    env.from_source(source, NONE, "lines").map(str.upper, Types.STRING()).sink_to(sink)
    env.execute("upper")
    assert lines(f"{bucket}/out") == ["A", "B", "C"]
    assert lines(f"{bucket.replace('s3a', 's3')}/out") == ["A", "B", "C"]


def test_an_unbounded_job_keeps_its_files_and_its_state_there(bucket: str) -> None:
    def run(*, resume: bool, until: list[str]) -> None:
        """Run the job until it has written these lines, then cancel it."""
        configuration = Configuration()
        configuration.set_string("execution.checkpointing.dir", f"{bucket}/state")
        configuration.set_string("pystream.resume", str(resume).lower())
        retention = "execution.checkpointing.externalized-checkpoint-retention"
        configuration.set_string(retention, "RETAIN_ON_CANCELLATION")
        env = local_environment(configuration).set_parallelism(1)
        files = FileSource.for_record_stream_format(LINES, f"{bucket}/arriving")
        files.monitor_continuously(Duration.of_millis(50))
        sink = FileSink.for_row_format(f"{bucket}/written", Encoder.simple_string_encoder())
        sink.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy())
        words = env.from_source(files.build(), NONE, "files").key_by(len, Types.INT())
        words.reduce(lambda a, b: a + b).sink_to(sink.build())
        job = env.execute_async("words")
        end = time.monotonic() + PATIENCE
        while len(found := written()) < len(until):
            assert time.monotonic() < end, found
            time.sleep(0.05)
        job.cancel().result()
        assert found == until

    def written() -> list[str]:
        filesystem, path = FileSystem.from_uri(bucket.replace("s3a:", "s3:"))
        is_there = filesystem.get_file_info(f"{path}/written").type == FileType.Directory
        return lines(f"{bucket}/written") if is_there else []

    put(f"{bucket}/arriving/1.txt", "a\nbb\n")
    run(resume=False, until=["a", "bb"])
    put(f"{bucket}/arriving/2.txt", "c\ndd\n")
    run(resume=True, until=["a", "ac", "bb", "bbdd"])
