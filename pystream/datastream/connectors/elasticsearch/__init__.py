"""The sink of Elasticsearch, with PyFlink's builders."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.datastream.connectors.base import DeliveryGuarantee as DeliveryGuarantee
    from pystream.datastream.connectors.base import Sink as Sink
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "Elasticsearch6SinkBuilder",
    "Elasticsearch7SinkBuilder",
    "ElasticsearchEmitter",
    "ElasticsearchSink",
    "ElasticsearchSinkBuilderBase",
    "FlushBackoffType",
]
