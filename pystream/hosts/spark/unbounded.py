"""Unbounded jobs on Spark: one Structured Streaming query per job, whose micro-batches are the epochs."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.query import StreamingQuery

from pystream.engine.connectors.files import java_location, local_path
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.time.clock import SystemClock
from pystream.errors import CheckpointError, JobCancelledError, UnsupportedOperationError
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import Stage
from pystream.hosts.shipping import ship
from pystream.hosts.spark.bounded import building_frames, rows_input
from pystream.hosts.spark.checkpoint_damage import checkpoint_damage
from pystream.hosts.spark.epoch_tasks import LevelProcessor, StagePart, WorkerJob
from pystream.hosts.spark.errors import error_to_report, errors_not_logged, expression_failure
from pystream.hosts.spark.level_rows import LABELLED_SCHEMA
from pystream.hosts.spark.levels import Levels, Routes, levels_of
from pystream.hosts.spark.query_inputs import parts_of_queries
from pystream.hosts.spark.query_logs import QueryEndedError, query_not_logged
from pystream.hosts.spark.separate_sources import separate_sources
from pystream.hosts.spark.session import get_session
from pystream.hosts.spark.session_settings import session_settings
from pystream.hosts.spark.slow_starts import SlowStarts
from pystream.hosts.spark.source_frames import reads_frame, source_frames
from pystream.hosts.spark.worker_logs import worker_logs
from pystream.hosts.unbounded.job import UnboundedJob
from pystream.settings.modes import Runner

__all__ = ["SparkStream", "query_settings"]

_LOG = logging.getLogger(__name__)

_STREAMING = "spark.sql.streaming."
_ROWS = from_arrow_schema(LABELLED_SCHEMA)
_PLAIN_FILES = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
_SETTINGS = {
    "spark.sql.adaptive.enabled": "false",  # a table has one partition per subtask
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.minBatchesToRetain": "10",  # the state of each is kept; only the last one is needed
    "spark.sql.streaming.numRecentProgressUpdates": "1",
    "spark.sql.streaming.stopTimeout": "60s",
}
_LOCAL_SETTINGS = {"spark.sql.streaming.checkpointFileManagerClass": _PLAIN_FILES}
"""Settings for checkpoints on a local disk, where renaming a file is atomic."""
_PATIENCE = 10
"""Seconds within which Spark must end a query that was told to end."""


class SparkStream(UnboundedJob):
    """An unbounded job on Spark.

    Spark plans a micro-batch as soon as the one before is committed, with a row for each subtask that reads a
    source; the job decides in the call for the batch, before anything is computed, when it starts and what
    it reads.

    Args:
        request: the plan and settings.
    """

    _runner = Runner.SPARK

    def __init__(self, request: JobRequest) -> None:
        super().__init__(request, SystemClock())
        self._slow_starts = SlowStarts(request.name)
        self._query: StreamingQuery | None = None
        self._failure: BaseException | None = None  # of the current attempt
        self._is_over = False

    def _lowered(self) -> list[Stage]:
        stages = separate_sources(parts_of_queries(super()._lowered()))
        self._check_frames(stages)
        return stages

    def _check_frames(self, stages: list[Stage]) -> None:
        """Check that data frames of the program can be read.

        Raises:
            UnsupportedOperationError: one is not streaming.
            CheckpointError: the job is to start from a savepoint, which has no positions of frames.
        """
        frames = [stage.source for stage in stages if stage.source is not None and reads_frame(stage)]
        for node in frames:
            if node.source.is_bounded:
                raise UnsupportedOperationError(
                    f"from_data_frame: the unbounded job {self.request.name!r} reads streaming DataFrames "
                    f"only; {node.settings.name!r} is made from a static one, whose rows "
                    "from_collection or from_arrow(frame.toArrow()) passes"
                )
        if frames and self._settings.savepoint:
            raise CheckpointError(
                f"job {self.request.name!r} cannot start from a savepoint, which has no positions of "
                "streaming DataFrames (from_data_frame): resume it from its directory instead"
            )

    def _savepoint_obstacle(self) -> str:
        if any(map(reads_frame, self._stages)):
            return (
                "a savepoint has no positions of streaming DataFrames (from_data_frame); stop the job, and "
                "resume it from its directory"
            )
        return ""

    def _error_to_report(self, error: BaseException) -> BaseException:
        failure = error_to_report(self.request.name, error)
        is_of_spark = isinstance(error, PySparkException) and failure.__cause__ is None
        if is_of_spark and (self._directory.is_resumed or self._restarts):
            return checkpoint_damage(self.request.name, self._directory.spark, str(error)) or failure
        return failure

    def _may_run_again(self, error: BaseException) -> bool:
        return self._slow_starts.allow(error, self._parts.known.last) or self._without_lifting(error)

    def _without_lifting(self, error: BaseException) -> bool:
        """Prepare a run without native steps, if one of them caused the failure; return whether it did."""
        failure = expression_failure(error) if any(stage.native for stage in self._stages) else None
        if failure is None:
            return False
        _LOG.warning(
            "job %r continues in Python: a native expression cannot handle this data (%s); set "
            "pystream.lifting to false to start in Python",
            self.request.name,
            failure,
        )
        self._plan = self.request.without_lifting()
        self._stages = self._lowered()
        return True

    def _interrupt(self) -> None:
        super()._interrupt()
        if self._query is not None:
            self._query.stop()

    def _run_epochs(self) -> None:
        self._failure = None
        spark = get_session(self.request.spark_conf, is_unbounded=True)
        shipped = ship(self.request.dependencies)
        with worker_logs(spark, self.request.logging, self.job_id) as logs:
            info = replace(self.request.job_info(self.job_id, shipped, self._restarts), logging=logs)
            job = WorkerJob(
                info, uuid.uuid4().hex, self._directory.epochs, shipped.environment, self._directory.savepoint
            )
            levels = levels_of(self._stages)
            settings = {
                **query_settings(
                    self._settings.spark,
                    self.request.spark_conf,
                    is_local=local_path(self._directory.location) is not None,
                ),
                "spark.sql.shuffle.partitions": str(levels.partitions),
            }
            with query_not_logged():
                building = building_frames(spark, shipped.executable, keeps_state=bool(levels.others))
                with building, session_settings(spark, settings):
                    frame = _frame(spark, levels, job)
                    writer = (
                        frame.writeStream.queryName(f"{self.request.name} {job.run[:8]}")
                        .foreachBatch(self._run_batch)
                        .option("checkpointLocation", java_location(self._directory.spark))
                    )
                    if any(map(reads_frame, levels.sources)):
                        # Spark decides what they read before the call for a batch, which must not wait.
                        interval = f"{self._settings.batch_interval} milliseconds"
                        writer = writer.trigger(processingTime=interval)
                    self._query = writer.start()
                self._link(spark.sparkContext.uiWebUrl)
                self._await_end(self._query)

    def _link(self, interface: str | None) -> None:
        """Show the address of the page of the query in Spark's web interface, if that is on."""
        if interface is not None and self._query is not None:
            self._view.link(f"{interface}/StreamingQuery/statistics?id={self._query.runId}")

    def _await_end(self, query: StreamingQuery) -> None:
        """Wait until a query has ended.

        The end of the job does not depend on Spark's: Py4J may lose the answer to the call for a batch, and
        Java waits for it forever.

        Raises:
            JobCancelledError: the program has stopped it, not the job.
            Exception: the failure of the attempt.
        """
        try:
            with errors_not_logged():
                while not (query.awaitTermination(_PATIENCE) or self._is_ending()):
                    pass
                query.awaitTermination(_PATIENCE)
        except Exception as error:  # noqa: BLE001 - that of the query, which says less than the job's own
            self._failure = self._failure or error
        finally:
            with suppress(Exception):
                query.stop()
        if not (self._is_over or self._cancelled.is_set()):
            failure = self._failure or self._stopped_from_outside()
            raise failure from failure.__cause__

    def _is_ending(self) -> bool:
        """Return whether the query was told to end."""
        return self._is_over or self._failure is not None or self._cancelled.is_set()

    def _stopped_from_outside(self) -> JobCancelledError:
        """End a job whose query was stopped from outside, keeping its state; return the error to report."""
        self._is_interrupted = True
        super()._interrupt()  # the call for the next epoch may still be waiting for input
        return JobCancelledError(
            f"job {self.request.name!r} was cancelled: its streaming query was stopped, which ends it in the "
            "middle of an epoch; end the job with JobClient.stop_with_savepoint() or JobClient.cancel()"
        )

    def _run_batch(self, frame: DataFrame, number: int) -> None:
        """Run an epoch, whose results Spark commits after this call."""
        try:
            epoch = self._epochs.begin(number)
            if epoch is not None:
                table = frame.toArrow()
                columns = (table.column(name).to_pylist() for name in OutputRow._fields)
                self._epochs.complete(list(map(OutputRow, *columns)))
                return
            self._is_over = True
        except BaseException as error:  # noqa: BLE001 - it is raised once the query has ended
            self._failure = self._stopped_from_outside() if self._is_stopped() else error
        raise QueryEndedError

    def _is_stopped(self) -> bool:
        """Return whether the query was stopped while a batch is under way, which interrupts the batch."""
        return self._query is not None and not (self._query.isActive or self._cancelled.is_set())


