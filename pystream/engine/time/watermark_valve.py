"""WatermarkValve: combines the watermarks of several channels into one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from pystream.engine.events import NO_TIMESTAMP

__all__ = ["ValveSnapshot", "WatermarkValve"]

ValveSnapshot: TypeAlias = "tuple[int, dict[Hashable, int], set[Hashable], set[Hashable]]"
"""The watermark, that of each channel, the idle channels, and those that are behind."""


class WatermarkValve:
    """Track the minimum of the watermarks of all channels, except for idle ones.

    A channel that is active again but behind the watermark does not hold it back until it has caught up.
    Mirrors ``org.apache.flink.streaming.runtime.watermarkstatus.StatusWatermarkValve``.

    Args:
        channels: the number of channels; an active one without a watermark holds back event time.
    """

    def __init__(self, channels: int) -> None:
        self.channels: int = channels
        self.restore(None)

    watermark: int
    """The watermark of the input."""

    def resize(self, channels: int) -> int | None:
        """Change the number of channels.

        Returns:
            The new watermark of the input, ``None`` if it is unchanged.
        """
        self.channels = channels
        return self._lowest() if self._reached else None

    def remove(self, channel: Hashable) -> None:
        """Forget a channel, which no longer holds back the watermark; the number of channels is unchanged."""
        self._reached.pop(channel, None)
        self._idle.discard(channel)
        self._behind.discard(channel)

    def snapshot(self) -> ValveSnapshot:
        """Return the live state of all channels; pickle it before the next call."""
        return self.watermark, self._reached, self._idle, self._behind

    def restore(self, snapshot: ValveSnapshot | None) -> None:
        """Restore the state of all channels from a snapshot; reset it if there is none."""
        self.watermark, self._reached, self._idle, self._behind = snapshot or (NO_TIMESTAMP, {}, set(), set())

    @property
    def is_idle(self) -> bool:
        """Whether all channels are idle."""
        return len(self._idle) == self.channels

    def advance(self, channel: Hashable, watermark: int) -> int | None:
        """Advance the watermark of one channel, which makes it active.

        Returns:
            The new watermark of the input, ``None`` if it is unchanged.
        """
        if channel in self._idle:
            self._activate(channel)
        if watermark <= self._reached.get(channel, NO_TIMESTAMP):
            return None
        self._reached[channel] = watermark
        if channel in self._behind:
            if watermark < self.watermark:
                return None
            self._behind.remove(channel)
        return self._lowest()

    def mark(self, channel: Hashable, *, idle: bool) -> int | None:
        """Mark one channel as idle or active.

        Returns:
            The new watermark of the input, ``None`` if it is unchanged. If all channels are idle, it is the
            highest of those that were the last to hold it back.
        """
        if not idle:
            if channel in self._idle:
                self._activate(channel)
            return None
        reached = self._reached.setdefault(channel, self.watermark)  # restored channels start here
        self._behind.discard(channel)
        self._idle.add(channel)
        if not self.is_idle:
            return self._lowest()
        return self._raised(max(self._reached.values())) if reached == self.watermark else None

    def _activate(self, channel: Hashable) -> None:
        self._idle.remove(channel)
        if self._reached[channel] < self.watermark:
            self._behind.add(channel)

    def _lowest(self) -> int | None:
        if len(self._reached) < self.channels:
            return None
        if self._idle or self._behind:
            counting = self._reached.keys() - self._idle - self._behind
            return self._raised(min((self._reached[channel] for channel in counting), default=NO_TIMESTAMP))
        return self._raised(min(self._reached.values()))

    def _raised(self, watermark: int) -> int | None:
        if watermark <= self.watermark:
            return None
        self.watermark = watermark
        return watermark
