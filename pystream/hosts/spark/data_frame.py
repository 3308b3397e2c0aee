"""Streams as lazy Spark tables: the elements that reach a columnar sink as a data frame."""

from __future__ import annotations

import uuid

from pyspark.sql import DataFrame

from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import lower
from pystream.hosts.scratch import new_directory
from pystream.hosts.shipping import ship
from pystream.hosts.spark.bounded import StageFrames, building_frames, divide_inputs
from pystream.hosts.spark.jvm import shared_directory
from pystream.hosts.spark.session import get_session
from pystream.hosts.spark.task_limits import refuse_long_sequences
from pystream.plan.cache import CachedElements

__all__ = ["to_data_frame"]

_CACHED_FOR_TABLES: set[CachedElements] = set()  # nobody could tell when a table is read for the last time


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
    job = request.job_info(uuid.uuid4().hex, shipped)
    with building_frames(spark, shipped.executable):
        shared = shared_directory(spark)
        scratch = None if shared is None else new_directory(shared)  # for as long as the table can be read
        frames = StageFrames(spark, divide_inputs(stages), job, shipped.environment, scratch, None)
        return frames.columns(stages, sink.type_info)
