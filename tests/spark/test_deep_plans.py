"""Plans that are nested deeply, for which Java's usual stack is too small."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

pytestmark = pytest.mark.spark


def test_an_expression_may_be_nested_deeper_than_javas_usual_stack(spark: SparkSession) -> None:
    column = F.col("id")
    for _ in range(500):
        column = F.abs(column)
    assert spark.range(3).select(column.alias("id")).columns == ["id"]
