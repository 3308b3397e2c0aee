"""WatermarkValve: the watermark of an input that several channels feed."""

from __future__ import annotations

from collections.abc import Hashable

from pystream.engine.events import NO_TIMESTAMP

__all__ = ["WatermarkValve"]


class WatermarkValve:
    """Keeps the minimum over channels.

    Mirrors ``org.apache.flink.streaming.runtime.watermarkstatus.StatusWatermarkValve``.

    Args:
        channels: the number of channels; those without a watermark yet hold event time back.
    """

    def __init__(self, channels: int) -> None:
        self._channels = channels
        self._reached: dict[Hashable, int] = {}
        self.watermark: int = NO_TIMESTAMP

    def advance(self, channel: Hashable, watermark: int) -> int | None:
        """Advance one channel.

        Returns:
            The new watermark of the input, ``None`` if it stays where it was.
        """
        if watermark <= self._reached.get(channel, NO_TIMESTAMP):
            return None
        self._reached[channel] = watermark
        if len(self._reached) < self._channels:
            return None
        lowest = min(self._reached.values())
        if lowest <= self.watermark:
            return None
        self.watermark = lowest
        return lowest
