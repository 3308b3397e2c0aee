"""The sink that passes the elements of each checkpoint to a function on the driver, as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.engine.connectors.committing_sink import gathered
from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.failure import element_failures
from pystream.engine.task_info import JobInfo, SubtaskInfo
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa

    Deliver = Callable[[pa.Table, int], object]

__all__ = ["BatchesOutput"]


class BatchesOutput:
    """A sink whose committer calls a function, which is not shipped to the workers.

    Args:
        type_info: the type of the elements.
        deliver: called on the driver with the elements since the last checkpoint, as columns in Spark's
            layout, and the number of the epoch; ``None`` on a worker.
    """

    needs_spark: ClassVar[bool] = True

    def __init__(self, type_info: TypeInformation[Any], deliver: Deliver | None) -> None:
        self._type = type_info
        self._deliver = deliver

    def __reduce__(self) -> tuple[Any, ...]:
        return BatchesOutput, (self._type, None)

    def check(self) -> None:
        """Do nothing: columns go to the driver."""

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> BatchWriter:
        """Return a writer of columns."""
        return BatchWriter(self._type)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> BatchCommitter:
        """Return the committer, which calls the function."""
        assert self._deliver is not None
        return BatchCommitter(self._deliver)


class BatchWriter:
    """Convert elements to columns.

    Args:
        type_info: the type of the elements.
    """

    def __init__(self, type_info: TypeInformation[Any]) -> None:
        from typeinfo.formats.arrow import spark_layout
        from typeinfo.serde import serializer_for

        serializer = serializer_for(type_info)
        self._serializer = serializer
        self._layout = spark_layout(serializer.schema)
        self._batches: list[pa.RecordBatch] = []

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Convert a batch of elements.

        Raises:
            ElementFailure: one does not match the type.
        """
        from pystream.engine.vectorised.parts import batch_of

        with element_failures(values):
            self._batches.append(batch_of(self._serializer, values).cast(self._layout))

    def finish(self, *, end_of_input: bool = True) -> bytes | None:
        """Return the elements since the last call, in Arrow's stream format; ``None`` if there are none."""
        import pyarrow as pa

        batches, self._batches = self._batches, []
        if not batches:
            return None
        output = pa.BufferOutputStream()
        with pa.ipc.new_stream(output, self._layout) as stream:
            stream.write_table(pa.Table.from_batches(batches).combine_chunks())
        return bytes(output.getvalue())

    def abort(self) -> None:
        """Drop the elements."""
        self._batches.clear()

    def close(self) -> None:
        """Do nothing: there are no resources."""


class BatchCommitter:
    """Call a function with the elements of all subtasks at each checkpoint.

    Args:
        deliver: the function.
    """

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def open(self) -> None:
        """Do nothing: columns go to the driver."""

    def last_committed(self) -> int:
        """Return -1: the target does not show what is committed."""
        return -1

    def prepare(
        self, end: EpochEnd, state: tuple[bytes, ...] | None, messages: Sequence[bytes | None]
    ) -> PreparedCommit:
        """Gather elements until the next checkpoint."""
        return gathered(end, state, messages)

    def commit(self, epoch: int, action: tuple[bytes, ...], *, repeated: bool = False) -> None:
        """Call the function."""
        import pyarrow as pa

        tables = [pa.ipc.open_stream(payload).read_all() for payload in action]
        self._deliver(pa.concat_tables(tables), epoch)

    def restore(self, state: object) -> None:
        """Do nothing: the state holds all elements."""

    def next_time(self, state: tuple[bytes, ...] | None) -> int | None:
        """Return 0 if elements wait for a checkpoint, otherwise ``None``."""
        return None if state is None else 0

    def end(self, *, complete: bool) -> None:
        """Do nothing: there are no other files."""

    def close(self) -> None:
        """Do nothing: there are no resources."""
