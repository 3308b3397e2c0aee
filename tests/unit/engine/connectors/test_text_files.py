"""Text files as a source: formats, compression, charsets, and what goes wrong."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from pystream.common.time import Duration
from pystream.datastream.connectors import (
    FileEnumeratorProvider,
    FileSource,
    FileSplitAssignerProvider,
    StreamFormat,
)
from pystream.engine.connectors.compression import is_compressed
from pystream.errors import ConfigurationError, SourceError
from tests.unit.engine.connectors.jobs import read_shares
from typeinfo import Types


def source(
    *paths: object, charset: str = "UTF-8", cut: bool = False, ignore_parse_errors: bool = False
) -> FileSource[str]:
    lines_in = StreamFormat.text_line_format(charset, ignore_parse_errors)
    builder = FileSource.for_record_stream_format(lines_in, *map(str, paths))
    if cut:
        builder.set_file_enumerator(FileEnumeratorProvider.default_splittable_file_enumerator())
    return builder.build()


def lines(files: FileSource[str]) -> list[str]:
    (only,) = read_shares(files)
    return only


@pytest.mark.promise(
    "FileSource.for_record_stream_format", "StreamFormat.text_line_format", "FileSourceBuilder.build"
)
def test_lines_of_several_paths_come_in_the_order_given(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"1\r\n\r\n2")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a").write_bytes(b"3\n4\n")
    assert lines(source(tmp_path / "d", f"file://{tmp_path}/b")) == ["3", "4", "1", "", "2"]


def deflated(data: bytes) -> bytes:
    return zlib.compress(data)


def zstandard(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "deflate": deflated,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "gz": gzip.compress,
    "gzip": gzip.compress,
    "GZ": gzip.compress,
    "zst": zstandard,
}


def test_a_file_without_an_extension_is_not_compressed_whatever_its_name(tmp_path: Path) -> None:
    assert not is_compressed(str(tmp_path / "in.gz" / "gz"))
    assert is_compressed(str(tmp_path / "in" / "a.gz"))


@pytest.mark.promise("beh:filesource-decompress")
@pytest.mark.parametrize("extension", PACKERS)
def test_compressed_files_are_known_by_their_extension(tmp_path: Path, extension: str) -> None:
    content = "".join(f"line {i} é\n" for i in range(50_000))
    file = tmp_path / f"x.txt.{extension}"
    file.write_bytes(PACKERS[extension](content.encode()))
    assert lines(source(file, cut=True)) == content.splitlines()


@pytest.mark.parametrize("extension", ["xz", "bz2", "gz", "zst"])
def test_parts_compressed_one_after_the_other_are_one_file(tmp_path: Path, extension: str) -> None:
    pack = PACKERS[extension]
    (tmp_path / f"x.{extension}").write_bytes(pack(b"a\nb") + pack(b"c\n"))
    assert lines(source(tmp_path)) == ["a", "bc"]


@pytest.mark.parametrize("extension", PACKERS)
def test_a_damaged_compressed_file_is_an_error_that_names_it(tmp_path: Path, extension: str) -> None:
    file = tmp_path / f"x.{extension}"
    file.write_bytes(PACKERS[extension](bytes(range(256)) * 100)[:-20])
    with pytest.raises(SourceError, match=f"cannot read {file}|{file} is not"):
        lines(source(file, charset="ISO-8859-1"))
    file.write_bytes(b"not compressed at all")
    with pytest.raises(SourceError, match=f"cannot read {file}"):
        lines(source(file))


def test_an_extension_alone_in_a_directory_name_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "x.gz").mkdir()
    (tmp_path / "x.gz" / "y").write_text("a\n")
    assert lines(source(tmp_path)) == ["a"]


@pytest.mark.promise(
    "FileEnumeratorProvider.default_splittable_file_enumerator", "FileSourceBuilder.set_file_enumerator"
)
def test_a_large_file_is_cut_where_asked(tmp_path: Path) -> None:
    expected = [f"{i},{'x' * (i % 50)}" for i in range(120_000)]
    (tmp_path / "large.txt").write_text("\r\n".join(expected))
    first, second, third = read_shares(source(tmp_path, cut=True), 3)
    assert min(map(len, (first, second, third))) > 30_000
    assert first + second + third == expected


@pytest.mark.promise("FileEnumeratorProvider.default_non_splittable_file_enumerator")
def test_a_file_is_read_by_one_subtask_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_text("x\n" * 2_000_000)
    assert sorted(map(len, read_shares(source(tmp_path), 2))) == [0, 2_000_000]
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path))
    builder.set_file_enumerator(FileEnumeratorProvider.default_non_splittable_file_enumerator())
    assert sorted(map(len, read_shares(builder.build(), 2))) == [0, 2_000_000]


def test_a_text_whose_line_ends_cannot_be_found_from_the_middle_stays_whole(tmp_path: Path) -> None:
    (tmp_path / "wide.txt").write_text("xyz\n" * 400_000, encoding="UTF-16")
    assert sorted(map(len, read_shares(source(tmp_path, charset="UTF-16", cut=True), 2))) == [0, 400_000]


@pytest.mark.parametrize(
    "charset", ["ISO-8859-1", "windows-1252", "UTF-16", "UTF-16BE", "UTF-32", "GBK", "Cp1252"]
)
def test_files_are_decoded_by_the_charset_named(tmp_path: Path, charset: str) -> None:
    text = "中文\n" if charset == "GBK" else "é\nü\n"
    (tmp_path / "x").write_bytes(text.encode(charset))
    assert lines(source(tmp_path, charset=charset)) == text.split()


def test_bytes_that_are_no_text_are_reported_with_file_offset_and_line(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_bytes(b"ok\nb\xffd\n")
    with pytest.raises(SourceError, match=rf"{file} is not UTF-8 text: byte 4 in line 2, invalid start byte"):
        lines(source(file))
    packed = tmp_path / "y.gz"
    packed.write_bytes(gzip.compress(b"ok\nb\xffd\n"))
    with pytest.raises(SourceError, match=r"byte 4 of the decompressed content in line 2"):
        lines(source(packed))


def test_the_offset_is_that_in_the_file_also_when_it_is_cut(tmp_path: Path) -> None:
    content = bytearray(b"abcdefg\n" * 400_000)
    content[3_000_001] = 0xFF
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(SourceError, match="byte 3000001, invalid start byte"):
        read_shares(source(tmp_path, cut=True), 2)


def test_a_missing_path_is_an_error_when_the_job_starts(tmp_path: Path) -> None:
    files = source(tmp_path / "late", tmp_path)
    with pytest.raises(SourceError, match=f"input path {tmp_path}/late does not exist"):
        files.reader().splits(1)
    (tmp_path / "late").write_text("a\n")
    assert lines(files) == ["a", "a"]


def test_a_file_that_vanishes_is_an_error_that_names_it(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("a\n")
    reader = source(file).reader()
    ((split,),) = reader.splits(1)
    file.unlink()
    with pytest.raises(SourceError, match=f"cannot read {file}"):
        list(reader.read(split))


def test_a_directory_without_files_is_an_empty_source(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert read_shares(source(tmp_path), 2) == [[], []]


@pytest.mark.promise(
    "beh:filesource-bounded-default",
    "FileSourceBuilder.process_static_file_set",
    "FileSourceBuilder.monitor_continuously",
)
def test_it_is_bounded_unless_it_monitors_its_paths(tmp_path: Path) -> None:
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path))
    assert builder.build().is_bounded()
    monitoring = builder.monitor_continuously(Duration.of_seconds(1)).build()
    assert not monitoring.is_bounded()
    assert not monitoring.reader().is_bounded
    assert builder.process_static_file_set().build().is_bounded()


def test_an_interval_of_nothing_is_refused(tmp_path: Path) -> None:
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path))
    with pytest.raises(ConfigurationError, match="a millisecond or more"):
        builder.monitor_continuously(Duration.of_millis(0))


@pytest.mark.promise(
    "FileSourceBuilder.set_split_assigner", "FileSplitAssignerProvider.locality_aware_split_assigner"
)
def test_a_split_assigner_is_accepted_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\n")
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path))
    assigner = FileSplitAssignerProvider.locality_aware_split_assigner()
    assert lines(builder.set_split_assigner(assigner).build()) == ["a"]


def test_text_lines_are_strings(tmp_path: Path) -> None:
    assert source(tmp_path).get_produced_type() is Types.STRING


@pytest.mark.parametrize("charset", ["nope", "", "rot13", "base64", None, 3])
def test_an_unknown_charset_is_refused(charset: str) -> None:
    with pytest.raises(ConfigurationError, match=r"unknown charset |takes a str"):
        StreamFormat.text_line_format(charset)


def test_a_source_needs_a_format_and_a_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="at least one path"):
        FileSource.for_record_stream_format(StreamFormat.text_line_format())
    with pytest.raises(ConfigurationError, match="takes a StreamFormat, not '/x'"):
        FileSource.for_record_stream_format("/x")  # type: ignore[arg-type]


@pytest.mark.parametrize("charset", ["UTF-8", "UTF-16", "UTF-16LE", "UTF-8-SIG"])
def test_a_byte_order_mark_is_left_out_at_the_beginning_only(tmp_path: Path, charset: str) -> None:
    (tmp_path / "a").write_bytes("\ufeffa\n\ufeffb\n".encode(charset))
    assert lines(source(tmp_path / "a", charset=charset)) == ["a", "\ufeffb"]


def test_a_byte_order_mark_is_left_out_of_a_file_that_is_cut(tmp_path: Path) -> None:
    texts = [f"{n:0200}" for n in range(20_000)]
    (tmp_path / "a").write_text("\n".join(texts), "utf-8-sig")
    first, second = read_shares(source(tmp_path / "a", cut=True), 2)
    assert second
    assert first + second == texts


@pytest.mark.parametrize("cut", [False, True])
def test_lines_that_are_not_text_are_skipped_where_asked(
    tmp_path: Path, cut: bool, caplog: pytest.LogCaptureFixture
) -> None:
    good = [f"é{n:0200}" for n in range(20_000)]
    bad = [line.encode() + b"\xff" * (n % 1000 == 3) for n, line in enumerate(good)]
    (tmp_path / "a").write_bytes(b"\n".join(bad))
    shares = read_shares(source(tmp_path / "a", cut=cut, ignore_parse_errors=True), 2)
    assert sorted(line for share in shares for line in share) == [
        line for n, line in enumerate(good) if n % 1000 != 3
    ]
    assert (
        f"{tmp_path}/a: skipped {10 if cut else 20} that cannot be read, the first in line 4"
        in caplog.messages
    )


def test_lines_that_end_within_a_character_are_skipped_in_any_charset(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("a\n".encode("utf-16-le") + b"\x00\xd8" + "\nb\n".encode("utf-16-le"))
    assert lines(source(tmp_path / "a", charset="UTF-16LE", ignore_parse_errors=True)) == ["a", "b"]
