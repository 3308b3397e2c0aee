"""The sink of Cassandra, with PyFlink's builder."""

from __future__ import annotations

from pystream.datastream.connectors.cassandra.settings import (
    CassandraCommitter,
    CassandraFailureHandler,
    ClusterBuilder,
    ConsistencyLevel,
    MapperOptions,
)
from pystream.datastream.connectors.cassandra.sink import (
    CassandraSink,
)

__all__ = [
    "CassandraCommitter",
    "CassandraFailureHandler",
    "CassandraSink",
    "ClusterBuilder",
    "ConsistencyLevel",
    "MapperOptions",
]
