"""The sink of Elasticsearch, with PyFlink's builders."""

from __future__ import annotations

from pystream.datastream.connectors.elasticsearch.builders import (
    Elasticsearch6SinkBuilder,
    Elasticsearch7SinkBuilder,
    ElasticsearchSink,
    ElasticsearchSinkBuilderBase,
    FlushBackoffType,
)
from pystream.datastream.connectors.elasticsearch.emitter import (
    ElasticsearchEmitter,
)

__all__ = [
    "Elasticsearch6SinkBuilder",
    "Elasticsearch7SinkBuilder",
    "ElasticsearchEmitter",
    "ElasticsearchSink",
    "ElasticsearchSinkBuilderBase",
    "FlushBackoffType",
]
