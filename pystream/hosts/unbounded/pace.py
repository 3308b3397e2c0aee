"""Pace: limits the input of an epoch, so that epochs take about a target time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["Pace"]

_OVERSHOOT = 1.5
"""More than 1, because part of the time of an epoch does not depend on its input."""

_LARGEST_STEP = 4.0
_SMALLEST_LIMIT = 1


class Pace:
    """Adapt the limits of sources to the time that their input takes.

    Args:
        interval: target duration of an epoch, in ms.
        limits: the first limit of each source, in units of the source, by chain id.
    """

    def __init__(self, interval: int, limits: Mapping[int, int]) -> None:
        self._interval = interval
        self._limits: dict[int, float] = dict(limits)

    def limit(self, chain: int) -> int:
        """Return the maximum size of the input that a source may give to the next epoch."""
        return int(self._limits[chain])

    def adapt(self, millis: int, cut: Iterable[int]) -> None:
        """Adapt the limits after an epoch.

        Args:
            millis: how long it took.
            cut: the sources whose input was limited; the limits of others are left alone.
        """
        step = (self._interval / max(1, millis)) ** _OVERSHOOT
        step = min(_LARGEST_STEP, max(1 / _LARGEST_STEP, step))
        for chain in cut:
            self._limits[chain] = max(_SMALLEST_LIMIT, self._limits[chain] * step)
