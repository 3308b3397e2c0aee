"""Jobs on Spark, in which each attempt is one action; and streams as lazy Spark tables."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import is_remote

from pystream.engine.exchange.rows import OutputRow
from pystream.errors import JobCancelledError, PlanError, UnsupportedOperationError
from pystream.hosts.bounded_job import BoundedJob
from pystream.hosts.inputs import SourceInput
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import Stage, lower
from pystream.hosts.process import new_directory
from pystream.hosts.progress import job_display
from pystream.hosts.result_files import ResultWriters
from pystream.hosts.shipping import Shipped, ship
from pystream.hosts.spark.bounded import StageFrames, building_frames, divide_inputs
from pystream.hosts.spark.errors import error_to_report, errors_not_logged, expression_failure
from pystream.hosts.spark.frame_source import DataFrameSource
from pystream.hosts.spark.jvm import generate_code, jobs_with_tag, shared_directory
from pystream.hosts.spark.session import get_session
from pystream.hosts.spark.session_options import repeats_tasks
from pystream.hosts.spark.streaming_tables import refuse_streaming_table
from pystream.hosts.spark.worker_logs import worker_logs
from pystream.plan.cache import CachedElements
from pystream.plan.nodes import SourceNode
from pystream.plan.query import Query

__all__ = ["MAX_EXCHANGES", "MAX_TASKS", "SparkJob", "refuse_long_sequences", "to_data_frame"]

_LOG = logging.getLogger(__name__)

MAX_TASKS = 100
"""Tasks in sequence without an exchange between them run at once, in processes of about 60 MB each."""

MAX_EXCHANGES = 200
"""Spark plans the rest of a program again after each exchange, so planning time is quadratic."""

_CACHED_FOR_TABLES: set[CachedElements] = set()  # it is unknown when a table is read for the last time


class SparkJob(BoundedJob):
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
            _cancel_tagged(self._spark, self.job_id)

    def _error_to_report(self, error: BaseException) -> BaseException:
        return error_to_report(self.request.name, error)

    def _without_lifting(self, error: BaseException) -> bool:
        if not any(stage.native or _is_lifted(stage.source) for stage in self._stages):
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
        self._prepare_plan(self.request.without_lifting())
        return True

    def _run_attempt(self, number: int) -> list[OutputRow]:
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
                display.follow(partial(_task_counts, spark, self.job_id))
            with (
                _tagged(spark, self.job_id),
                worker_logs(spark, self.request.logging, self.job_id) as logs,
            ):
                progress = None if display is None else display.address
                job = self.request.job_info(self.job_id, shipped, number, progress)
                frames = StageFrames(
                    spark,
                    self._inputs,
                    replace(job, logging=logs),
                    shipped.environment,
                    None if shared is None else files.directory,
                    None if shared is None else files,
                )
                rows = self._run_action(frames, shipped)
        if shared is not None:
            return _rows(rows)
        channels = chain(self._driver_channels(), self._cache_channels())
        with closing(ResultWriters(files, channels)) as writers:
            in_order = rows.sort_by([("seq", "ascending"), ("channel", "ascending")])
            others = [row for row in _rows(in_order) if not writers.write(row)]
            writers.end()
        return others

    def _run_action(self, frames: StageFrames, shipped: Shipped) -> pa.Table:
        if self._cancelled.is_set():
            raise JobCancelledError(f"job {self.request.name!r} was cancelled before it started")
        try:
            with building_frames(frames.spark, shipped.executable):
                rows = frames.rows(self._stages)
            with errors_not_logged():
                generate_code(rows)
                return rows.toArrow()
        finally:
            frames.release()

    def _can_be_read_early(self, spark: SparkSession) -> bool:
        """Return whether results may be read before their attempt has succeeded."""
        if is_remote() or repeats_tasks(str(spark.sparkContext.master)):
            return False
        return self._has_limit() or (not self.request.restarts and self._has_same_results_without_lifting())

    def _has_same_results_without_lifting(self) -> bool:
        """Return whether results would have the same order if the job restarts in Python."""
        if any(_is_lifted(stage.source) for stage in self._stages):
            return False
        if not any(stage.native for stage in self._stages):
            return True
        if len(self._stages) == 1:
            (stage,) = self._stages
            return not (_is_table(stage.source) or any(step.lifting.is_fold for step in stage.native))
        # Expressions come before a shuffle, and results after it.
        ends = [stage for stage in self._stages if stage.sinks]
        return len(ends) == 1 and bool(ends[0].inputs) and all(edge.shuffled for edge in ends[0].inputs)


def to_data_frame(request: JobRequest) -> DataFrame:
    """Return the elements that reach the plan's columnar sink as a lazy Spark table.

    Args:
        request: the job whose sink the table is; caches it reads are kept as long as the process runs.
    """
    _CACHED_FOR_TABLES.update(request.cached)
    spark = get_session(request.spark_conf)
    shipped = ship(request.dependencies)
    (sink,) = request.plan.sinks
    stages = lower(request.plan, batch=request.execution.batch)
    refuse_long_sequences(stages)
    if request.plan.unbounded_sources:
        refuse_streaming_table(stages)
    job = request.job_info(uuid.uuid4().hex, shipped)
    with building_frames(spark, shipped.executable):
        shared = shared_directory(spark)
        scratch = None if shared is None else new_directory(shared)  # for as long as the table can be read
        frames = StageFrames(spark, divide_inputs(stages), job, shipped.environment, scratch, None)
        return frames.columns(stages, sink.type_info)


def refuse_long_sequences(stages: Iterable[Stage]) -> None:
    """Raise an error for too many consecutive tasks or exchanges.

    Args:
        stages: senders before receivers.

    Raises:
        PlanError: there are more.
    """
    tasks: dict[int, int] = {}
    exchanges: dict[int, int] = {}
    for stage in stages:
        chained = [tasks[edge.source] for edge in stage.inputs if not edge.shuffled]
        tasks[stage.chain] = 1 + max(chained, default=0)
        passed = [exchanges[edge.source] + edge.shuffled for edge in stage.inputs]
        exchanges[stage.chain] = max(passed, default=0)
        where = f"up to {stage.task.name!r}"
        if tasks[stage.chain] > MAX_TASKS:
            raise PlanError(
                f"more than {MAX_TASKS} tasks follow one another without an exchange {where}, each of which "
                "needs a Python process; let operators be chained, without disable_chaining(), "
                "start_new_chain() and disable_operator_chaining()"
            )
        if exchanges[stage.chain] > MAX_EXCHANGES:
            raise PlanError(
                f"more than {MAX_EXCHANGES} exchanges such as key_by() or rebalance() follow one another "
                f"{where}; write the elements of an earlier stream to files and read them in a second job"
            )


def _is_table(node: SourceNode | None) -> bool:
    return node is not None and isinstance(node.source, DataFrameSource | Query)


def _is_lifted(node: SourceNode | None) -> bool:
    return node is not None and isinstance(node.source, Query) and node.source.is_lifted


@contextmanager
def _tagged(spark: SparkSession, job_id: str) -> Iterator[None]:
    """Tag the Spark jobs started by this thread within the block.

    In a classic session, other threads can cancel only by tags of the Spark context.
    """
    if is_remote():
        spark.addTag(job_id)
    else:
        spark.sparkContext.addJobTag(job_id)
    try:
        yield
    finally:
        if is_remote():
            spark.removeTag(job_id)
        else:
            spark.sparkContext.removeJobTag(job_id)


def _cancel_tagged(spark: SparkSession, job_id: str) -> None:
    if is_remote():
        spark.interruptTag(job_id)
    else:
        spark.sparkContext.cancelJobsWithTag(job_id)


def _task_counts(spark: SparkSession, job_id: str) -> tuple[int, int]:
    """Return the numbers of completed and of known Spark tasks of a job."""
    finished = known = 0
    for job in jobs_with_tag(spark, job_id):
        stages = spark.sparkContext.statusTracker()
        info = stages.getJobInfo(job)
        for stage in map(stages.getStageInfo, info.stageIds if info is not None else ()):
            if stage is not None:
                finished += stage.numCompletedTasks
                known += stage.numTasks
    return finished, known


def _rows(rows: pa.Table) -> list[OutputRow]:
    return list(map(OutputRow, *(rows.column(name).to_pylist() for name in OutputRow._fields)))
