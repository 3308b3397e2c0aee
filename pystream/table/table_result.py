"""TableResult: the outcome of a statement."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from threading import Event
from types import NoneType
from typing import TYPE_CHECKING, Any

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require_int
from pystream.common.job_client import JobClient
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.engine.worker import standard_output
from pystream.errors import ArgumentTypeError, JobExecutionError
from pystream.lazy import re_exports
from pystream.table.columns import TableColumn, resolved_schema
from pystream.table.printed_rows import Lines, fitted_lines
from pystream.table.resolved_schema import ResolvedSchema
from pystream.table.result_kind import ResultKind
from pystream.table.table_schema import TableSchema
from pystream.waiting import in_slices
from typeinfo.arguments import checks_arguments
from typeinfo.row import Row, make_row, result_row_class

if TYPE_CHECKING:
    from pystream.common.types import RowKind as RowKind
else:
    __getattr__ = re_exports(__name__)


__all__ = ["TableResult", "given_rows"]

_PLAIN = frozenset({bool, bytes, datetime.date, datetime.datetime, Decimal, float, int, str, NoneType})
"""The classes of values that contain no rows."""

Rows = Callable[[], CloseableIterator[Row[Any]]]


@hints_at_equivalents
@checks_arguments(ArgumentTypeError, methods=False)
class TableResult:
    """The outcome of a statement: rows, a job, or both.

    Made by ``execute_sql``, ``Table.execute`` and ``Table.execute_insert``.
    Mirrors ``org.apache.flink.table.api.TableResult``.

    Args:
        columns: the columns of the rows.
        rows: starts to read the rows.
        lines: returns the lines that ``print`` prints.
        kind: what the rows are.
        job: the job that an INSERT has started.
        wait: waits for the end of that job.
    """

    def __init__(
        self,
        columns: Sequence[TableColumn],
        rows: Rows,
        lines: Lines = fitted_lines,
        *,
        kind: ResultKind = ResultKind.SUCCESS_WITH_CONTENT,
        job: JobClient | None = None,
        wait: Callable[[], object] | None = None,
    ) -> None:
        self._columns = tuple(columns)
        self._rows = rows
        self._lines = lines
        self._kind = kind
        self._job = job
        self._wait = wait

    def get_job_client(self) -> JobClient | None:
        """Return the client of the job of an INSERT; ``None`` for another statement.

        The job of a query starts when its rows are read.
        """
        return self._job

    def wait(self, timeout_ms: int | None = None) -> None:
        """Wait until the job of an INSERT has ended; return at once for another statement.

        The first interrupt or termination signal ends an unbounded job after the current epoch, so that it
        can resume, and cancels a bounded one.

        Args:
            timeout_ms: how long to wait in ms; ``None`` or 0 for no limit.

        Raises:
            ConfigurationError: the time is not an int of 0 or more.
            JobExecutionError: the job failed, or has not ended in time.
        """
        if timeout_ms is not None:
            require_int(timeout_ms, "a timeout in ms", 0)
        if self._job is None or self._wait is None:
            return
        outcome = self._job.get_job_execution_result()
        if timeout_ms:
            ended = Event()
            outcome.add_done_callback(lambda _: ended.set())
            if not in_slices(ended.wait, timeout_ms / 1000):
                raise JobExecutionError(f"job {self._job.get_job_id()} has not ended within {timeout_ms} ms")
        self._wait()

    def get_table_schema(self) -> TableSchema:
        """Return the names and types of the columns."""
        columns = self._columns
        return TableSchema([c.name for c in columns], [c.data_type for c in columns])

    def get_resolved_schema(self) -> ResolvedSchema:
        """Return the names and types of the columns.

        Mirrors ``TableResult.getResolvedSchema``.
        """
        return resolved_schema(self._columns)

    def get_result_kind(self) -> ResultKind:
        """Return what the rows are."""
        return self._kind

    def collect(self) -> CloseableIterator[Row[Any]]:
        """Return the rows, in an iterator to close or to use in a ``with`` statement.

        Rows have the names of the columns, and equal rows without names as well, such as ``Row(1, "a")``.

        The rows of an INSERT are one of -1, Flink's unknown number of rows, once its job has ended. Closing
        the iterator cancels a job that still runs.

        Raises:
            JobExecutionError: the job failed.
        """
        rows = self._rows()
        return CloseableIterator((_by_position(row) for row in rows), rows.close)

    def print(self) -> None:
        """Print the rows as a table, those of a streaming program with their kinds.

        The plan of ``EXPLAIN`` is printed as it is, and ``OK`` for a statement without rows.
        """
        with self.collect() as rows:
            for line in self._lines(self._columns, rows):
                standard_output.write(f"{line}\n")


def _by_position(value: Any) -> Any:
    """Return a value with rows that equal rows without names, too."""
    match value:
        case Row():
            values = value if _PLAIN.issuperset(map(type, value)) else map(_by_position, value)
            names = value.get_field_names()
            row = make_row(values, names, value.get_row_kind())
            if names is not None:
                cls: Any = result_row_class(tuple(names))
                row.__class__ = cls
            return row
        case list():
            return list(map(_by_position, value))
        case dict() if type(value) is dict:
            return {_by_position(key): _by_position(item) for key, item in value.items()}
    return value


def given_rows(rows: Iterable[Row[Any]]) -> CloseableIterator[Row[Any]]:
    """Return an iterator over rows that no job has to make."""
    return CloseableIterator((row for row in rows), _nothing_to_stop)


def _nothing_to_stop() -> None:
    """Do nothing."""
