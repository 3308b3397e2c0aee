"""CachedDataStream: a stream whose elements are cached by the first job that computes them."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import PlanError
from pystream.plan.nodes import CacheNode

__all__ = ["CachedDataStream"]

T = TypeVar("T")


class CachedDataStream(DataStream[T]):
    """A stream made by ``cache``; its text shows whether the cache is filled.

    It is not an operator: settings belong to the one before. Mirrors
    ``org.apache.flink.streaming.api.datastream.CachedDataStream``.
    """

    def invalidate(self) -> None:
        """Drop the cached elements, and remove their files once no running job reads them.

        The next job that uses the stream computes and caches them again. A running job fills no cache.
        Mirrors ``CachedDataStream.invalidate``.
        """
        self._cache_node.cache.invalidate()

    def get_parallelism(self) -> int:
        """Return the parallelism of the cached operator."""
        (before,) = self._cache_node.inputs
        return DataStream[T](self._environment, before).get_parallelism()

    @property
    def _cache_node(self) -> CacheNode:
        node = self._node
        assert isinstance(node, CacheNode)
        return node

    def _set(self, **settings: Any) -> Self:
        raise PlanError(
            f"{', '.join(settings)} cannot be set on a cached stream, which is not an operator: set it on "
            "the operator before cache()"
        )
