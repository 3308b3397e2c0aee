"""Deeply nested plans, for which the default stack of Java is too small."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

pytestmark = pytest.mark.spark


def test_an_expression_may_be_nested_deeper_than_the_default_stack_of_java(spark: SparkSession) -> None:
    column = F.col("id")
    for _ in range(500):
        column = F.abs(column)
    assert spark.range(3).select(column.alias("id")).columns == ["id"]


# Each part of the plan is shallow enough to be analysed; the optimizer merges them into one expression.
TOO_DEEP = """
    from pyspark.sql import functions as F
    from pystream.datastream import StreamExecutionEnvironment
    from pystream.errors import JobExecutionError
    from pystream.hosts.spark.session import get_session

    spark = get_session({"spark.driver.defaultJavaOptions": "-Xss1m", "spark.master": "local[1]"})
    column = F.col("id")
    for _ in range(100):
        column = F.abs(column)
    for depth in (12, 16):  # in generated code, and in the optimizer
        frame = spark.range(3)
        for _ in range(depth):
            frame = frame.select(column.alias("id"))
        env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
        try:
            list(env.from_data_frame(frame).map(lambda row: str(eval("row.id"))).execute_and_collect())
        except JobExecutionError as error:
            print(depth, error)
"""


def test_plans_that_overflow_javas_stack_fail_the_job(tmp_path: Path) -> None:
    program = tmp_path / "deep.py"
    program.write_text(textwrap.dedent(TOO_DEEP))
    ended = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    told = [line for line in ended.stdout.splitlines() if "nested too deeply for Java's stack" in line]
    assert [line.split()[0] for line in told] == ["12", "16"], ended.stdout + ended.stderr
