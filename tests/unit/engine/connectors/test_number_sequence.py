"""Sequences of whole numbers and how subtasks share them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.datastream.connectors import NumberSequenceSource, RateLimiterStrategy
from pystream.engine.connectors import pace
from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.number_sequence import NumberEnumerator, NumberSequence
from pystream.errors import ConfigurationError, PlanTypeError
from pystream.kinds import SourceColumns
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
        ("1", 2, "takes an int of 64 bits, not '1' .* as start"),
        (1, 2**63, "takes an int of 64 bits, .* as end"),
        (True, 2, "takes an int .* as start"),
    ],
)
def test_bounds_that_are_none_are_refused(start: int, end: int, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        NumberSequenceSource(start, end)


def numbers(poll: Poll | None) -> list[list[int]]:
    """Return the numbers of each subtask in an epoch, none if there is no epoch."""
    shares = [] if poll is None else poll.splits
    return [[n for split in share for n in range(split.first, split.last + 1)] for share in shares]


def test_an_unbounded_job_reads_a_sequence_in_pieces_to_its_end() -> None:
    enumerator = NumberSequence(1, 5).enumerator(2)
    assert numbers(first := enumerator.poll(0, 4)) == [[3, 4], [1, 2]]
    assert first is not None
    assert first.is_cut
    assert (enumerator.is_ended, enumerator.next_poll(0)) == (False, 0)
    assert numbers(last := enumerator.poll(0, 4)) == [[5], []]
    assert last is not None
    assert not last.is_cut
    assert (enumerator.is_ended, enumerator.next_poll(0), enumerator.poll(0, 4)) == (True, None, None)


def test_an_empty_sequence_has_ended() -> None:
    assert NumberSequence(0, -1).enumerator(2).is_ended


@given(limits=st.lists(st.integers(1, 30), max_size=8), parallelism=st.integers(1, 3))
def test_pieces_cover_a_sequence_once_wherever_it_is_resumed(limits: list[int], parallelism: int) -> None:
    source = NumberSequence(-5, 70)
    enumerator = source.enumerator(parallelism)
    read: list[int] = []
    changes: list[int] = []
    for limit in [*limits, 1_000]:
        if (poll := enumerator.poll(0, limit)) is not None:
            assert poll.size == sum(map(len, numbers(poll))) <= limit
            read += [n for share in numbers(poll) for n in share]
            changes.append(poll.change)
        enumerator = source.enumerator(parallelism, None, changes)
        assert enumerator.snapshot() == source.enumerator(parallelism, enumerator.snapshot()).snapshot()
    assert sorted(read) == list(range(-5, 71))


def test_at_a_rate_the_numbers_that_are_due_come_at_most_20_times_a_second() -> None:
    enumerator = NumberSequence(0, 10_000, rate=1_000).enumerator(1)
    start = 1_000_000
    assert enumerator.next_poll(start) == start
    assert numbers(enumerator.poll(start, 500)) == [[0]]
    assert enumerator.next_poll(start) == start + 50
    assert enumerator.poll(start + 49, 500) is None
    assert numbers(enumerator.poll(start + 50, 500)) == [list(range(1, 51))]


def test_numbers_that_come_rarely_go_to_the_subtasks_in_turn() -> None:
    enumerator = NumberSequence(0, 10, rate=0.5).enumerator(3)
    shares = []
    now = 0
    for _ in range(4):
        assert enumerator.next_poll(now) == now
        shares.append(numbers(enumerator.poll(now, 500)))
        assert enumerator.next_poll(now) == now + 2_000
        assert enumerator.poll(now + 1_999, 500) is None
        now += 2_000
    assert shares == [[[], [], [0]], [[1], [], []], [[], [2], []], [[], [], [3]]]


def test_a_job_that_lags_behind_the_rate_takes_what_is_due_in_pieces() -> None:
    enumerator = NumberSequence(0, 10_000, rate=100).enumerator(1)
    enumerator.poll(0, 10)
    late = enumerator.poll(1_000, 60)
    assert late is not None
    assert (late.size, late.is_cut) == (60, True)
    assert enumerator.next_poll(1_000) == 1_000
    assert enumerator.backlog(1_000) == Backlog(40, "records")
    rest = enumerator.poll(1_000, 60)
    assert rest is not None
    assert (rest.size, rest.is_cut) == (40, False)
    assert enumerator.backlog(1_000) == Backlog(0, "records")


def test_the_backlog_of_a_sequence_that_ends_is_what_is_left() -> None:
    enumerator = NumberSequence(1, 100).enumerator(2)
    enumerator.poll(0, 30)
    assert enumerator.backlog(0) == Backlog(70, "records")
    ending = NumberSequence(1, 100, rate=1_000).enumerator(1)
    assert ending.backlog(0) == Backlog(0, "records")
    ending.poll(1_000, 10)
    assert ending.backlog(10_000) == Backlog(99, "records")
    assert NumberSequence(1, 2**63 - 1, is_bounded=False).enumerator(1).backlog(0) is None


@given(rate=st.floats(0.001, 5_000), times=st.lists(st.integers(1, 5_000), max_size=20))
def test_no_number_comes_before_it_is_due_and_each_when_it_was_announced(
    rate: float, times: list[int]
) -> None:
    enumerator: NumberEnumerator = NumberSequence(0, 2**60, rate=rate).enumerator(1)
    enumerator.poll(0, 2**60)
    now = 0
    for pause in times:
        announced = enumerator.next_poll(now)
        assert announced is not None
        assert enumerator.poll(announced - 1, 2**60) is None
        now = announced + pause
        assert enumerator.poll(now, 2**60) is not None
        assert enumerator.snapshot() - 1 <= now * rate / 1_000 + 1e-6


def test_a_resumed_sequence_does_not_catch_up_with_the_time_between() -> None:
    source = NumberSequence(0, 10_000, rate=1_000)
    assert numbers(source.enumerator(1, 500).poll(10**9, 9_999)) == [[500]]


def test_a_bounded_job_keeps_to_the_rate_by_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0

    def sleep(seconds: float) -> None:
        nonlocal clock
        clock += round(seconds * 1e9)

    monkeypatch.setattr(pace.time, "monotonic_ns", lambda: clock)
    monkeypatch.setattr(pace.time, "sleep", sleep)
    source = NumberSequenceSource(0, 99, RateLimiterStrategy.per_second(10)).reader()
    assert source.columns is SourceColumns.NONE
    read: list[int] = []
    for split in source.splits(2)[1]:
        for batch in source.read(split):
            read += batch
            assert len(read) <= clock / 1e9 * 5 + 1
    assert read == list(range(50, 100))
    assert clock == (50 - 1) * 200_000_000


@pytest.mark.parametrize("rate", [0, -1, float("inf"), float("nan"), "10", True])
def test_a_rate_that_is_none_is_refused(rate: float) -> None:
    with pytest.raises(ConfigurationError, match=r"must be a positive number of elements|takes a number"):
        RateLimiterStrategy.per_second(rate)


def test_a_rate_limiter_that_is_none_is_refused() -> None:
    with pytest.raises(PlanTypeError, match="NumberSequenceSource takes a RateLimiterStrategy"):
        NumberSequenceSource(1, 2, 10)  # type: ignore[arg-type]


def test_no_limit_is_the_default() -> None:
    reader = NumberSequenceSource(1, 2, RateLimiterStrategy.no_op()).reader()
    assert reader == NumberSequenceSource(1, 2).reader()
    assert reader.columns is SourceColumns.SPARK
