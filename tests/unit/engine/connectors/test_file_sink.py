"""Part files: their content, their names, and when they appear."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pystream.common.serialization import Encoder
from pystream.datastream.connectors import (
    BucketAssigner,
    FileSink,
    OutputFileConfig,
    RollingPolicy,
    StreamingFileSink,
)
from pystream.engine.connectors.buckets import BucketContext
from pystream.engine.connectors.file_sink import FilesOutput, FileWriter
from pystream.engine.connectors.files import local_path
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import staging_path, transaction_of
from pystream.engine.failure import ElementFailure
from pystream.errors import ConfigurationError, ConnectorError, SinkError
from tests.unit.engine.connectors.jobs import write_job
from typeinfo import Row, Types
from typeinfo.info import TypeInformation

JOB = "00ab"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"


def builder(path: Path, encoder: Encoder[Any] | None = None) -> FileSink.RowFormatBuilder:
    encoder = encoder or Encoder.simple_string_encoder()
    return FileSink.for_row_format(str(path), encoder).with_bucket_assigner(
        BucketAssigner.base_path_bucket_assigner()
    )


def bound(sink: FileSink | StreamingFileSink, type_info: TypeInformation[Any] = Types.INT) -> FilesOutput:
    output: FilesOutput = pickle.loads(pickle.dumps(sink.bind(type_info)))
    return output


TRANSACTION = transaction_of(JOB, 0)


def open_writer(output: FilesOutput) -> FileWriter:
    """Open a writer, in a staging directory such as a job makes before it starts its writers."""
    os.makedirs(staging_path(local_path(output.base_path) or "", TRANSACTION), exist_ok=True)
    return output.writer(TRANSACTION)


def publish(output: FilesOutput, *messages: list[str]) -> None:
    """Publish what writers wrote, as a job of one sink."""
    JobFiles.begin(JOB, "job", {0: output.base_path}).publish({0: output.finish(TRANSACTION, messages)})


def visible(path: Path) -> list[str]:
    """Return the files below a directory, without those a file source skips."""
    found = (str(file.relative_to(path)) for file in sorted(path.rglob("*")) if file.is_file())
    return [name for name in found if not re.search(r"(^|/)[._]", name)]


def contents(path: Path) -> list[str]:
    return sorted((path / name).read_text() for name in visible(path))


@pytest.mark.promise(
    "FileSink.for_row_format",
    "FileSink.RowFormatBuilder.with_output_file_config",
    "FileSink.RowFormatBuilder.build",
    "beh:file-part-naming",
)
def test_a_part_file_is_called_prefix_uid_counter_suffix(tmp_path: Path) -> None:
    config = OutputFileConfig.builder().with_part_prefix("pre").with_part_suffix("suf").build()
    write_job(bound(builder(tmp_path / "out").with_output_file_config(config).build()), [1, 2], [3])
    (name,) = visible(tmp_path / "out")
    assert re.fullmatch(f"pre-{UUID}-0suf", name)
    assert contents(tmp_path / "out") == ["1\n2\n3\n"]


def test_unless_named_it_is_called_part_and_lies_in_the_bucket_of_the_hour(tmp_path: Path) -> None:
    write_job(bound(FileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder()).build()), [1])
    (name,) = visible(tmp_path)
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d--\d\d/part-{UUID}-0", name)


@pytest.mark.promise("beh:filesink-part-states")
def test_nothing_is_visible_before_the_job_publishes_it(tmp_path: Path) -> None:
    output = bound(builder(tmp_path).build())
    first, second = open_writer(output), open_writer(output)
    first.write([1])
    second.write([2])
    messages = [first.finish(), second.finish()]
    assert visible(tmp_path) == []
    publish(output, *messages)
    assert contents(tmp_path) == ["1\n", "2\n"]


def test_an_aborted_writer_leaves_nothing(tmp_path: Path) -> None:
    output = bound(builder(tmp_path).build())
    writer = open_writer(output)
    writer.write([1])
    writer.abort()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    writer.abort()


def test_a_writer_of_a_job_that_has_ended_makes_no_directory(tmp_path: Path) -> None:
    for output in (
        bound(builder(tmp_path).build()),
        bound(builder(tmp_path).with_bucket_assigner(ByParity()).build()),
    ):
        writer = open_writer(output)
        JobFiles.begin(JOB, "job", {0: output.base_path}).roll_back()
        with pytest.raises(SinkError, match="cannot write below"):
            writer.write([1])
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_exists_is_added_to(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    output = bound(builder(tmp_path).build())
    write_job(output, [1])
    write_job(output, [1])
    assert contents(tmp_path) == ["1\n", "1\n", "old"]


def test_a_job_without_elements_makes_a_marked_directory(tmp_path: Path) -> None:
    write_job(bound(builder(tmp_path / "out").build()), [])
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["_SUCCESS"]


@pytest.mark.parametrize("place", ["file", "file/deep/er"])
def test_a_base_path_that_is_a_file_is_an_error_before_the_job(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SinkError, match=rf"output path {tmp_path}/{place} .*is a file"):
        bound(builder(tmp_path / place).build()).check()
    assert (tmp_path / "file").read_text() == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_base_path_without_permission_is_an_error_before_the_job(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SinkError, match="no permission to write"):
        bound(builder(tmp_path / "out").build()).check()


def test_file_uris_and_relative_paths_are_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in (f"file://{tmp_path}/a", "b"):
        sink = FileSink.for_row_format(place, Encoder.simple_string_encoder()).build()
        write_job(bound(sink), [1])
    assert [len(visible(tmp_path / place)) for place in "ab"] == [1, 1]


class ByParity(BucketAssigner):
    def get_bucket_id(self, element: int, context: BucketContext) -> str:
        return f"k={element % 2}/x"


@pytest.mark.promise("FileSink.RowFormatBuilder.with_bucket_assigner")
def test_each_bucket_has_its_own_files_in_order(tmp_path: Path) -> None:
    write_job(bound(builder(tmp_path).with_bucket_assigner(ByParity()).build()), [1, 2, 3], [4, 5])
    found = {name.rpartition("/")[0]: (tmp_path / name).read_text() for name in visible(tmp_path)}
    assert found == {"k=1/x": "1\n3\n5\n", "k=0/x": "2\n4\n"}


class Fixed(BucketAssigner):
    def __init__(self, bucket_id: Any) -> None:
        self.bucket_id = bucket_id

    def get_bucket_id(self, element: Any, context: BucketContext) -> str:
        bucket_id: str = self.bucket_id
        return bucket_id


@pytest.mark.parametrize("bucket_id", ["../up", "/abs", "a/../b", "a//b", ".", "a/", None, 3])
def test_a_bucket_outside_the_base_path_is_an_error(tmp_path: Path, bucket_id: object) -> None:
    writer = open_writer(bound(builder(tmp_path / "out").with_bucket_assigner(Fixed(bucket_id)).build()))
    with pytest.raises(SinkError, match="a bucket id"):
        writer.write([1])
    writer.abort()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.promise("FileSink.RowFormatBuilder.with_rolling_policy")
@pytest.mark.parametrize(
    ("size", "files"),
    [
        # A file takes elements until it is larger than the limit, as in Flink: each line is 2 bytes.
        (1, ["1\n", "2\n", "3\n", "4\n", "5\n"]),
        (2, ["1\n2\n", "3\n4\n", "5\n"]),
        (3, ["1\n2\n", "3\n4\n", "5\n"]),
        (4, ["1\n2\n3\n", "4\n5\n"]),
        (9, ["1\n2\n3\n4\n5\n"]),
        (10, ["1\n2\n3\n4\n5\n"]),
    ],
)
@pytest.mark.parametrize("batches", [[[1, 2, 3, 4, 5]], [[1], [2], [3], [4], [5]], [[1, 2, 3], [4, 5]]])
def test_a_file_rolls_when_it_has_grown_beyond_the_limit(
    tmp_path: Path, size: int, files: list[str], batches: list[list[int]]
) -> None:
    output = bound(builder(tmp_path).with_rolling_policy(RollingPolicy.default_rolling_policy(size)).build())
    write_job(output, *batches)
    assert contents(tmp_path) == files
    assert sorted(int(name.rpartition("-")[2]) for name in visible(tmp_path)) == list(range(len(files)))


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def timed(tmp_path: Path, steps: list[int], **policy: int) -> list[str]:
    """Return the content of the files if element i is written ``steps[i]`` ms after the previous one."""
    clock = Clock()
    sink = builder(tmp_path).with_bucket_check_interval(10)
    output = bound(sink.with_rolling_policy(RollingPolicy.default_rolling_policy(**policy)).build())
    open_writer(output)
    writer = FileWriter(output, TRANSACTION, clock)
    for i, step in enumerate(steps):
        clock.now += step
        writer.write([i])
    publish(output, writer.finish())
    return contents(tmp_path)


@pytest.mark.promise("FileSink.RowFormatBuilder.with_bucket_check_interval")
def test_a_file_rolls_by_age(tmp_path: Path) -> None:
    assert timed(tmp_path, [0, 40, 40, 40], rollover_interval=100) == ["0\n1\n2\n", "3\n"]


def test_a_file_rolls_after_a_rest(tmp_path: Path) -> None:
    assert timed(tmp_path, [0, 40, 40, 60, 40], inactivity_interval=50) == ["0\n1\n2\n", "3\n4\n"]


@pytest.mark.promise("beh:filesink-bucket-check-1m")
def test_age_is_looked_at_once_a_check_interval(tmp_path: Path) -> None:
    output = bound(
        builder(tmp_path).with_rolling_policy(RollingPolicy.default_rolling_policy(10, 1, 1)).build()
    )
    assert output.check_interval == 60_000
    clock = Clock()
    open_writer(output)
    writer = FileWriter(output, TRANSACTION, clock)
    for now in (0, 59_999, 60_000):
        clock.now = 1_000_000 + now
        writer.write([now])
    publish(output, writer.finish())
    assert contents(tmp_path) == ["0\n59999\n", "60000\n"]


@pytest.mark.promise("Encoder.simple_string_encoder", "Encoder")
@pytest.mark.parametrize(
    ("type_info", "element", "text"),
    [
        (Types.STRING, "a b", "a b"),
        (Types.BOOLEAN, True, "true"),
        (Types.DOUBLE, 1e10, "1.0E10"),
        (Types.ROW([Types.LONG, Types.LONG]), Row(1, 2), "+I[1, 2]"),
        (Types.ROW([Types.INT, Types.STRING, Types.DOUBLE]), Row(1, None, 1.5e10), "+I[1, null, 1.5E10]"),
        (Types.TUPLE([Types.INT, Types.STRING]), (1, "a"), "(1,a)"),
        (Types.PICKLED_BYTE_ARRAY, {"a": True}, "{'a': True}"),
    ],
)
def test_the_string_encoder_writes_the_text_flink_writes(
    tmp_path: Path, type_info: TypeInformation[Any], element: Any, text: str
) -> None:
    write_job(bound(builder(tmp_path).build(), type_info), [element])
    assert contents(tmp_path) == [f"{text}\n"]


@pytest.mark.parametrize("charset", ["UTF-16", "UTF-32", "ISO-8859-1", "UTF-8-SIG"])
def test_text_is_encoded_with_one_mark_a_file(tmp_path: Path, charset: str) -> None:
    encoder = Encoder.simple_string_encoder(charset)
    policy = RollingPolicy.default_rolling_policy(20)
    write_job(
        bound(builder(tmp_path, encoder).with_rolling_policy(policy).build(), Types.STRING), ["é"] * 7, ["ü"]
    )
    texts = [(tmp_path / name).read_bytes().decode(charset) for name in visible(tmp_path)]
    assert sorted("".join(texts)) == sorted("é\n" * 7 + "ü\n")
    assert "\ufeff" not in "".join(texts)


def test_a_character_the_charset_lacks_is_an_error_that_shows_the_element(tmp_path: Path) -> None:
    writer = open_writer(
        bound(builder(tmp_path, Encoder.simple_string_encoder("US-ASCII")).build(), Types.STRING)
    )
    with pytest.raises(
        SinkError, match="'é' in the element 'caé' cannot be written in US-ASCII; choose UTF-8"
    ):
        writer.write(["abc", "caé"])
    writer.abort()


class Hexadecimal(Encoder[int]):
    def encode(self, element: int) -> bytes:
        return b"%x;" % element


class Wrong(Encoder[int]):
    def encode(self, element: int) -> bytes:
        return str(element)  # type: ignore[return-value]


def test_a_users_encoder_writes_what_it_returns(tmp_path: Path) -> None:
    write_job(bound(builder(tmp_path, Hexadecimal()).build()), [10, 11], [255])
    assert contents(tmp_path) == ["a;b;ff;"]


class Counting(Encoder[str]):
    def __init__(self) -> None:
        self.count = 0

    def encode(self, element: str) -> bytes:
        self.count += 1
        return f"{self.count}:{element}\n".encode()


def test_a_users_encoder_is_called_once_per_element_whenever_files_end(tmp_path: Path) -> None:
    policy = RollingPolicy.default_rolling_policy(part_size=5)
    write_job(
        bound(builder(tmp_path, Counting()).with_rolling_policy(policy).build()), ["a", "b", "c"], ["d"]
    )
    assert contents(tmp_path) == ["1:a\n2:b\n", "3:c\n4:d\n"]


class Frail(Encoder[int], BucketAssigner):
    def encode(self, element: int) -> bytes:
        return b"%d" % (1 // element)

    def get_bucket_id(self, element: int, context: BucketContext) -> str:
        return str(1 // element)


def test_the_element_a_users_encoder_fails_on_is_named(tmp_path: Path) -> None:
    writer = open_writer(bound(builder(tmp_path, Frail()).build()))
    with pytest.raises(ElementFailure) as failure:
        writer.write([1, 0, 2])
    assert failure.value.element == 0
    assert isinstance(failure.value.__cause__, ZeroDivisionError)


def test_the_element_a_bucket_assigner_fails_on_is_named(tmp_path: Path) -> None:
    writer = open_writer(bound(builder(tmp_path).with_bucket_assigner(Frail()).build()))
    with pytest.raises(ElementFailure) as failure:
        writer.write([1, 0, 2])
    assert failure.value.element == 0


def test_a_users_encoder_must_return_bytes(tmp_path: Path) -> None:
    writer = open_writer(bound(builder(tmp_path, Wrong()).build()))
    with pytest.raises(SinkError, match=r"Wrong.encode must return bytes, but returned '7' for 7"):
        writer.write([7])
    writer.abort()


@pytest.mark.promise(
    "StreamingFileSink.for_row_format",
    "StreamingFileSink.DefaultRowFormatBuilder.with_bucket_assigner",
    "StreamingFileSink.DefaultRowFormatBuilder.with_bucket_check_interval",
    "StreamingFileSink.DefaultRowFormatBuilder.with_rolling_policy",
    "StreamingFileSink.DefaultRowFormatBuilder.with_output_file_config",
    "StreamingFileSink.DefaultRowFormatBuilder.build",
)
def test_a_streaming_file_sink_writes_the_same_and_says_it_is_deprecated(tmp_path: Path) -> None:
    settings = (
        StreamingFileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder())
        .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        .with_bucket_check_interval(5)
        .with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy())
        .with_output_file_config(OutputFileConfig("p", "s"))
    )
    with pytest.warns(DeprecationWarning, match="use FileSink") as warned:
        sink = settings.build()
    assert warned[0].filename == __file__
    write_job(bound(sink), [1, 2])
    (name,) = visible(tmp_path)
    assert re.fullmatch(f"p-{UUID}-0s", name)
    assert contents(tmp_path) == ["1\n2\n"]


WRONG_SETTINGS: list[tuple[str, Callable[[FileSink.RowFormatBuilder], object]]] = [
    ("a BucketAssigner, not 'x'", lambda b: b.with_bucket_assigner("x")),  # type: ignore[arg-type]
    ("an OutputFileConfig, not 'x'", lambda b: b.with_output_file_config("x")),  # type: ignore[arg-type]
    ("a RollingPolicy, not 'x'", lambda b: b.with_rolling_policy("x")),  # type: ignore[arg-type]
    ("interval must be a positive int, not 0", lambda b: b.with_bucket_check_interval(0)),
]


@pytest.mark.parametrize(("message", "set_wrongly"), WRONG_SETTINGS)
def test_a_setting_of_the_wrong_kind_is_refused(
    tmp_path: Path, message: str, set_wrongly: Callable[[FileSink.RowFormatBuilder], object]
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        set_wrongly(builder(tmp_path))


def test_a_sink_needs_a_path_and_an_encoder(tmp_path: Path) -> None:
    with pytest.raises(ConnectorError, match="a path must be a str"):
        FileSink.for_row_format("", Encoder.simple_string_encoder())
    with pytest.raises(ConfigurationError, match="an Encoder such as"):
        FileSink.for_row_format(str(tmp_path), "UTF-8")  # type: ignore[arg-type]
