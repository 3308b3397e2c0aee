"""Sources that are read one after the other."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.datastream.connectors import FileSource, StreamFormat
from pystream.engine.connectors.collection import CollectionSource
from pystream.engine.connectors.hybrid import HybridInput, HybridPart, HybridPosition
from pystream.engine.connectors.interfaces import Backlog, Poll
from pystream.engine.connectors.kafka.enumerator import KafkaProgress
from pystream.engine.connectors.number_sequence import NumberEnumerator, NumberSequence
from pystream.engine.events import Elements, RecordErrors
from pystream.errors import SourceError
from pystream.kinds import SourceColumns
from tests.unit.engine.connectors.resuming import Resuming


def hybrid(*sources: Any, by_split: bool = False) -> HybridInput:
    return HybridInput(tuple(map(HybridPart, sources)), by_split)


def elements(source: HybridInput, splits: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return the elements that each subtask reads."""
    return [[one for split in share for batch in source.read(split) for one in batch] for share in splits]


def polled(source: HybridInput, poll: Poll | None) -> list[Any]:
    """Return the elements that all subtasks read in an epoch."""
    assert poll is not None
    return [one for share in elements(source, poll.splits) for one in share]


@dataclass
class Opened:
    """Numbers whose enumerators write down what they are told."""

    name: str
    numbers: NumberSequence
    said: list[str] = field(default_factory=list)

    is_bounded = True
    columns = SourceColumns.NONE
    first_limit = 10

    def enumerator(self, parallelism: int, position: Any = None, changes: Sequence[Any] = ()) -> Any:
        self.said.append(f"open {self.name}")
        return Told(self, self.numbers.enumerator(parallelism, position, changes))

    def read(self, split: Any) -> Iterator[Any]:
        return self.numbers.read(split)


class Told:
    def __init__(self, source: Opened, numbers: NumberEnumerator) -> None:
        self._source = source
        self._numbers = numbers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._numbers, name)

    def completed(self) -> None:
        self._source.said.append(f"completed {self._source.name}")

    def close(self) -> None:
        self._source.said.append(f"close {self._source.name}")


def test_the_next_source_is_opened_when_the_one_before_has_ended() -> None:
    said: list[str] = []
    source = hybrid(Opened("a", NumberSequence(1, 15), said), Opened("b", NumberSequence(21, 22), said))
    enumerator = source.enumerator(1)
    assert polled(source, enumerator.poll(0, 10)) == list(range(1, 11))
    enumerator.completed()
    assert enumerator.next_poll(7) == 7
    assert polled(source, enumerator.poll(0, 10)) == list(range(11, 16))
    enumerator.completed()
    assert (enumerator.is_ended, enumerator.next_poll(7)) == (False, 7)
    assert said == ["open a", "completed a", "completed a"]
    assert polled(source, enumerator.poll(0, 10)) == [21, 22]
    enumerator.completed()
    assert (enumerator.is_ended, enumerator.next_poll(7), enumerator.poll(0, 10)) == (True, None, None)
    enumerator.close()
    assert said[3:] == ["open b", "close a", "completed b", "close b"]


def test_a_source_that_cannot_be_opened_leaves_the_one_before_open() -> None:
    said: list[str] = []
    nowhere = FileSource.for_record_stream_format(StreamFormat.text_line_format(), "/nowhere").build()
    source = hybrid(Opened("a", NumberSequence(1, 1), said), nowhere.reader())
    enumerator = source.enumerator(1)
    enumerator.poll(0, 1)
    with pytest.raises(SourceError, match="/nowhere"):
        enumerator.poll(0, 1)
    enumerator.close()
    assert said == ["open a", "close a"]


