"""Settings of the sink of Cassandra: connection, consistency, failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Any

from pystream.arguments.checks import require, require_int
from pystream.engine.connectors.cassandra.settings import Options
from pystream.errors import ArgumentTypeError, PlanTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = [
    "CassandraCommitter",
    "CassandraFailureHandler",
    "ClusterBuilder",
    "ConsistencyLevel",
    "MapperOptions",
]


class ConsistencyLevel(Enum):
    """The number of replicas that must acknowledge a statement.

    Mirrors ``com.datastax.driver.core.ConsistencyLevel``.
    """

    ANY = 0
    ONE = 1
    TWO = 2
    THREE = 3
    QUORUM = 4
    ALL = 5
    LOCAL_QUORUM = 6
    EACH_QUORUM = 7
    SERIAL = 8
    LOCAL_SERIAL = 9
    LOCAL_ONE = 10


@checks_arguments(ArgumentTypeError)
class MapperOptions:
    """Options for executing statements; each call changes the object and returns it.

    Flink applies them to POJOs only; here they apply to all elements, except for what belongs in the
    statement.

    Mirrors ``org.apache.flink.streaming.connectors.cassandra.SimpleMapperOptions``.
    """

    def __init__(self) -> None:
        self._options = Options()
        self._clauses: list[str] = []

    def ttl(self, ttl: int) -> MapperOptions:
        """Refuse a time to live in `CassandraSink`: it belongs in the statement, as ``USING TTL``."""
        self._clauses.append(f"USING TTL {require_int(ttl, 'ttl', 0)}")
        return self

    def timestamp(self, timestamp: int) -> MapperOptions:
        """Set the time of all writes, in microseconds since the Unix epoch; by default, that of each."""
        self._options = replace(self._options, timestamp=require_int(timestamp, "timestamp", 0))
        return self

    def consistency_level(self, cl: ConsistencyLevel) -> MapperOptions:
        """Set the consistency level; by default, that of the session.

        Raises:
            PlanTypeError: it is not a ConsistencyLevel.
        """
        require(cl, ConsistencyLevel, "consistency_level", "a ConsistencyLevel")
        self._options = replace(self._options, consistency_level=cl.value)
        return self

    def tracing(self, enabled: bool) -> MapperOptions:
        """Set whether the server traces statements."""
        self._options = replace(self._options, tracing=bool(enabled))
        return self

    def save_null_fields(self, enabled: bool) -> MapperOptions:
        """Set whether a null deletes the value of its column, as it does by default."""
        self._options = replace(self._options, ignores_nulls=not enabled)
        return self

    def if_not_exists(self, enabled: bool) -> MapperOptions:
        """Refuse ``IF NOT EXISTS`` in `CassandraSink`: it belongs in the statement."""
        if enabled:
            self._clauses.append("IF NOT EXISTS")
        return self


@checks_arguments(ArgumentTypeError)
class ClusterBuilder:
    """Connect to a cluster: with a login, with TLS, with policies.

    Args:
        build_cluster: a function that returns a ``cassandra.cluster.Cluster``; it runs on the workers.

    Raises:
        PlanTypeError: it is not a function.

    Mirrors ``org.apache.flink.streaming.connectors.cassandra.ClusterBuilder``.
    """

    def __init__(self, build_cluster: Callable[[], Any]) -> None:
        if not callable(build_cluster):
            raise PlanTypeError(
                f"ClusterBuilder takes a function that returns a Cluster, not {short_repr(build_cluster)}"
            )
        self.build_cluster = build_cluster


@checks_arguments(ArgumentTypeError)
class CassandraCommitter:
    """Record of completed checkpoints, which the job itself keeps in its directory.

    Mirrors ``org.apache.flink.streaming.connectors.cassandra.CassandraCommitter``, which keeps it in a table.
    """

    @staticmethod
    def default_checkpoint_committer(
        builder: ClusterBuilder, key_space: str | None = None
    ) -> CassandraCommitter:
        """Return the committer, which needs neither a cluster nor a key space."""
        return CassandraCommitter()


class CassandraFailureHandler:
    """Decide what happens when a statement fails; subclass it to tolerate failures.

    Mirrors ``org.apache.flink.streaming.connectors.cassandra.CassandraFailureHandler``.
    """

    def on_failure(self, failure: Exception, /) -> None:
        """Raise an exception to fail the job, or return to drop the statement.

        Args:
            failure: the exception of the client library.
        """
        raise failure

    @staticmethod
    def no_op() -> CassandraFailureHandler:
        """Return the default, which fails the job on any failure."""
        return CassandraFailureHandler()
