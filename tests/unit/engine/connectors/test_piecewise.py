"""Bounded sources in pieces, for unbounded jobs."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.datastream.connectors import FileEnumeratorProvider, FileSource, StreamFormat
from pystream.engine.connectors.collection import CollectionSource
from pystream.engine.connectors.interfaces import Backlog, Poll, UnboundedSource
from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.engine.connectors.piecewise import PiecewiseSource, in_pieces
from pystream.errors import SourceError
from tests.unit.engine.connectors.resuming import Resuming

MEGABYTE = 1 << 20


def files(path: Path, *, cuts: bool = False) -> UnboundedSource:
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), path)
    if cuts:
        builder.set_file_enumerator(FileEnumeratorProvider.default_splittable_file_enumerator())
    return in_pieces(builder.build().reader())


def elements(source: UnboundedSource, poll: Poll | None) -> list[list[Any]]:
    """Return the elements that each subtask reads in an epoch."""
    assert poll is not None
    return [
        [one for split in share for batch in source.read(split) for one in batch] for share in poll.splits
    ]


def test_a_source_that_can_be_read_in_pieces_stays_as_it_is() -> None:
    assert in_pieces(source := NumberSequence(1, 2)) is source


def test_each_subtask_reads_one_split_in_an_epoch() -> None:
    collection = CollectionSource.of(list(range(20_000)))
    source = in_pieces(collection)
    assert source.is_bounded
    enumerator = source.enumerator(2)
    counts = []
    read: list[list[int]] = [[], []]
    while (poll := enumerator.poll(0, 1)) is not None:
        counts.append((poll.size, poll.is_cut))
        for subtask, share in enumerate(elements(pickle.loads(pickle.dumps(source)), poll)):
            read[subtask] += share
    assert counts == 3 * [(2, False)]  # a limit has no effect
    assert read == [list(range(0, 20_000, 2)), list(range(1, 20_000, 2))]
    assert (enumerator.is_ended, enumerator.next_poll(5)) == (True, None)


def test_large_files_are_cut_and_their_parts_stay_with_their_subtask(tmp_path: Path) -> None:
    lines = [f"{number:09}" for number in range(600_000)]
    (tmp_path / "a").write_text("\n".join(lines))
    (tmp_path / "b").write_text("x\n")
    source = files(tmp_path)
    enumerator = source.enumerator(2)
    assert enumerator.backlog(0) == Backlog(5_999_999 + 2, "bytes")
    polls = [enumerator.poll(0, 2 * MEGABYTE)]
    left = source.enumerator(2, enumerator.snapshot()).backlog(0)
    assert enumerator.backlog(0) == left
    assert left is not None
    assert 3 * MEGABYTE < left.size < 5 * MEGABYTE
    polls += iter(lambda: enumerator.poll(0, 2 * MEGABYTE), None)
    assert enumerator.backlog(0) == Backlog(0, "bytes")
    shares = [elements(source, poll) for poll in polls]
    assert [line for share in shares for line in share[0]] == lines
    assert [line for share in shares for line in share[1]] == ["x"]
    assert max(poll.size for poll in polls if poll is not None) <= 4 * MEGABYTE


def test_a_location_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        files(tmp_path / "nowhere").enumerator(1)


def test_files_that_come_later_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "b").write_text("2\n")
    source = files(tmp_path)
    poll = source.enumerator(1).poll(0, 1)
    assert elements(source, poll) == [["1"]]
    assert poll is not None
    (tmp_path / "c").write_text("3\n")
    resumed = source.enumerator(1, None, [poll.change])
    assert elements(source, resumed.poll(0, MEGABYTE)) == [["2"]]
    assert resumed.is_ended


class Counted:
    """A source of ranges, each read as its numbers; divisible where its ranges say so."""

    def __init__(self, ranges: list[range]) -> None:
        self.ranges = ranges

    def splits(self, parallelism: int) -> list[list[range]]:
        return [self.ranges[subtask::parallelism] for subtask in range(parallelism)]

    def length(self, split: range) -> int:
        return len(split)

    def cost(self, split: range) -> int:
        return len(split)

    def first_part(self, split: range, size: int) -> tuple[range, range | None]:
        return (split[:size], split[size:]) if len(split) > size else (split, None)

    def read(self, split: range) -> Any:
        yield list(split)


@settings(max_examples=200)
@given(sizes=st.lists(st.integers(1, 9), max_size=8), data=st.data())
def test_resuming_at_any_poll_reads_each_element_once(sizes: list[int], data: st.DataObject) -> None:
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    source = PiecewiseSource(Counted([range(end - size, end) for size, end in zip(sizes, ends, strict=True)]))  # type: ignore[arg-type]
    resuming = Resuming(source, data.draw(st.integers(1, 3)), data)
    read: list[int] = []
    while not resuming.enumerator.is_ended:
        poll = resuming.poll(0, data.draw(st.integers(1, 12)))
        assert poll is not None
        read += [one for share in elements(source, poll) for one in share]
        resuming.continue_or_restart()
    assert sorted(read) == list(range(sum(sizes)))