class Latest:
    """Never has input; its position is what was the latest when it was opened."""

    is_bounded = False
    columns = SourceColumns.NONE
    first_limit = 1
    is_ended = False

    def __init__(self, latest: Iterator[int]) -> None:
        self._latest = latest

    def enumerator(self, parallelism: int, position: Any = None, changes: Sequence[Any] = ()) -> Latest:
        return Latest(iter([position or next(self._latest)]))

    def read(self, split: Any) -> Iterator[Any]:
        raise NotImplementedError

    def poll(self, now: int, limit: int) -> None:
        return None

    def next_poll(self, now: int) -> int:
        return now

    def backlog(self, now: int) -> None:
        return None

    def snapshot(self) -> int:
        (latest,) = self._latest
        self._latest = iter([latest])
        return latest

    def completed(self) -> None: ...

    def close(self) -> None: ...


def test_the_start_of_the_next_source_is_kept_before_it_has_input() -> None:
    source = hybrid(NumberSequence(1, 1), CollectionSource.of([]), Latest(iter([5, 6])))
    assert not source.is_bounded
    enumerator = source.enumerator(2)
    position = enumerator.snapshot()
    polls = [enumerator.poll(0, 1 << 20), enumerator.poll(0, 1 << 20)]
    changes = [pickle.loads(pickle.dumps(poll.change)) for poll in polls if poll is not None]
    assert polls[1] == Poll([(), ()], 0, changes[1])
    assert enumerator.poll(0, 1 << 20) is None
    assert source.enumerator(3, position, changes).snapshot() == enumerator.snapshot() == (2, 5)
    assert source.enumerator(3, position, changes[:1]).snapshot() == (0, 2)
    assert source.enumerator(3, enumerator.snapshot()).snapshot() == (2, 5)


