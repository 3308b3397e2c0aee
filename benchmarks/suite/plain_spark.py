"""The contenders of PySpark: Catalyst expressions, Python UDFs, pandas UDFs and ``mapInArrow``.

A UDF takes and returns a whole record, as the function of a stream does.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import ArrayType, BooleanType, DataType

from benchmarks.suite import record_functions
from benchmarks.suite.batch_functions import SINGLE, InArrow
from benchmarks.suite.runner import LeftOutError
from benchmarks.suite.shapes import KEYS, WINDOW_MILLIS

_ROW30 = [*(f"a{i}" for i in range(10)), *(f"d{i}" for i in range(10)), *(f"s{i}" for i in range(10))]

_MAP = {
    "long": ["value % 1000 * 3 + 1 as value"],
    "row5": [
        "id % 1000 + 1 as id",
        "key",
        "amount * 1.5d as amount",
        "name || '!' as name",
        "not flag as flag",
    ],
    "row30": [
        "a0 % 1000 + 1 as a0",
        *_ROW30[1:10],
        "d0 * 1.5d as d0",
        *_ROW30[11:20],
        "s0 || '!' as s0",
        *_ROW30[21:],
    ],
    "nested": [
        "id % 1000 + 1 as id",
        "named_struct('x', point.y, 'y', point.x) as point",
        "tags",
        "scores",
    ],
    "text": ["value || '!' as value"],
    "dataclass": [
        "sensor",
        "celsius * 1.8d + 32.0d as celsius",
        "millis % 1000 as millis",
        "place || '!' as place",
    ],
}
_FILTER = {
    "long": "value % 3 = 0",
    "row5": "id % 3 = 0",
    "row30": "a0 % 3 = 0",
    "nested": "id % 3 = 0",
    "text": "substring(value, 10, 1) = '0'",
    "dataclass": "millis % 3 = 0",
}
# The second result of flat_map; the first is the record itself.
_SECOND = {
    "row5": "named_struct('id', id, 'key', key, 'amount', amount * 0.5d, 'name', name, 'flag', flag)",
    "row30": "struct(*)",
    "nested": "named_struct('id', id, 'point', named_struct('x', point.y, 'y', point.x), 'tags', tags,"
    " 'scores', scores)",
    "dataclass": "named_struct('sensor', sensor, 'celsius', celsius * 1.8d + 32.0d, 'millis', millis,"
    " 'place', place)",
}
_FLAT_MAP = {
    "long": "array(value, value % 1000)",
    "text": "array(substring(value, 1, 500), substring(value, 501))",
} | {shape: f"array(struct(*), {second})" for shape, second in _SECOND.items()}
_KEY = {
    "long": f"value * 7919 % {KEYS}",
    "row5": "key",
    "row30": "a1",
    "nested": f"id * 7919 % {KEYS}",
    "text": f"cast(substring(value, 1, 10) as long) * 7919 % {KEYS}",
    "dataclass": "sensor",
}
_TIME = {
    "long": "value",
    "row5": "id",
    "row30": "a0",
    "nested": "id",
    "text": "cast(substring(value, 1, 10) as long)",
    "dataclass": "millis",
}
_FOLD = {
    "long": "sum(value)",
    "row5": "sum(amount)",
    "row30": "sum(d0)",
    "nested": "sum(point.x)",
    "text": "max(value)",
    "dataclass": "sum(celsius)",
}


# For applyInPandas, the column of times and the column to sum.
_SUMMED = {
    "long": ("value", "value"),
    "row5": ("id", "amount"),
    "row30": ("a0", "d0"),
    "dataclass": ("millis", "celsius"),
}


def catalyst(frame: DataFrame, operator: str, shape: str) -> DataFrame:
    """Apply an operator by expressions of Spark.

    ``reduce`` adds a running sum by a window over each key to all fields; ``window`` groups by key and time
    window.
    """
    if operator == "map":
        return frame.selectExpr(*_MAP[shape])
    if operator == "filter":
        return frame.where(_FILTER[shape])
    if operator == "flat_map":
        exploded = frame.select(F.explode(F.expr(_FLAT_MAP[shape])).alias("r"))
        return exploded if shape in SINGLE else exploded.select("r.*")
    key, millis, fold = F.expr(_KEY[shape]), F.expr(_TIME[shape]), F.expr(_FOLD[shape])
    if operator == "reduce":
        rolling = Window.partitionBy(key).orderBy(millis).rowsBetween(Window.unboundedPreceding, 0)
        return frame.withColumn("folded", fold.over(rolling))
    timed = frame.withColumn("time", F.timestamp_millis(millis))
    return timed.groupBy(key, F.window("time", f"{WINDOW_MILLIS} milliseconds")).agg(fold)


def _map_reading(r: Any) -> Any:
    return r.sensor, r.celsius * 1.8 + 32.0, r.millis % 1000, r.place + "!"


def _both_reading(r: Any) -> Any:
    return [tuple(r), (r.sensor, r.celsius * 1.8 + 32.0, r.millis, r.place)]


# A UDF returns tuples for structs, not dataclasses.
_MAP_TUPLES = record_functions.MAP | {"dataclass": _map_reading}
_FLAT_MAP_TUPLES = record_functions.FLAT_MAP | {"dataclass": _both_reading}


def python_udf(frame: DataFrame, operator: str, shape: str) -> DataFrame:
    """Apply an operator by a Python UDF, called once per record."""
    record, kind = _record_column(frame, shape)
    if operator == "map":
        return _flatten(frame.select(F.udf(_MAP_TUPLES[shape], kind)(record).alias("r")), shape)
    if operator == "filter":
        return frame.where(F.udf(record_functions.FILTER[shape], BooleanType())(record))
    if operator == "flat_map":
        both = F.udf(_FLAT_MAP_TUPLES[shape], ArrayType(kind))
        return _flatten(frame.select(F.explode(both(record)).alias("r")), shape)
    raise LeftOutError("a UDF keeps no state")


def _map_long_series(n: pd.Series) -> pd.Series:
    return n % 1000 * 3 + 1


def _map_row5_frame(r: pd.DataFrame) -> pd.DataFrame:
    return r.assign(id=r.id % 1000 + 1, amount=r.amount * 1.5, name=r["name"] + "!", flag=~r.flag)


def _map_row30_frame(r: pd.DataFrame) -> pd.DataFrame:
    return r.assign(a0=r.a0 % 1000 + 1, d0=r.d0 * 1.5, s0=r.s0 + "!")


def _map_text_series(s: pd.Series) -> pd.Series:
    return s + "!"


def _map_reading_frame(r: pd.DataFrame) -> pd.DataFrame:
    return r.assign(celsius=r.celsius * 1.8 + 32.0, millis=r.millis % 1000, place=r.place + "!")


def _keep_long_series(n: pd.Series) -> pd.Series:
    return n % 3 == 0


def _keep_frame(r: pd.DataFrame) -> pd.Series:
    return r.iloc[:, 0] % 3 == 0


def _keep_text_series(s: pd.Series) -> pd.Series:
    return s.str[9] == "0"


def _keep_reading_frame(r: pd.DataFrame) -> pd.Series:
    return r.millis % 3 == 0


_MAP_PANDAS = {
    "long": _map_long_series,
    "row5": _map_row5_frame,
    "row30": _map_row30_frame,
    "text": _map_text_series,
    "dataclass": _map_reading_frame,
}
_FILTER_PANDAS = {
    "long": _keep_long_series,
    "row5": _keep_frame,
    "row30": _keep_frame,
    "text": _keep_text_series,
    "dataclass": _keep_reading_frame,
}


def pandas_udf(frame: DataFrame, operator: str, shape: str) -> DataFrame:
    """Apply an operator by a pandas UDF, called once per batch, or ``reduce`` by ``applyInPandas``."""
    record, kind = _record_column(frame, shape)
    if shape == "nested" and operator != "window":
        raise LeftOutError("pandas UDFs do not support a struct within a struct")
    if operator == "map":
        return _flatten(frame.select(F.pandas_udf(_MAP_PANDAS[shape], kind)(record).alias("r")), shape)
    if operator == "filter":
        return frame.where(F.pandas_udf(_FILTER_PANDAS[shape], BooleanType())(record))
    if operator == "reduce" and shape in _SUMMED:
        return frame.groupBy(F.expr(_KEY[shape])).applyInPandas(_rolling_sum(*_SUMMED[shape]), frame.schema)
    raise LeftOutError("pandas has no such function for a batch")


def map_in_arrow(frame: DataFrame, operator: str, shape: str) -> DataFrame:
    """Apply an operator by ``mapInArrow``, with the functions of the vectorised streams."""
    if operator in ("reduce", "window"):
        raise LeftOutError("mapInArrow keeps no state")
    return frame.mapInArrow(InArrow(operator, shape), frame.schema)


def _rolling_sum(time: str, summed: str) -> Any:
    def rolling(frame: pd.DataFrame) -> pd.DataFrame:
        ordered = frame.sort_values(time)
        return ordered.assign(**{summed: ordered[summed].cumsum()})

    return rolling


def _record_column(frame: DataFrame, shape: str) -> tuple[Column, DataType]:
    if shape in SINGLE:
        return F.col("value"), frame.schema["value"].dataType
    return F.struct("*"), frame.schema


def _flatten(frame: DataFrame, shape: str) -> DataFrame:
    return frame if shape in SINGLE else frame.select("r.*")
