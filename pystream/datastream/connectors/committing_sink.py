"""Sinks written in Python that commit in two phases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.datastream.connectors.base import Sink
from pystream.engine.connectors.committing_sink import (
    CommitterInitContext,
    CommittingOutput,
    SinkWriterContext,
    WriterInitContext,
)
from pystream.plan.function import UserFunction
from typeinfo.info import TypeInformation

__all__ = [
    "Committer",
    "CommitterInitContext",
    "CommittingSinkWriter",
    "SinkWriterContext",
    "TwoPhaseCommittingSink",
    "WriterInitContext",
]

IN = TypeVar("IN", contravariant=True, default=Any)
COMM = TypeVar("COMM", default=Any)


class CommittingSinkWriter(ABC, Generic[IN, COMM]):
    """Write elements on a worker, without any effect before they are committed.

    Mirrors ``org.apache.flink.api.connector.sink2.CommittingSinkWriter``.
    """

    @abstractmethod
    def write(self, element: IN, context: SinkWriterContext, /) -> None:
        """Write an element.

        Args:
            element: the element.
            context: has its timestamp and the watermark.
        """

    def flush(self, end_of_input: bool, /) -> None:
        """Write buffered elements; called before each `prepare_commit`.

        Args:
            end_of_input: whether no element follows.
        """

    @abstractmethod
    def prepare_commit(self) -> Collection[COMM]:
        """Return the committables of the elements written since the last call; they must be picklable.

        An unbounded job calls it at the end of each of its epochs, a bounded job once. What was written in an
        epoch that fails is written again by another writer, whose output must not collide with it.
        """

    def close(self) -> None:
        """Release resources."""


class Committer(ABC, Generic[COMM]):
    """Commit the output that the writers have prepared; runs in the process of the program.

    Mirrors ``org.apache.flink.api.connector.sink2.Committer``.
    """

    @abstractmethod
    def commit(self, checkpoint_id: int, committables: Sequence[COMM], /) -> None:
        """Make output visible, exactly once for each id.

        A job that failed during or after a commit repeats it with the same id and the same committables. An
        exception fails the job.

        Args:
            checkpoint_id: greater than those before in the same job, whose id the committer's context has; 0
                for the only commit of a bounded job.
            committables: the results of ``prepare_commit`` of all subtasks since the checkpoint before, at
                least one.
        """

    def close(self) -> None:
        """Release resources."""


class TwoPhaseCommittingSink(Sink[IN], Generic[IN, COMM]):
    """A sink written in Python, whose elements become visible exactly once if its committer is idempotent.

    Subclass it for a database, a service or a file format of your own. An unbounded job commits at its
    checkpoints. A bounded job commits once, after it has processed all its input and before the files of its
    file sinks become visible: if the commit fails, so does the job, and no file appears.

    Mirrors ``org.apache.flink.api.connector.sink2.TwoPhaseCommittingSink``.
    """

    @abstractmethod
    def create_writer(self, context: WriterInitContext, /) -> CommittingSinkWriter[IN, COMM]:
        """Return the writer of a subtask; called on a worker.

        Args:
            context: has the number of the subtask, the parallelism, and the job.
        """

    @abstractmethod
    def create_committer(self, context: CommitterInitContext, /) -> Committer[COMM]:
        """Return the committer; called in the process of the program.

        Args:
            context: has the id of the job.
        """

    def bind(self, type_info: TypeInformation[IN]) -> CommittingOutput:
        """Return the output that the runtime writes elements to.

        Raises:
            FunctionPicklingError: the sink cannot be sent to the workers.
        """
        function = UserFunction.of(self, "sink_to", is_object=True)
        return CommittingOutput(function.payload, function.description)
