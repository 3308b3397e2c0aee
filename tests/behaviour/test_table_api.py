"""The relational methods of tables, compared with the same computed in Python."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable
from decimal import Decimal
from operator import itemgetter
from typing import Any

import pandas as pd
import pytest

from pystream.common import Row, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import SqlError
from pystream.table import DataTypes, Expression, StreamTableEnvironment, Table
from pystream.table.expression import TimeIntervalUnit
from pystream.table.expressions import (
    and_,
    array,
    call,
    call_sql,
    coalesce,
    col,
    concat,
    concat_ws,
    date_format,
    if_then_else,
    lit,
    map_,
    not_,
    null_of,
    row,
)
from pystream.table.udf import udf
from pystream.table.window import Tumble

SALES = [
    (1, "pears", 3, 2.5),
    (2, "plums", -4, 1.25),
    (3, "pears", 5, -0.5),
    (4, None, 7, 8.0),
    (5, "figs", None, 0.75),
]
SALE = Types.ROW_NAMED(
    ["id", "fruit", "n", "price"], [Types.INT(), Types.STRING(), Types.INT(), Types.DOUBLE()]
)
COLOURS = [("pears", "green"), ("plums", "blue"), ("kiwis", "brown")]
COLOUR = Types.ROW_NAMED(["name", "colour"], [Types.STRING(), Types.STRING()])


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    return StreamTableEnvironment.create(env)


@pytest.fixture
def sales(env: StreamExecutionEnvironment, t_env: StreamTableEnvironment) -> Table:
    return t_env.from_data_stream(env.from_collection(SALES, SALE))


@pytest.fixture
def colours(env: StreamExecutionEnvironment, t_env: StreamTableEnvironment) -> Table:
    return t_env.from_data_stream(env.from_collection(COLOURS, COLOUR))


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    with table.execute().collect() as rows:
        return [tuple(row) for row in rows]


def set_of(table: Table) -> set[tuple[Any, ...]]:
    rows = rows_of(table)
    assert len(rows) == len(set(rows))
    return set(rows)


def types_of(table: Table) -> dict[str, str]:
    schema = table.get_schema()
    return {
        name: str(data_type.nullable())
        for name, data_type in zip(schema.get_field_names(), schema.get_field_data_types(), strict=True)
    }


def test_rows_are_filtered_and_columns_computed(sales: Table) -> None:
    many = sales.where((col("n") > 2) & col("fruit").is_not_null)
    table = many.select(
        col("id"), col("n") * col("price"), (col("n") / 2).alias("half"), col("n").cast(DataTypes.BIGINT())
    )
    assert types_of(table) == {"id": "INT", "_c1": "DOUBLE", "half": "INT", "n-BIGINT": "BIGINT"}
    assert set_of(table) == {
        (id, n * price, n // 2, n) for id, fruit, n, price in SALES if n is not None and n > 2 and fruit
    }


def test_a_condition_that_is_null_holds_for_no_row(sales: Table) -> None:
    pears = col("fruit") == "pears"
    assert set_of(sales.filter(not_(pears)).select(col("id"))) == {(2,), (5,)}
    assert set_of(sales.filter(~pears).select(col("id"))) == {(2,), (4,), (5,)}


def test_groups_are_aggregated(sales: Table) -> None:
    table = sales.group_by(col("fruit")).select(
        col("fruit"),
        col("n").sum,
        col("n").avg.alias("mean"),
        col("price").max,
        lit(1).count,
        col("n").sum0 + 1,
        col("n").sum0,
    )
    assert types_of(table) == {
        "fruit": "STRING",
        "EXPR$0": "INT",
        "mean": "INT",
        "EXPR$2": "DOUBLE",
        "EXPR$3": "BIGINT",
        "_c5": "INT",
        "EXPR$4": "INT",
    }
    groups = defaultdict(list)
    for _, fruit, n, price in SALES:
        groups[fruit].append((n, price))
    expected = set()
    for fruit, members in groups.items():
        numbers = [n for n, _ in members if n is not None]
        total = sum(numbers) if numbers else None
        mean = int(sum(numbers) / len(numbers)) if numbers else None
        expected.add(
            (
                fruit,
                total,
                mean,
                max(price for _, price in members),
                len(members),
                (total or 0) + 1,
                total or 0,
            )
        )
    assert set_of(table) == expected


def test_a_key_with_a_name_and_distinct_aggregations(sales: Table) -> None:
    table = sales.group_by((col("id") % 2).alias("odd")).select(
        col("odd"), col("fruit").count.distinct.alias("fruits"), col("id").count
    )
    assert set_of(table) == {(1, 2, 3), (0, 1, 2)}
    assert rows_of(sales.select(col("id").sum, col("n").min)) == [(15, -4)]


def test_a_column_that_is_neither_a_key_nor_aggregated_is_refused(sales: Table) -> None:
    with pytest.raises(SqlError, match=r"^select: .*price"):
        sales.group_by(col("fruit")).select(col("price"))


@pytest.mark.parametrize(
    ("join", "left_stays", "right_stays"),
    [
        (Table.join, False, False),
        (Table.left_outer_join, True, False),
        (Table.right_outer_join, False, True),
        (Table.full_outer_join, True, True),
    ],
)
def test_joins(
    sales: Table, colours: Table, join: Callable[..., Table], left_stays: bool, right_stays: bool
) -> None:
    table = join(sales.select(col("id"), col("fruit")), colours, col("fruit") == col("name"))
    colour_of = dict(COLOURS)
    expected: set[tuple[Any, ...]] = {
        (id, fruit, fruit, colour_of[fruit])
        for id, fruit, _, _ in SALES
        if fruit is not None and fruit in colour_of
    }
    if left_stays:
        expected |= {(id, fruit, None, None) for id, fruit, _, _ in SALES if fruit not in colour_of}
    if right_stays:
        expected.add((None, None, "kiwis", "brown"))
    assert set_of(table) == expected


def test_a_join_without_a_condition_makes_all_pairs(sales: Table, colours: Table) -> None:
    pairs = sales.join(colours).where(col("fruit") == col("name")).select(col("id"), col("colour"))
    assert set_of(pairs) == {(1, "green"), (2, "blue"), (3, "green")}


def test_a_table_joins_one_that_is_made_of_it(sales: Table) -> None:
    totals = sales.group_by(col("fruit")).select(col("fruit").alias("kind"), col("n").sum.alias("total"))
    table = sales.join(totals, col("fruit") == col("kind")).select(col("id"), col("total"))
    assert set_of(table) == {(1, 8), (2, -4), (3, 8), (5, None)}


LEFT, RIGHT = [1, 1, 1, 2, 3], [1, 1, 3, 3, 4]


def combined(
    env: StreamExecutionEnvironment, t_env: StreamTableEnvironment, combine: Callable[[Table, Table], Table]
) -> list[int]:
    left = t_env.from_data_stream(env.from_collection(LEFT, Types.INT()), "a")
    right = t_env.from_data_stream(env.from_collection(RIGHT, Types.LONG()), "b")
    table = combine(left, right)
    assert types_of(table) == {"a": "BIGINT"}
    return sorted(n for (n,) in rows_of(table))


def test_unions(env: StreamExecutionEnvironment, t_env: StreamTableEnvironment) -> None:
    assert combined(env, t_env, Table.union) == sorted({*LEFT, *RIGHT})
    assert combined(env, t_env, Table.union_all) == sorted([*LEFT, *RIGHT])


@pytest.mark.spark_only("only Spark intersects and subtracts tables")
def test_other_operations_of_sets(env: StreamExecutionEnvironment, t_env: StreamTableEnvironment) -> None:
    left, right = Counter(LEFT), Counter(RIGHT)
    assert combined(env, t_env, Table.intersect) == sorted({*LEFT} & {*RIGHT})
    assert combined(env, t_env, Table.intersect_all) == sorted((left & right).elements())
    assert combined(env, t_env, Table.minus) == sorted({*LEFT} - {*RIGHT})
    assert combined(env, t_env, Table.minus_all) == sorted((left - right).elements())


def test_duplicates_are_left_out(sales: Table) -> None:
    assert set_of(sales.select(col("fruit")).distinct()) == {(fruit,) for _, fruit, _, _ in SALES}


def test_rows_in_order_and_parts_of_them(env2: StreamExecutionEnvironment) -> None:
    sales = StreamTableEnvironment.create(env2).from_data_stream(env2.from_collection(SALES, SALE))
    ordered = sales.order_by(col("n").desc, col("id"))
    ids = [row[0] for row in sorted(SALES, key=lambda row: (row[2] is None, -(row[2] or 0)))]
    assert [id for id, *_ in rows_of(ordered)] == ids
    assert [id for id, *_ in rows_of(ordered.fetch(2))] == ids[:2]
    assert [id for id, *_ in rows_of(ordered.offset(1).fetch(2))] == ids[1:3]
    assert [id for id, *_ in rows_of(ordered.limit(3, 1).offset(1))] == ids[2:4]
    chosen = ordered.select((col("id") * 10).alias("x")).alias("y")
    assert rows_of(chosen) == [(id * 10,) for id in ids]
    assert rows_of(chosen.fetch(3)) == [(id * 10,) for id in ids[:3]]
    assert [id for id, *_ in rows_of(sales.order_by(col("fruit")).limit(1))] == [4]


def test_the_results_of_sql_are_a_table_as_well(t_env: StreamTableEnvironment, sales: Table) -> None:
    t_env.create_temporary_view("sales", sales)
    ordered = t_env.sql_query(
        "WITH s AS (SELECT * FROM sales) SELECT s.id, x.fruit AS f FROM s JOIN sales x "
        "ON s.id = x.id ORDER BY s.id DESC"
    )
    assert rows_of(ordered.fetch(2)) == [(5, "figs"), (4, None)]
    assert rows_of(ordered.where(col("f") == "plums").select(col("id") + 1)) == [(3,)]


def test_columns_are_added_and_replaced(sales: Table) -> None:
    one = sales.where(col("id") == 1)
    assert rows_of(one.add_columns(col("n") + 1, lit("x").alias("y"))) == [(1, "pears", 3, 2.5, 4, "x")]
    replaced = one.add_or_replace_columns(concat(col("fruit"), "!").alias("fruit"), lit(True).alias("new"))
    assert types_of(replaced) == {
        "id": "INT",
        "fruit": "STRING",
        "n": "INT",
        "price": "DOUBLE",
        "new": "BOOLEAN",
    }
    assert rows_of(replaced) == [(1, "pears!", 3, 2.5, True)]


@pytest.mark.spark_only("only Spark computes subqueries")
def test_a_value_is_looked_for_in_a_table(sales: Table, colours: Table) -> None:
    known = sales.where(col("fruit").in_(colours.select(col("name"))))
    assert set_of(known.select(col("id"))) == {(1,), (2,), (3,)}
    assert set_of(sales.where(col("id").in_(1, col("n"))).select(col("id"))) == {(1,)}


INSTANT = datetime.datetime(2024, 2, 29, 13, 45, 30, 125000)

EXPRESSIONS: list[tuple[Expression[Any], Any]] = [
    (lit("it's \\n {x} `y`"), "it's \\n {x} `y`"),
    (lit(3_000_000_000) / 2, 1_500_000_000),
    (lit(-7) / 2, -3),
    (lit(-7) % 3, -1),
    (lit(1.5) + 1e300, 1.5 + 1e300),
    (lit(float("inf")), float("inf")),
    (lit(b"\x00\xff"), b"\x00\xff"),
    (lit(Decimal("-1.50")) + 1, Decimal("-0.50")),
    (lit(datetime.date(2024, 2, 29)) + lit(1).day, datetime.date(2024, 3, 1)),
    (lit(datetime.date(2024, 2, 29)) - col("n").weeks, datetime.date(2024, 2, 8)),
    (lit(INSTANT) - lit(2).hours, INSTANT - datetime.timedelta(hours=2)),
    (lit(INSTANT) + col("n").minutes, INSTANT + datetime.timedelta(minutes=3)),
    (lit(INSTANT) + lit(5).millis, INSTANT + datetime.timedelta(milliseconds=5)),
    (lit(INSTANT) + lit(1).quarter, datetime.datetime(2024, 5, 29, 13, 45, 30, 125000)),
    (lit(INSTANT).extract(TimeIntervalUnit.SECOND), 30),
    (lit(INSTANT).extract(TimeIntervalUnit.QUARTER), 1),
    (lit(INSTANT).floor(TimeIntervalUnit.HOUR), datetime.datetime(2024, 2, 29, 13)),
    (lit("2024-02-29").to_date, datetime.date(2024, 2, 29)),
    (lit("2024-02-29 13:45:30.125").to_timestamp, INSTANT),
    (date_format(lit(INSTANT), "yyyy/MM/dd HH:mm"), "2024/02/29 13:45"),
    (null_of(DataTypes.INT()), None),
    (lit("7").cast(DataTypes.INT()) * 6, 42),
    (lit("x").try_cast(DataTypes.INT()), None),
    (lit(1.005).cast(DataTypes.DECIMAL(4, 1)), Decimal("1.0")),
    (-col("n") - 1, -4),
    (2 ** col("n"), 8.0),
    (abs(lit(-2)), 2),
    (col("price").floor(), 2.0),
    (col("price").ceil(), 3.0),
    (col("n").floor(), 3),
    (lit(646.646).round(2), 646.65),
    (lit(8).log(2), 3.0),
    (lit(16).sqrt, 4.0),
    (col("n").between(3, 4) & col("n").not_between(4, 9), True),
    ((col("n") == 4).then("yes", "no"), "no"),
    (if_then_else(null_of(DataTypes.BOOLEAN()), 1, 2), 2),
    (null_of(DataTypes.INT()).if_null(5), 5),
    (coalesce(null_of(DataTypes.STRING()), col("fruit")), "pears"),
    (null_of(DataTypes.BOOLEAN()).is_not_true, True),
    (and_(True, lit(1) < 2, lit(2) <= 2) & (lit("a") != "b"), True),
    (col("fruit").upper_case.concat(" ").concat(col("n").cast(DataTypes.STRING())), "PEARS 3"),
    (col("fruit") + "!", "pears!"),
    (concat_ws("-", "a", null_of(DataTypes.STRING()), "b"), "a-b"),
    (lit("hello world").init_cap, "Hello World"),
    (col("fruit").substring(2, 3), "ear"),
    (col("fruit").substring(2), "ears"),
    (lit("xxaxx").trim("x"), "a"),
    (lit("  a ").trim_leading(), "a "),
    (lit("a").position("banana"), 2),
    (lit("banana").instr("nan"), 3),
    (lit("banana").replace("an", "o"), "booa"),
    (lit("a1b22").regexp_replace("[0-9]+", "#"), "a#b#"),
    (lit("abc").like("a_c") & lit("abc").regexp("b") & lit("abc").starts_with("ab"), True),
    (lit("abc").ends_with("x"), False),
    (lit("7").lpad(3, "0").rpad(5, "."), "007.."),
    (lit("ab").repeat(2).reverse.left(3), "bab"),
    (lit("äö").char_length, 2),
    (lit("").md5, "d41d8cd98f00b204e9800998ecf8427e"),
    (array(4, 5).at(2), 5),
    (array(4, 5).at(3), None),
    (array(4, 5).cardinality, 2),
    (map_("k", 1, "l", 2).at("l"), 2),
    (row(1, "x").get("f1"), "x"),
    (call("power", col("n"), 2), 9.0),
    (call_sql("CASE n WHEN 3 THEN 'three' END"), "three"),
]


@pytest.mark.spark_only("only Spark knows all functions")
def test_expressions_have_the_values_of_python(sales: Table) -> None:
    one = sales.where(col("id") == 1)
    table = one.select(*(expression.alias(f"x{n}") for n, (expression, _) in enumerate(EXPRESSIONS)))
    (values,) = rows_of(table)
    results = [(str(expression), value) for (expression, _), value in zip(EXPRESSIONS, values, strict=True)]
    assert results == [(str(expression), expected) for expression, expected in EXPRESSIONS]


@pytest.mark.spark_only("only Spark knows all aggregate functions")
def test_aggregations_have_the_values_of_python(sales: Table) -> None:
    n = [n for _, _, n, _ in SALES if n is not None]
    mean = sum(n) / len(n)
    variance = sum((x - mean) ** 2 for x in n) / len(n)
    exact = col("n").cast(DataTypes.DOUBLE())
    ((population, sample, deviation, distinct),) = rows_of(
        sales.select(exact.var_pop, exact.var_samp, exact.stddev_pop, (col("n") % 2).sum.distinct)
    )
    assert (population, sample) == (pytest.approx(variance), pytest.approx(variance * 4 / 3))
    assert (deviation, distinct) == (pytest.approx(variance**0.5), 1)


def test_a_table_of_results_is_a_stream_again(t_env: StreamTableEnvironment, sales: Table) -> None:
    ids = t_env.to_append_stream(sales.where(col("n") > 4).select(col("id")), Types.ROW([Types.INT()]))
    with ids.map(lambda row: row[0] + 100, Types.INT()).execute_and_collect() as elements:
        assert sorted(elements) == [103, 104]


def test_elements_of_the_program(env2: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env2)
    shops = DataTypes.ROW().add("id", DataTypes.INT()).add("share", DataTypes.DECIMAL(4, 2))
    sales = t_env.from_elements([(1, "north", [5, None]), (2, None, [])], ["shop", "name", "amounts"])
    given = t_env.from_elements([{"id": 1, "share": Decimal("1.256")}, {"id": 2}], shops)
    constants = t_env.from_elements([row(1, 0.5), row(lit(1) + 1, 1)], shops)
    assert list(sales.execute().collect()) == [Row(1, "north", [5, None]), Row(2, None, [])]
    assert list(given.execute().collect()) == [Row(1, Decimal("1.26")), Row(2, None)]
    assert list(constants.execute().collect()) == [Row(1, Decimal("0.50")), Row(2, Decimal("1.00"))]
    joined = sales.join(given, col("shop") == col("id")).select(col("name"), col("share"))
    assert sorted(joined.execute().collect(), key=repr) == [Row("north", Decimal("1.26")), Row(None, None)]


def test_rows_of_a_frame_in_windows(env2: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env2)
    second = pd.Timestamp("2020-01-01 00:00:00.001")
    frame = pd.DataFrame(
        {
            "shop": ["north", "south", "north", None],
            "n": [1, 2, 3, 4],
            "ts": [second + pd.Timedelta(seconds=3 * number) for number in range(4)],
        }
    )
    types = DataTypes.ROW().add("shop", DataTypes.STRING()).add("n", DataTypes.INT())
    sales = t_env.from_pandas(frame, types.add("ts", DataTypes.TIMESTAMP(3)))
    window = Tumble.over(lit(5).seconds).on(sales.ts).alias("w")
    totals = sales.window(window).group_by(col("w"), sales.shop).select(sales.shop, col("w").end, sales.n.sum)
    assert sorted(map(tuple, totals.execute().collect()), key=itemgetter(2)) == [
        ("north", datetime.datetime(2020, 1, 1, 0, 0, 5), 1),
        ("south", datetime.datetime(2020, 1, 1, 0, 0, 5), 2),
        ("north", datetime.datetime(2020, 1, 1, 0, 0, 10), 3),
        (None, datetime.datetime(2020, 1, 1, 0, 0, 10), 4),
    ]
    assert sales.select(sales.shop, sales.n).to_pandas()["n"].tolist() == [1, 2, 3, 4]
    by_shop = t_env.sql_query(f"SELECT shop, SUM(n) AS n FROM {sales} GROUP BY shop")
    assert sorted(map(tuple, by_shop.execute().collect()), key=repr) == [
        ("north", 4),
        ("south", 2),
        (None, 4),
    ]


def test_times_of_the_program_keep_milliseconds(t_env: StreamTableEnvironment) -> None:
    """As in PyFlink 2.3, where a column of TIME(0) holds them and a cast to text leaves them out."""
    t_env.create_temporary_view("times", t_env.from_elements([(datetime.time(12, 0, 0, 123456),)], ["t"]))
    t_env.create_temporary_function("same", udf(lambda t: t, result_type=DataTypes.TIME()))
    query = "t, CAST(t AS TIME(0)), same(t), EXTRACT(MILLISECOND FROM t), CAST(t AS STRING)"
    millis = datetime.time(12, 0, 0, 123000)
    with t_env.execute_sql(f"SELECT {query} FROM times").collect() as rows:
        assert [tuple(found) for found in rows] == [(millis, millis, millis, 123, "12:00:00")]
