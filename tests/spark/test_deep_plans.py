"""Plans that are nested deeply, for which Java's usual stack is too small."""

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


def test_an_expression_may_be_nested_deeper_than_javas_usual_stack(spark: SparkSession) -> None:
    column = F.col("id")
    for _ in range(500):
        column = F.abs(column)
    assert spark.range(3).select(column.alias("id")).columns == ["id"]


# Each part of the plan is shallow enough to be analysed; the optimizer makes one expression of them all.
TOO_DEEP = """
    import sys
    from pyspark.sql import functions as F
    from pystream.common import Configuration
    from pystream.datastream import StreamExecutionEnvironment
    from pystream.errors import JobExecutionError
    from pystream.hosts.spark.session import get_session

    spark = get_session({"spark.driver.defaultJavaOptions": "-Xss1m", "spark.master": "local[1]"})
    column = F.col("id")
    for _ in range(100):
        column = F.abs(column)
    frame = spark.range(3)
    for _ in range(int(sys.argv[1])):
        frame = frame.select(column.alias("id"))
    rows = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1).from_data_frame(frame)
    try:
        list(rows.map(lambda row: str(eval("row.id"))).execute_and_collect())
    except JobExecutionError as error:
        print(error)
"""


@pytest.mark.parametrize("depth", [12, 16], ids=["in generated code", "in the optimizer"])
def test_a_plan_that_overflows_javas_stack_fails_the_job(tmp_path: Path, depth: int) -> None:
    program = tmp_path / "deep.py"
    program.write_text(textwrap.dedent(TOO_DEEP))
    ended = subprocess.run(
        [sys.executable, str(program), str(depth)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert "nested too deeply for Java's stack" in ended.stdout, ended.stderr
