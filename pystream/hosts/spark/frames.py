"""Data frames of elements that the driver has received."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import DataFrame

from pystream.hosts.spark.session import get_session

__all__ = ["frame_of"]


def frame_of(table: pa.Table) -> DataFrame:
    """Return a table as a Spark DataFrame of the running session."""
    return get_session({}).createDataFrame(table)
