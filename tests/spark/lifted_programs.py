"""Programs that run lifted on Spark and in Python on the local host, with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from unittest import TestCase, mock

import pytest
from pyspark.sql import DataFrame, SparkSession

from pystream.common import Configuration
from pystream.datastream import DataStream, ProcessFunction, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.errors import JobExecutionError
from pystream.hosts.spark.job import SparkJob
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
    """Return the results in the order of a subtask, or the error of the job."""
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
    """Require that no job restarts in Python, unless ``perhaps``: then the order decides it."""
    return nullcontext() if perhaps else TestCase().assertNoLogs("pystream.hosts.spark.job", "WARNING")


def same_results(program: Program, *, perhaps: bool = False) -> list[Any]:
    """Return the results, which are the same on both hosts except for their order."""
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


class RestartedError(Exception):
    """Ends a job of Spark that restarts in Python."""


@contextmanager
def ends_instead_of_a_restart() -> Iterator[None]:
    """Require that the job within the block restarts in Python, and end it there."""
    restarts = SparkJob._without_lifting

    def end(job: SparkJob, error: BaseException) -> bool:
        if restarts(job, error):
            raise RestartedError
        return False

    with mock.patch.object(SparkJob, "_without_lifting", end), pytest.raises(RestartedError):
        yield


def pythons_failure(program: Program, part: str) -> None:
    """Require that a native job restarts in Python, and that Python fails on the local host.

    ``same_failure`` runs such a job to its end.
    """
    lifted = program(environment(lifting=True))
    assert last_path(lifted) == "native", lifted.explain()
    with ends_instead_of_a_restart():
        outcome(lifted)
    failure = outcome(program(environment(lifting=False)))
    assert isinstance(failure, str), failure
    assert part in failure


def refusal(program: Program) -> str:
    """Return the reason that ``explain`` states for running an operator in Python."""
    stream = program(environment(lifting=True))
    assert last_path(stream) != "native"
    return why_not_faster(stream)


class Timed(ProcessFunction[Any, Any]):
    """Adds the number of a program and the time of an element to it."""

    def __init__(self, number: int) -> None:
        self.number = number

    def process_element(self, value: Any, ctx: Any) -> Any:
        yield self.number, (value, ctx.timestamp())


def compare_timed(
    programs: Sequence[Program], *, perhaps: bool = False
) -> list[tuple[list[tuple[Any, int]], list[tuple[Any, int]]]]:
    """Run native programs in one job on each host; return the results of each with their times."""

    def timed(*, lifting: bool) -> list[list[tuple[Any, int]]]:
        env = environment(lifting=lifting)
        streams = [program(env) for program in programs]
        assert not lifting or [last_path(stream) for stream in streams] == ["native"] * len(streams)
        first, *others = (stream.process(Timed(number)) for number, stream in enumerate(streams))
        results = outcome(first.union(*others))
        assert isinstance(results, list), results
        return [[result for of, result in results if of == number] for number in range(len(streams))]

    with natively(perhaps=perhaps):
        found = timed(lifting=True)
    return list(zip(found, timed(lifting=False), strict=True))


def same_timed_results(programs: Sequence[Program], *, perhaps: bool = False) -> list[list[str]]:
    """Run native programs in one job; return the results of each with their times, the same on both hosts."""
    compared = compare_timed(programs, perhaps=perhaps)
    results = [(sorted(map(repr, found)), sorted(map(repr, wanted))) for found, wanted in compared]
    assert [found for found, _ in results] == [wanted for _, wanted in results]
    return [found for found, _ in results]


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
