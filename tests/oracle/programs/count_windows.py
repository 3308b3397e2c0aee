"""Group windows of a number of rows of each group."""

from __future__ import annotations

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.table import DataTypes, Schema, StreamTableEnvironment
from pystream.table.expressions import call, col, lit, row_interval
from pystream.table.udf import AggregateFunction, udaf
from pystream.table.window import Session, Slide, Tumble

_ROWS = [Row("a", 1), Row("b", 2), Row("a", 3), Row("a", 4), Row("b", 5), Row("a", 6), Row("a", None)]
_TYPE = Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.INT()])


class _Total(AggregateFunction):
    def create_accumulator(self):
        return [0]

    def accumulate(self, accumulator, value):
        accumulator[0] += value or 0

    def retract(self, accumulator, value):
        accumulator[0] -= value or 0

    def get_value(self, accumulator):
        return accumulator[0]

    def get_result_type(self):
        return DataTypes.BIGINT()

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())


def _rows(env):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    schema = Schema.new_builder().column("k", DataTypes.STRING()).column("n", DataTypes.INT())
    schema = schema.column_by_expression("p", "PROCTIME()").build()
    t_env.create_temporary_function("total", udaf(_Total()))
    return t_env.from_data_stream(env.from_collection(_ROWS, _TYPE), schema)


def _tumble(size):
    return Tumble.over(row_interval(size)).on(col("p")).alias("w")


def _slide(size, slide):
    return Slide.over(row_interval(size)).every(row_interval(slide)).on(col("p")).alias("w")


_SUM = col("n").sum.alias("s")

CASES = {
    "tumble": (_tumble(2), (col("k"),), (col("k"), _SUM, col("n").count.alias("c"))),
    "all rows": (_tumble(3), (), (_SUM, col("n").max)),
    "overlapping": (_slide(3, 1), (col("k"),), (col("k"), _SUM)),
    "with gaps": (_slide(1, 2), (col("k"),), (col("k"), _SUM)),
    "size is no multiple": (_slide(3, 2), (col("k"),), (col("k"), _SUM)),
    "expressions": (_tumble(2), (col("k"),), (col("k").upper_case, col("n").sum + col("n").min * 2)),
    "key that is computed": (_tumble(2), (col("n") % 2,), (_SUM,)),
    "key with a name": (_tumble(2), ((col("n") % 2).alias("odd"),), (col("odd"), _SUM)),
    "no aggregate": (_tumble(2), (col("k"),), (col("k"),)),
    "function of the program": (_slide(2, 1), (col("k"),), (col("k"), call("total", col("n")).alias("t"))),
    "too few rows": (_tumble(8), (col("k"),), (col("k"), _SUM)),
}


def windows(env, case):
    window, keys, fields = case
    table = _rows(env).window(window).group_by(col("w"), *keys).select(*fields)
    with table.execute().collect() as rows:
        return table.get_schema().get_field_names(), sorted(map(str, rows))


def start_of_a_window(env):
    return str(_rows(env).window(_tumble(2)).group_by(col("w"), col("k")).select(col("w").start))


def column_of_other_values(env):
    window = Tumble.over(row_interval(2)).on(col("n")).alias("w")
    return str(_rows(env).window(window).group_by(col("w")).select(_SUM))


def column_that_is_neither_key_nor_aggregated(env):
    return str(_rows(env).window(_tumble(2)).group_by(col("w"), col("k")).select(col("n")))


def slide_of_another_kind(env):
    window = Slide.over(row_interval(2)).every(lit(1).seconds).on(col("p")).alias("w")
    return str(_rows(env).window(window).group_by(col("w")).select(_SUM))


def sessions_of_rows(env):
    window = Session.with_gap(row_interval(2)).on(col("p")).alias("w")
    return str(_rows(env).window(window).group_by(col("w")).select(_SUM))
