"""Aggregate functions of the program, and table aggregate functions, in queries and methods of tables."""

from __future__ import annotations

from pystream.common import Row, RowKind
from pystream.common.typeinfo import Types
from pystream.table import (
    AggregateFunction,
    DataTypes,
    ListView,
    MapView,
    Schema,
    StreamTableEnvironment,
    TableAggregateFunction,
)
from pystream.table.expressions import col, lit
from pystream.table.udf import udaf, udtaf
from pystream.table.window import Session, Slide, Tumble

_ROWS = [
    ("a", 1, 2, 0),
    ("b", None, 1, 1),
    ("a", 5, 3, 2),
    ("c", None, None, 3),
    ("b", 7, 4, 14),
    ("a", 5, 1, 15),
    (None, 2, 2, 21),
    ("a", 3, 0, 40),
]
_TYPE = Types.ROW_NAMED(["k", "v", "w", "at"], [Types.STRING(), Types.LONG(), Types.LONG(), Types.STRING()])


class WeightedSum(AggregateFunction):
    def create_accumulator(self):
        return [0, 0]

    def accumulate(self, accumulator, value, weight):
        accumulator[1] += 1
        if value is not None:
            accumulator[0] += value * (weight or 0)

    def retract(self, accumulator, value, weight):
        accumulator[1] -= 1
        if value is not None:
            accumulator[0] -= value * (weight or 0)

    def merge(self, accumulator, accumulators):
        for other in accumulators:
            accumulator[0] += other[0]
            accumulator[1] += other[1]

    def get_value(self, accumulator):
        return accumulator[0] * 100 + accumulator[1]

    def get_result_type(self):
        return DataTypes.BIGINT()

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())


class Joined(AggregateFunction):
    """The texts in the order of arrival, nulls as dashes."""

    def create_accumulator(self):
        return Row(ListView(), 0)

    def accumulate(self, accumulator, *values):
        accumulator[0].add("/".join("-" if value is None else str(value) for value in values))
        accumulator[1] += 1

    def get_value(self, accumulator):
        return ",".join(accumulator[0]) + f":{accumulator[1]}"

    def get_result_type(self):
        return DataTypes.STRING()

    def get_accumulator_type(self):
        return DataTypes.ROW(
            [
                DataTypes.FIELD("f0", DataTypes.LIST_VIEW(DataTypes.STRING())),
                DataTypes.FIELD("f1", DataTypes.BIGINT()),
            ]
        )


class Counts(AggregateFunction):
    """How often the most frequent value comes, in a map that takes values back."""

    def create_accumulator(self):
        return Row(MapView())

    def accumulate(self, accumulator, value):
        if value is not None:
            counts = accumulator[0]
            counts[value] = counts[value] + 1 if value in counts else 1

    def retract(self, accumulator, value):
        if value is not None:
            counts = accumulator[0]
            counts[value] -= 1
            if counts[value] == 0:
                counts.remove(value)

    def get_value(self, accumulator):
        return max(accumulator[0].values(), default=None)

    def get_result_type(self):
        return DataTypes.BIGINT()

    def get_accumulator_type(self):
        counts = DataTypes.MAP_VIEW(DataTypes.BIGINT(), DataTypes.BIGINT())
        return DataTypes.ROW([DataTypes.FIELD("f0", counts)])


class Bounds(AggregateFunction):
    """The least and the greatest value as a row."""

    def create_accumulator(self):
        return [None, None]

    def accumulate(self, accumulator, value):
        if value is not None:
            least, greatest = accumulator
            accumulator[0] = value if least is None else min(least, value)
            accumulator[1] = value if greatest is None else max(greatest, value)

    def get_value(self, accumulator):
        return Row(*accumulator)

    def get_result_type(self):
        return DataTypes.ROW(
            [DataTypes.FIELD("least", DataTypes.BIGINT()), DataTypes.FIELD("greatest", DataTypes.BIGINT())]
        )

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())


