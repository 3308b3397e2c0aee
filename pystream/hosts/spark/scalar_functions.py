"""Functions of the program in queries: their names in a session, and their calls on the workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.pandas.functions import arrow_udf
from pyspark.sql.utils import is_remote

from pystream.engine.async_calls import AsyncCalls, mistyped
from pystream.engine.failure import OperatorLabel, TaskFailure, call_each, short_repr
from pystream.engine.function_context import FunctionContext
from pystream.engine.lifecycle import Lifecycle
from pystream.engine.local_times import in_zone
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.task_info import JobInfo
from pystream.engine.vectorised.arguments import column
from pystream.engine.vectorised.results import column_for_each
from pystream.engine.worker.environment import WorkerEnvironment
from pystream.engine.worker.logs import logging_to_driver
from pystream.hosts.spark.sql_functions import is_created
from pystream.hosts.spark.worker import WorkerFunction
from pystream.plan.query import QueryFunction
from pystream.zones import time_zone
from typeinfo.errors import TypeCheckError
from typeinfo.formats.arrow import from_arrow, spark_layout
from typeinfo.formats.spark import to_spark
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for

__all__ = ["FunctionSetting", "registered"]


@dataclass(frozen=True, slots=True)
class FunctionSetting:
    """The job that calls functions.

    Attributes:
        job: the job.
        environment: files and paths the functions rely on.
        for_job: whether the text of errors is read by a job, not by the program itself.
    """

    job: JobInfo
    environment: WorkerEnvironment
    for_job: bool = True


@contextmanager
def registered(
    spark: SparkSession, functions: Sequence[QueryFunction], setting: FunctionSetting
) -> Iterator[dict[str, str]]:
    """Register functions in a session while a query is resolved, under names of the job.

    A session of Spark Connect keeps them, because it resolves a query again whenever it is used.

    Args:
        spark: the session.
        functions: the functions.
        setting: the job that calls them.

    Returns:
        Their names in the session, by the names in the query.
    """
    names = {function.name: f"{function.name}_{setting.job.job_id}" for function in functions}
    for function in functions:
        if function.expression is None or not is_created(spark, names[function.name], function):
            spark.udf.register(names[function.name], _arrow_function(function, setting))
    try:
        yield names
    finally:
        if not is_remote():
            for name in names.values():
                spark.sql(f"DROP TEMPORARY FUNCTION IF EXISTS {name}")


_ARROW_UDF: Any = arrow_udf  # whose stub lacks functions that say by annotations what they take


def _arrow_function(function: QueryFunction, setting: FunctionSetting) -> Any:
    calls = ScalarCalls(function, setting)

    def of_task(arguments: Iterator[pa.Array]) -> Iterator[pa.Array]:
        return calls(arguments)

    def of_batch(*arguments: pa.Array) -> pa.Array:
        (result,) = calls(iter([arguments]))
        return result

    # Spark runs all calls of the second kind in one process, and each one of the first kind in another. Only
    # the first kind opens objects, and keeps imported modules, for a whole task.
    called = function.function
    keeps_process = called.is_object or called.is_asynchronous or setting.environment.python_path
    made = _ARROW_UDF(of_task if keeps_process else of_batch, to_spark(function.type_info))
    return made if function.is_deterministic else made.asNondeterministic()


@dataclass(frozen=True, slots=True)
class ScalarPayload:
    """Everything that the workers need to call a function.

    Attributes:
        function: the pickled function.
        is_object: whether it is an instance of a function class.
        takes_batches: whether it is called once per batch.
        is_asynchronous: whether its calls are awaited.
        takes_nothing: whether it is called without the argument that Spark sends.
        takes_instants: whether it takes instants as they are, not as datetimes of the session's time zone.
        type_info: the type of its results.
        is_nullable: whether a result may be null even if ``type_info`` does not admit it.
        label: the function, for messages.
        job: the job that calls it.
    """

    function: bytes
    is_object: bool
    takes_batches: bool
    is_asynchronous: bool
    takes_nothing: bool
    takes_instants: bool
    type_info: TypeInformation[Any]
    is_nullable: bool
    label: OperatorLabel
    job: JobInfo


class ScalarCalls(WorkerFunction[Any, pa.Array]):
    """The calls of a function, for batches of arguments in one task.

    Args:
        function: the function.
        setting: the job that calls it.
    """

    def __init__(self, function: QueryFunction, setting: FunctionSetting) -> None:
        label = OperatorLabel(function.title, "", function.function.description, "", kind="function")
        payload = ScalarPayload(
            function=function.function.payload,
            is_object=function.function.is_object,
            takes_batches=function.function.takes_batches,
            is_asynchronous=function.function.is_asynchronous,
            takes_nothing=function.takes_nothing,
            takes_instants=function.takes_instants,
            type_info=function.type_info,
            is_nullable=function.is_nullable,
            label=label,
            job=setting.job,
        )
        super().__init__(payload, label, setting.environment, for_job=setting.for_job)
        self._loaded: tuple[ScalarPayload, Any] | None = None

    def _run(self, arriving: Iterator[Any]) -> Iterator[pa.Array]:
        payload, function = self._load()
        task = TaskContext.get()
        index = task.partitionId() if task else 0
        attempt = task.attemptNumber() if task else 0
        context = FunctionContext(
            payload.job, payload.label.name, index, payload.job.attempt + attempt, MetricRegistry().group()
        )
        evaluation = _by_batch if payload.takes_batches else _by_row
        call = _Call(
            function.eval if payload.is_object else function,
            codec_for(payload.type_info, nullable=payload.is_nullable),
            payload.label,
            None if payload.takes_instants else time_zone(payload.job.execution.time_zone),
        )
        lifecycle = Lifecycle(payload.label, [function] if payload.is_object else [])
        with (
            logging_to_driver(payload.job.logging, payload.job.job_id, payload.label.name),
            ExitStack() as used,
        ):
            if payload.is_asynchronous:
                calls = used.enter_context(closing(AsyncCalls(payload.job.execution.async_calls)))
                evaluation = partial(_by_awaiting, calls)
            try:
                lifecycle.open(context)
                for one_or_more in arriving:
                    arrays = [one_or_more] if isinstance(one_or_more, pa.Array) else list(one_or_more)
                    count = len(arrays[0])
                    given = [] if payload.takes_nothing else arrays
                    yield _in_layout(evaluation(call, given, count))
            finally:
                lifecycle.close()

    def _load(self) -> tuple[ScalarPayload, Any]:
        if self._loaded is None:
            payload: ScalarPayload = pickle.loads(self._payload)
            self._loaded = payload, pickle.loads(payload.function)
        return self._loaded


class _Call(NamedTuple):
    """A function, how it gets its arguments and what becomes of its results.

    Attributes:
        function: the function.
        codec: that of the results.
        label: the function, for messages.
        zone: the time zone of the datetimes that it gets in place of instants; ``None`` if it gets these.
    """

    function: Callable[..., Any]
    codec: Codec
    label: OperatorLabel
    zone: tzinfo | None

    def arguments(self, array: pa.Array) -> list[Any]:
        """Return the values of an argument."""
        codec = _argument_codec(array.type)
        values, change = codec.decode(array), in_zone(codec.type)
        zone = self.zone
        return values if change is None or zone is None else [change(zone, value) for value in values]

    def series(self, array: pa.Array) -> Any:
        """Return an argument as a column of pandas."""
        return column(_argument_codec(array.type), array, self.zone)

    def encoded(self, results: list[Any], rows: list[Any]) -> pa.Array:
        """Return the results for rows as a column.

        Raises:
            TaskFailure: one is not of the type.
        """
        try:
            return self.codec.conform_and_encode(results)
        except TypeCheckError as error:
            if error.index is None:
                raise
            element, result = short_repr(rows[error.index]), short_repr(results[error.index])
            raise TaskFailure.of(self.label, mistyped(error, results), element, result=result) from error


def _by_row(call: _Call, arrays: list[pa.Array], count: int) -> pa.Array:
    """Call a function once per row."""
    columns = list(map(call.arguments, arrays))
    rows: list[Any]
    if len(columns) == 1:
        (rows,) = columns
        results = call_each(call.function, rows)
    else:
        rows = list(zip(*columns, strict=True)) if columns else [()] * count
        results = call_each(lambda row: call.function(*row), rows)
    return call.encoded(results, rows)


def _by_awaiting(calls: AsyncCalls, call: _Call, arrays: list[pa.Array], count: int) -> pa.Array:
    """Call an asynchronous function for all rows, as many at a time as may wait."""
    columns = list(map(call.arguments, arrays))
    rows = list(zip(*columns, strict=True)) if columns else [()] * count
    shown = columns[0] if len(columns) == 1 else rows
    return call.encoded(calls.results(call.function, rows), shown)


def _by_batch(call: _Call, arrays: list[pa.Array], count: int) -> pa.Array:
    """Call a function once for all rows, with columns."""
    try:
        return column_for_each(call.function(*map(call.series, arrays)), count, call.codec)
    except TypeCheckError as error:
        if error.index is None:
            raise
        raise TaskFailure.of(call.label, error, f"result {error.index} of a batch of {count} rows") from error


def _argument_codec(dt: pa.DataType) -> Codec:
    return codec_for(from_arrow(dt), nullable=True)


def _in_layout(array: pa.Array) -> pa.Array:
    """Return an array in the layout that Spark reads."""
    (field,) = spark_layout(pa.schema([("value", array.type)]))
    return array if field.type == array.type else array.cast(field.type)
