"""Sequences of whole numbers and how subtasks share them."""

from __future__ import annotations

import pytest

from pystream.datastream.connectors import NumberSequenceSource
from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.errors import ConfigurationError
from tests.unit.engine.connectors.jobs import read_shares
from typeinfo import Types


@pytest.mark.promise("beh:number-seq-inclusive", "connector:number-sequence")
def test_both_ends_are_included_and_one_subtask_reads_in_order() -> None:
    assert read_shares(NumberSequenceSource(-2, 3), 1) == [[-2, -1, 0, 1, 2, 3]]


def test_subtasks_read_pieces_in_order_whose_sizes_differ_by_one_at_most() -> None:
    pieces = read_shares(NumberSequenceSource(1, 10), 4)
    assert [n for piece in pieces for n in piece] == list(range(1, 11))
    assert sorted(map(len, pieces)) == [2, 2, 3, 3]


def test_more_subtasks_than_numbers_leave_some_idle() -> None:
    assert sorted(map(len, read_shares(NumberSequenceSource(5, 6), 4))) == [0, 0, 1, 1]


def test_long_pieces_come_in_batches_of_bounded_length() -> None:
    reader = NumberSequence(0, 40_000)
    ((split,),) = reader.splits(1)
    batches = list(reader.read(split))
    assert max(map(len, batches)) <= 16_384
    assert [n for batch in batches for n in batch] == list(range(40_001))


def test_the_whole_range_of_longs_can_be_shared_out() -> None:
    shares = NumberSequenceSource(-(2**63), 2**63 - 1).reader().splits(2)
    assert [(s.first, s.last) for (s,) in shares] == [(-(2**63), -1), (0, 2**63 - 1)]


def test_it_is_bounded_and_makes_longs() -> None:
    source = NumberSequenceSource(1, 1)
    assert source.is_bounded()
    assert source.get_produced_type() is Types.LONG


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (2, 1, "end 1 lies below start 2"),
        ("1", 2, "start must be an int of 64 bits, not '1'"),
        (1, 2**63, "end must be an int of 64 bits"),
        (True, 2, "start must be an int"),
    ],
)
def test_bounds_that_are_none_are_refused(start: int, end: int, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        NumberSequenceSource(start, end)
