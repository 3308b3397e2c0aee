"""Watermark generators: how far event time has come, judged by the elements seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol

from typing_extensions import TypeVar

from pystream.engine.events import NO_TIMESTAMP

__all__ = ["BoundedOutOfOrderness", "NoWatermarks", "WatermarkGenerator", "WatermarkOutput"]

T = TypeVar("T", contravariant=True, default=Any)


class WatermarkOutput(Protocol):
    """Emits the watermarks of a generator. Mirrors ``…api.common.eventtime.WatermarkOutput``."""

    def emit_watermark(self, timestamp: int) -> None:
        """Claim that no element with an event time up to this one follows; a lower one is ignored."""

    def mark_idle(self) -> None:
        """Leave this input out of account until its next watermark or element."""

    def mark_active(self) -> None:
        """Take this input into account again."""


class WatermarkGenerator(ABC, Generic[T]):
    """Generates watermarks, for single elements or periodically.

    An instance serves one subtask and may keep what it needs in attributes. Mirrors
    ``org.apache.flink.api.common.eventtime.WatermarkGenerator``.
    """

    @abstractmethod
    def on_event(self, event: T, event_timestamp: int, output: WatermarkOutput, /) -> None:
        """Look at an element; a watermark emitted here stands right behind it.

        Args:
            event: the element.
            event_timestamp: its event time in ms since the epoch.
            output: takes the watermark, if there shall be one.
        """

    @abstractmethod
    def on_periodic_emit(self, output: WatermarkOutput, /) -> None:
        """Emit a watermark if there is one; called once an auto-watermark interval."""


class BoundedOutOfOrderness(WatermarkGenerator[object]):
    """Stay a fixed time behind the highest event time seen.

    Mirrors ``…api.common.eventtime.BoundedOutOfOrdernessWatermarks``; with a bound of 0 its child
    ``AscendingTimestampsWatermarks``.

    Args:
        bound: the bound on out-of-orderness, in ms.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._highest = NO_TIMESTAMP + bound + 1

    def on_event(self, event: object, event_timestamp: int, output: WatermarkOutput) -> None:
        """Remember the highest time."""
        if event_timestamp > self._highest:
            self._highest = event_timestamp

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Emit the highest time less the bound less one."""
        output.emit_watermark(self._highest - self._bound - 1)


class NoWatermarks(WatermarkGenerator[object]):
    """Generates no watermarks. Mirrors ``org.apache.flink.api.common.eventtime.NoWatermarksGenerator``."""

    def on_event(self, event: object, event_timestamp: int, output: WatermarkOutput) -> None:
        """Do nothing."""

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Do nothing."""
