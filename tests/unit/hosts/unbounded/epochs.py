"""Run the epochs of an unbounded job that only writes to sinks, in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from pystream.common.serialization import Encoder
from pystream.datastream.connectors import BucketAssigner, FileSink, RollingPolicy
from pystream.datastream.connectors.file_system import FileCompactor, FileCompactStrategy
from pystream.datastream.formats.parquet import ParquetBulkWriters
from pystream.engine.connectors.file_sink import FilesOutput, SegmentWriter
from pystream.engine.connectors.interfaces import SinkWriter
from pystream.engine.connectors.job_record import epoch_transaction_of
from pystream.engine.connectors.parquet import ParquetParts
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.hosts.unbounded.commits import SinkCommits
from pystream.hosts.unbounded.known_epochs import KnownEpochs
from pystream.plan.nodes import NodeSettings, SinkNode
from tests.unit.hosts.unbounded.faults import Fault
from typeinfo import Row, Types

STEP = 1000
"""Milliseconds from one epoch to the next."""

JOB = JobInfo("f00d", "epochs")
KNOWN = KnownEpochs("epochs", "somewhere")
ROW = Types.ROW_NAMED(["n"], [Types.INT])


class Epoch(NamedTuple):
    """The elements that each subtask writes to all sinks, and how the epoch ends."""

    elements: Sequence[Sequence[int]]
    publishes: bool = True
    last: bool = False


class ByParity(BucketAssigner[int]):
    def get_bucket_id(self, element: int, context: Any) -> str:
        return f"even={element % 2 == 0}/all"


def rows(
    path: Path,
    policy: RollingPolicy,
    buckets: BucketAssigner[Any] | None = None,
    *,
    check_interval: int = 60_000,
    compacts: tuple[int | None, int] | None = None,
) -> FilesOutput:
    """Return a sink of rows; ``compacts`` is a size and a number of checkpoints."""
    sink = FileSink.for_row_format(str(path), Encoder.simple_string_encoder())
    sink.with_bucket_assigner(buckets or BucketAssigner.base_path_bucket_assigner())
    sink.with_rolling_policy(policy).with_bucket_check_interval(check_interval)
    if compacts is not None:
        size, checkpoints = compacts
        strategy = FileCompactStrategy.builder().enable_compaction_on_checkpoint(checkpoints)
        strategy.set_size_threshold(-1 if size is None else size)
        sink.enable_compact(strategy.build(), FileCompactor.concat_file_compactor())
    return sink.build().bind(Types.INT())


def columns(path: Path) -> FilesOutput:
    sink = FileSink.for_bulk_format(str(path), ParquetBulkWriters.for_row_type(ROW))
    return sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build().bind(ROW)


def nodes(*targets: Any) -> dict[int, SinkNode]:
    return {
        number: SinkNode(
            id=number,
            inputs=(0,),
            type_info=Types.INT(),
            settings=NodeSettings(name=f"sink {number}", uid=f"sink-{number}"),
            target=target,
        )
        for number, target in enumerate(targets)
    }


class Job:
    """A job, or the process that takes it over."""

    def __init__(self, directory: Path, *targets: Any) -> None:
        self.targets = targets
        self.commits = SinkCommits(f"{directory}/sinks", JOB, str(directory), nodes(*targets))

    def write(self, number: int, subtask: int, elements: Sequence[int], clock: Callable[[], int]) -> Any:
        output = self.targets[number]
        transaction = epoch_transaction_of(JOB.job_id, f"sink-{number}")
        writer: SinkWriter
        if isinstance(output, FilesOutput):
            writer = SegmentWriter(output, transaction, subtask, clock)
        else:
            writer = output.epoch_writer(transaction, SubtaskInfo(JOB, subtask, 2, 128, 0))
        if elements:
            is_row = isinstance(output, FilesOutput) and isinstance(output.format, ParquetParts)
            writer.write([Row(n=n) for n in elements] if is_row else list(elements))
        message = writer.finish(end_of_input=False)
        writer.close()
        return message

    def messages(self, epoch: Epoch, now: int) -> Mapping[int, Sequence[Any]]:
        return {
            number: [
                self.write(number, subtask, elements, lambda: now)
                for subtask, elements in enumerate(epoch.elements)
            ]
            for number in range(len(self.targets))
        }

    def run(self, number: int, epoch: Epoch, now: int) -> None:
        self.commits.prepare(number, self.messages(epoch, now), now, epoch.publishes, epoch.last)


class Engine:
    """The engine of a job, which knows the last epoch that it has committed, and survives its process."""

    def __init__(self) -> None:
        self.committed = -1

    def run(self, job: Job, epochs: Sequence[Epoch], fault: Fault | None = None) -> None:
        """Run the epochs that are left, and end the job."""
        job.commits.recover(self.committed, KNOWN)
        for number in range(self.committed + 1, len(epochs)):
            job.run(number, epochs[number], number * STEP)
            if fault is not None:
                fault.step()
            self.committed = number
            if fault is not None:
                fault.step()
            job.commits.commit(number)
        job.commits.end(complete=True)
        job.commits.close()


def run_epochs(job: Job, epochs: Sequence[Epoch]) -> None:
    """Run epochs of a new job, which does not end."""
    job.commits.recover(-1, KNOWN)
    for number, epoch in enumerate(epochs):
        job.run(number, epoch, number * STEP)
        job.commits.commit(number)


def visible(path: Path) -> dict[str, Any]:
    """Return the content of each visible file."""
    found: dict[str, Any] = {}
    for file in sorted(path.rglob("*")):
        name = str(file.relative_to(path))
        if file.is_file() and not any(part.startswith((".", "_")) for part in name.split("/")):
            found[name] = (
                [row["n"] for row in pq.read_table(file).to_pylist()]
                if file.read_bytes()[:4] == b"PAR1"
                else [int(line) for line in file.read_text().splitlines()]
            )
    return found


def hidden(path: Path) -> list[str]:
    """Return the files in progress."""
    return sorted(
        str(file.relative_to(path))
        for file in path.rglob("*")
        if file.is_file() and ".inprogress" in str(file) and file.name != ".job.json"
    )
