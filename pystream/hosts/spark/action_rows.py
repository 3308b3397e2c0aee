"""The rows that the Spark action of a job returns: results, messages of sinks and metrics."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from pystream.hosts.driver_rows import DriverRow, DriverRows
from pystream.hosts.result_files import ResultFiles, ResultWriters

__all__ = ["driver_rows", "write_results"]


def write_results(rows: pa.Table, edges: Iterable[int], files: ResultFiles) -> None:
    """Write the results among the rows to result files.

    Args:
        rows: the rows.
        edges: the edges that carry results.
        files: the files to write.
    """
    writers = ResultWriters(files, edges)
    try:
        for row in _rows(rows.sort_by([("seq", "ascending"), ("channel", "ascending")])):
            writers.write(*row)
        writers.end()
    finally:
        writers.close()


def driver_rows(rows: pa.Table) -> DriverRows:
    """Return the messages of sinks and the metrics among the rows."""
    return DriverRows(_rows(rows))


def _rows(rows: pa.Table) -> Iterable[DriverRow]:
    return map(DriverRow, *(rows.column(name).to_pylist() for name in DriverRow._fields))
