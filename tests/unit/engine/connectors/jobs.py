"""Write to file sinks and read from sources as a job does, in this process."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pystream.common.serialization import BulkWriterFactory
from pystream.datastream.connectors import BucketAssigner, FileSink, Source
from pystream.engine.connectors.file_sink import FilesOutput
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import transaction_of
from pystream.engine.events import RecordErrors
from typeinfo import Types
from typeinfo.info import TypeInformation


def write_job(output: FilesOutput, *batches: Sequence[Any]) -> None:
    """Run a job that writes batches of elements to a sink, from one subtask."""
    output.check()
    job = JobFiles.begin("f00d", "job", {0: output.base_path})
    transaction = transaction_of("f00d", 0)
    writer = output.writer(transaction)
    try:
        for batch in batches:
            writer.write(batch)
        names = output.finish(transaction, [writer.finish()])
    except BaseException:
        writer.abort()
        job.roll_back()
        raise
    job.publish({0: names})


def write_bulk(
    path: Path,
    writers: BulkWriterFactory[Any],
    *batches: Sequence[Any],
    type_info: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY,
) -> list[Path]:
    """Write batches of elements in a bulk format directly into a directory; return its part files."""
    sink = FileSink.for_bulk_format(str(path), writers)
    sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    write_job(pickle.loads(pickle.dumps(sink.build().bind(type_info))), *batches)
    return sorted(path.glob("part-*"))


def read_batches(source: Source[Any], parallelism: int = 1) -> list[list[Sequence[Any]]]:
    """Return the batches that each subtask reads from a source."""
    reader = pickle.loads(pickle.dumps(source.reader()))
    return [
        [batch for split in share for batch in reader.read(split)] for share in reader.splits(parallelism)
    ]


def read_shares(source: Source[Any], parallelism: int = 1) -> list[list[Any]]:
    """Return the elements that each subtask reads from a source."""
    return [
        [value for batch in share if not isinstance(batch, RecordErrors) for value in batch]
        for share in read_batches(source, parallelism)
    ]
