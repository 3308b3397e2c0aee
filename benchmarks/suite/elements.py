"""The one class of elements the benchmarks define."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Reading:
    """What a sensor measured."""

    sensor: int
    celsius: float
    millis: int
    place: str