def test_limits_are_shares_of_the_first_limit_of_each_source() -> None:
    source = hybrid(Opened("a", NumberSequence(1, 40)), NumberSequence(1, 1_000_000))
    assert source.first_limit == 10
    enumerator = source.enumerator(1)
    sizes = []
    for limit in (10, 20, 15, 10, 20, 1):
        poll = enumerator.poll(0, limit)
        assert poll is not None
        sizes.append(poll.size)
    limit_of_numbers = NumberSequence(1, 1).first_limit
    assert sizes == [10, 20, 10, limit_of_numbers, 2 * limit_of_numbers, limit_of_numbers // 10]


def test_the_backlog_is_that_of_the_current_source() -> None:
    source = hybrid(NumberSequence(1, 4), NumberSequence(11, 17))
    enumerator = source.enumerator(1)
    assert enumerator.backlog(0) == Backlog(4, "records")
    enumerator.poll(0, 3)
    assert enumerator.backlog(0) == Backlog(1, "records")
    enumerator.poll(0, 3)
    enumerator.poll(0, 3)
    assert enumerator.backlog(0) == Backlog(4, "records")


def test_a_bounded_job_reads_the_sources_in_order_in_each_subtask() -> None:
    source = hybrid(NumberSequence(1, 4), CollectionSource.of([7, 8, 9]))
    assert source.is_bounded
    assert elements(source, source.splits(2)) == [[1, 2, 7, 9], [3, 4, 8]]


def test_a_source_of_several_may_be_one_of_several() -> None:
    inner = hybrid(CollectionSource.of(["a"]), CollectionSource.of(["b"]), by_split=True)
    source = HybridInput((HybridPart(inner, has_splits=True), HybridPart(CollectionSource.of(["c"]))), True)
    enumerator = source.enumerator(1)
    read = []
    while not enumerator.is_ended:
        read += polled(source, enumerator.poll(0, 1))
        enumerator = source.enumerator(1, pickle.loads(pickle.dumps(enumerator.snapshot())))
    assert read == [("0|0|", 1, "a"), ("0|1|", 1, "b"), ("1|", 1, "c")]


def test_elements_have_the_names_of_their_splits() -> None:
    class Partitions:
        columns = SourceColumns.NONE
        is_bounded = True

        def splits(self, parallelism: int) -> list[list[Any]]:
            return [["p"]]

        def read(self, split: str) -> Iterator[Any]:
            yield Elements([(split, 2, "b")], [5])
            yield RecordErrors(1)

    parts = HybridPart(CollectionSource.of(["a"])), HybridPart(Partitions(), has_splits=True)  # type: ignore[arg-type]
    source = HybridInput(parts, by_split=True)
    (share,) = source.splits(1)
    assert [batch for split in share for batch in source.read(split)] == [
        [("0|", 1, "a")],
        Elements([("1|p", 2, "b")], [5]),
        RecordErrors(1),
    ]


class Connected(NumberSequence):
    """Numbers that are read over a connection."""

    closed: ClassVar[list[int]] = []

    def connected(self) -> Connected:
        return replace(self)

    def disconnect(self) -> None:
        self.closed.append(self.first)


def test_the_connections_of_all_sources_are_closed() -> None:
    source = hybrid(Connected(1, 2), NumberSequence(3, 4), Connected(5, 6))
    source.disconnect()
    assert Connected.closed == [1, 5]
    other = source.connected()
    assert other == source
    pairs = zip(source.parts, other.parts, strict=True)
    assert [mine.source is theirs.source for mine, theirs in pairs] == [False, True, False]


@pytest.mark.parametrize("position", [HybridPosition(2, None), (), KafkaProgress({}, {})])
def test_the_position_of_another_source_is_refused(position: Any) -> None:
    with pytest.raises(SourceError, match="the state is that of another source"):
        hybrid(NumberSequence(1, 2), NumberSequence(3, 4)).enumerator(1, position)


class InColumns(NumberSequence):
    """Yields tuples in place of lists, as a source with columns does."""

    @property
    def columns(self) -> SourceColumns:
        return SourceColumns.WORKERS

    def read(self, split: Any) -> Iterator[Any]:
        return map(tuple, super().read(split))


@pytest.mark.parametrize(
    ("sources", "columns", "kind"),
    [
        ([InColumns(1, 2), InColumns(1, 2)], SourceColumns.WORKERS, tuple),
        ([InColumns(1, 2), NumberSequence(1, 2)], SourceColumns.NONE, list),
        ([NumberSequence(1, 2)], SourceColumns.NONE, list),
    ],
)
def test_columns_stay_columns_if_all_sources_have_them(
    sources: list[NumberSequence], columns: SourceColumns, kind: type
) -> None:
    source = hybrid(*sources)
    assert source.columns is columns
    (share,) = source.splits(1)
    assert [type(batch) for batch in source.read(share[0])] == [kind]


@settings(max_examples=100)
@given(sizes=st.lists(st.integers(0, 9), min_size=1, max_size=5), data=st.data())
def test_resuming_at_any_poll_reads_each_element_once(sizes: list[int], data: st.DataObject) -> None:
    parts: list[Any] = []
    for number, size in enumerate(sizes):
        if data.draw(st.booleans()):
            parts.append(CollectionSource.of([(number, index) for index in range(size)]))
        else:
            parts.append(Pairs(number, size))
    source = hybrid(*parts)
    resuming = Resuming(source, data.draw(st.integers(1, 3)), data)
    read: list[tuple[int, int]] = []
    while not resuming.enumerator.is_ended:
        poll = resuming.poll(0, data.draw(st.integers(1, 1 << 20)))
        read += [] if poll is None else polled(source, poll)
        resuming.continue_or_restart()
    assert sorted(read) == [(number, index) for number, size in enumerate(sizes) for index in range(size)]
    assert [number for number, _ in read] == sorted(number for number, _ in read)


@dataclass(frozen=True)
class Pairs:
    """The numbers from 0, each with the number of the source."""

    number: int
    size: int

    is_bounded = True
    columns = SourceColumns.NONE
    first_limit = 2

    def enumerator(self, parallelism: int, position: Any = None, changes: Sequence[Any] = ()) -> Any:
        return NumberSequence(0, self.size - 1).enumerator(parallelism, position, changes)

    def read(self, split: Any) -> Iterator[Any]:
        for batch in NumberSequence(0, 0).read(split):
            yield [(self.number, index) for index in batch]
