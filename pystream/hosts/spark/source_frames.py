"""The first level of an unbounded job: a data frame for each stage that starts with a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
from pystream.hosts.spark.native import named_as, numbered, transformed, user_table
from pystream.hosts.spark.queries import query_table
from pystream.hosts.spark.refused_values import without_refused_values
from pystream.hosts.spark.scalar_functions import FunctionSetting
from pystream.hosts.spark.source_tasks import NumberRanges, SourceLevel, TableLevel
from pystream.hosts.spark.task_inputs import ColumnsInput
from pystream.plan.nodes import SourceNode
from pystream.plan.query import Query
from typeinfo.formats.spark import to_spark_schema

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
    tables = {stage.table.id: stage for stage in stages if stage.table is not None}
    frames = []
    first = 0
    for stage in stages:
        if stage.table is None:
            frames.append(_Branch(spark, stage, job, routes, tables).rows(first))
            first += stage.task.parallelism
    return united(frames)


def reads_frame(stage: Stage) -> bool:
    """Return whether a stage reads a data frame of the program."""
    return stage.source is not None and isinstance(stage.source.source, DataFrameSource)


class _Branch:
    """The data frame of a stage with a source, with one partition for each of its subtasks."""

    def __init__(
        self,
        spark: SparkSession,
        stage: Stage,
        job: WorkerJob,
        routes: Routes | None,
        tables: Mapping[int, Stage],
    ) -> None:
        assert stage.source is not None
        self._spark = spark
        self._stage = stage
        self._tables = tables
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
        return self._processed(first, _ROWS)

    def columns(self, first: int) -> DataFrame:
        """Return the elements that the subtasks make as a table, for a query.

        Args:
            first: the number of partitions of the stages before the one that reads the query.
        """
        stage = self._stage
        assert stage.table is not None
        type_info = stage.table.type_info
        if stage.task.passes_columns and self._is_table():
            return named_as(self._table(first), type_info)
        return self._processed(first, to_spark_schema(type_info))

    def _is_table(self) -> bool:
        """Return whether Spark reads the source of the stage, or computes it."""
        return bool(self._stage.native) or isinstance(self._source.source, DataFrameSource | Query)

    def _processed(self, first: int, schema: Any) -> DataFrame:
        stage = self._stage
        reports, makes_table = stage.part_of is None, stage.table is not None
        if not self._is_table():
            part = StagePart(
                stage.chain,
                stage.task,
                source=self._source.source,
                reports=reports,
                makes_table=makes_table,
            )
            return self._ticks.mapInArrow(SourceLevel(self._job, part, self._routes), schema)
        timed = bool(stage.native) and stage.native[-1].timed
        columns = ColumnsInput(stage.task.input_type, timed)
        part = StagePart(stage.chain, stage.task, columns=columns, reports=reports, makes_table=makes_table)
        level = TableLevel(self._job, part, self._routes, first, self._origin().chain)
        return self._table(first).mapInArrow(level, schema)

    def _origin(self) -> Stage:
        """Return the stage with the source that the elements come from, through queries if it is a table."""
        stage = self._stage
        while stage.source is not None and isinstance(stage.source.source, Query):
            stage = self._tables[stage.source.inputs[0]]
        return stage

    def _table(self, first: int) -> DataFrame:
        """Return the rows that Spark reads or computes, with a partition for each subtask."""
        source = self._source.source
        if isinstance(source, DataFrameSource):
            return self._user_table(source.frame)
        if not isinstance(source, Query):
            assert isinstance(source, NumberSequence)
            return self._number_table()
        before = self._tables[self._source.inputs[0]]
        is_same = before.task.parallelism == self._parallelism  # else they are tasks of their own
        inner = _Branch(self._spark, before, self._job, None, self._tables)
        table = inner.columns(first if is_same else 0)
        setting = FunctionSetting(self._job.info, self._job.environment)
        results = query_table(self._spark, source, [table], setting)
        if not is_same:
            return self._user_table(results)
        return self._transformed(
            without_refused_values(user_table(results), results.columns, self._stage.native)
        )

    def _number_table(self) -> DataFrame:
        """Return the table of a sequence of numbers: workers read the ranges, and Spark makes the numbers."""
        ranges = self._ticks.mapInArrow(
            NumberRanges(self._job, self._stage.chain, self._parallelism), "first long, last long"
        )
        numbers = ranges.select(F.explode(F.sequence("first", "last")))
        return self._transformed(numbered(numbers))

    def _user_table(self, frame: DataFrame) -> DataFrame:
        """Return the table of a streaming frame, divided among the subtasks by its partitions.

        Without new rows, Spark replaces a frame by one without partitions. So there are also those of the
        ticks, with no rows.
        """
        table = without_refused_values(user_table(frame), frame.columns, self._stage.native)
        table = self._transformed(table)
        nulls = [F.lit(None).cast(field.dataType).alias(field.name) for field in table.schema]
        table = table.union(self._ticks.where(F.col("value") < 0).select(*nulls))
        if self._parallelism == 1:
            return table.coalesce(1)
        return table.repartitionById(self._parallelism, F.spark_partition_id() % self._parallelism)

    def _transformed(self, table: DataFrame) -> DataFrame:
        return transformed(table, self._source.type_info, self._stage.native, self._parallelism)
