"""Bulk requests of the sink of Elasticsearch: what is repeated, and what fails."""

from __future__ import annotations

import json
from typing import Any

import opensearchpy
import pytest

from pystream.common import Row, Types
from pystream.datastream.connectors.elasticsearch import (
    Elasticsearch6SinkBuilder,
    Elasticsearch7SinkBuilder,
    ElasticsearchEmitter,
    FlushBackoffType,
)
from pystream.datastream.connectors.opensearch import OpensearchSinkBuilder
from pystream.engine.connectors.elasticsearch.settings import Backoff, Cluster
from pystream.engine.connectors.elasticsearch.sink import DocumentWriter
from pystream.engine.failure import ElementFailure
from pystream.errors import SinkError

COUNT = Types.ROW_NAMED(["key", "count"], [Types.STRING(), Types.LONG()])
OK = 200
CONFLICT = 409
BUSY = 429


class Server:
    """Answers each bulk request with the next statuses, or with the next exception."""

    def __init__(self, *answers: list[int] | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[list[Any]] = []

    def bulk(self, body: bytes) -> dict[str, Any]:
        self.requests.append([json.loads(line) for line in body.splitlines()])
        answer = self.answers.pop(0) if self.answers else [OK] * len(self.requests[-1])
        if isinstance(answer, Exception):
            raise answer
        items = [self._item(status) for status in answer]
        return {"errors": any(status != OK for status in answer), "items": items}

    def counts(self) -> list[list[int]]:
        """Return the counts in the documents of each request."""
        return [[line["doc"]["count"] for line in request if "doc" in line] for request in self.requests]

    @staticmethod
    def _item(status: int) -> dict[str, Any]:
        error = {} if status == OK else {"error": {"type": "rejected", "reason": f"status {status}"}}
        return {"update": {"_index": "counts", "_id": "a", "status": status, **error}}


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The times that were waited between requests."""
    naps: list[float] = []
    monkeypatch.setattr("time.sleep", naps.append)
    return naps


def writer_to(
    monkeypatch: pytest.MonkeyPatch, server: Server, builder: Any = None, key: str | None = "key"
) -> DocumentWriter:
    monkeypatch.setattr(Cluster, "connect", lambda cluster: server)
    chosen = Elasticsearch7SinkBuilder() if builder is None else builder
    emitter = ElasticsearchEmitter.static_index("counts", key)
    return DocumentWriter(chosen.set_hosts("host:1").set_emitter(emitter).build().bind(COUNT))


def repeating() -> Elasticsearch7SinkBuilder:
    return Elasticsearch7SinkBuilder().set_bulk_flush_backoff_strategy(FlushBackoffType.EXPONENTIAL, 2, 100)


def test_rejected_actions_are_repeated_with_later_ones_on_the_same_document(
    monkeypatch: pytest.MonkeyPatch, naps: list[float]
) -> None:
    server = Server([OK, BUSY, OK, OK], [BUSY, OK])
    writer = writer_to(monkeypatch, server, repeating())
    writer.write([Row("a", 1), Row("b", 2), Row("c", 3), Row("b", 4)])
    writer.finish()
    assert server.counts() == [[1, 2, 3, 4], [2, 4], [2, 4]]
    assert naps == [0.1, 0.2]


def test_the_last_repetition_fails(monkeypatch: pytest.MonkeyPatch, naps: list[float]) -> None:
    server = Server([BUSY, OK], [BUSY], [BUSY])
    writer = writer_to(monkeypatch, server, repeating())
    writer.write([Row("a", 1), Row("b", 2)])
    message = r"1 actions cannot be done, even after 2 repetitions: document 'a' .* rejected: status 429"
    with pytest.raises(SinkError, match=message):
        writer.finish()
    assert len(naps) == 2


def test_without_a_strategy_nothing_is_repeated(monkeypatch: pytest.MonkeyPatch, naps: list[float]) -> None:
    away = opensearchpy.ConnectionError("N/A", "", OSError("refused"))
    server = Server(away, opensearchpy.TransportError(401, "login", "who?"))
    writer = writer_to(
        monkeypatch, server, repeating().set_bulk_flush_backoff_strategy(FlushBackoffType.NONE, 0, 0)
    )
    writer.write([Row("a", 1)])
    with pytest.raises(SinkError, match=r"no answer from http://host:1: refused; set_bulk_flush_backoff"):
        writer.finish()
    writer = writer_to(monkeypatch, server, repeating())
    writer.write([Row("a", 1)])
    with pytest.raises(SinkError, match=r"documents cannot be written: http://host:1 .* status 401: who\?"):
        writer.finish()
    assert naps == []


def test_a_refused_action_carries_its_element(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = writer_to(monkeypatch, Server([OK, 400, 400]), repeating())
    writer.write([Row("a", 1), Row("b", 2), Row("c", 3)])
    with pytest.raises(ElementFailure) as failure:
        writer.finish()
    assert failure.value.element == Row("b", 2)
    assert "rejected: status 400 (and 1 others)" in str(failure.value.__cause__)


def test_a_conflict_is_a_refusal(monkeypatch: pytest.MonkeyPatch, naps: list[float]) -> None:
    server = Server([BUSY, CONFLICT])
    writer = writer_to(monkeypatch, server, repeating())
    writer.write([Row("a", 1), Row("b", 2)])
    with pytest.raises(ElementFailure) as failure:
        writer.finish()
    assert failure.value.element == Row("b", 2)
    assert "rejected: status 409" in str(failure.value.__cause__)
    assert (len(server.requests), naps) == (1, [])


def test_requests_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    writer = writer_to(monkeypatch, server, Elasticsearch7SinkBuilder().set_bulk_flush_max_actions(2))
    writer.write([Row("a", number) for number in range(5)])
    assert server.counts() == [[0, 1], [2, 3]]
    writer.abort()
    writer.finish()
    assert server.counts() == [[0, 1], [2, 3]]
    server = Server()
    unlimited = Elasticsearch7SinkBuilder().set_bulk_flush_max_actions(-1)
    writer = writer_to(monkeypatch, server, unlimited.set_bulk_flush_max_size_mb(1))
    writer.write([Row("a" * 400_000, number) for number in range(3)])
    assert server.counts() == [[0, 1]]
    server = Server()
    writer = writer_to(monkeypatch, server, Elasticsearch7SinkBuilder().set_bulk_flush_interval(10))
    clock = iter([0, 0, 0.005, 0.02])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    writer.write([Row("a", number) for number in range(3)])
    assert server.counts() == [[0, 1, 2]]


def test_documents_of_the_oldest_server_have_a_type(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    writer = writer_to(monkeypatch, server, Elasticsearch6SinkBuilder(), None)
    writer.write([Row("a", 1)])
    writer.finish()
    assert server.requests == [[{"index": {"_index": "counts", "_type": "_doc"}}, {"key": "a", "count": 1}]]


def test_a_null_or_misfit_is_an_error_of_its_element(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = writer_to(monkeypatch, Server())
    with pytest.raises(ElementFailure) as failure:
        writer.write([Row("a", 1), Row(None, 2)])
    assert failure.value.element == Row(None, 2)
    assert "field 'key' is missing or null" in str(failure.value.__cause__)
    with pytest.raises(ElementFailure) as failure:
        writer.write([Row("a", 1), Row("b", "two")])
    assert failure.value.element == Row("b", "two")


def test_the_client_gets_the_settings() -> None:
    builder = OpensearchSinkBuilder().set_hosts(["a", "https://b:9"]).set_connection_username("ada")
    builder.set_connection_password("secret").set_connection_path_prefix("/search/").set_allow_insecure(True)
    builder.set_connection_timeout(5_000).set_socket_timeout(6_000)
    sink = builder.set_emitter(ElasticsearchEmitter.static_index("counts")).build()
    output = sink.bind(COUNT)
    assert "secret" not in repr(output)
    connections = output.cluster.connect().transport.connection_pool.connections
    first, second = sorted(connections, key=lambda connection: str(connection.host))
    assert first.host == "http://a:9200"
    assert second.host == "https://b:9"
    assert second.url_prefix == "/search"
    assert second.headers["authorization"] == "Basic YWRhOnNlY3JldA=="
    assert (second.timeout.connect_timeout, second.timeout.read_timeout) == (5, 6)
    assert second.pool.conn_kw.get("cert_reqs") == "CERT_NONE" or second.pool.cert_reqs == "CERT_NONE"


def test_waits_grow_or_stay() -> None:
    assert [Backoff(3, 100).wait_before(retry) for retry in range(4)] == [0.1, 0.1, 0.1, None]
    assert [Backoff(3, 100, grows=True).wait_before(retry) for retry in range(4)] == [0.1, 0.2, 0.4, None]
