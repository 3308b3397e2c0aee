"""DataFrameSource: a Spark DataFrame as a source, static or streaming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame

from pystream.engine.connectors.interfaces import Poll
from pystream.errors import PlanTypeError
from pystream.kinds import SourceColumns

__all__ = ["DataFrameSource", "FrameEnumerator"]


@dataclass(frozen=True, slots=True, eq=False)
class DataFrameSource:
    """A Spark DataFrame as a source, specific to this host."""

    frame: DataFrame

    @property
    def needs_spark(self) -> bool:
        """True: only Spark can read it."""
        return True

    @property
    def is_bounded(self) -> bool:
        """Whether the input ends: that of a streaming DataFrame does not."""
        return not self.frame.isStreaming

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.SPARK

    @property
    def first_limit(self) -> int:
        """The limit of the first polls, which has no effect: the options of the frame limit its input."""
        return 1

    @staticmethod
    def of(frame: DataFrame) -> DataFrameSource:
        """Return a data frame as a source.

        Raises:
            PlanTypeError: it is not a Spark DataFrame.
        """
        if not isinstance(frame, DataFrame):
            raise PlanTypeError(f"from_data_frame takes a Spark DataFrame, not {frame!r}")
        return DataFrameSource(frame)

    def enumerator(
        self, parallelism: int, position: object = None, changes: Sequence[object] = ()
    ) -> FrameEnumerator:
        """Return an enumerator for a streaming frame, whose position Spark keeps.

        Args:
            parallelism: number of subtasks.
            position: no position.
            changes: no positions.
        """
        return FrameEnumerator(parallelism)

    def read(self, split: object) -> Iterator[Sequence[object]]:
        """Yield nothing: Spark brings the rows itself."""
        return iter(())


class FrameEnumerator:
    """Start an epoch whenever the job asks: Spark has already chosen the input.

    Args:
        parallelism: number of subtasks.
    """

    is_ended = False

    def __init__(self, parallelism: int) -> None:
        self._nothing = Poll([()] * parallelism, 0, None)

    def poll(self, now: int, limit: int) -> Poll:
        """Return no splits, for the rows that Spark brings itself."""
        return self._nothing

    def next_poll(self, now: int) -> int:
        """Return the current time."""
        return now

    def backlog(self, now: int) -> None:
        """Return no backlog: only Spark knows it."""

    def snapshot(self) -> None:
        """Return no position."""

    def completed(self) -> None:
        """Do nothing: Spark tells its source itself."""

    def close(self) -> None:
        """Do nothing."""
