"""Arrays in the Series that pandas functions of tables take and return."""

from __future__ import annotations

import datetime

from pystream.common import Row
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import col
from pystream.table.udf import udf

CASES = {
    "numbers": (DataTypes.INT(), [1, 2]),
    "floats": (DataTypes.DOUBLE(), [1.5, 2.5]),
    "texts": (DataTypes.STRING(), ["a", "b"]),
    "times": (DataTypes.TIMESTAMP(3), [datetime.datetime(2024, 1, 2, 3, 4, 5, 6000)]),
}


def _select(env, case, function, result_type):
    element_type, values = case
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    array = DataTypes.ARRAY(element_type)
    table = t_env.from_elements([(values,)], DataTypes.ROW([DataTypes.FIELD("a", array)]))
    call = udf(function, result_type=result_type or array, func_type="pandas")
    with table.select(call(col("a"))).execute().collect() as rows:
        return [str([*row]) for row in rows]


def classes_of_arrays(env, case):
    def described(arrays):
        return arrays.map(lambda array: f"{type(array).__name__} {len(array)} {array.tolist()[0]!r}")

    return _select(env, case, described, DataTypes.STRING())


def arrays_are_handed_on(env, case):
    return _select(env, case, lambda arrays: arrays, None)


def arrays_are_made(env, case):
    return _select(env, case, lambda arrays: arrays.map(lambda array: array[::-1]), None)


def arrays_in_rows(env, case):
    element_type, values = case
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    fields = [DataTypes.FIELD("n", DataTypes.INT()), DataTypes.FIELD("a", DataTypes.ARRAY(element_type))]
    row = DataTypes.ROW([DataTypes.FIELD("r", DataTypes.ROW(fields))])
    table = t_env.from_elements([(Row(1, values),), (Row(2, None),)], row)

    def described(rows):
        return rows["a"].map(lambda array: array is None or f"{type(array).__name__} {array.tolist()[0]!r}")

    call = udf(lambda rows: described(rows).map(str), result_type=DataTypes.STRING(), func_type="pandas")
    with table.select(call(col("r"))).execute().collect() as rows:
        return sorted(str([*row]) for row in rows)
