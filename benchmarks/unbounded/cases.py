"""The cases, and the records that they process.

Record number n, from 0, has the key ``n * 7919 % keys``, the value ``n + 1`` and the event time of n
milliseconds. A window holds ten records of each key.
"""

from __future__ import annotations

from dataclasses import dataclass

RATE = 1_000
"""Records a second of the cases that measure latency."""

LATENCY_KEYS = 100


@dataclass(frozen=True, slots=True)
class Case:
    """A program to measure.

    Attributes:
        name: its name on the command line.
        title: its name in the results.
        kind: ``reduce`` or ``window`` for the rate of a keyed program, ``stateless`` or ``keyed`` for the
            latency of one.
        keys: number of keys.
        touched: number of keys that have records once all keys have had one; all if 0.
    """

    name: str
    title: str
    kind: str
    keys: int = 0
    touched: int = 0

    @property
    def is_latency(self) -> bool:
        """Whether the case measures latency instead of a rate."""
        return self.kind in ("stateless", "keyed")

    @property
    def window_millis(self) -> int:
        """The length of a window."""
        return self.keys * 10


CASES = {
    case.name: case
    for case in (
        Case("reduce-1k", "key_by + rolling reduce, 1,000 keys", "reduce", 1_000),
        Case("reduce-100k", "key_by + rolling reduce, 100,000 keys", "reduce", 100_000),
        Case("window-1k", "tumbling event-time windows, 1,000 keys", "window", 1_000),
        Case("window-100k", "tumbling event-time windows, 100,000 keys", "window", 100_000),
        Case("stored-1k", "1,000 keys touched of 1,000 stored", "reduce", 1_000),
        Case("stored-1m", "1,000 keys touched of 1,000,000 stored", "reduce", 1_000_000, touched=1_000),
        Case("latency", "stateless, 1,000 records a second", "stateless"),
        Case("latency-keyed", "keyed, 1,000 records a second", "keyed", LATENCY_KEYS),
    )
}
