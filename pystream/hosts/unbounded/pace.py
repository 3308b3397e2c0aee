"""Pace: limits the input of an epoch, so that epochs take about a target time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import NamedTuple

__all__ = ["Pace"]

_LARGEST_STEP = 4.0
_SMALLEST_LIMIT = 1

_TELLING_RATIO = 1.25
"""The smallest ratio of limits whose effect on the time of an epoch is more than noise."""

_KEPT = 0.98
"""How much of the fixed time is believed after an epoch: smaller input than it allows is tried again."""


class _Compared(NamedTuple):
    """An epoch that later ones are compared with.

    Attributes:
        limits: the limits of the sources whose input was cut.
        millis: how long it took.
    """

    limits: Mapping[int, int]
    millis: int


class Pace:
    """Adapt the limits of sources to the time that their input takes.

    An epoch takes a fixed time, in which the host starts and commits it, and a time that grows with its
    input. Smaller limits shorten only the latter. So epochs take the interval, or about twice the fixed time
    if that is longer: half of each is spent on its input.

    Args:
        interval: target duration of an epoch, in ms.
        limits: the first limit of each source, in units of the source, by chain id.
    """

    def __init__(self, interval: int, limits: Mapping[int, int]) -> None:
        self._interval = interval
        self._limits: dict[int, float] = dict(limits)
        self._fixed = 0.0
        self._compared: _Compared | None = None

    def limit(self, chain: int) -> int:
        """Return the maximum size of the input that a source may give to the next epoch."""
        return int(self._limits[chain])

    def adapt(self, millis: int, cut: Iterable[int]) -> None:
        """Adapt the limits after an epoch.

        Args:
            millis: how long it took.
            cut: the sources whose input was limited; the limits of others are left alone.
        """
        chains = frozenset(cut)
        if not chains:
            return
        self._fixed = min(_KEPT * self._fixed, millis)
        self._learn(millis, chains)
        target = max(self._interval, 2 * self._fixed)
        step = (target - self._fixed) / max(1.0, millis - self._fixed)
        step = min(_LARGEST_STEP, max(1 / _LARGEST_STEP, step))
        for chain in chains:
            self._limits[chain] = max(_SMALLEST_LIMIT, self._limits[chain] * step)

    def _learn(self, millis: int, chains: frozenset[int]) -> None:
        """Learn the fixed time by comparing an epoch with an earlier one of other limits."""
        limits = {chain: self.limit(chain) for chain in chains}
        earlier = self._compared
        if earlier is None or earlier.limits.keys() != limits.keys():
            self._compared = _Compared(limits, millis)
            return
        ratio = fmean(limits[chain] / earlier.limits[chain] for chain in chains)
        if not 1 / _TELLING_RATIO < ratio < _TELLING_RATIO:
            fixed = (millis - ratio * earlier.millis) / (1 - ratio)
            self._fixed = (self._fixed + min(max(0.0, fixed), millis)) / 2
            self._compared = _Compared(limits, millis)
