"""WatermarkValve: combines the watermarks of several channels into one."""

from __future__ import annotations

from collections.abc import Hashable

from pystream.engine.events import NO_TIMESTAMP

__all__ = ["WatermarkValve"]


class WatermarkValve:
    """Track the minimum of the watermarks of all channels.

    Mirrors ``org.apache.flink.streaming.runtime.watermarkstatus.StatusWatermarkValve``.

    Args:
        channels: the number of channels; one without a watermark holds back event time.
    """

    def __init__(self, channels: int) -> None:
        self._channels = channels
        self._reached: dict[Hashable, int] = {}
        self.watermark: int = NO_TIMESTAMP

    def snapshot(self) -> tuple[int, dict[Hashable, int]]:
        """Return the watermark, and that of each channel, to be pickled at once."""
        return self.watermark, self._reached

    def restore(self, snapshot: tuple[int, dict[Hashable, int]] | None) -> None:
        """Replace all watermarks by those of a snapshot, or by those of a new valve."""
        self.watermark, self._reached = (NO_TIMESTAMP, {}) if snapshot is None else snapshot

    def advance(self, channel: Hashable, watermark: int) -> int | None:
        """Advance the watermark of one channel.

        Returns:
            The new watermark of the input, ``None`` if it is unchanged.
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