def query_settings(
    derived: Mapping[str, str], program: Mapping[str, str], *, is_local: bool
) -> dict[str, str]:
    """Return Spark's settings for the query of a job.

    Args:
        derived: those that correspond to the settings of checkpoints and state backends.
        program: those of the program, which take precedence for streaming.
        is_local: whether the checkpoint is on a local disk.
    """
    settings = {**_SETTINGS, **(_LOCAL_SETTINGS if is_local else {}), **derived}
    chosen = {key: program[key] for key in settings.keys() & program.keys() if key.startswith(_STREAMING)}
    return {**settings, **chosen}


def _frame(spark: SparkSession, levels: Levels, job: WorkerJob) -> DataFrame:
    """Return the rows that reach the driver in a micro-batch."""
    routes: list[Routes | None] = [*levels.routes, None]
    frame = source_frames(spark, levels.sources, job, routes[0])
    for number, stages in enumerate(levels.others):
        own = levels.routes[number]
        processor = LevelProcessor(job, list(map(_part, stages)), routes[number + 1], own)
        frame = frame.groupBy("label").transformWithState(processor, _ROWS, "Append", "None")
    return frame


def _part(stage: Stage) -> StagePart:
    return StagePart(stage.chain, stage.task, edges=rows_input(stage).edges)
