"""Unbounded jobs on Spark: one Structured Streaming query a job, whose micro-batches are the epochs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.query import StreamingQuery

from pystream.engine.exchange.rows import OutputRow
from pystream.engine.time.clock import SystemClock
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import Stage
from pystream.hosts.shipping import ship
from pystream.hosts.spark.bounded import building_frames, rows_input
from pystream.hosts.spark.epoch_tasks import LevelProcessor, SourceLevel, StagePart, WorkerJob
from pystream.hosts.spark.errors import error_to_report, errors_not_logged
from pystream.hosts.spark.level_rows import LABELLED_SCHEMA
from pystream.hosts.spark.levels import Address, Levels, Routes, levels_of
from pystream.hosts.spark.query_logs import QueryEndedError, query_not_logged
from pystream.hosts.spark.separate_sources import separate_sources
from pystream.hosts.spark.session import get_session
from pystream.hosts.spark.worker_logs import worker_logs
from pystream.hosts.unbounded.job import UnboundedJob
from pystream.settings.modes import Runner

__all__ = ["SparkStream"]

_ROWS = from_arrow_schema(LABELLED_SCHEMA)
_PLAIN_FILES = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
_SETTINGS = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
    "spark.sql.streaming.checkpointFileManagerClass": _PLAIN_FILES,
    "spark.sql.streaming.numRecentProgressUpdates": "1",
}


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
        self._query: StreamingQuery | None = None
        self._is_over = False

    def _lowered(self) -> list[Stage]:
        return separate_sources(super()._lowered())

    def _error_to_report(self, error: BaseException) -> BaseException:
        return error_to_report(self.request.name, error)

    def _interrupt(self) -> None:
        super()._interrupt()
        if self._query is not None:
            self._query.stop()

    def _run_epochs(self) -> None:
        spark = get_session(self.request.spark_conf)
        shipped = ship(self.request.dependencies)
        with worker_logs(spark, self.request.logging, self.job_id) as logs:
            info = replace(self.request.job_info(self.job_id, shipped, self._restarts), logging=logs)
            job = WorkerJob(
                info, uuid.uuid4().hex, self._directory.epochs, shipped.environment, self._directory.savepoint
            )
            levels = levels_of(self._stages)
            settings = _SETTINGS | {"spark.sql.shuffle.partitions": str(levels.partitions)}
            settings |= self._settings.spark
            with query_not_logged():
                building = building_frames(spark, shipped.executable, keeps_state=bool(levels.others))
                with building, _set(spark, settings):
                    self._query = (
                        _frame(spark, levels, job)
                        .writeStream.queryName(f"{self.request.name} {job.run[:8]}")
                        .foreachBatch(self._run_batch)
                        .option("checkpointLocation", self._directory.spark)
                        .start()
                    )
                self._await_end(self._query)

    def _await_end(self, query: StreamingQuery) -> None:
        try:
            with errors_not_logged():
                query.awaitTermination()
        except Exception as error:  # noqa: BLE001 - that of the query, which says less than the job's own
            if not self._is_over:
                failure = self._failure or error
                raise failure from failure.__cause__
        finally:
            with suppress(Exception):
                query.stop()

    def _run_batch(self, frame: DataFrame, number: int) -> None:
        """Run an epoch, whose results Spark commits after this call."""
        try:
            epoch = self.begin(number)
            if epoch is not None:
                table = frame.toArrow()
                columns = (table.column(name).to_pylist() for name in OutputRow._fields)
                self.complete(list(map(OutputRow, *columns)))
                return
            self._is_over = True
        except BaseException as error:  # noqa: BLE001 - it is raised once the query has ended
            self._failure = error
        raise QueryEndedError


def _frame(spark: SparkSession, levels: Levels, job: WorkerJob) -> DataFrame:
    """Return the rows that reach the driver in a micro-batch."""
    addresses = [
        Address(stage.chain, subtask) for stage in levels.sources for subtask in range(stage.task.parallelism)
    ]
    routes: list[Routes | None] = [*levels.routes, None]
    numbers = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", len(addresses))
        .option("numPartitions", len(addresses))
        .load()
    )
    reading = SourceLevel(job, list(map(_part, levels.sources)), routes[0], addresses)
    frame = numbers.mapInArrow(reading, _ROWS)
    for number, stages in enumerate(levels.others):
        own = levels.routes[number]
        processor = LevelProcessor(job, list(map(_part, stages)), routes[number + 1], own)
        frame = frame.groupBy("label").transformWithState(processor, _ROWS, "Append", "None")
    return frame


def _part(stage: Stage) -> StagePart:
    if stage.source is not None:
        return StagePart(stage.chain, stage.task, source=stage.source.source)
    return StagePart(stage.chain, stage.task, edges=rows_input(stage).edges)


@contextmanager
def _set(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """Set options of the session that a query takes over when it starts."""
    before = {key: spark.conf.get(key, None) for key in settings}
    for key, value in settings.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key, former in before.items():
            if former is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, former)
