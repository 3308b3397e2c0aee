"""Bounded jobs on Spark: stages become DataFrames, which a single action evaluates."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.utils import is_remote

from pystream.engine.connectors.collection import MemorySource
from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.engine.spec import TaskSpec
from pystream.engine.task_info import JobInfo
from pystream.engine.worker.environment import WorkerEnvironment
from pystream.errors import DependencyError
from pystream.hosts.inputs import SourceInput
from pystream.hosts.lowering import Stage
from pystream.hosts.result_files import ResultFiles
from pystream.hosts.spark.frame_source import DataFrameSource
from pystream.hosts.spark.launchers import quiet_interpreter
from pystream.hosts.spark.memory_input import send_to_workers
from pystream.hosts.spark.native import named_as, number_table, numbered, transformed, user_table
from pystream.hosts.spark.queries import query_table
from pystream.hosts.spark.refused_values import without_refused_values
from pystream.hosts.spark.rows import ROW_SCHEMA
from pystream.hosts.spark.scalar_functions import FunctionSetting
from pystream.hosts.spark.session_options import has_local_workers
from pystream.hosts.spark.task_inputs import ColumnsInput, MemoryInput, RowsInput, SplitsInput, TaskInput
from pystream.hosts.spark.worker import ResultOutput, StageFunction, StagePayload
from pystream.plan.nodes import CacheTarget, CollectTarget, PrintTarget, SourceNode
from pystream.plan.query import Query
from typeinfo.formats.spark import to_spark_schema

if TYPE_CHECKING:
    from typeinfo.info import TypeInformation

__all__ = ["StageFrames", "building_frames", "divide_inputs", "rows_input", "united"]

_DEFAULT_PYTHON = "python3"  # PySpark's default, unless PYSPARK_PYTHON is set
_BUILDING = threading.RLock()
_READ_BY_DRIVER = (CollectTarget, PrintTarget, CacheTarget)
_ROWS = from_arrow_schema(ROW_SCHEMA)


def divide_inputs(stages: list[Stage]) -> dict[int, SourceInput]:
    """Divide the inputs that workers read among the subtasks of each stage, by chain id.

    Raises:
        PyStreamError: an input is missing or cannot be listed.
    """
    divided = {}
    for stage in stages:
        if stage.source is not None and not _is_table(stage, stage.source):
            source, parallelism = stage.source.source, (stage.reading or stage.task).parallelism
            if isinstance(source, MemorySource):
                continue
            divided[stage.chain] = SourceInput.of(source, parallelism)
    return divided


@contextmanager
def building_frames(
    spark: SparkSession, executable: str | None, *, keeps_state: bool = False
) -> Iterator[None]:
    """Build the frames of one job at a time, whose functions run on an interpreter of their own.

    Frames take the interpreter, and Spark's ANSI mode, from the session, which all jobs share.

    Args:
        spark: the session.
        executable: the interpreter, or ``None`` for that of the session.
        keeps_state: whether the frames keep state, for which Spark starts a process that prints messages
            of its own.

    Raises:
        DependencyError: an interpreter is chosen for a job of Spark Connect.
    """
    if executable is not None and is_remote():
        raise DependencyError(
            "python.executable cannot be set with Spark Connect: the server chooses the interpreter of its "
            "workers; leave it out"
        )
    with _BUILDING:
        if executable is None and _runs_any_python(spark):
            executable = sys.executable
        if keeps_state and has_local_workers(spark):
            executable = quiet_interpreter(executable or spark.sparkContext.pythonExec)
        if executable is None:
            yield
            return
        context = spark.sparkContext
        before, context.pythonExec = context.pythonExec, executable
        try:
            yield
        finally:
            context.pythonExec = before


def _runs_any_python(spark: SparkSession) -> bool:
    """Return whether a local session uses the first Python on the path because none was configured."""
    return has_local_workers(spark) and spark.sparkContext.pythonExec == _DEFAULT_PYTHON


class StageFrames:
    """Build the DataFrames of a job's stages.

    Args:
        spark: the session.
        inputs: the divided input of each stage that reads one itself, by chain id.
        job: the job, for the workers.
        environment: files and paths for the workers.
        scratch: a directory that the workers share, or ``None`` if they may be on other machines.
        results: files for the results of workers, or ``None`` if these become rows.
    """

    def __init__(
        self,
        spark: SparkSession,
        inputs: Mapping[int, SourceInput],
        job: JobInfo,
        environment: WorkerEnvironment,
        scratch: Path | None,
        results: ResultFiles | None,
    ) -> None:
        self.spark = spark
        self._inputs = inputs
        self._job = job
        self._environment = environment
        self._scratch = scratch
        self._results = results
        self._frames: dict[int, tuple[DataFrame, Stage]] = {}
        self._tables: dict[int, DataFrame] = {}  # the inputs of queries by the ids of their sinks
        self._cached: list[DataFrame] = []
        self._for_job = True

    def rows(self, stages: list[Stage]) -> DataFrame:
        """Return the rows of all edges to the driver."""
        for stage in stages:
            self._add(stage)
        ends = [
            _edges(self._frames[stage.chain][0], stage, stage.to_driver)
            for stage in stages
            if stage.to_driver
        ]
        return united(ends)

    def columns(self, stages: list[Stage], type_info: TypeInformation[Any]) -> DataFrame:
        """Return the elements of the last stage's columnar output as a table.

        Nothing is cached, as it is unknown when the table is read for the last time.
        """
        self._for_job = False
        *before, last = stages
        for stage in before:
            self._add(stage)
        return self._columns(last, type_info).coalesce(last.task.parallelism)

    def release(self) -> None:
        """Release the data frames that were cached for several readers."""
        for frame in self._cached:
            frame.unpersist()

    def _add(self, stage: Stage) -> None:
        if stage.table is None:
            self._frames[stage.chain] = self._kept(stage), stage
        else:
            self._tables[stage.table.id] = self._columns(stage, stage.table.type_info)

    def _columns(self, stage: Stage, type_info: TypeInformation[Any]) -> DataFrame:
        """Return the elements of a stage's columnar output as a table."""
        if (
            stage.source is not None
            and stage.task.passes_columns
            and (stage.native or _is_table(stage, stage.source))
        ):
            return named_as(self._table(stage, stage.source), type_info)
        return self._frame(stage, to_spark_schema(type_info))

    def _kept(self, stage: Stage) -> DataFrame:
        frame = self._frame(stage, _ROWS)
        readers = len(stage.outputs) - len(stage.to_driver) + bool(stage.to_driver)
        if readers > 1 and self._for_job:
            # Each reader would run the stage again without caching.
            frame = frame.persist()
            self._cached.append(frame)
        return frame

    def _frame(self, stage: Stage, schema: Any) -> DataFrame:
        task_input: TaskInput
        if stage.source is not None:
            arriving, task_input = self._source(stage, stage.source)
        else:
            arriving, task_input = self._received(stage), rows_input(stage)
        ends = (*stage.sinks, *stage.caches)
        edges = frozenset(number for number, node in ends if isinstance(node.target, _READ_BY_DRIVER))
        results = ResultOutput(self._results, edges) if self._results is not None and edges else None
        return self._processed(arriving, stage.task, task_input, schema, results)

    def _source(self, stage: Stage, node: SourceNode) -> tuple[DataFrame, TaskInput]:
        parallelism = stage.task.parallelism
        if stage.native or _is_table(stage, node):
            timed = bool(stage.native) and stage.native[-1].timed
            table = self._table(stage, node)
            if stage.limit is None:
                table = table.coalesce(parallelism)
            else:
                # A limit over several partitions needs an exchange, which would wait for all of them.
                table = table.coalesce(1).limit(stage.limit)
            return table, ColumnsInput(stage.task.input_type, timed)
        return self._read_by_workers(stage, node, parallelism)

    def _read_by_workers(
        self, stage: Stage, node: SourceNode, parallelism: int
    ) -> tuple[DataFrame, SplitsInput | MemoryInput]:
        """Return a table with a row for each subtask, and the input that these subtasks read."""
        if isinstance(node.source, MemorySource):
            return send_to_workers(self.spark, node.source, parallelism, self._scratch)
        return self.spark.range(0, parallelism, 1, parallelism), SplitsInput(self._inputs[stage.chain])

    def _table(self, stage: Stage, node: SourceNode) -> DataFrame:
        """Apply the native steps of a stage to its source, with any number of partitions.

        Only the last step is partitioned by the number of subtasks, so that Spark compiles reading a table
        and all steps up to there into one loop.
        """
        parallelism = stage.task.parallelism
        if stage.reading is not None:
            arriving, read = self._read_by_workers(stage, node, stage.reading.parallelism)
            schema = to_spark_schema(stage.reading.input_type)
            frame = numbered(self._processed(arriving, stage.reading, read, schema))
        elif isinstance(node.source, DataFrameSource | Query):
            given = self._given_table(node)
            frame = without_refused_values(user_table(given), given.columns, stage.native)
        else:
            assert isinstance(node.source, NumberSequence)
            frame = number_table(self.spark, node.source, parallelism)
        return transformed(frame, node.type_info, stage.native, parallelism)

    def _given_table(self, node: SourceNode) -> DataFrame:
        """Return the data frame of the program, or that of a query, which a source reads."""
        if isinstance(node.source, Query):
            tables = [self._tables[id] for id in node.inputs]
            setting = FunctionSetting(self._job, self._environment, self._for_job)
            return query_table(self.spark, node.source, tables, setting)
        frame: DataFrame = node.source.frame
        return frame

    def _processed(
        self,
        arriving: DataFrame,
        task: TaskSpec,
        task_input: TaskInput,
        schema: Any,
        results: ResultOutput | None = None,
    ) -> DataFrame:
        """Return the rows that a task of the workers produces from the rows of a data frame."""
        payload = StagePayload(task, self._job, task_input, self._environment, results)
        return arriving.mapInArrow(StageFunction(payload, for_job=self._for_job), schema)

    def _received(self, stage: Stage) -> DataFrame:
        frames = []
        for edge in stage.inputs:
            frame, source = self._frames[edge.source]
            frames.append(_edges(frame, source, [edge.number]))
        received = united(frames)
        if not any(edge.shuffled for edge in stage.inputs):
            return received
        # Spark brings the channels one after another; sorted so, they advance together.
        return received.repartitionById(stage.task.parallelism, F.col("target")).sortWithinPartitions(
            "group", "seq", "edge", "channel"
        )


def _is_table(stage: Stage, node: SourceNode) -> bool:
    """Return whether Spark itself reads the source of a stage."""
    return isinstance(node.source, DataFrameSource | Query) or (bool(stage.native) and stage.reading is None)


def united(frames: list[DataFrame]) -> DataFrame:
    """Return the rows of all frames by a plan of minimal depth, as Spark plans recursively."""
    while len(frames) > 1:
        pairs = zip_longest(frames[::2], frames[1::2])
        frames = [one if other is None else one.union(other) for one, other in pairs]
    return frames[0]


def rows_input(stage: Stage) -> RowsInput:
    """Return the input of a stage that reads the edges of other stages."""
    edges = {edge.number: (edge.side, edge.type_info) for edge in stage.inputs}
    return RowsInput(edges, any(edge.by_group for edge in stage.inputs))


def _edges(frame: DataFrame, stage: Stage, numbers: Sequence[int]) -> DataFrame:
    if set(numbers) == set(stage.outputs):
        return frame
    return frame.where(F.col("edge").isin(*numbers))
