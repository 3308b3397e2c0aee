"""Apply native steps to a Spark table, before its rows are sent to Python if at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import (
    ArrayType,
    CharType,
    DataType,
    MapType,
    StringType,
    StructField,
    StructType,
    VarcharType,
)

from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.engine.events import NO_TIMESTAMP
from pystream.expressions.folds import Aggregation
from pystream.hosts.spark.expressions import (
    Input,
    castable,
    evaluated,
    fields_of,
    to_check,
    to_column,
    to_columns,
)
from pystream.hosts.spark.native_folds import TIME, KeyedTable, aggregated, reduced
from pystream.kinds import Lifting
from pystream.plan.native import NativeStep
from typeinfo.formats.layout import columns_of, has_columns
from typeinfo.formats.spark import to_spark_schema
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = ["user_table", "named_as", "number_table", "numbered", "before_filters", "transformed"]

_ANSI = "spark.sql.ansi.enabled"
_RESULT = "r"
_CHAR = "__CHAR_VARCHAR_TYPE_STRING"  # metadata of string columns that are CHAR or VARCHAR


def number_table(spark: SparkSession, numbers: NumberSequence, parallelism: int) -> DataFrame:
    """Return a sequence of numbers as a table, partitioned as workers would divide it."""
    return numbered(spark.range(numbers.first, numbers.last + 1, 1, parallelism))


def numbered(frame: DataFrame) -> DataFrame:
    """Rename the columns of a table to c0, c1, ….

    Spark interprets some characters in names; readers know the original names anyway.
    """
    return frame.toDF(*(f"c{position}" for position in range(len(frame.columns))))


def user_table(frame: DataFrame) -> DataFrame:
    """Return a user's table with numbered columns, and text compared by code points as in Python.

    Under a collation, different texts may be equal, and CHAR columns ignore trailing blanks in comparisons.
    """
    table = numbered(frame)
    plain = [_plain(field.dataType) for field in frame.schema]
    if all(
        field.dataType == data_type and _CHAR not in field.metadata
        for field, data_type in zip(frame.schema, plain, strict=True)
    ):
        return table
    # The cast also drops the metadata by which Spark recognises CHAR.
    pairs = zip(table.columns, plain, strict=True)
    return table.select(*(F.col(name).cast(data_type).alias(name) for name, data_type in pairs))


def _plain(dt: DataType) -> DataType:
    """Return a type whose text has no collation or length."""
    match dt:
        case StringType() | CharType() | VarcharType():
            return StringType()
        case ArrayType():
            return ArrayType(_plain(dt.elementType), dt.containsNull)
        case MapType():
            return MapType(_plain(dt.keyType), _plain(dt.valueType), dt.valueContainsNull)
        case StructType():
            return StructType([StructField(f.name, _plain(f.dataType), f.nullable, f.metadata) for f in dt])
    return dt


def transformed(
    frame: DataFrame, type_info: TypeInformation[Any], steps: Sequence[NativeStep], parallelism: int
) -> DataFrame:
    """Apply native steps to a table of numbered columns.

    The columns of the elements are followed by one of timestamps, if the last step assigns them.

    Args:
        frame: the table.
        type_info: type of its elements.
        steps: the native steps, in order.
        parallelism: number of partitions of results grouped by key.
    """
    with _errors_for_wrong_values(frame.sparkSession):
        for number, step in enumerate(steps):
            later = steps[number + 1 :]
            filtered = any(after.lifting is Lifting.PREDICATE for after in later)
            one = _Step(frame, type_info, step, parallelism)
            frame = one.result(checked=bool(later), filtered=filtered)
            type_info = step.type_info
    return frame


def before_filters(frame: DataFrame, *, filtered: bool) -> DataFrame:
    """Return a table that Spark computes before it applies filters, so that all errors are raised.

    Spark pushes filters down, but not past a nondeterministic condition. Streaming frames accept this one.
    """
    return frame.where(F.spark_partition_id() >= 0) if filtered else frame


@contextmanager
def _errors_for_wrong_values(spark: SparkSession) -> Iterator[None]:
    """Enable Spark's ANSI mode within the block, so that overflows and the like are errors.

    Expressions keep the mode of their creation. One job at a time builds frames (``building_frames``).
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
    fields = to_spark_schema(type_info).fields
    types = [castable(column.type) for column in columns_of(type_info)]
    names = [field.name for field in fields]
    if (
        [field.dataType for field in frame.schema] == types
        and not any(isinstance(t, (ArrayType, MapType, StructType)) for t in types)
        and len(set(map(str.lower, names))) == len(names)
    ):
        # All at once, as naming column by column takes several ms for each. Columns with parts are excluded,
        # as Spark would rebuild them part by part.
        described = (StructField(f.name, t, True, f.metadata) for f, t in zip(fields, types, strict=True))
        return frame.toDF(*names).to(StructType(list(described)))
    return frame.select(
        *(
            F.col(f"c{position}").cast(data_type).alias(field.name, metadata=field.metadata)
            for position, (field, data_type) in enumerate(zip(fields, types, strict=True))
        )
    )


