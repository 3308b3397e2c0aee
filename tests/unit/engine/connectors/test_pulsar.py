"""What the source and the sink of Pulsar do where a real broker is hard to bring to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from pystream.common.serialization import SimpleStringSchema
from pystream.datastream.connectors.pulsar import PulsarSink, PulsarSource, StopCursor
from pystream.datastream.formats.csv import CsvRowDeserializationSchema
from pystream.engine.connectors.pulsar import cursors
from pystream.engine.connectors.pulsar import enumerator as enumerators
from pystream.engine.connectors.pulsar import source as sources
from pystream.engine.connectors.pulsar.client import ClientSettings, Entry, client_errors
from pystream.engine.connectors.pulsar.enumerator import PulsarEnumerator
from pystream.engine.connectors.pulsar.sink import MessageWriter
from pystream.engine.connectors.pulsar.splits import PulsarSplit
from pystream.engine.events import Elements
from pystream.engine.failure import ElementFailure
from pystream.engine.vectorised.columns import ColumnValues
from pystream.errors import SourceError
from pystream.kinds import SourceColumns
from typeinfo import Types


class Id:
    def __init__(self, ledger: int, entry: int) -> None:
        self.ledger_id, self.entry_id, self.batch_index = (lambda: ledger), (lambda: entry), (lambda: -1)


class Message:
    def __init__(self, ledger: int, entry: int) -> None:
        self.message_id = lambda: Id(ledger, entry)
        self.publish_timestamp, self.event_timestamp = (lambda: 1), (lambda: 0)
        self.data = lambda: f"{ledger}:{entry}".encode()


class Topic:
    """The entries of a partition, as a client and its consumers and readers see them."""

    def __init__(self, *entries: tuple[int, int]) -> None:
        self.entries = [*entries]
        self.acknowledged: list[Any] = []

    def get_topic_partitions(self, topic: str) -> list[str]:
        return [topic]

    def subscribe(self, *arguments: Any, **named: Any) -> Topic:
        return self

    def get_last_message_id(self) -> Id:
        return Id(*self.entries[-1]) if self.entries else Id(-1, -1)

    def acknowledge_cumulative(self, id: Any) -> None:
        self.acknowledged.append((id.ledger_id(), id.entry_id()))

    def close(self) -> None:
        pass

    @contextmanager
    def reader_after(self, client: Any, topic: str, entry: Entry) -> Iterator[Reader]:
        yield Reader([each for each in self.entries if each > entry])


class Reader:
    def __init__(self, entries: list[tuple[int, int]]) -> None:
        self.entries = entries

    def has_message_available(self) -> bool:
        return bool(self.entries)

    def read_next(self, timeout: int) -> Message:
        return Message(*self.entries.pop(0))


@pytest.fixture
def topic(monkeypatch: pytest.MonkeyPatch) -> Topic:
    """A topic with three ledgers, in place of a broker."""
    topic = Topic(*((ledger, entry) for ledger in (3, 5, 8) for entry in range(10)))
    monkeypatch.setattr(ClientSettings, "connect", lambda settings: topic)
    monkeypatch.setattr(sources, "client_of", lambda settings: topic)
    monkeypatch.setattr(sources, "reader_after", topic.reader_after)
    monkeypatch.setattr("pystream.engine.connectors.pulsar.cursors.reader_after", topic.reader_after)
    return topic


def input_of(stop: StopCursor | None = None) -> sources.PulsarInput:
    builder = PulsarSource.builder().set_service_url("pulsar://a").set_topics("t").set_subscription_name("s")
    if stop is not None:
        builder.set_unbounded_stop_cursor(stop)
    return builder.set_deserialization_schema(SimpleStringSchema()).build().reader()


def polled(enumerator: PulsarEnumerator, limit: int) -> list[tuple[Entry, Entry]]:
    """Return the entries of all polls: that before the first one, and the last one."""
    ranges = []
    while (poll := enumerator.poll(0, limit)) is not None:
        ranges += [(split.after, split.last) for share in poll.splits for split in share]
    return ranges


def test_polls_are_limited_and_cross_ledgers(topic: Topic) -> None:
    enumerator = input_of().enumerator(2)
    assert polled(enumerator, 7) == [
        ((3, -1), (3, 6)),
        ((3, 6), (3, 13)),
        ((5, -1), (5, 6)),
        ((5, 6), (5, 13)),
        ((8, -1), (8, 6)),
        ((8, 6), (8, 9)),
    ]
    assert enumerator.is_ended is False


def test_every_message_is_read_once_and_in_order(topic: Topic) -> None:
    source = input_of(StopCursor.latest())
    enumerator = source.enumerator(1)
    ranges = polled(enumerator, 4)
    assert enumerator.is_ended
    splits = [PulsarSplit("t", *each) for each in ranges]
    read = [value for split in splits for batch in source.read(split) for value in batch.values]
    assert read == [f"{ledger}:{entry}" for ledger, entry in topic.entries]


def test_an_enumerator_continues_after_the_changes_and_acknowledges_what_is_complete(topic: Topic) -> None:
    source = input_of()
    enumerator = source.enumerator(1)
    before = enumerator.snapshot()
    changes = [poll.change for _ in range(2) if (poll := enumerator.poll(0, 4))]
    enumerator.completed()
    enumerator.completed()
    assert topic.acknowledged == [(3, 7)]
    topic.entries.append((8, 10))
    resumed = source.enumerator(1, before, changes)
    assert polled(resumed, 100)[-1] == ((8, -1), (8, 10))
    resumed.completed()
    assert topic.acknowledged == [(3, 7), (8, 10)]


def test_messages_that_are_gone_are_an_error(topic: Topic) -> None:
    del topic.entries[15:]
    with pytest.raises(SourceError, match=r"topic t were deleted .* after 5:4 up to 8:9: its retention"):
        list(input_of().read(PulsarSplit("t", Entry(3, -1), Entry(8, 9))))


def test_a_topic_without_messages_has_no_input(topic: Topic) -> None:
    topic.entries.clear()
    enumerator = input_of().enumerator(1)
    assert enumerator.poll(0, 10) is None
    assert enumerators.PulsarEnumerator(input_of(), 1).all_splits() == [[]]
    enumerator.completed()
    assert topic.acknowledged == []


class Producer:
    """Acknowledges no message but the first one."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send_async(self, content: bytes, callback: Any, **named: Any) -> None:
        import _pulsar

        if content == b"refused":
            raise client_errors()("too big")
        self.sent.append(content)
        callback(_pulsar.Result.Timeout if len(self.sent) > 1 else _pulsar.Result.Ok, None)

    def flush(self) -> None:
        pass


