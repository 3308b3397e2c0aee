"""Enumerators of unbounded sources that are resumed at drawn moments."""

from __future__ import annotations

import pickle
from typing import Any

from hypothesis import strategies as st

from pystream.engine.connectors.interfaces import Poll, SplitEnumerator, UnboundedSource

__all__ = ["Resuming"]


class Resuming:
    """The enumerator of a source in a job that crashes and is rescaled.

    Args:
        source: the source.
        parallelism: the number of subtasks at the beginning, 1 to 3.
        data: draws what happens.

    Attributes:
        enumerator: the current one.
    """

    def __init__(self, source: UnboundedSource, parallelism: int, data: st.DataObject) -> None:
        self._source = source
        self._parallelism = parallelism
        self._data = data
        self._position: Any = None
        self._changes: list[Any] = []
        self.enumerator: SplitEnumerator = source.enumerator(parallelism)

    def poll(self, now: int, limit: int) -> Poll | None:
        """Poll, and keep the change for later enumerators."""
        poll = self.enumerator.poll(now, limit)
        if poll is not None:
            self._changes.append(pickle.loads(pickle.dumps(poll.change)))
        return poll

    def continue_or_restart(self) -> None:
        """Draw whether the job continues, stores a snapshot, crashes, or is rescaled."""
        match self._data.draw(st.sampled_from(["continue", "snapshot", "crash", "rescale"])):
            case "snapshot":
                self._position = pickle.loads(pickle.dumps(self.enumerator.snapshot()))
                self._changes = []
            case "crash":
                self._resume()
            case "rescale":
                self._parallelism = 4 - self._parallelism
                self._resume()

    def _resume(self) -> None:
        self.enumerator = self._source.enumerator(self._parallelism, self._position, self._changes)
