"""Writing to a file sink as a job does, in this process."""

from __future__ import annotations

from typing import Any

from pystream.engine.connectors.file_sink import FilesOutput
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import transaction_of


def write_job(output: FilesOutput, *batches: list[Any]) -> None:
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
