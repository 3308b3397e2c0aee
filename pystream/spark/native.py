"""Native steps: what the engine does to a table before, or instead of, handing its rows to Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.lifting import GUARD_MARK, Fold
from pystream.plan.native import NativeStep
from pystream.runtime.connectors.collection import ArrowSource
from pystream.runtime.connectors.number_sequence import NumberSequence
from pystream.runtime.spec import OperatorKind
from pystream.spark.expressions import to_column, to_columns
from typeinfo.composite import FieldsTypeInfo
from typeinfo.formats.arrow import spark_layout, to_arrow_schema
from typeinfo.formats.layout import columns_of
from typeinfo.formats.spark import to_spark_schema
from typeinfo.info import TypeInformation

__all__ = ["arrow_table", "named_as", "number_table", "numbered", "transformed"]

_ANSI = "spark.sql.ansi.enabled"
_KEY = "k"
_RESULT = "r"
_FOLDS: dict[Fold, Callable[[Column], Column]] = {Fold.SUM: F.sum, Fold.MIN: F.min, Fold.MAX: F.max}


def number_table(spark: SparkSession, numbers: NumberSequence, parallelism: int) -> DataFrame:
    """Return a sequence of numbers as a table, divided as the workers would divide it."""
    return numbered(spark.range(numbers.first, numbers.last + 1, 1, parallelism))


def arrow_table(spark: SparkSession, source: ArrowSource, parallelism: int) -> DataFrame:
    """Return an Arrow table as one of the engine."""
    layout = spark_layout(to_arrow_schema(source.type_info))
    table = pa.Table.from_batches([batch.cast(layout) for batch in source.batches], layout)
    return numbered(spark.createDataFrame(table).coalesce(parallelism))


def numbered(frame: DataFrame) -> DataFrame:
    """Return a table with its columns called c0, c1, ….

    Spark takes some names apart where it is given them; those who read know them anyway.
    """
    return frame.toDF(*(f"c{position}" for position in range(len(frame.columns))))


def transformed(frame: DataFrame, type_info: TypeInformation[Any], steps: Iterable[NativeStep]) -> DataFrame:
    """Return what steps make of a table of numbered columns, as such a table."""
    with _errors_for_wrong_values(frame.sparkSession):
        for step in steps:
            frame = _after(frame, type_info, step)
            type_info = step.type_info
    return frame


@contextmanager
def _errors_for_wrong_values(spark: SparkSession) -> Iterator[None]:
    """Let what overflows and the like be an error, whatever the session makes of it otherwise.

    Expressions keep what was set when they were made.
    """
    before = str(spark.conf.get(_ANSI))
    if before == "true":
        yield
        return
    spark.conf.set(_ANSI, "true")
    try:
        yield
    finally:
        spark.conf.set(_ANSI, before)


def named_as(frame: DataFrame, type_info: TypeInformation[Any]) -> DataFrame:
    """Return a table of numbered columns with the names and types of a type's columns."""
    schema = to_spark_schema(type_info)
    return frame.select(
        *(
            F.col(f"c{position}").cast(field.dataType).alias(field.name, metadata=field.metadata)
            for position, field in enumerate(schema.fields)
        )
    )


def _after(frame: DataFrame, type_info: TypeInformation[Any], step: NativeStep) -> DataFrame:
    columns = [F.col(name) for name in frame.columns]
    match step.kind:
        case OperatorKind.FILTER:
            return frame.where(to_column(step.expression, [(type_info, columns)]))
        case OperatorKind.REDUCE:
            return _folded(frame, to_column(step.expression, [(type_info, columns)]), step)
        case OperatorKind.FLAT_MAP:
            results = to_column(step.expression, [(type_info, columns)])
            exploded = frame.select(F.explode(results).alias(_RESULT))
            return _numbered(exploded, _parts(F.col(_RESULT), step.type_info))
        case _:
            return _numbered(frame, to_columns(step.expression, [(type_info, columns)]))


def _folded(frame: DataFrame, key: Column, step: NativeStep) -> DataFrame:
    """Return one row a key; nulls are kept in a group of one, and an error in a larger one."""
    assert step.aggregation is not None
    types = [frame.schema[name].dataType for name in frame.columns]
    results = [
        _fold_of(F.col(name), fold).cast(data_type).alias(name)
        for name, data_type, fold in zip(frame.columns, types, step.aggregation.folds, strict=True)
    ]
    return frame.groupBy(key.alias(_KEY)).agg(*results).drop(_KEY)


def _fold_of(column: Column, fold: Fold) -> Column:
    if fold not in _FOLDS:
        return F.first(column)  # part of the key, so that all are the same
    size = F.count(F.lit(1))
    failure = F.raise_error(F.lit(f"{GUARD_MARK}: None is folded"))
    return F.when((size == 1) | (F.count(column) == size), _FOLDS[fold](column)).otherwise(failure)


def _parts(column: Column, type_info: TypeInformation[Any]) -> list[Column]:
    """Return the columns of a table of elements that lie in one column."""
    if isinstance(type_info, FieldsTypeInfo) and type_info.field_types:
        return [column.getField(field.name) for field in columns_of(type_info)]
    return [column]


def _numbered(frame: DataFrame, columns: list[Column]) -> DataFrame:
    return frame.select(*(column.alias(f"c{position}") for position, column in enumerate(columns)))
