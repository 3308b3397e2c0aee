"""Run a program on Parquet files that Python reads as columns, on either host; results are dropped."""

from __future__ import annotations

from benchmarks.suite.runner import LeftOutError, Request
from pystream import compat
from pystream.common import Configuration, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.file_system import FileSource
from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat

compat.install()  # the programs import pyflink
from benchmarks.suite.programs import ELEMENT_TYPES, program  # noqa: E402

__all__ = ["run"]


def run(request: Request, host: str) -> None:
    """Run a job to its end.

    Raises:
        LeftOutError: its function is called with whole records.
    """
    configuration = Configuration.from_dict({"pystream.runner": host})
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    files = ParquetColumnarRowInputFormat(ELEMENT_TYPES[request.shape])
    source = FileSource.for_bulk_file_format(files, request.path).build()
    records = env.from_source(source, WatermarkStrategy.no_watermarks(), "records")
    stream = program(records, request.operator, request.shape)
    last = stream.explain().operators[-1]
    if last.path not in ("arrow", "fields"):
        raise LeftOutError(f"runs {last.path}: {last.why_not_faster}")
    env.execute()
