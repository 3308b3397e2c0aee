"""TimeCharacteristic: processing time, ingestion time or event time."""

from __future__ import annotations

from pystream.settings.modes import TimeCharacteristic

__all__ = ["TimeCharacteristic"]