class Top2(TableAggregateFunction):
    def create_accumulator(self):
        return []

    def accumulate(self, accumulator, value):
        if value is not None:
            accumulator.append(value)

    def retract(self, accumulator, value):
        if value is not None:
            accumulator.remove(value)

    def emit_value(self, accumulator):
        for rank, value in enumerate(sorted(accumulator, reverse=True)[:2], 1):
            yield Row(value, rank)

    def get_result_type(self):
        return DataTypes.ROW(
            [DataTypes.FIELD("v", DataTypes.BIGINT()), DataTypes.FIELD("r", DataTypes.INT())]
        )

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())


class Singles(TableAggregateFunction):
    """Emits values that are no rows."""

    def create_accumulator(self):
        return []

    def accumulate(self, accumulator, row):
        accumulator.append(row[1])

    def emit_value(self, accumulator):
        yield from (value for value in accumulator if value is not None)

    def get_result_type(self):
        return DataTypes.BIGINT()

    def get_accumulator_type(self):
        return DataTypes.ARRAY(DataTypes.BIGINT())


def _environment(env):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    rows = [Row(k, v, w, f"2024-01-01 00:00:{s:02}") for k, v, w, s in _ROWS]
    schema = (
        Schema.new_builder()
        .column("k", DataTypes.STRING())
        .column("v", DataTypes.BIGINT())
        .column("w", DataTypes.BIGINT())
        .column("at", DataTypes.STRING())
        .column_by_expression("ts", "TO_TIMESTAMP(`at`)")
        .watermark("ts", "ts - INTERVAL '2' SECOND")
        .build()
    )
    t_env.create_temporary_view("t", env.from_collection(rows, _TYPE), schema)
    t_env.create_temporary_system_function("weighted_sum", udaf(WeightedSum()))
    t_env.create_temporary_system_function("joined", udaf(Joined()))
    t_env.create_temporary_system_function("counts", udaf(Counts()))
    t_env.create_temporary_system_function("bounds", udaf(Bounds()))
    return t_env


def _final(table):
    """Return the rows that remain, as texts in order."""
    remaining = []
    with table.execute().collect() as rows:
        for row in rows:
            kind = row.get_row_kind()
            values = str([list(value) if isinstance(value, Row) else str(value) for value in row])
            if kind in (RowKind.INSERT, RowKind.UPDATE_AFTER):
                remaining.append(values)
            else:
                remaining.remove(values)
    return sorted(remaining)


CASES = {
    "groups": "SELECT k, weighted_sum(v, w), COUNT(*) FROM t GROUP BY k",
    "all rows": "SELECT weighted_sum(v, w) FROM t",
    "no rows": "SELECT weighted_sum(v, w) FROM t WHERE v > 100",
    "no rows of groups": "SELECT k, weighted_sum(v, w) FROM t WHERE v > 100 GROUP BY k",
    "distinct": "SELECT k, joined(DISTINCT v), joined(v) FROM t GROUP BY k",
    "distinct of two": "SELECT weighted_sum(DISTINCT v, v) FROM t",
    "filter": "SELECT k, joined(v) FILTER (WHERE w > 1), joined(v) FROM t GROUP BY k",
    "two arguments": "SELECT k, joined(v, w) FROM t GROUP BY k",
    "expressions": "SELECT k, weighted_sum(v + 1, w * 2) + 1 FROM t GROUP BY k "
    "HAVING weighted_sum(v, w) > 100",
    "literal": "SELECT weighted_sum(1, 2) FROM t",
    "map view": "SELECT k, counts(v) FROM t GROUP BY k",
    "row": "SELECT k, bounds(v) FROM t GROUP BY k",
    "field of a row": "SELECT k, b.greatest - b.least FROM (SELECT k, bounds(v) AS b FROM t GROUP BY k)",
    "of updates": "SELECT counts(n), weighted_sum(n, 1) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k)",
    "distinct of updates": "SELECT counts(DISTINCT n) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k)",
    "of updates without retract": "SELECT joined(n) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k)",
    "tumble": """
        SELECT k, window_start, weighted_sum(v, w)
        FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY k, window_start, window_end""",
    "group window": "SELECT k, TUMBLE_START(ts, INTERVAL '10' SECOND), weighted_sum(v, w) FROM t "
    "GROUP BY k, TUMBLE(ts, INTERVAL '10' SECOND)",
    "one argument too few": "SELECT weighted_sum(v) FROM t",
    "scalar place": "SELECT k FROM t WHERE weighted_sum(v, w) > 1",
}


