"""The sink of Cassandra, with PyFlink's builder."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.time import Duration as Duration
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "CassandraCommitter",
    "CassandraFailureHandler",
    "CassandraSink",
    "ClusterBuilder",
    "ConsistencyLevel",
    "MapperOptions",
]
