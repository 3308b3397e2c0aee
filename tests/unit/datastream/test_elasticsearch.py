"""Arguments of the builders of Elasticsearch's sink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream.connectors import DeliveryGuarantee
from pystream.datastream.connectors.elasticsearch import (
    Elasticsearch7SinkBuilder,
    ElasticsearchEmitter,
    FlushBackoffType,
)
from pystream.errors import (
    ConfigurationError,
    PlanTypeError,
    PyStreamError,
    UnsupportedOperationError,
    UnsupportedTypeError,
)

EMITTER = ElasticsearchEmitter.static_index("orders", "id")

Build = Callable[[Elasticsearch7SinkBuilder], Any]


@pytest.mark.parametrize(
    ("build", "kind", "complaint"),
    [
        (lambda b: b.set_emitter("orders"), PlanTypeError, "takes an ElasticsearchEmitter"),
        (lambda b: b.set_hosts(9200), PlanTypeError, "set_hosts takes a str or a Sequence .*, not 9200"),
        (lambda b: b.set_hosts([9200]), ConfigurationError, r"not \[9200\]"),
        (lambda b: b.set_hosts("ftp://a:1"), ConfigurationError, "the form 'http://localhost:9200', not"),
        (lambda b: b.set_hosts("a:b"), ConfigurationError, "not 'a:b'"),
        (lambda b: b.set_hosts("http://a:1/path"), ConfigurationError, "set_connection_path_prefix"),
        (lambda b: b.set_delivery_guarantee(1), PlanTypeError, "takes a DeliveryGuarantee"),
        (lambda b: b.set_bulk_flush_max_actions(0), ConfigurationError, "num_max_actions, if it is not -1,"),
        (lambda b: b.set_bulk_flush_max_size_mb(-2), ConfigurationError, "max_size_mb"),
        (lambda b: b.set_bulk_flush_interval(1.5), ConfigurationError, "interval_millis"),
        (lambda b: b.set_bulk_flush_backoff_strategy("NONE", 1, 1), PlanTypeError, "a FlushBackoffType"),
        (
            lambda b: b.set_bulk_flush_backoff_strategy(FlushBackoffType.CONSTANT, 0, 1),
            ConfigurationError,
            "max_retries must be an int of 1 or more, not 0",
        ),
        (lambda b: b.set_socket_timeout(0), ConfigurationError, "timeout must be an int of 1 or more"),
        (lambda b: b.set_connection_username(None), PlanTypeError, "set_connection_username takes a str"),
        (lambda b: b.build(), ConfigurationError, r"Elasticsearch7SinkBuilder needs set_emitter\("),
        (lambda b: b.set_emitter(EMITTER).build(), ConfigurationError, r"needs set_hosts\("),
        (
            lambda b: b.set_emitter(EMITTER).set_hosts("a").set_connection_password("x").build(),
            ConfigurationError,
            "needs set_connection_username with the password",
        ),
    ],
)
def test_wrong_arguments_are_refused(build: Build, kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind, match=complaint):
        build(Elasticsearch7SinkBuilder())


@pytest.mark.parametrize("node", ["http://ada:secret@a:1", "ada:secret@a:x"])
def test_a_password_in_a_host_is_refused_and_not_shown(node: str) -> None:
    with pytest.raises(ConfigurationError) as failure:
        Elasticsearch7SinkBuilder().set_hosts(node)
    assert "secret" not in str(failure.value)
    with pytest.raises(PyStreamError) as failure:
        Elasticsearch7SinkBuilder().set_connection_password(b"secret")  # type: ignore[arg-type]
    assert "secret" not in str(failure.value)


def test_exactly_once_is_refused_with_what_to_do() -> None:
    builder = Elasticsearch7SinkBuilder()
    assert builder.set_delivery_guarantee(DeliveryGuarantee.AT_LEAST_ONCE) is builder
    with pytest.raises(UnsupportedOperationError, match="use AT_LEAST_ONCE and an emitter with a key field"):
        builder.set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE)


def test_elements_that_are_no_documents_are_refused_when_the_program_is_built() -> None:
    sink = Elasticsearch7SinkBuilder().set_hosts("a").set_emitter(EMITTER).build()
    with pytest.raises(UnsupportedTypeError, match=r"made of a map, row, tuple or record, not .* Long"):
        sink.bind(Types.LONG())
    with pytest.raises(ConfigurationError, match="elements have no field 'id'; they have f0"):
        sink.bind(Types.TUPLE([Types.LONG()]))
    with pytest.raises(PlanTypeError, match="static_index takes a str"):
        ElasticsearchEmitter.static_index(7)  # type: ignore[arg-type]