def query(env, case):
    return _final(_environment(env).sql_query(case))


def types_of_results(env):
    t_env = _environment(env)
    table = t_env.sql_query("SELECT k, weighted_sum(v, w) AS a, bounds(v) AS b FROM t GROUP BY k")
    return str(table.get_schema().get_field_data_types()[1]) + " " + str(table.get_schema().get_field_names())


def selected_of_groups(env):
    table = _environment(env).from_path("t")
    function = udaf(WeightedSum())
    return _final(table.group_by(col("k")).select(col("k"), function(col("v"), col("w")).alias("s")))


def aggregated_to_columns(env):
    table = _environment(env).from_path("t").select(col("k"), col("v"))
    call = udaf(Bounds())(col("v")).alias("lo", "hi")
    return _final(table.group_by(col("k")).aggregate(call).select(col("k"), col("hi") - col("lo")))


def aggregated_without_groups(env):
    table = _environment(env).from_path("t").select(col("k"), col("v"))
    return _final(table.aggregate(udaf(Bounds())(col("v")).alias("lo", "hi")).select(col("lo"), col("hi")))


def top_two_of_groups(env):
    table = _environment(env).from_path("t").select(col("k"), col("v"))
    top = table.group_by(col("k")).flat_aggregate(udtaf(Top2())(col("v")).alias("value", "place"))
    return _final(top.select(col("k"), col("value"), col("place")))


def top_two_without_names(env):
    table = _environment(env).from_path("t").select(col("k"), col("v"))
    return _final(table.flat_aggregate(udtaf(Top2())(col("v"))).select(col("v"), col("r") + 1))


def top_two_of_updates(env):
    t_env = _environment(env)
    table = t_env.sql_query("SELECT k, COUNT(*) AS n FROM t GROUP BY k")
    return _final(table.flat_aggregate(udtaf(Top2())(col("n")).alias("a", "b")).select(col("a"), col("b")))


def single_values_of_whole_rows(env):
    table = _environment(env).from_path("t").select(col("k"), col("v"))
    return _final(
        table.group_by(col("k")).flat_aggregate(udtaf(Singles()).alias("a")).select(col("k"), col("a"))
    )


def sliding_windows(env):
    table = _environment(env).from_path("t")
    windows = table.window(Slide.over(lit(20).seconds).every(lit(10).seconds).on(col("ts")).alias("x"))
    function = udaf(WeightedSum())
    groups = windows.group_by(col("x"), col("k"))
    return _final(groups.select(col("k"), col("x").end, function(col("v"), col("v"))))


def session_windows(env):
    table = _environment(env).from_path("t").select(col("k"), col("v"), col("ts"))
    windows = table.window(Session.with_gap(lit(14).seconds).on(col("ts")).alias("s"))
    groups = windows.group_by(col("s"), col("k"))
    return _final(groups.select(col("k"), col("s").end, udaf(WeightedSum())(col("v"), col("v"))))


def pandas_in_windows(env):
    table = _environment(env).from_path("t")
    windows = table.window(Tumble.over(lit(10).seconds).on(col("ts")).alias("x"))
    longest = udaf(lambda v: v.max() - v.min(), result_type=DataTypes.DOUBLE(), func_type="pandas")
    groups = windows.group_by(col("x"), col("k")).select(col("k"), col("x").end, longest(col("w")))
    return _final(groups.where(col("k") == "a"))


def pandas_of_an_unbounded_group(env):
    table = _environment(env).from_path("t")
    mean = udaf(lambda v: v.mean(), result_type=DataTypes.DOUBLE(), func_type="pandas")
    return _final(table.group_by(col("k")).select(col("k"), mean(col("w"))))


def no_function(env):
    return udaf(3)


def general_function(env):
    return udaf(lambda v: v, result_type=DataTypes.BIGINT())
