"""The source and the sink of Pulsar, with PyFlink's builders."""

from __future__ import annotations

from pystream.datastream.connectors.pulsar.cursors import (
    RangeGenerator,
    StartCursor,
    StopCursor,
)
from pystream.datastream.connectors.pulsar.sink import (
    MessageDelayer,
    PulsarSink,
    PulsarSinkBuilder,
    TopicRoutingMode,
)
from pystream.datastream.connectors.pulsar.source import (
    PulsarSource,
    PulsarSourceBuilder,
)

__all__ = [
    "MessageDelayer",
    "PulsarSink",
    "PulsarSinkBuilder",
    "PulsarSource",
    "PulsarSourceBuilder",
    "RangeGenerator",
    "StartCursor",
    "StopCursor",
    "TopicRoutingMode",
]
