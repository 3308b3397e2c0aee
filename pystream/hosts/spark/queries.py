"""Queries on Spark: the tables of their results, and the types of these before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import DataType

from pystream.engine.task_info import JobInfo
from pystream.engine.worker.environment import WorkerEnvironment
from pystream.errors import SqlError
from pystream.hosts.spark.errors import errors_not_logged
from pystream.hosts.spark.jvm import empty_table, python_calls
from pystream.hosts.spark.native import numbered
from pystream.hosts.spark.scalar_functions import FunctionSetting, registered
from pystream.hosts.spark.session_settings import session_settings
from pystream.plan.query import EXPRESSION_TYPES, InputColumn, Query, QueryInput, ResultColumn
from typeinfo.composite import RowTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.formats.spark import from_spark_schema, to_spark, to_spark_schema
from typeinfo.info import TypeInformation

__all__ = ["query_table", "resolve_query"]


def query_table(
    spark: SparkSession, query: Query, tables: Sequence[DataFrame], setting: FunctionSetting
) -> DataFrame:
    """Return the results of a query.

    Args:
        spark: the session.
        query: the query.
        tables: the elements of the streams that it reads, in order.
        setting: the job that calls functions of the program.

    Raises:
        AnalysisException: Spark cannot resolve the query.
    """
    named: dict[str, Any] = {
        one.name: _view(table, one) for one, table in zip(query.inputs, tables, strict=True)
    }
    with session_settings(spark, query.settings):
        if query.is_lifted:
            # Spark refuses functions of SQL in some places.
            with errors_not_logged(), suppress(AnalysisException):
                return _resolved(spark, query, named, setting)
        return _resolved(spark, _in_python(query), named, setting)


def _resolved(
    spark: SparkSession, query: Query, named: Mapping[str, Any], setting: FunctionSetting
) -> DataFrame:
    with registered(spark, query.functions, setting) as names:
        text = query.text
        for name, own in names.items():
            text = text.replace(name, own)
        return spark.sql(text, **named)


def _in_python(query: Query) -> Query:
    return replace(query, functions=tuple(replace(one, expression=None) for one in query.functions))


_NO_JOB = FunctionSetting(JobInfo("unstarted", ""), WorkerEnvironment())


def _view(table: DataFrame, one: QueryInput) -> DataFrame:
    """Return the columns of a table that a query reads, by the names that it uses."""
    if [column.position for column in one.columns] == list(range(len(table.columns))):
        return table.toDF(*(column.name for column in one.columns))  # a step less for Spark to analyse
    return numbered(table).select(*map(_column, one.columns))


def _column(column: InputColumn) -> Column:
    return F.col(f"c{column.position}").alias(column.name)


def resolve_query(
    spark: SparkSession, query: Query, types: Sequence[TypeInformation[Any]]
) -> tuple[Query, list[ResultColumn]]:
    """Return a query with the types of the arguments of its functions, and the columns of its results.

    Args:
        spark: the session.
        query: the query.
        types: the types of the elements of the streams that it reads, in order.

    Raises:
        SqlError: Spark cannot resolve the query.
        UnsupportedTypeError: a column has a type without counterpart.
    """
    empty = [empty_table(spark, to_spark_schema(t)) for t in types]
    try:
        with errors_not_logged():
            table = query_table(spark, query, empty, _NO_JOB)
            schema = table.schema
    except AnalysisException as error:  # ParseException is one
        raise SqlError(_complaint(error), _fragment(error)) from None
    row = from_spark_schema(schema, BigDecimalTypeInfo)
    assert isinstance(row, RowTypeInfo)
    columns = [
        ResultColumn(field.name, t, field.nullable) for field, t in zip(schema, row.field_types, strict=True)
    ]
    return _with_argument_types(query, table), columns


def _with_argument_types(query: Query, table: DataFrame) -> Query:
    if not query.functions:
        return query
    calls = list(python_calls(table))
    functions = tuple(
        replace(one, argument_types=_common([types for name, types in calls if name.startswith(one.name)]))
        for one in query.functions
    )
    return replace(query, functions=functions)


def _common(calls: Sequence[Sequence[DataType]]) -> tuple[TypeInformation[Any], ...] | None:
    """Return the types of the arguments of several calls, if all have the same ones."""
    if not calls or any(types != calls[0] for types in calls):
        return None
    known = tuple(_SCALARS[one] for one in calls[0] if one in _SCALARS)
    return known if len(known) == len(calls[0]) else None


_SCALARS: dict[DataType, TypeInformation[Any]] = {to_spark(t): t for t in EXPRESSION_TYPES}


def _fragment(error: AnalysisException) -> str:
    """Return the part of the query that an error is about, if it is known."""
    contexts = error.getQueryContext()
    return contexts[0].fragment() if contexts else ""


def _complaint(error: AnalysisException) -> str:
    """Return the message of an error, without its condition and the plan that follows."""
    message = str(error).split("SQLSTATE:", 1)[0].split(" Please, refer to", 1)[0]
    return message.split("] ", 1)[-1].strip()
