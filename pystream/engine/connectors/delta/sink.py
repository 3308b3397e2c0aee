"""The sink that appends the elements of each checkpoint to a Delta table, exactly once."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.columns import ColumnPart
from pystream.engine.connectors.committing_sink import gathered
from pystream.engine.connectors.delta.location import DeltaLocation, failures
from pystream.engine.connectors.delta.target import check_target, created
from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit
from pystream.engine.connectors.parquet import ParquetParts
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.failure import element_failures
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.errors import SinkError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile

__all__ = ["DeltaOutput"]

_MAX_OPEN_FILES = 64


@dataclass(frozen=True, slots=True)
class DeltaOutput:
    """A Delta table that elements are appended to: workers write files, and the driver commits them.

    Attributes:
        location: the table.
        type_info: the type of the elements.
        schema: the columns of the table in Arrow's types.
        partition_columns: the columns that it is partitioned by.
    """

    location: DeltaLocation
    type_info: TypeInformation[Any]
    schema: pa.Schema
    partition_columns: tuple[str, ...]

    def stored_columns(self) -> pa.Schema:
        """Return the columns in the files, without those that the table is partitioned by."""
        import pyarrow as pa

        return pa.schema([field for field in self.schema if field.name not in self.partition_columns])

    def check(self) -> None:
        """Create the table if there is none, and check that it takes the elements.

        Raises:
            SinkError: it cannot be created, or does not take them.
        """
        table = created(self.location, self.schema, self.partition_columns)
        check_target(table, self.schema, self.partition_columns)

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> DeltaWriter:
        """Return a writer of files."""
        return DeltaWriter(self, subtask.index)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> DeltaCommitter:
        """Return the committer of the files."""
        return DeltaCommitter(self, transaction)


class _OpenFile:
    """A file that is being written.

    Args:
        path: its path below the directory of the table.
        partition: the partition values of its rows, as text.
        stream: where it is written.
        part: its columns.
    """

    def __init__(
        self, path: str, partition: dict[str, str | None], stream: NativeFile, part: ColumnPart
    ) -> None:
        self.path = path
        self._partition = partition
        self._stream = stream
        self._part = part
        self._rows = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        self._part.write(batch, 0, None)
        self._rows += batch.num_rows

    def close(self) -> dict[str, Any]:
        """End the file, and return its entry in the log."""
        self._part.close()
        size = self._stream.tell()
        self._stream.close()
        return {
            "path": self.path,
            "size": size,
            "partition_values": self._partition,
            "modification_time": int(time.time() * 1000),
            "data_change": True,
            "stats": json.dumps({"numRecords": self._rows}),
        }


class DeltaWriter:
    """Write the elements of each epoch to a new file for each partition.

    A few files are open at a time; a partition whose file was ended early gets another one.

    Args:
        output: the table.
        subtask: the number of the subtask.
    """

    def __init__(self, output: DeltaOutput, subtask: int) -> None:
        self._subtask = subtask
        self._by = output.partition_columns
        self._filesystem = output.location.filesystem()
        self._encode = ParquetParts(output.type_info, output.schema).encoder()
        self._parts = ParquetParts(output.type_info, output.stored_columns())
        self._open: dict[tuple[Any, ...], _OpenFile] = {}  # that of the latest write last
        self._ended: list[dict[str, Any]] = []

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Write elements in order.

        Raises:
            ElementFailure: one does not match the type.
        """
        with element_failures(values):
            batch = self._encode(values)
        # Those with an open file come first: ending it for another one would only make more files.
        for key, rows in sorted(self._partitioned(batch), key=lambda share: share[0] not in self._open):
            if key in self._open:
                self._open[key] = self._open.pop(key)
            else:
                if len(self._open) == _MAX_OPEN_FILES:
                    self._end_oldest()
                self._open[key] = self._new_file(key)
            self._open[key].write(rows)

    def _partitioned(self, batch: pa.RecordBatch) -> Iterator[tuple[tuple[Any, ...], pa.RecordBatch]]:
        """Yield the rows of each partition, without its columns."""
        if not self._by:
            yield (), batch
            return
        positions: dict[tuple[Any, ...], list[int]] = {}
        keys = zip(*(batch.column(name).to_pylist() for name in self._by), strict=True)
        for position, key in enumerate(keys):
            positions.setdefault(key, []).append(position)
        stored = batch.drop_columns(list(self._by))
        for key, found in positions.items():
            yield key, stored.take(found)

    def _new_file(self, key: tuple[Any, ...]) -> _OpenFile:
        path = f"part-{self._subtask:05}-{uuid.uuid4()}.zstd.parquet"
        partition = dict(zip(self._by, map(_text, key), strict=True))
        stream = self._filesystem.open_output_stream(path)
        return _OpenFile(path, partition, stream, self._parts.open(stream))

    def _end_oldest(self) -> None:
        """End the file that was not written to for the longest time."""
        key = next(iter(self._open))
        self._ended.append(self._open[key].close())
        del self._open[key]

    def finish(self, *, end_of_input: bool = True) -> bytes | None:
        """End the files, and return their entries in the log; ``None`` if there are none."""
        while self._open:
            self._end_oldest()
        entries, self._ended = self._ended, []
        return json.dumps(entries).encode() if entries else None

    def abort(self) -> None:
        """Remove the files, which no version of the table has."""
        paths = [entry["path"] for entry in self._ended]
        for file in self._open.values():
            paths.append(file.path)
            with suppress(Exception):
                file.close()
        for path in paths:
            with suppress(Exception):  # what is left is unused, and VACUUM removes it
                self._filesystem.delete_file(path)
        self._open.clear()
        self._ended.clear()

    def close(self) -> None:
        """Do nothing: no file stays open after an epoch."""


