"""Tables and collections in memory reach the workers complete, in files and as rows."""

from __future__ import annotations

import decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.hosts.spark import job

ROWS = 30_000


@pytest.fixture(params=["by file", "as rows"])
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How elements reach the workers: as rows if they share no files with the driver, as in a cluster."""
    if request.param == "as rows":
        monkeypatch.setattr(job, "shared_directory", lambda spark: None)
    return str(request.param)


def collected(stream: Any) -> list[Any]:
    with stream.execute_and_collect() as results:
        return list(results)


def leftovers(spark: SparkSession) -> list[Path]:
    return list(Path(str(spark.sparkContext._temp_dir)).glob("pystream-*"))


def test_a_table_read_by_python_functions(env2: StreamExecutionEnvironment, transport: str) -> None:
    table = pa.table({"n": range(ROWS), "s": pa.array(map(str, range(ROWS))).dictionary_encode()})
    stream = env2.from_arrow(table).map(lambda row: (row.n, hash(row.n) == row.n, row.s))
    assert sorted(collected(stream)) == [(n, True, str(n)) for n in range(ROWS)]


def test_a_table_read_by_expressions(env2: StreamExecutionEnvironment, transport: str) -> None:
    table = pa.table({"n": range(ROWS)})
    stream = env2.from_arrow(table).map(lambda row: row.n * 2, Types.LONG()).filter(lambda n: n > 10)
    assert "native" in stream.explain()
    assert sorted(collected(stream)) == [2 * n for n in range(6, ROWS)]


def test_a_table_that_becomes_a_data_frame(env2: StreamExecutionEnvironment, transport: str) -> None:
    frame = env2.from_arrow(pa.table({"n": range(ROWS)})).map(lambda row: row.n + 1, Types.LONG())
    assert frame.to_data_frame().selectExpr("sum(value)").first()[0] == ROWS * (ROWS + 1) // 2


def test_expressions_read_every_kind_of_column(env: StreamExecutionEnvironment, transport: str) -> None:
    frame = pd.DataFrame(
        {
            "n": [1, 2],
            "kind": pd.Categorical(["a", "b"]),
            "at": [pd.Timestamp("2020-01-01 00:00:00.000001"), pd.Timestamp("1950-05-05")],
            "zoned": pd.to_datetime(["2020-01-01", "2021-01-01"]).tz_localize("Asia/Kolkata"),
            "price": [decimal.Decimal("1.50"), None],
            "time": [pd.Timestamp("2020-01-01 01:02:03").time(), None],
            "tags": [["x"], []],
        }
    )
    stream = env.from_pandas(frame)
    assert collected(stream.filter(lambda row: row.n > 1)) == collected(stream)[1:]


def test_a_collection(env2: StreamExecutionEnvironment, transport: str) -> None:
    stream = env2.from_collection(range(ROWS), Types.LONG()).rebalance().map(lambda n: -n, Types.LONG())
    assert sorted(collected(stream)) == sorted(-n for n in range(ROWS))


def test_no_file_is_left(spark: SparkSession, env2: StreamExecutionEnvironment) -> None:
    before = leftovers(spark)
    assert sorted(collected(env2.from_collection([1, 2, 3]).map(str))) == ["1", "2", "3"]
    assert leftovers(spark) == before
