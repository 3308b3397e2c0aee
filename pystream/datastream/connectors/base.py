"""Base classes of sources and sinks."""

from __future__ import annotations

from enum import Enum

from pystream.io import Sink, Source, SplitSource

__all__ = ["DeliveryGuarantee", "Sink", "Source", "SplitSource"]


class DeliveryGuarantee(Enum):
    """How often an element reaches a sink if a job fails and restarts.

    Mirrors ``org.apache.flink.connector.base.DeliveryGuarantee``.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
    NONE = 2
