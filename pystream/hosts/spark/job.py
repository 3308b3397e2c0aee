"""SparkJob: a job whose attempts are Spark actions, one each."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import is_remote

from pystream.errors import JobCancelledError, UnsupportedOperationError
from pystream.hosts.driver_rows import DriverRows
from pystream.hosts.inputs import SourceInput
from pystream.hosts.job import Job, limit_of
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import lower
from pystream.hosts.progress import job_display
from pystream.hosts.shipping import Shipped, ship
from pystream.hosts.spark.action_rows import driver_rows, write_results
from pystream.hosts.spark.bounded import DataFrameSource, StageFrames, divide_inputs, worker_interpreter
from pystream.hosts.spark.engine_errors import errors_not_logged, explained, expression_failure
from pystream.hosts.spark.job_group import interrupt, interruptible, task_counts
from pystream.hosts.spark.master import repeats_tasks
from pystream.hosts.spark.scratch import shared_directory
from pystream.hosts.spark.session import get_session
from pystream.hosts.spark.task_limits import refuse_long_sequences
from pystream.hosts.spark.worker_logs import worker_logs
from pystream.plan.nodes import SourceNode

__all__ = ["SparkJob"]

_LOG = logging.getLogger(__name__)


class SparkJob(Job):
    """A job on Spark: each attempt is one action.

    Args:
        request: the plan and settings.
    """

    def __init__(self, request: JobRequest) -> None:
        super().__init__(request)
        self._spark: SparkSession | None = None

    def _divided_inputs(self) -> dict[int, SourceInput]:
        refuse_long_sequences(self._stages)
        return divide_inputs(self._stages)

    def _interrupt(self) -> None:
        if self._spark is not None:
            interrupt(self._spark, self.job_id)

    def _explained(self, error: BaseException) -> BaseException:
        return explained(self.request.name, error)

    def _without_lifting(self, error: BaseException) -> bool:
        if not any(stage.native for stage in self._stages):
            return False
        failure = expression_failure(error)
        if failure is None:
            return False
        _LOG.warning(
            "job %r restarts in Python: a native expression cannot handle this data (%s); set "
            "pystream.lifting to false to start in Python",
            self.request.name,
            failure,
        )
        self._prepare(self.request.without_lifting())
        return True

    def _run_attempt(self, number: int) -> DriverRows:
        with job_display(self.request.name, self._total(), self.request.progress) as display:
            self._spark = spark = get_session(self.request.spark_conf)
            shipped = ship(self.request.dependencies)
            shared = shared_directory(spark)
            if shared is None and self._caches:
                raise UnsupportedOperationError(
                    f"job {self.request.name!r}: cache() keeps elements in files of this machine, but the "
                    "workers may run on others; leave it out, or write the stream with a FileSink to a file "
                    "system that all of them reach, and read that with a FileSource"
                )
            files = self.results.begin(
                shared,
                early=self._can_be_read_early(spark),
                may_break_off=any(stage.native or _is_table(stage.source) for stage in self._stages),
            )
            if display is not None:
                display.follow(partial(task_counts, spark, self.job_id))
            with (
                interruptible(spark, self.job_id),
                worker_logs(spark, self.request.logging, self.job_id) as logs,
            ):
                address = None if display is None else display.address
                job = self.request.job_info(self.job_id, shipped, number)
                job = replace(job, progress=address, logging=logs)
                frames = StageFrames(
                    spark,
                    self._inputs,
                    job,
                    shipped.environment,
                    None if shared is None else files.directory,
                    None if shared is None else files,
                )
                rows = self._run_action(frames, shipped)
        if shared is None:
            write_results(rows, frozenset(number for number, _, _ in self._driver_sinks), files)
        return driver_rows(rows)

    def _run_action(self, frames: StageFrames, shipped: Shipped) -> pa.Table:
        if self._cancelled.is_set():
            raise JobCancelledError(f"job {self.request.name!r} was cancelled before it started")
        try:
            with worker_interpreter(frames.spark, shipped.executable):
                rows = frames.rows(self._stages)
            with errors_not_logged():
                _plan(rows)
                return rows.toArrow()
        finally:
            frames.release()

    def _can_be_read_early(self, spark: SparkSession) -> bool:
        """Tell whether results may be read before it is known that no other attempt will make other ones."""
        if is_remote() or repeats_tasks(str(spark.sparkContext.master)):
            return False
        if any(limit_of(node) is not None for _, node, _ in self._driver_sinks):
            return True  # nothing is handed out until all is there
        return not self.request.restarts and (
            not any(stage.native for stage in self._stages) or self._is_same_without_lifting()
        )

    def _is_same_without_lifting(self) -> bool:
        """Tell whether Python would bring the same results in the same order, should expressions fail."""
        python = lower(self.request.without_lifting(), batch=self.request.execution.batch)
        match self._stages, python:
            case ([native], [_]):
                is_elementwise = all(
                    step.accumulation is None and step.windows is None and step.aggregation is None
                    for step in native.native
                )
                return is_elementwise and not (
                    native.source is not None and isinstance(native.source.source, DataFrameSource)
                )
        ends = [stage for stage in self._stages if stage.sinks]
        # Expressions come before a shuffle, and results after it.
        return len(ends) == 1 and bool(ends[0].inputs) and all(edge.shuffled for edge in ends[0].inputs)


def _is_table(node: SourceNode | None) -> bool:
    return node is not None and isinstance(node.source, DataFrameSource)


def _plan(rows: DataFrame) -> None:
    """Plan a query and generate its code in this thread, to which Java reports a stack that overflows.

    ``toArrow`` would do so in a thread of its own in Java; Python waits forever if its stack overflows.
    """
    if not is_remote():
        frame: Any = rows._jdf
        frame.queryExecution().debug().codegenToSeq()
