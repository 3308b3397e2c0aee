"""Expressions that stand for several columns, and fields of rows by their positions."""

from __future__ import annotations

from pystream.common import Row
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import array, col, range_, with_columns, without_columns
from pystream.table.udf import AggregateFunction, udaf, udf, udtf

_PAIR = DataTypes.ROW([DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING())])
_TYPE = DataTypes.ROW(
    [
        DataTypes.FIELD("a", DataTypes.INT()),
        DataTypes.FIELD("b", DataTypes.INT()),
        DataTypes.FIELD("c", DataTypes.INT()),
        DataTypes.FIELD("r", _PAIR),
    ]
)
_ROWS = [(1, 2, 3, Row(7, "z")), (4, 5, 6, None)]


class _Both(AggregateFunction):
    def create_accumulator(self):
        return Row(0, 0)

    def accumulate(self, accumulator, value):
        accumulator[0] += value
        accumulator[1] += 1

    def get_value(self, accumulator):
        return accumulator

    def get_accumulator_type(self):
        return self.get_result_type()

    def get_result_type(self):
        fields = [DataTypes.FIELD(name, DataTypes.BIGINT()) for name in ("a", "n")]
        return DataTypes.ROW(fields)


_pair = udf(lambda value: Row(value, str(value)), result_type=_PAIR)
_both = udaf(_Both())

_sum = udf(lambda a, b: Row(a + b, "s"), result_type=_PAIR)
_repeated = udtf(lambda a, b: [a] * b, result_types=[DataTypes.INT()])


def _other(t):
    return t.select(col("a").alias("k"), col("c").alias("v"))


CASES = {
    "names": lambda t: t.select(with_columns(col("c"), col("a"))),
    "numbers": lambda t: t.select(with_columns(1, 3)),
    "range of names": lambda t: t.select(with_columns(range_("b", "r"))),
    "range of numbers": lambda t: t.select(with_columns(range_(1, 2), col("r")), col("a") + 1),
    "all but names": lambda t: t.select(without_columns(col("c"), col("a"))),
    "all but a range": lambda t: t.select(without_columns(range_(2, 4))),
    "star": lambda t: t.select(with_columns(col("*"))),
    "arguments": lambda t: t.select(array(with_columns(range_(1, 3)))),
    "alias of one": lambda t: t.select(with_columns(col("a")).alias("z")),
    "alias of two": lambda t: t.select(with_columns(range_(1, 2)).alias("z")),
    "two of a name": lambda t: t.select(col("a"), with_columns(range_(1, 2))),
    "condition": lambda t: t.filter(with_columns(2) > 2),
    "groups": lambda t: t.group_by(with_columns(range_(1, 2))).select(
        with_columns(range_("a", "b")), col("c").sum
    ),
    "dropped": lambda t: t.drop_columns(with_columns(range_("a", "b"))),
    "renamed": lambda t: t.rename_columns(with_columns(2).alias("z")),
    "added": lambda t: t.add_columns(with_columns(2).alias("z")),
    "replaced": lambda t: t.add_or_replace_columns(with_columns(2).alias("b")),
    "ordered": lambda t: t.order_by(with_columns(range_(2, 3))).fetch(1),
    "of map": lambda t: t.map(_sum(with_columns(range_(1, 2)))),
    "of flat_map": lambda t: t.flat_map(_repeated(with_columns(range_("a", "b")))),
    "of aggregate": lambda t: (
        t.group_by(col("b")).aggregate(_both(with_columns(1)).alias("p", "q")).select(col("p"))
    ),
    "arguments of a function": lambda t: t.select(_pair(without_columns(range_(2, 4))).get(1)),
    "condition of a function": lambda t: t.filter(_sum(with_columns(range_(1, 2))).get("x") > 3),
    "condition of several": lambda t: t.filter(with_columns(range_(1, 2)) > 2),
    "of join": lambda t: t.join(_other(t), with_columns(1) == col("k")).select(col("b"), col("v")),
    "numbers in join": lambda t: t.join(_other(t), with_columns(5) == col("a")).select(col("b"), col("v")),
    "of where after join": lambda t: t.join(_other(t)).where(with_columns(1) == col("k")).select(col("v")),
    "of join_lateral": lambda t: t.join_lateral(_repeated(with_columns(range_(1, 2))).alias("p")).select(
        col("p")
    ),
    "operand": lambda t: t.select(with_columns(1) + without_columns(range_(2, 4))),
    "range backwards": lambda t: t.select(with_columns(range_(3, 2))),
    "range to nowhere": lambda t: t.select(with_columns(range_(3, 9))),
    "unknown name": lambda t: t.select(with_columns(col("z"))),
    "expression": lambda t: t.select(with_columns(col("a") + 1)),
    "range alone": lambda t: t.select(range_("a", "b")),
    "field": lambda t: t.select(col("r").get(0), col("r").get(1).alias("y"), col("r").get("x") + 1),
    "field of a call": lambda t: t.select(_pair(col("a")).get(1)),
    "no such field": lambda t: t.select(col("r").get(2)),
    "field of a number": lambda t: t.select(col("a").get(0)),
    "flattened": lambda t: t.select(col("a"), col("r").flatten),
    "flattened number": lambda t: t.select(col("a").flatten),
    "flattened call": lambda t: t.select(_pair(col("a")).flatten),
    "flattened key": lambda t: t.group_by(col("r")).select(col("r").flatten, col("a").sum),
    "flattened aggregate": lambda t: t.group_by(col("b")).select(_both(col("a")).flatten),
    "names of keys in results": lambda t: t.group_by(col("a")).aggregate(_both(col("b"))).select(col("*")),
    "names that are given": lambda t: (
        t.group_by(col("a")).aggregate(_both(col("b")).alias("p", "q")).select(col("*"))
    ),
}


def columns(env, case):
    t_env = StreamTableEnvironment.create(env)
    table = case(t_env.from_elements(_ROWS, _TYPE))
    schema = table.get_schema()
    with table.execute().collect() as rows:
        return schema.get_field_names(), sorted(map(str, rows))
