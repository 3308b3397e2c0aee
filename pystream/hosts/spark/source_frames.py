"""The first level of an unbounded job: a data frame for each stage that starts with a source."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.pandas.types import from_arrow_schema

from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.hosts.lowering import Stage
from pystream.hosts.spark.bounded import united
from pystream.hosts.spark.epoch_tasks import StagePart, WorkerJob
from pystream.hosts.spark.frame_source import DataFrameSource
from pystream.hosts.spark.level_rows import LABELLED_SCHEMA
from pystream.hosts.spark.levels import Routes
from pystream.hosts.spark.native import numbered, transformed, user_table
from pystream.hosts.spark.refused_values import without_refused_values
from pystream.hosts.spark.source_tasks import NumberRanges, SourceLevel, TableLevel
from pystream.hosts.spark.task_inputs import ColumnsInput
from pystream.plan.nodes import SourceNode

__all__ = ["reads_frame", "source_frames"]

_ROWS = from_arrow_schema(LABELLED_SCHEMA)


def source_frames(
    spark: SparkSession, stages: Sequence[Stage], job: WorkerJob, routes: Routes | None
) -> DataFrame:
    """Return the rows that the stages with sources send to the next level.

    Each stage has a streaming source of its own, whatever is lifted: a query that is resumed must have as
    many as before.

    Args:
        spark: the session.
        stages: the stages.
        job: the job, for the workers.
        routes: the routes to the next level, if there is one.
    """
    frames = []
    first = 0
    for stage in stages:
        frames.append(_Branch(spark, stage, job, routes).rows(first))
        first += stage.task.parallelism
    return united(frames)


def reads_frame(stage: Stage) -> bool:
    """Return whether a stage reads a data frame of the program."""
    return stage.source is not None and isinstance(stage.source.source, DataFrameSource)


class _Branch:
    """The data frame of a stage with a source, with one partition for each of its subtasks."""

    def __init__(self, spark: SparkSession, stage: Stage, job: WorkerJob, routes: Routes | None) -> None:
        assert stage.source is not None
        self._stage = stage
        self._source: SourceNode = stage.source
        self._job = job
        self._routes = routes
        self._parallelism = stage.task.parallelism
        # The number of the epoch times the number of subtasks, plus that of the subtask.
        self._ticks = (
            spark.readStream.format("rate-micro-batch")
            .option("rowsPerBatch", self._parallelism)
            .option("numPartitions", self._parallelism)
            .load()
        )

    def rows(self, first: int) -> DataFrame:
        """Return the rows that the subtasks send.

        Args:
            first: the number of partitions of the stages before.
        """
        stage, source = self._stage, self._source.source
        reports = stage.part_of is None
        if reads_frame(stage):
            table = self._user_table(source)
        elif stage.native:
            assert isinstance(source, NumberSequence)
            table = self._number_table()
        else:
            part = StagePart(stage.chain, stage.task, source=source, reports=reports)
            return self._ticks.mapInArrow(SourceLevel(self._job, part, self._routes), _ROWS)
        timed = bool(stage.native) and stage.native[-1].timed
        columns = ColumnsInput(stage.task.input_type, timed)
        part = StagePart(stage.chain, stage.task, columns=columns, reports=reports)
        return table.mapInArrow(TableLevel(self._job, part, self._routes, first), _ROWS)

    def _number_table(self) -> DataFrame:
        """Return the table of a sequence of numbers: workers read the ranges, and Spark makes the numbers."""
        ranges = self._ticks.mapInArrow(
            NumberRanges(self._job, self._stage.chain, self._parallelism), "first long, last long"
        )
        numbers = ranges.select(F.explode(F.sequence("first", "last")))
        return self._transformed(numbered(numbers))

    def _user_table(self, source: DataFrameSource) -> DataFrame:
        """Return the table of a streaming frame, divided among the subtasks by its partitions.

        Without new rows, Spark replaces a frame by one without partitions. So there are also those of the
        ticks, with no rows.
        """
        table = without_refused_values(user_table(source.frame), source.frame.columns, self._stage.native)
        table = self._transformed(table)
        nulls = [F.lit(None).cast(field.dataType).alias(field.name) for field in table.schema]
        table = table.union(self._ticks.where(F.col("value") < 0).select(*nulls))
        if self._parallelism == 1:
            return table.coalesce(1)
        return table.repartitionById(self._parallelism, F.spark_partition_id() % self._parallelism)

    def _transformed(self, table: DataFrame) -> DataFrame:
        return transformed(table, self._source.type_info, self._stage.native, self._parallelism)
