"""Run the contenders on Spark: the four execution paths of pystream, and PySpark by hand.

All use one session and read the same Parquet files; results go to Spark's ``noop`` sink, which discards every
row.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow
import pyspark
from pyspark.sql import DataFrame

import pystream
from benchmarks.suite import plain_spark
from benchmarks.suite.batch_functions import FUNCTIONS
from benchmarks.suite.runner import LeftOutError, Request, serve
from pystream import compat
from pystream.common import Configuration, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.hosts.spark.session import get_session
from typeinfo.formats.spark import to_spark_schema
from typeinfo.info import TypeInformation

compat.install()  # the programs import pyflink
from benchmarks.suite.file_jobs import run  # noqa: E402
from benchmarks.suite.programs import ELEMENT_TYPES, program, reading_of  # noqa: E402


def _read(path: str, type_info: TypeInformation[Any]) -> DataFrame:
    """Read files as a table with pystream's type in its schema."""
    return get_session({}).read.schema(to_spark_schema(type_info)).parquet(path)


def _environment(*, lifting: bool) -> StreamExecutionEnvironment:
    configuration = Configuration.from_dict({"pystream.lifting": str(lifting).lower()})
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    env.set_parallelism(2)
    return env


def _stream(request: Request) -> DataStream[Any]:
    path, operator, shape = request.contender, request.operator, request.shape
    env = _environment(lifting=path in ("native", "vectorised"))
    if path == "pickled":
        table = _read(str(pickled_directory(request)), Types.PICKLED_BYTE_ARRAY())
        return program(env.from_data_frame(table), operator, shape, typed=False)
    stream = env.from_data_frame(_read(request.path, ELEMENT_TYPES[shape]))
    if path != "vectorised":
        if shape == "dataclass" and operator != "map":  # the rows of a table have no Python class
            stream = stream.map(reading_of, output_type=ELEMENT_TYPES[shape])
        return program(stream, operator, shape)
    if operator not in FUNCTIONS:
        raise LeftOutError("vectorised functions have no state")
    function = FUNCTIONS[operator][shape]
    if operator == "filter":
        return stream.filter(function)
    return getattr(stream, operator)(function, output_type=ELEMENT_TYPES[shape])


def pickled_directory(request: Request) -> Path:
    """Return the directory of the records as pickled elements, written at the first use."""
    path = Path(f"{request.path}-pickled")
    if not path.exists():
        unfinished = path.with_suffix(".part")
        env = _environment(lifting=False)
        typed = env.from_data_frame(_read(request.path, ELEMENT_TYPES[request.shape]))
        function = reading_of if request.shape == "dataclass" else _itself
        elements = typed.map(function, Types.PICKLED_BYTE_ARRAY())
        elements.to_data_frame().write.parquet(str(unfinished))
        unfinished.rename(path)
    return path


def _itself(value: Any) -> Any:
    return value


def _check_path(stream: DataStream[Any], result: DataFrame, request: Request) -> None:
    """Leave the job out unless it takes the execution path that the contender is named after."""
    last = stream.explain().operators[-1]  # the operator to measure is the last one
    if last.path != request.contender:
        raise LeftOutError(f"runs {last.path}: {last.why_not_faster}")
    python = "MapInArrow" in result._jdf.queryExecution().executedPlan().toString()
    if python is (request.contender == "native"):
        raise LeftOutError(
            f"explain() says {last.path}, but Spark's plan {'has a' if python else 'lacks a'} Python step"
        )


def _pystream(request: Request) -> DataFrame:
    stream = _stream(request)
    result = stream.to_data_frame()
    _check_path(stream, result, request)
    return result


def _pyspark(build: Callable[[DataFrame, str, str], DataFrame], request: Request) -> DataFrame:
    schema = to_spark_schema(ELEMENT_TYPES[request.shape])
    # DDL, because it does not have the metadata of pystream.
    table = get_session({}).read.schema(schema.toDDL()).parquet(request.path)
    return build(table, request.operator, request.shape)


_PYSPARK = {
    "Catalyst": plain_spark.catalyst,
    "mapInArrow": plain_spark.map_in_arrow,
    "pandas UDF": plain_spark.pandas_udf,
    "Python UDF": plain_spark.python_udf,
}


def measure(request: Request) -> dict[str, Any]:
    """Measure a job, from building the program to the last row discarded."""
    if request.contender == "pickled":
        pickled_directory(request)
    by_hand = _PYSPARK.get(request.contender)
    started = perf_counter()
    if request.contender == "columns":
        run(request, "spark")
        return {"seconds": perf_counter() - started}
    result = _pystream(request) if by_hand is None else _pyspark(by_hand, request)
    result.write.format("noop").mode("overwrite").save()
    return {"seconds": perf_counter() - started}


if __name__ == "__main__":
    versions = {
        "pystream": pystream.__version__,
        "PySpark": pyspark.__version__,
        "pyarrow": pyarrow.__version__,
        "Python": sys.version.split()[0],
    }
    serve(measure, versions)
