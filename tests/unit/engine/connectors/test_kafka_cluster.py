"""The connection of the driver to a Kafka cluster, without one: how it answers errors of the client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as ClientPartition

from pystream.engine.connectors.kafka import cluster
from pystream.engine.connectors.kafka.cluster import Cluster, PermanentSourceError, Subscription
from pystream.engine.connectors.kafka.offsets import TopicPartition
from pystream.errors import SourceError

PROPERTIES = {"bootstrap.servers": "host:9092", "group.id": "g"}
PARTITION = TopicPartition("t", 0)
TIMED_OUT = KafkaError(KafkaError._TIMED_OUT, "timed out")
UNKNOWN = KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART, "unknown topic")
FORBIDDEN = KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED, "forbidden")
GROUP = KafkaError(KafkaError.GROUP_AUTHORIZATION_FAILED, "group refused.")
LOGIN = KafkaError(KafkaError._AUTHENTICATION, "login refused")


class Client:
    """Fails each request, while it reports other errors.

    Args:
        settings: those of the consumer.
        topics: the number of partitions of each topic.
        error: the error of all requests but those for topics.
        event: is polled when a request has failed.
        refusal: is reported to the callback when a request has failed.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        topics: dict[str, int],
        error: KafkaError,
        event: KafkaError | None,
        refusal: KafkaError | None,
    ) -> None:
        self._report: Callable[[KafkaError], None] = settings["error_cb"]
        self._topics = topics
        self._error = error
        self._event = event
        self._refusal = refusal
        self._waiting: list[Any] = [SimpleNamespace(error=lambda: GROUP)]  # of an earlier request

    def list_topics(self, timeout: float) -> Any:
        topics = {
            name: SimpleNamespace(error=None, partitions=range(count)) for name, count in self._topics.items()
        }
        return SimpleNamespace(topics=topics)

    def poll(self, timeout: float) -> Any:
        return self._waiting.pop() if self._waiting else None

    def offsets_for_times(self, asked: Sequence[Any], timeout: float) -> Any:
        self._fail()

    def committed(self, asked: Sequence[Any], timeout: float) -> Any:
        return [SimpleNamespace(topic="t", partition=3, offset=0, error=self._error)]

    def commit(self, *, offsets: Sequence[Any], asynchronous: bool) -> Any:
        self._fail()

    def _fail(self) -> None:
        if self._event is not None:
            self._waiting.append(SimpleNamespace(error=lambda: self._event))
        if self._refusal is not None:
            self._report(self._refusal)
        raise KafkaException(self._error)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Cluster]:
    """Return a function that makes a cluster whose client fails."""

    def make(
        error: KafkaError,
        event: KafkaError | None = None,
        refusal: KafkaError | None = None,
        topics: dict[str, int] | None = None,
    ) -> Cluster:
        library = SimpleNamespace(
            Consumer=lambda settings: Client(settings, topics or {"t": 1}, error, event, refusal),
            KafkaException=KafkaException,
            KafkaError=KafkaError,
            TopicPartition=ClientPartition,
        )
        monkeypatch.setattr(cluster, "kafka", lambda: library)
        return Cluster(PROPERTIES)

    return make


@pytest.mark.parametrize(
    ("error", "topics", "text"),
    [
        (UNKNOWN, {"u": 1}, "Kafka at host:9092 has no t-0, or hides it from this user: create the topic"),
        (FORBIDDEN, {"u": 1}, "Kafka at host:9092 has no t-0, or hides it"),
        (FORBIDDEN, {"t": 1}, "cannot find the offsets of topic t: forbidden; let the user of the source"),
    ],
)
def test_a_topic_that_is_gone_or_forbidden_is_a_permanent_error(
    failing: Callable[..., Cluster], error: KafkaError, topics: dict[str, int], text: str
) -> None:
    with pytest.raises(PermanentSourceError, match=text):
        failing(error, topics=topics).ends([PARTITION])


def test_a_topic_that_is_not_listed_is_a_permanent_error(failing: Callable[..., Cluster]) -> None:
    with pytest.raises(PermanentSourceError, match="has no a, c, or hides it"):
        failing(UNKNOWN, topics={"b": 1}).partitions(Subscription(topics=("c", "b", "a")))


def test_a_cluster_that_does_not_answer_is_no_permanent_error(failing: Callable[..., Cluster]) -> None:
    with pytest.raises(SourceError, match=r"cannot find the offsets of topic t: timed out$") as raised:
        failing(TIMED_OUT).ends([PARTITION])
    assert not isinstance(raised.value, PermanentSourceError)


def test_a_login_that_is_refused_is_named(failing: Callable[..., Cluster]) -> None:
    with pytest.raises(PermanentSourceError, match="login refused; check the user, the password"):
        failing(TIMED_OUT, refusal=LOGIN).ends([PARTITION])


def test_a_group_that_is_refused_matters_to_commits_only(failing: Callable[..., Cluster]) -> None:
    refusing = failing(TIMED_OUT, event=GROUP)
    with pytest.raises(
        PermanentSourceError, match="cannot commit offsets of group 'g': group refused; let the user"
    ):
        refusing.commit({PARTITION: 1})
    with pytest.raises(SourceError, match="cannot find the offsets of topic t: timed out"):
        refusing.ends([PARTITION])
    with pytest.raises(SourceError, match="timed out"):  # what was reported before is of other requests
        failing(TIMED_OUT).commit({PARTITION: 1})


def test_an_answer_for_one_partition_names_it(failing: Callable[..., Cluster]) -> None:
    with pytest.raises(SourceError, match="committed offsets of group 'g': partition t-3: timed out"):
        failing(TIMED_OUT)._committed([PARTITION])
