"""The source and the sink of Pulsar, with PyFlink's builders."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.config_options import ConfigOption as ConfigOption
    from pystream.common.config_options import ConfigOptions as ConfigOptions
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.common.serialization import SerializationSchema as SerializationSchema
    from pystream.common.time import Duration as Duration
    from pystream.datastream.connectors.base import DeliveryGuarantee as DeliveryGuarantee
    from pystream.datastream.connectors.base import Sink as Sink
    from pystream.datastream.connectors.base import Source as Source
else:
    __getattr__ = re_exports(__name__)


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
