"""Watermark generators: derive watermarks from the elements seen."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol

from typing_extensions import TypeVar

from pystream.engine.events import NO_TIMESTAMP

__all__ = ["BoundedOutOfOrderness", "IngestionTime", "NoWatermarks", "WatermarkGenerator", "WatermarkOutput"]

_STARTED = time.time_ns() - time.monotonic_ns()

T = TypeVar("T", contravariant=True, default=Any)


class WatermarkOutput(Protocol):
    """Emits the watermarks of a generator. Mirrors ``…api.common.eventtime.WatermarkOutput``."""

    def emit_watermark(self, timestamp: int) -> None:
        """Emit a watermark: no element with a timestamp up to this one follows. A lower one is ignored."""

    def mark_idle(self) -> None:
        """Mark this input as idle, so that it does not hold back event time, until its next watermark."""

    def mark_active(self) -> None:
        """Mark this input as active."""


class WatermarkGenerator(ABC, Generic[T]):
    """Generate watermarks after single elements or periodically.

    An instance serves one subtask and may keep state in attributes. Mirrors
    ``org.apache.flink.api.common.eventtime.WatermarkGenerator``.
    """

    @abstractmethod
    def on_event(self, event: T, event_timestamp: int, output: WatermarkOutput, /) -> None:
        """Process an element; a watermark emitted here follows it directly.

        Args:
            event: the element.
            event_timestamp: its event time in ms since the Unix epoch.
            output: emits the watermark, if any.
        """

    @abstractmethod
    def on_periodic_emit(self, output: WatermarkOutput, /) -> None:
        """Emit a watermark if appropriate; called at the auto-watermark interval."""


class BoundedOutOfOrderness(WatermarkGenerator[object]):
    """Emit watermarks a fixed time behind the highest timestamp seen.

    Mirrors ``…api.common.eventtime.BoundedOutOfOrdernessWatermarks``; with a bound of 0 its child
    ``AscendingTimestampsWatermarks``.

    Args:
        bound: the bound on out-of-orderness, in ms.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._highest = NO_TIMESTAMP + bound + 1

    def on_event(self, event: object, event_timestamp: int, output: WatermarkOutput) -> None:
        """Update the highest timestamp."""
        if event_timestamp > self._highest:
            self._highest = event_timestamp

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Emit the highest timestamp minus the bound minus 1."""
        output.emit_watermark(self._highest - self._bound - 1)


class IngestionTime(WatermarkGenerator[object]):
    """Emit the time of the clock, which the timestamps of all elements to come are at or after."""

    def on_event(self, event: object, event_timestamp: int, output: WatermarkOutput) -> None:
        """Do nothing: watermarks are periodic."""

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Emit the last ms that no element can come in any more."""
        output.emit_watermark(self.now() - 1)

    @staticmethod
    def now() -> int:
        """Return the time in ms since the Unix epoch, which never goes back within a process."""
        return (_STARTED + time.monotonic_ns()) // 1_000_000


class NoWatermarks(WatermarkGenerator[object]):
    """Generates no watermarks. Mirrors ``org.apache.flink.api.common.eventtime.NoWatermarksGenerator``."""

    def on_event(self, event: object, event_timestamp: int, output: WatermarkOutput) -> None:
        """Do nothing."""

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Do nothing."""
