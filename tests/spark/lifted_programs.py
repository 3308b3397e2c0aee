"""Programs that run lifted on Spark and in Python on the local host, with the same results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from unittest import TestCase

from pyspark.sql import DataFrame, SparkSession

from pystream.common import Configuration
from pystream.datastream import DataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.errors import JobExecutionError
from pystream.settings.modes import Runner
from pystream.settings.options import RUNNER
from tests.explained import last_path, why_not_faster
from typeinfo import Row
from typeinfo.formats.spark import from_spark_schema

Program = Callable[[StreamExecutionEnvironment], DataStream[Any]]


def environment(*, lifting: bool) -> StreamExecutionEnvironment:
    """Return an environment in batch mode, of Spark if functions are to be lifted."""
    configuration = Configuration.from_dict({"pystream.runner": "spark" if lifting else "local"})
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    return env.set_runtime_mode(RuntimeExecutionMode.BATCH)


def outcome(stream: DataStream[Any]) -> list[Any] | str:
    """Return the results in the order of a subtask, or what the job failed with."""
    try:
        return list(stream.execute_and_collect())
    except JobExecutionError as error:
        return str(error)


def by_both(program: Program) -> tuple[list[Any] | str, list[Any] | str]:
    """Return the outcomes on Spark, where all of the program is native, and on the local host."""
    lifted = program(environment(lifting=True))
    assert last_path(lifted) == "native", lifted.explain()
    return outcome(lifted), outcome(program(environment(lifting=False)))


def natively(*, perhaps: bool = False) -> AbstractContextManager[Any]:
    """Require that no job begins anew in Python; ``perhaps`` where that is for the order to decide."""
    return nullcontext() if perhaps else TestCase().assertNoLogs("pystream.hosts.spark.job", "WARNING")


def same_results(program: Program, *, perhaps: bool = False) -> list[Any]:
    """Return the results, which are the same on both hosts but for their order."""
    with natively(perhaps=perhaps):
        found, wanted = by_both(program)
    assert isinstance(wanted, list), wanted
    assert isinstance(found, list), found
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))
    return found


def same_failure(program: Program, part: str) -> None:
    found, wanted = by_both(program)
    assert isinstance(wanted, str), wanted
    assert part in wanted
    assert found == wanted


def pythons_failure(program: Program, part: str) -> None:
    """Require that a job begins anew in Python, and fails there; see ``same_failure`` for what that gives."""
    lifted = program(environment(lifting=True))
    assert last_path(lifted) == "native", lifted.explain()
    with TestCase().assertLogs("pystream.hosts.spark.job", "WARNING"):
        found = outcome(lifted)
    assert part in found


def refusal(program: Program) -> str:
    """Return why an operator is left to Python, as ``explain`` tells it."""
    stream = program(environment(lifting=True))
    assert last_path(stream) != "native"
    return why_not_faster(stream)


def rows_of(spark: SparkSession, values: Sequence[tuple[Any, ...]], schema: str) -> Program:
    """Return a source of rows: a table of Spark, or a collection on the local host."""
    return rows_of_table(spark.createDataFrame(values, schema), values)


def rows_of_table(frame: DataFrame, values: Sequence[tuple[Any, ...]]) -> Program:
    """Return a source of the rows of a table that holds these values."""
    rows = [Row(**dict(zip(frame.columns, value, strict=True))) for value in values]

    def program(env: StreamExecutionEnvironment) -> DataStream[Any]:
        if env.get_configuration().get(RUNNER) is Runner.SPARK:
            return env.from_data_frame(frame)
        return env.from_collection(rows, from_spark_schema(frame.schema))

    return program