class _Step:
    """A native step on a table."""

    def __init__(
        self, frame: DataFrame, type_info: TypeInformation[Any], step: NativeStep, parallelism: int
    ) -> None:
        self._frame = frame
        self._step = step
        self._parallelism = parallelism
        self._names = [name for name in frame.columns if name != TIME]
        self._time = F.col(TIME) if TIME in frame.columns else F.lit(NO_TIMESTAMP)
        self._times = [F.col(TIME)] if TIME in frame.columns else []
        self._inputs: list[Input] = [(type_info, [F.col(name) for name in self._names])]

    def result(self, *, checked: bool, filtered: bool) -> DataFrame:
        """Return the table of the step's results.

        Args:
            checked: whether errors must be raised even where results are not used.
            filtered: whether a later step may drop result rows.
        """
        expression, frame = self._step.expression, self._frame
        inputs = [*self._inputs, (Types.LONG(), [self._time])]
        match self._step.lifting:
            case Lifting.PREDICATE:
                kept = frame.where(to_column(expression, self._inputs))
                return before_filters(kept, filtered=filtered and expression.fails)
            case Lifting.FOLD | Lifting.WINDOW_FOLD:
                folded = self._folded()
                if not checked:
                    return folded
                values = [F.col(name) for name in folded.columns if name != TIME]
                return before_filters(folded.where(evaluated(*values)), filtered=filtered)
        if checked and expression.fails:
            frame = before_filters(frame.where(to_check(expression, inputs)), filtered=filtered)
        if self._step.lifting is Lifting.TIMESTAMP:
            return frame.withColumn(TIME, to_column(expression, inputs))
        if self._step.lifting is Lifting.FLAT_MAP:
            results = F.explode(to_column(expression, self._inputs)).alias(_RESULT)
            whole, t = F.col(_RESULT), self._step.type_info
            columns = fields_of(whole, t) if has_columns(t) else [whole]
            return self._numbered(frame.select(results, *self._times), columns)
        return self._numbered(frame, to_columns(expression, self._inputs))

    def _numbered(self, frame: DataFrame, columns: list[Column]) -> DataFrame:
        named = (column.alias(f"c{position}") for position, column in enumerate(columns))
        return frame.select(*named, *self._times)

    def _folded(self) -> DataFrame:
        step = self._step
        if step.aggregation is not None:
            return self._aggregated(step.aggregation)
        assert step.reduction is not None
        return self._fold(self._frame, reduced(self._frame, self._names, step.reduction))

    def _fold(self, frame: DataFrame, folds: dict[str, Column]) -> DataFrame:
        key = to_column(self._step.expression, self._inputs)
        table = KeyedTable(frame, self._names, key, folds, self._parallelism)
        windows = self._step.windows
        return table.by_key() if windows is None else table.by_window(windows, self._time)

    def _aggregated(self, whole: Aggregation) -> DataFrame:
        frame = self._frame
        if whole.checked:
            frame = frame.where(evaluated(*(to_column(value, self._inputs) for value in whole.checked)))
        folded = self._fold(frame, aggregated(whole, self._inputs))
        inputs: list[Input] = [(whole.type, [F.col(name) for name in folded.columns if name != TIME])]
        return self._numbered(folded.where(to_column(whole.emits, inputs)), to_columns(whole.result, inputs))