def test_an_element_that_could_not_be_sent_is_named(topic: Topic, monkeypatch: pytest.MonkeyPatch) -> None:
    producers: list[Producer] = []
    limits = {"max_pending_messages": 1000, "batching_max_messages": 1000}

    def create_producer(name: str, **settings: Any) -> Producer:
        assert {key: settings[key] for key in limits} == limits
        producers.append(Producer())
        return producers[-1]

    monkeypatch.setattr(topic, "create_producer", create_producer, raising=False)
    builder = PulsarSink.builder().set_service_url("pulsar://a").set_topics(["t", "u"])
    writer = MessageWriter(builder.set_serialization_schema(SimpleStringSchema()).build()._output, 0)
    writer.write(["1", "2", "3"])
    assert [producer.sent for producer in producers] == [[b"1", b"3"], [b"2"]]
    with pytest.raises(ElementFailure) as failure:
        writer.finish()
    assert failure.value.element == "3"
    assert "Pulsar at pulsar://a took no message: Timeout" in str(failure.value.__cause__)
    with pytest.raises(ElementFailure):
        MessageWriter(builder.build()._output, 0).write([7])  # type: ignore[list-item]
    with pytest.raises(ElementFailure) as failure:
        MessageWriter(builder.build()._output, 0).write(["refused"])
    assert "Pulsar at pulsar://a took no message: too big" in str(failure.value.__cause__)


class Broken(SimpleStringSchema):
    def deserialize(self, message: bytes) -> str:
        raise ValueError("no text")


def test_a_message_that_cannot_be_decoded_is_named(topic: Topic) -> None:
    source = replace(input_of(), schema=Broken())
    with pytest.raises(SourceError, match="message 3:0 of topic t cannot be decoded: ValueError: no text"):
        list(source.read(PulsarSplit("t", Entry(3, -1), Entry(3, 1))))


def test_many_messages_become_columns_with_their_timestamps(topic: Topic) -> None:
    topic.entries = [(3, entry) for entry in range(1_500)]
    schema: Any = CsvRowDeserializationSchema.Builder(Types.ROW([Types.STRING()])).build()
    one_by_one = replace(input_of(), schema=schema)
    source = replace(one_by_one, at_once=schema.at_once())
    assert (source.columns, one_by_one.columns) == (SourceColumns.TIMED, SourceColumns.NONE)
    split = PulsarSplit("t", Entry(3, -1), Entry(3, 1_499))
    found, expected = list(source.read(split)), list(one_by_one.read(split))
    assert [isinstance(each.values, ColumnValues) for each in found] == [True, False]
    assert pairs(found) == pairs(expected)
    lines: Any = CsvRowDeserializationSchema.Builder(Types.ROW([Types.LONG()])).build()
    with pytest.raises(SourceError, match=r"message 3:0 of topic t cannot be decoded: .*'3:0'"):
        list(replace(source, schema=lines, at_once=lines.at_once()).read(split))


def pairs(found: list[Elements]) -> list[tuple[list[Any], Any]]:
    """Return the elements and timestamps of batches."""
    return [(list(each.values), each.timestamps) for each in found]


def test_a_stop_in_the_future_is_looked_for_only_among_new_messages(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Entry | None] = [None, Entry(8, 11)]
    monkeypatch.setattr(cursors, "first_published", lambda client, topic, time: found.pop(0))
    enumerator = input_of(StopCursor.at_publish_time(1)).enumerator(1)
    assert polled(enumerator, 100)[-1] == ((8, -1), (8, 9))
    assert enumerator.poll(0, 100) is None
    assert found == [Entry(8, 11)]
    topic.entries += [(8, 10), (8, 11)]
    assert polled(enumerator, 100) == [((8, 9), (8, 10))]
    assert enumerator.is_ended


def test_a_cluster_that_is_away_when_a_client_is_closed_hides_no_other_error(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise client_errors()("away")

    source = input_of()
    enumerator = source.enumerator(1)
    monkeypatch.setattr(topic, "close", fail)
    enumerator.close()
    monkeypatch.setattr(topic, "get_last_message_id", fail)
    with pytest.raises(SourceError, match="Pulsar at pulsar://a: away"):
        source.enumerator(1)


@pytest.mark.parametrize("last", [Entry(3, 9), Entry(5, 4)])
def test_a_deleted_ledger_is_noticed_though_later_messages_are_there(topic: Topic, last: Entry) -> None:
    topic.entries = topic.entries[10:]
    with pytest.raises(SourceError, match="messages of topic t were deleted before they were processed"):
        list(input_of().read(PulsarSplit("t", Entry(3, 2), last)))
