"""LiveSubtasks: the open subtasks of a worker process, kept between the epochs of their jobs."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

from pystream.hosts.spark.levels import Address

__all__ = ["LiveKey", "LiveSubtask", "LiveSubtasks"]

_MOST = 64
_SECONDS_UNUSED = 600.0


class LiveKey(NamedTuple):
    """Identifies an open subtask.

    Attributes:
        run: the run of its job; a job that restarts opens its subtasks again.
        address: the subtask.
    """

    run: str
    address: Address


class LiveSubtask(Protocol):
    """Interface of open subtasks."""

    def abandon(self) -> None:
        """Close functions and outputs."""


S = TypeVar("S", bound=LiveSubtask)


class LiveSubtasks(Generic[S]):
    """Keep open subtasks that no epoch uses at the moment, and close those not used for long.

    Args:
        monotonic: returns monotonic time in seconds.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._kept: OrderedDict[LiveKey, tuple[float, S]] = OrderedDict()  # last used last

    def take(self, key: LiveKey) -> S | None:
        """Remove and return a subtask, if it is open in this process."""
        kept = self._kept.pop(key, None)
        return None if kept is None else kept[1]

    def keep(self, key: LiveKey, subtask: S) -> None:
        """Keep a subtask after an epoch that succeeded, and close others that are no longer needed."""
        now = self._monotonic()
        self._kept[key] = now, subtask
        while len(self._kept) > _MOST or next(iter(self._kept.values()))[0] < now - _SECONDS_UNUSED:
            self._kept.popitem(last=False)[1][1].abandon()
