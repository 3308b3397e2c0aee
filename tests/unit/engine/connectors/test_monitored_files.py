"""Files that appear while a job runs, in pieces of bounded size."""

from __future__ import annotations

import gzip
import logging
import os
import pickle
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common import Duration, Row, Types
from pystream.common.serialization import JsonRowDeserializationSchema
from pystream.datastream.connectors import BulkFormat, FileEnumeratorProvider, FileSource, StreamFormat
from pystream.datastream.formats.avro import AvroBulkWriters, AvroReaders, AvroSchema
from pystream.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat, CsvSchema
from pystream.datastream.formats.parquet import (
    AvroParquetReaders,
    AvroParquetWriters,
    ParquetColumnarRowInputFormat,
    ParquetWriterFactory,
)
from pystream.engine.connectors import file_backlog, file_pieces, file_source
from pystream.engine.connectors.files import list_files
from pystream.engine.connectors.interfaces import Backlog, Poll, SplitEnumerator
from pystream.engine.connectors.monitored_files import MonitoredFiles
from pystream.errors import SourceError
from tests.unit.engine.connectors.jobs import write_bulk
from tests.unit.engine.connectors.resuming import Resuming

SECOND = 1_000
MANY = 1 << 40
MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the end of each listing, however busy the machine is."""
    monkeypatch.setattr(file_backlog, "_SECONDS_TO_WAIT", 60)


def monitored(*paths: Path | str, cuts: bool = False) -> MonitoredFiles:
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), *paths)
    if cuts:
        builder.set_file_enumerator(FileEnumeratorProvider.default_splittable_file_enumerator())
    reader = builder.monitor_continuously(Duration.of_seconds(1)).build().reader()
    assert isinstance(reader, MonitoredFiles)
    copy = pickle.loads(pickle.dumps(reader))
    assert isinstance(copy, MonitoredFiles)
    return copy


def write(path: Path, text: str, modified: int = 1) -> Path:
    """Move a complete file to a path, with a time of modification in seconds."""
    path.write_text(text)
    os.utime(path, (modified, modified))
    return path


def lines_of(source: MonitoredFiles, poll: Poll | None) -> list[list[str]]:
    """Return the lines that each subtask reads in an epoch."""
    assert poll is not None
    return [
        [line for split in share for batch in source.read(split) for line in batch] for share in poll.splits
    ]


def polls(enumerator: SplitEnumerator, now: int, limit: int = MANY) -> list[Poll]:
    """Return all input that there is at a time."""
    return list(iter(lambda: enumerator.poll(now, limit), None))


def test_files_that_are_there_come_first_and_new_ones_after_the_interval(tmp_path: Path) -> None:
    source = monitored(tmp_path)
    write(tmp_path / "a", "1\n")
    enumerator = source.enumerator(1)
    assert enumerator.next_poll(0) == 0
    assert lines_of(source, enumerator.poll(0, MANY)) == [["1"]]
    write(tmp_path / "b", "2\n")
    assert enumerator.next_poll(0) == SECOND
    assert enumerator.poll(SECOND - 1, MANY) is None
    assert lines_of(source, enumerator.poll(SECOND, MANY)) == [["2"]]
    assert enumerator.poll(2 * SECOND, MANY) is None
    assert not enumerator.is_ended


def test_files_of_a_listing_come_in_the_order_of_modification_then_of_paths(tmp_path: Path) -> None:
    source = monitored(tmp_path)
    for name, modified in {"z": 1, "b": 2, "a": 2, "c": 1}.items():
        write(tmp_path / name, name, modified)
    assert lines_of(source, source.enumerator(1).poll(0, MANY)) == [["c", "z", "a", "b"]]


def test_a_file_that_is_changed_after_it_was_seen_is_not_read_again(tmp_path: Path) -> None:
    write(tmp_path / "a", "1\n")
    enumerator = monitored(tmp_path).enumerator(1)
    assert len(polls(enumerator, 0)) == 1
    write(tmp_path / "a", "1\n2\n", modified=5)
    assert polls(enumerator, SECOND) == []


def test_empty_and_hidden_files_yield_nothing_and_empty_ones_count_as_seen(tmp_path: Path) -> None:
    source = monitored(tmp_path)
    (tmp_path / "empty").touch()
    write(tmp_path / ".hidden", "1\n")
    write(tmp_path / "_hidden", "1\n")
    enumerator = source.enumerator(1)
    assert polls(enumerator, 0) == []
    write(tmp_path / "empty", "late\n")
    write(tmp_path / "full", "1\n")
    (poll,) = polls(enumerator, SECOND)
    assert lines_of(source, poll) == [["1"]]
    assert polls(source.enumerator(1, None, [poll.change]), 0) == []


def test_a_file_below_two_locations_is_read_once(tmp_path: Path) -> None:
    write(tmp_path / "a", "1\n")
    source = monitored(tmp_path, tmp_path / "a", f"file://{tmp_path}")
    assert lines_of(source, source.enumerator(1).poll(0, MANY)) == [["1"]]


def test_a_backlog_comes_in_pieces_without_another_listing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        write(tmp_path / str(number), f"{number}\n", number)
    source = monitored(tmp_path)
    enumerator = source.enumerator(1)
    monkeypatch.setattr(file_source, "list_files", None)
    pieces, backlogs = [], [enumerator.backlog(0)]
    for now in (0, SECOND, 2 * SECOND):
        pieces.append(enumerator.poll(now, 2 * 16 * 1024))
        backlogs.append(enumerator.backlog(now))
    assert backlogs == [Backlog(bytes, "bytes") for bytes in (10, 6, 2, 0)]
    assert [lines_of(source, piece) for piece in pieces] == [[["0", "1"]], [["2", "3"]], [["4"]]]
    assert [piece is not None and piece.is_cut for piece in pieces] == [True, True, False]
    assert enumerator.next_poll(SECOND) == SECOND


def test_the_number_of_files_of_a_poll_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_pieces, "_MAX_FILES", 3)
    for number in range(7):
        write(tmp_path / str(number), "x")
    found = polls(monitored(tmp_path).enumerator(2), 0)
    assert [sum(map(len, poll.splits)) for poll in found] == [3, 3, 1]


def test_small_files_go_to_all_subtasks_in_turn(tmp_path: Path) -> None:
    source = monitored(tmp_path)
    enumerator = source.enumerator(2)
    assert polls(enumerator, 0) == []
    shares = []
    for number in range(4):
        write(tmp_path / str(number), f"{number}\n")
        shares.append(lines_of(source, enumerator.poll((number + 1) * SECOND, MANY)))
    assert shares == [[["0"], []], [[], ["1"]], [["2"], []], [[], ["3"]]]


def test_a_change_holds_the_new_files_only(tmp_path: Path) -> None:
    enumerator = monitored(tmp_path).enumerator(1)
    assert polls(enumerator, 0) == []
    sizes = []
    for number in range(3):
        write(tmp_path / str(number), "x")
        (poll,) = polls(enumerator, (number + 1) * SECOND)
        sizes.append(len(pickle.dumps(poll.change)))
    assert len(set(sizes)) == 1


def test_a_large_file_is_read_in_pieces_by_one_subtask_in_order(tmp_path: Path) -> None:
    lines = [f"{number:09}" for number in range(600_000)]
    write(tmp_path / "large", "\n".join(lines))
    source = monitored(tmp_path)
    enumerator = source.enumerator(2)
    first = enumerator.poll(0, MEGABYTE)
    assert first is not None
    assert enumerator.backlog(0) == Backlog(5_999_999 - first.size + 16 * 1024, "bytes")
    pieces = [first, *polls(enumerator, 0, MEGABYTE)]
    assert len(pieces) > 3
    assert max(piece.size for piece in pieces) <= 2 * MEGABYTE + 16 * 1024
    shares = [lines_of(source, piece) for piece in pieces]
    assert [line for share in shares for line in share[0]] == lines
    assert not any(share[1] for share in shares)


def test_a_large_file_that_may_be_cut_goes_to_all_subtasks(tmp_path: Path) -> None:
    lines = [f"{number:09}" for number in range(600_000)]
    write(tmp_path / "large", "\n".join(lines))
    source = monitored(tmp_path, cuts=True)
    (poll,) = polls(source.enumerator(2), 0, 8 * MEGABYTE)
    shares = lines_of(source, poll)
    assert all(shares)
    assert sorted(line for share in shares for line in share) == lines


def test_the_pieces_of_a_large_file_that_may_be_cut_are_bounded(tmp_path: Path) -> None:
    lines = [f"{number:09}" for number in range(600_000)]
    write(tmp_path / "large", "\n".join(lines))
    source = monitored(tmp_path, cuts=True)
    found = polls(source.enumerator(2), 0, 2 * MEGABYTE)
    assert len(found) == 3
    assert max(poll.size for poll in found) <= 3 * MEGABYTE
    assert sorted(line for poll in found for share in lines_of(source, poll) for line in share) == lines


def test_a_compressed_file_is_never_cut(tmp_path: Path) -> None:
    content = gzip.compress(os.urandom(3 * MEGABYTE).hex().encode())
    (tmp_path / "x.gz").write_bytes(content)
    (poll,) = polls(monitored(tmp_path, cuts=True).enumerator(2), 0, 1)
    assert sum(map(len, poll.splits)) == 1


def test_a_large_file_leaves_the_other_subtasks_to_the_next_files(tmp_path: Path) -> None:
    write(tmp_path / "a", "x\n" * 3 * MEGABYTE)
    write(tmp_path / "b", "b\n", modified=2)
    source = monitored(tmp_path)
    first, *_ = polls(source.enumerator(2), 0, 4 * MEGABYTE)
    assert lines_of(source, first)[1] == ["b"]


@settings(max_examples=30, deadline=None)
@given(data=st.data(), cuts=st.booleans(), parallelism=st.integers(1, 3))
def test_resuming_at_any_poll_reads_each_line_once(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, cuts: bool, parallelism: int
) -> None:
    directory = tmp_path_factory.mktemp("files")
    source = monitored(directory, cuts=cuts)
    resuming = Resuming(source, parallelism, data)
    read: list[str] = []
    written: list[str] = []
    now = 0
    for number in range(data.draw(st.integers(1, 6))):
        count = data.draw(st.sampled_from([0, 1, 150_000]))
        lines = [f"{number}-{line:06}" for line in range(count)]
        write(directory / f"{number}", "\n".join(lines), number)
        written += lines
        for _ in range(data.draw(st.integers(0, 3))):
            now += SECOND
            if (poll := resuming.poll(now, data.draw(st.sampled_from([1, MEGABYTE, MANY])))) is not None:
                read += [line for share in lines_of(source, poll) for line in share]
        resuming.continue_or_restart()
    for last in (now + SECOND, now + 3 * SECOND):
        for poll in polls(resuming.enumerator, last, MEGABYTE):
            read += [line for share in lines_of(source, poll) for line in share]
    assert sorted(read) == sorted(written)


PAIR = Types.ROW_NAMED(["i", "s"], [Types.LONG(), Types.STRING()])
AVRO = AvroSchema.parse_string(
    '{"type": "record", "name": "Pair",'
    ' "fields": [{"name": "i", "type": "long"}, {"name": "s", "type": "string"}]}'
)
CSV = CsvSchema.builder().add_number_column("i").add_string_column("s").build()
FORMATS: dict[str, tuple[Any, Any]] = {
    "CSV": (CsvReaderFormat.for_schema(CSV), CsvBulkWriters.for_schema(CSV)),
    "Avro": (AvroReaders.for_generic_record(AVRO), AvroBulkWriters.for_generic_record(AVRO)),
    "Avro in Parquet": (
        AvroParquetReaders.for_generic_record(AVRO),
        AvroParquetWriters.for_generic_record(AVRO),
    ),
    "Parquet": (ParquetColumnarRowInputFormat(PAIR), ParquetWriterFactory()),
}


@pytest.mark.parametrize("format", FORMATS)
def test_files_of_every_format_are_monitored(tmp_path: Path, format: str) -> None:
    reader, writers = FORMATS[format]
    make = (
        FileSource.for_bulk_file_format
        if isinstance(reader, BulkFormat)
        else FileSource.for_record_stream_format
    )
    source: Any = make(reader, tmp_path / "in").monitor_continuously(Duration.of_seconds(1)).build()
    as_dicts = format.startswith("Avro")
    (tmp_path / "in").mkdir()
    monitored = source.reader()
    enumerator = monitored.enumerator(1)
    assert polls(enumerator, 0) == []
    for number in (1, 2):
        element = {"i": number, "s": "x"} if as_dicts else Row(i=number, s="x")
        type_info = source.get_produced_type() if as_dicts else PAIR
        (file,) = write_bulk(tmp_path / f"out{number}", writers, [element], type_info=type_info)
        file.rename(tmp_path / "in" / f"{number}")
        (found,) = lines_of(monitored, enumerator.poll(number * SECOND, MANY))
        assert [dict(one) if as_dicts else one for one in found] == [element]


def test_json_lines_are_monitored(tmp_path: Path) -> None:
    schema = JsonRowDeserializationSchema.builder().type_info(PAIR).build()
    builder = FileSource.for_record_stream_format(StreamFormat.deserialized_lines(schema), tmp_path)
    source: Any = builder.monitor_continuously(Duration.of_seconds(1)).build().reader()
    write(tmp_path / "a", '{"i": 1, "s": "x"}\n')
    assert lines_of(source, source.enumerator(1).poll(0, MANY)) == [[Row(i=1, s="x")]]


def test_a_location_that_is_missing_is_an_error_but_a_pattern_may_wait(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        monitored(tmp_path / "nowhere").enumerator(1)
    source = monitored(f"{tmp_path}/*.csv")
    enumerator = source.enumerator(1)
    assert polls(enumerator, 0) == []
    write(tmp_path / "a.csv", "1\n")
    write(tmp_path / "a.txt", "2\n")
    assert lines_of(source, enumerator.poll(SECOND, MANY)) == [["1"]]


def test_a_listing_that_fails_later_is_logged_and_repeated(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (place := tmp_path / "in").mkdir()
    source = monitored(place)
    enumerator = source.enumerator(1)
    assert polls(enumerator, 0) == []
    place.rename(tmp_path / "away")
    with caplog.at_level(logging.WARNING):
        assert polls(enumerator, SECOND) == []
    assert f"{place} does not exist; it is listed again in 1000 ms" in caplog.text
    (tmp_path / "away").rename(place)
    write(place / "a", "1\n")
    assert lines_of(source, enumerator.poll(2 * SECOND, MANY)) == [["1"]]


def test_a_poll_does_not_wait_for_a_long_listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_backlog, "_SECONDS_TO_WAIT", 0)
    enumerator = monitored(tmp_path).enumerator(1)
    assert enumerator.poll(0, MANY) is None
    write(tmp_path / "a", "1\n")
    go_on = Event()
    monkeypatch.setattr(
        file_source, "list_files", lambda *_, **__: go_on.wait() and list_files(str(tmp_path))
    )
    assert enumerator.poll(SECOND, MANY) is None
    assert enumerator.next_poll(SECOND) == SECOND + 50
    assert enumerator.poll(3 * SECOND, MANY) is None
    go_on.set()
    monkeypatch.setattr(file_backlog, "_SECONDS_TO_WAIT", 60)
    assert enumerator.poll(3 * SECOND, MANY) is not None


def test_a_file_that_disappears_before_it_is_read_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    file = write(tmp_path / "a", "1\n")
    source = monitored(tmp_path)
    (poll,) = polls(source.enumerator(1), 0)
    file.unlink()
    with pytest.raises(SourceError, match=f"cannot read {file}: it was there .* is gone.*move complete ones"):
        lines_of(source, poll)


def test_a_file_that_grows_while_it_is_read_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    file = write(tmp_path / "a", "1\n")
    source = monitored(tmp_path)
    (poll,) = polls(source.enumerator(1), 0)
    write(file, "1\n2\n")
    with pytest.raises(SourceError, match=f"cannot read {file}: it had 2 bytes .*has 4 now"):
        lines_of(source, poll)


def test_a_file_that_is_removed_once_it_was_read_is_no_error(tmp_path: Path) -> None:
    file = write(tmp_path / "a", "1\n")
    source = monitored(tmp_path)
    (poll,) = polls(source.enumerator(1), 0)
    batches = source.read(poll.splits[0][0])
    assert next(batches) == ["1"]
    file.unlink()
    assert list(batches) == []
