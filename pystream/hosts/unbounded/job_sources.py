"""JobSources: the sources of an unbounded job, which the driver asks for input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pystream.engine.connectors.interfaces import Backlog, SplitEnumerator
from pystream.engine.connectors.piecewise import in_pieces
from pystream.hosts.lowering import Stage
from pystream.plan.query import Query

__all__ = ["JobSources"]

T = TypeVar("T")


class JobSources:
    """The sources of an unbounded job, by the chain ids of their stages.

    A query is none: it has results when the source before it has elements.

    Args:
        stages: the stages of the job.
    """

    def __init__(self, stages: Iterable[Stage]) -> None:
        self._sources = {}
        self._reporting = {}
        for stage in stages:
            if stage.source is not None and not isinstance(stage.source.source, Query):
                source = in_pieces(stage.source.source)
                self._sources[stage.chain] = stage.source.uid, source, stage.task.parallelism
                self._reporting[stage.chain] = stage.chain if stage.part_of is None else stage.part_of

    @property
    def limits(self) -> dict[int, int]:
        """The first limit of each source, in units of the source."""
        return {chain: source.first_limit for chain, (_, source, _) in self._sources.items()}

    def open(self, position: Callable[[str], tuple[Any | None, list[Any]]]) -> dict[int, SplitEnumerator]:
        """Open the enumerators.

        Args:
            position: returns where a source continues, given its uid: a snapshot, and the changes since.

        Raises:
            PyStreamError: a source or a position is unusable; then no enumerator is open.
        """
        enumerators: dict[int, SplitEnumerator] = {}
        try:
            for chain, (uid, source, parallelism) in self._sources.items():
                enumerators[chain] = source.enumerator(parallelism, *position(uid))
        except BaseException:
            for enumerator in enumerators.values():
                enumerator.close()
            raise
        return enumerators

    def backlogs(self, enumerators: Mapping[int, SplitEnumerator], now: int) -> dict[int, Backlog]:
        """Return the backlog of each source that knows it, by the chain id of the stage that reports it.

        Args:
            enumerators: the open enumerators.
            now: processing time in ms since the Unix epoch.
        """
        backlogs = ((self._reporting[chain], each.backlog(now)) for chain, each in enumerators.items())
        return {chain: backlog for chain, backlog in backlogs if backlog is not None}

    def by_uid(self, values: Mapping[int, T]) -> dict[str, T]:
        """Return the same values by the uids of the sources."""
        return {self._sources[chain][0]: value for chain, value in values.items()}
