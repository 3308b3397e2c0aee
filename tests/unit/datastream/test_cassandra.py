"""Arguments of the builder of Cassandra's sink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Duration, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.cassandra import (
    CassandraFailureHandler,
    CassandraSink,
    ClusterBuilder,
    MapperOptions,
)
from pystream.engine.connectors.cassandra.settings import placeholders
from pystream.errors import (
    ConfigurationError,
    PlanTypeError,
    UnsupportedOperationError,
    UnsupportedTypeError,
)

PAIR = Types.TUPLE([Types.STRING(), Types.LONG()])
INSERT = "INSERT INTO shop.pairs (key, count) VALUES (?, ?)"

Build = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("build", "kind", "complaint"),
    [
        (lambda b: b.set_query(7), PlanTypeError, "set_query takes a str"),
        (lambda b: b.set_host(7), PlanTypeError, "set_host takes a str"),
        (lambda b: b.set_host("a", 0), ConfigurationError, "port must be an int from 1 to 65535"),
        (lambda b: b.set_cluster_builder(print), PlanTypeError, "takes a ClusterBuilder"),
        (
            lambda b: ClusterBuilder("cluster"),
            PlanTypeError,
            "takes a function, not 'cluster'",
        ),
        (lambda b: b.enable_write_ahead_log(1), PlanTypeError, "takes a CassandraCommitter"),
        (lambda b: b.set_failure_handler(print), PlanTypeError, "takes a CassandraFailureHandler"),
        (lambda b: b.set_mapper_options(7), PlanTypeError, "takes a MapperOptions"),
        (
            lambda b: b.set_mapper_options(MapperOptions().ttl(60).if_not_exists(True)),
            UnsupportedOperationError,
            "write USING TTL 60 and IF NOT EXISTS into the statement itself",
        ),
        (lambda b: b.set_max_concurrent_requests(0), ConfigurationError, "max_concurrent_requests"),
        (lambda b: b.set_max_concurrent_requests(1, 1), PlanTypeError, "takes a Duration"),
        (lambda b: b.set_host("a").build(), ConfigurationError, "needs set_query"),
        (lambda b: b.set_query(INSERT).build(), ConfigurationError, "either set_host or set_cluster_builder"),
        (
            lambda b: b.set_query(INSERT).set_host("a").set_cluster_builder(ClusterBuilder(print)).build(),
            ConfigurationError,
            "either set_host or set_cluster_builder",
        ),
        (
            lambda b: b.set_query(INSERT.replace("?, ?", "?, 1")).set_host("a").build(),
            ConfigurationError,
            "has 1 placeholders, but elements have 2 fields",
        ),
    ],
)
def test_wrong_arguments_are_refused(build: Build, kind: type[Exception], complaint: str) -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    with pytest.raises(kind, match=complaint):
        build(CassandraSink.add_sink(env.from_collection([("a", 1)], PAIR)))


def test_the_sink_is_a_handle_of_its_operator() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    builder = CassandraSink.add_sink(env.from_collection([("a", 1)], PAIR)).set_query(INSERT)
    builder.set_max_concurrent_requests(8, Duration.of_seconds(1)).set_host("a")
    sink = builder.set_failure_handler(CassandraFailureHandler.no_op()).build()
    assert isinstance(sink, CassandraSink)
    assert sink.name("pairs").uid("pairs").set_parallelism(2).disable_chaining() is sink
    assert (sink.get_name(), sink.get_uid(), sink.get_parallelism()) == ("pairs", "pairs", 2)


def test_elements_without_fields_are_refused() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    with pytest.raises(UnsupportedTypeError, match="tuples, rows and records, not elements of Long"):
        CassandraSink.add_sink(env.from_collection([1], Types.LONG())).set_query("?").set_host("a").build()
    with pytest.raises(PlanTypeError, match="add_sink takes a DataStream"):
        CassandraSink.add_sink([1])  # type: ignore[arg-type]


def test_placeholders_are_not_searched_in_texts_and_comments() -> None:
    assert placeholders(INSERT) == 2
    assert placeholders("UPDATE a SET \"b?\" = ?, c = 'it''s ?' WHERE d = ? -- ?\n AND e = ? /* ? */") == 3
