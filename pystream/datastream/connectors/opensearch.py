"""The sink of OpenSearch, with the builder of Flink's connector."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from pystream.arguments.checks import require
from pystream.datastream.connectors.elasticsearch import (
    ElasticsearchEmitter,
    ElasticsearchSink,
    ElasticsearchSinkBuilderBase,
)

__all__ = ["OpensearchEmitter", "OpensearchSink", "OpensearchSinkBuilder"]

OpensearchEmitter = ElasticsearchEmitter
OpensearchSink = ElasticsearchSink


class OpensearchSinkBuilder(ElasticsearchSinkBuilderBase):
    """Build a sink of OpenSearch.

    Mirrors ``org.apache.flink.connector.opensearch.sink.OpensearchSinkBuilder``.
    """

    def set_allow_insecure(self, allow_insecure: bool) -> Self:
        """Set whether nodes with unverified certificates are accepted; they are not by default."""
        require(allow_insecure, bool, "set_allow_insecure", "a bool")
        self._cluster = replace(self._cluster, verifies_certificates=not allow_insecure)
        return self