class DeltaCommitter:
    """Append the files of a checkpoint as a version of the table.

    The version has the number of the epoch as that of the transaction of the sink, which Delta tables keep:
    a commit that is repeated finds it.

    Args:
        output: the table.
        transaction: the name of the transactions of the sink.
    """

    def __init__(self, output: DeltaOutput, transaction: str) -> None:
        self._output = output
        self._transaction = transaction

    def open(self) -> None:
        """Do nothing: the table was created before the job started."""

    def last_committed(self) -> int:
        """Return the epoch of the last version that this sink has written; -1 for none."""
        version = self._output.location.open().transaction_version(self._transaction)
        return -1 if version is None else version

    def prepare(
        self, end: EpochEnd, state: tuple[bytes, ...] | None, messages: Sequence[bytes | None]
    ) -> PreparedCommit:
        """Gather the files until the next checkpoint."""
        return gathered(end, state, messages)

    def commit(self, epoch: int, action: tuple[bytes, ...], *, repeated: bool = False) -> None:
        """Append the files, unless a version has those of this epoch.

        Raises:
            SinkError: the version cannot be written.
        """
        from deltalake.transaction import AddAction, CommitProperties, RemoveAction, Transaction

        location = self._output.location
        table = location.open()
        committed = table.transaction_version(self._transaction)
        if committed is not None and committed >= epoch:
            return
        files: list[AddAction | RemoveAction] = [
            AddAction(**entry) for entries in action for entry in json.loads(entries)
        ]
        properties = CommitProperties(app_transactions=[Transaction(self._transaction, epoch)])
        with failures(SinkError, f"cannot append to the Delta table {location}"):
            table.create_write_transaction(
                files,
                "append",
                table.schema(),
                list(self._output.partition_columns),
                commit_properties=properties,
            )

    def restore(self, state: object) -> None:
        """Do nothing: files that no version has are not read, and VACUUM removes them."""

    def next_time(self, state: tuple[bytes, ...] | None) -> int | None:
        """Return 0 if files wait for a checkpoint, otherwise ``None``."""
        return None if state is None else 0

    def end(self, *, complete: bool) -> None:
        """Do nothing: there are no other files."""

    def close(self) -> None:
        """Do nothing: no connection is open."""


def _text(value: Any) -> str | None:
    """Return a partition value as the log has it."""
    if value is None:
        return None
    if isinstance(value, datetime) and value.tzinfo is not None:  # UTC; Spark takes others as local times
        return f"{value.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
    return str(value).lower() if isinstance(value, bool) else str(value)
