"""Expressions and relations as SQL, and the wrong ones that are refused before Spark is asked."""

from __future__ import annotations

import datetime
import pickle
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import pystream.table.expression
from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import ConfigurationError, PlanError, PlanTypeError, SqlError, UnsupportedOperationError
from pystream.table import DataTypes, Expression, StreamTableEnvironment, Table
from pystream.table.expression import (
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
    TimeIntervalUnit,
)
from pystream.table.expressions import (
    JsonOnNull,
    TimePointUnit,
    and_,
    call,
    call_sql,
    col,
    current_watermark,
    json,
    json_array,
    json_array_agg,
    json_object,
    json_object_agg,
    lag,
    lead,
    lit,
    map_,
    not_,
    null_of,
    or_,
    rand_integer,
    range_,
    temporal_overlaps,
    timestamp_diff,
    to_date,
    with_all_columns,
    with_columns,
    without_columns,
)
from pystream.table.sql.analysis import analyse_query
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.queries import is_ordered, translate_query
from pystream.table.sql.relations import Relation
from pystream.testing import local_environment

TRIPLE = Types.ROW_NAMED(["a", "b", "n"], [Types.INT(), Types.STRING(), Types.LONG()])
PAIR = Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.STRING()])


def any_value(value: Any) -> Any:
    return value


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return local_environment()


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    return StreamTableEnvironment.create(env)


@pytest.fixture
def triples(env: StreamExecutionEnvironment, t_env: StreamTableEnvironment) -> Table:
    return t_env.from_data_stream(env.from_collection([(1, "p", 2)], TRIPLE))


@pytest.fixture
def pairs(env: StreamExecutionEnvironment, t_env: StreamTableEnvironment) -> Table:
    return t_env.from_data_stream(env.from_collection([(1, "q")], PAIR))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (col("a") + 1 - 2 * col("b"), "(`a` + 1) - (2 * `b`)"),
        (col("a") / col("b") % 3, "(`a` / `b`) % 3"),
        (-(col("a") + 1), "-(`a` + 1)"),
        (10 - col("a") ** 2, "10 - POWER(`a`, 2)"),
        (col("a") < 3, "`a` < 3"),
        ((col("a") > 1) & ~(col("b") == "x") | False, "((`a` > 1) AND (NOT (`b` = 'x') IS TRUE)) OR FALSE"),
        (True & col("a").is_null, "TRUE AND (`a` IS NULL)"),
        (or_(and_(col("a"), True), not_(col("b")), col("c")), "(`a` AND TRUE) OR (NOT `b`) OR `c`"),
        ((col("a").alias("b") + 1).alias("c").alias("d"), "`a` + 1 AS `d`"),
        (col("a`b"), "`a``b`"),
        (with_all_columns().count, "COUNT(*)"),
        (col("a").sum.distinct + col("a").avg, "SUM(DISTINCT `a`) + AVG(`a`)"),
        (col("a").sum0.distinct, "COALESCE(SUM(DISTINCT `a`), 0)"),
        (col("a").in_(1, col("b"), None), "`a` IN (1, `b`, NULL)"),
        (lit("it's `x` \\ {y}"), "'it''s `x` \\ {y}'"),
        (lit(2**31 - 1) + lit(-(2**31)), "2147483647 + CAST(-2147483648 AS BIGINT)"),
        (lit(-0.1), "CAST('-0.1' AS DOUBLE)"),
        (lit(float("nan")), "CAST('NaN' AS DOUBLE)"),
        (lit(Decimal("-12.30")), "CAST('-12.30' AS DECIMAL(4, 2))"),
        (lit(Decimal("0.001")), "CAST('0.001' AS DECIMAL(3, 3))"),
        (lit(Decimal("1E+2")), "CAST('100' AS DECIMAL(3, 0))"),
        (lit(datetime.date(2024, 1, 31)), "CAST('2024-01-31' AS DATE)"),
        (lit(datetime.datetime(2024, 1, 31, 1)), "CAST('2024-01-31 01:00:00' AS TIMESTAMP_NTZ)"),
        (
            lit(datetime.datetime(2024, 1, 31, tzinfo=datetime.UTC)),
            "CAST('2024-01-31 00:00:00+00:00' AS TIMESTAMP_LTZ)",
        ),
        (lit(1, DataTypes.DECIMAL(4, 2)), "CAST(1 AS DECIMAL(4, 2))"),
        (null_of(DataTypes.ARRAY(DataTypes.INT())), "CAST(NULL AS ARRAY<INT>)"),
        (col("a").try_cast(DataTypes.INT(nullable=False)), "TRY_CAST(`a` AS INT)"),
        (col("t").floor(TimeIntervalUnit.DAY), "FLOOR(`t` TO DAY)"),
        (col("r").get("x y").get("z"), "`r`.`x y`.`z`"),
        (
            col("t").ceil(TimeIntervalUnit.DAY).extract(TimeIntervalUnit.HOUR),
            "EXTRACT(HOUR FROM CEIL(`t` TO DAY))",
        ),
        (
            timestamp_diff(TimePointUnit.DAY, col("t"), col("u")),
            "TIMESTAMPDIFF(DAY, `t`, `u`)",
        ),
        (
            temporal_overlaps(col("t"), col("u"), col("v"), lit(1).days),
            "(`t`, `u`) OVERLAPS (`v`, `v` + CAST(1 * INTERVAL '1' DAY AS INTERVAL DAY))",
        ),
        (rand_integer(9, 1), "RAND_INTEGER(1, 9)"),
        (to_date(col("s"), "yyyy"), "TO_DATE(`s`, 'yyyy')"),
        (col("s").is_json(JsonType.ARRAY), "`s` IS JSON ARRAY"),
        (col("s").json_exists("$.a"), "JSON_EXISTS(`s`, '$.a' FALSE ON ERROR)"),
        (
            col("s").json_value(
                "$.a", DataTypes.INT(), JsonValueOnEmptyOrError.DEFAULT, 1, JsonValueOnEmptyOrError.ERROR
            ),
            "JSON_VALUE(`s`, '$.a' RETURNING INT DEFAULT 1 ON EMPTY ERROR ON ERROR)",
        ),
        (
            col("s").json_query(
                "$.a", JsonQueryWrapper.CONDITIONAL_ARRAY, JsonQueryOnEmptyOrError.EMPTY_ARRAY
            ),
            "JSON_QUERY(`s`, '$.a' RETURNING STRING WITH CONDITIONAL ARRAY WRAPPER "
            "EMPTY ARRAY ON EMPTY NULL ON ERROR)",
        ),
        (
            json_object(JsonOnNull.ABSENT, "n", col("n"), "j", json(col("s"))),
            "JSON_OBJECT(KEY 'n' VALUE `n`, KEY 'j' VALUE JSON(`s`) ABSENT ON NULL)",
        ),
        (json_array(JsonOnNull.NULL, 1, col("n")), "JSON_ARRAY(1, `n` NULL ON NULL)"),
        (json_array_agg(JsonOnNull.ABSENT, col("n")), "JSON_ARRAYAGG(`n` ABSENT ON NULL)"),
        (json_object_agg(JsonOnNull.NULL, col("s"), col("n")), "JSON_OBJECTAGG(`s`: `n` NULL ON NULL)"),
        (lag(col("n")).over(col("w")), "LAG(`n`, 1) OVER `w`"),
        (lead(col("n"), 2, 0).over(col("w")), "LEAD(`n`, 2, 0) OVER `w`"),
        (current_watermark(col("ts")), "CURRENT_WATERMARK(`ts`)"),
        (col("s").overlay("x", 2), "OVERLAY(`s` PLACING 'x' FROM 2)"),
        (col("s").parse_url("QUERY", "k"), "PARSE_URL(`s`, 'QUERY', 'k')"),
        (col("s").regexp_extract_all("a(b)"), "REGEXP_EXTRACT_ALL(`s`, 'a(b)')"),
        (col("s").elt("a", "b").btrim(), "BTRIM(ELT(`s`, 'a', 'b'))"),
        (
            col("l").array_sort(False, True).array_slice(1, 2),
            "ARRAY_SLICE(ARRAY_SORT(`l`, FALSE, TRUE), 1, 2)",
        ),
        (col("m").map_union(col("n")).map_entries, "MAP_ENTRIES(MAP_UNION(`m`, `n`))"),
        (call("my_function", col("a").alias("b"), "x"), "MY_FUNCTION(`a`, 'x')"),
        (call_sql("a+1").alias("b"), "a + 1 AS `b`"),
    ],
)
def test_an_expression_as_sql(expression: Expression[Any], text: str) -> None:
    assert str(expression) == text


@pytest.mark.parametrize(
    ("make", "error", "complaint"),
    [
        (lambda: col(any_value(1)), PlanTypeError, "col takes a str, not 1"),
        (lambda: col("a") + object(), PlanTypeError, r"takes other expressions and values .* not <object"),
        (lambda: lit([1]), PlanTypeError, r"not \[1\]"),
        (lambda: lit(2**63), PlanTypeError, r"9223372036854775808 is out of the range of BIGINT"),
        (lambda: col("a") > 1 and col("b") > 2, PlanTypeError, r"`a` > 1 has no value .* by &, \| and ~"),
        (
            lambda: col("a").cast(any_value("INT")),
            PlanTypeError,
            r"cast takes a DataType such as .* not 'INT'",
        ),
        (lambda: col("a").alias("b", "c"), UnsupportedOperationError, "one column, which takes one name"),
        (
            lambda: col("a").extract(any_value("DAY")),
            PlanTypeError,
            r"extract takes a TimeIntervalUnit .* not 'DAY'",
        ),
        (lambda: map_("a", 1, "b"), PlanError, "map_: the last key has no value"),
        (lambda: json_object(JsonOnNull.NULL, "a"), PlanError, "json_object: the last key has no value"),
        (
            lambda: timestamp_diff(any_value("DAY"), col("a"), col("b")),
            PlanTypeError,
            r"timestamp_diff takes a TimePointUnit .* not 'DAY'",
        ),
        (lambda: call_sql("a +"), SqlError, r"line 1, column \d"),
        (
            lambda: call_sql("a IN (SELECT b FROM t)"),
            SqlError,
            "column 14, at 'b': an expression takes no subquery",
        ),
        (lambda: str(call("cast", 1)), PlanError, "cast is not called by name; write it with call_sql"),
        (lambda: str(col("a").distinct), PlanError, r"distinct belongs to an aggregation .*, not to `a`"),
    ],
)
def test_wrong_expressions_are_refused(
    make: Callable[[], object], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        make()


def relation(table: Table) -> Relation:
    return table._as_relation()


def spark_sql(built: Relation) -> str:
    """Return the SQL that Spark gets, with tables by number and without the names of subqueries."""
    analysed = analyse_query(
        ParsedQuery("test", built.query),
        lambda name: [(column.name, column.data_type) for column in built.tables[name]._columns],
    )
    translated = translate_query(analysed)
    text = translated.text
    for number, name in enumerate(translated.paths):
        text = text.replace(f"{{t{number}}} AS `{name}`", f"t{number}").replace(f"`{name}`", f"t{number}")
    return text.replace("`", "")


def test_methods_on_results_are_one_query(triples: Table) -> None:
    built = relation(triples).filtered("where", col("a") > 1).selected("select", [col("b"), col("a") * 2])
    assert built.columns == ("b", "_c1")
    assert spark_sql(built) == (
        "SELECT _left.b AS b, _left.a * 2 AS _c1 FROM "
        "(SELECT t0.a AS a, t0.b AS b, t0.n AS n FROM t0 WHERE t0.a > 1) AS _left"
    )


def test_groups(triples: Table) -> None:
    built = relation(triples).selected("select", [col("b"), col("a").sum, col("n").max + 1], [col("b")])
    assert spark_sql(built) == (
        "SELECT t0.b AS b, CAST(SUM(t0.a) AS INT) AS EXPR$0, MAX(t0.n) + 1 AS _c2 FROM t0 GROUP BY t0.b"
    )
    named = relation(triples).selected("select", [col("k")], [(col("a") % 2).alias("k"), col("b")])
    assert spark_sql(named) == (
        "SELECT _left.k AS k FROM "
        "(SELECT t0.a AS a, t0.b AS b, t0.n AS n, CAST(t0.a % 2 AS INT) AS k FROM t0) AS _left "
        "GROUP BY _left.k, _left.b"
    )


def test_a_number_as_a_key_is_not_that_of_a_result(triples: Table) -> None:
    built = relation(triples).selected("select", [col("a").sum], [lit(1)])
    assert spark_sql(built).endswith("GROUP BY CAST(1 AS INT)")
    assert spark_sql(relation(triples).ordered([lit(2)])).endswith("ORDER BY CAST(2 AS INT) ASC")


def test_names_of_results(triples: Table) -> None:
    fields = [
        col("a"),
        col("a") + 1,
        col("a").cast(DataTypes.BIGINT()),
        col("r").get("x"),
        col("a").max.alias("m"),
        col("n").min,
        col("a").max,
        col("n").sum0,
        lit(1),
    ]
    rows = Relation(relation(triples).query, relation(triples).tables, ("a", "b", "n", "r"))
    names = rows.selected("select", fields).columns
    assert names == ("a", "_c1", "a-BIGINT", "r$x", "m", "EXPR$1", "EXPR$0", "EXPR$2", "_c8")


@pytest.mark.parametrize(
    ("side", "sql"), [("INNER", "INNER JOIN"), ("LEFT", "LEFT JOIN"), ("FULL", "FULL JOIN")]
)
def test_joins(triples: Table, pairs: Table, side: str, sql: str) -> None:
    joined = relation(triples).joined("join", relation(pairs), side, col("a") == col("x"))
    assert joined.columns == ("a", "b", "n", "x", "y")
    assert f"{sql} (SELECT" in spark_sql(joined)
    assert spark_sql(joined).endswith(".a = _right.x")


def test_parts_of_an_order_belong_to_it(triples: Table) -> None:
    ordered = relation(triples).ordered([col("a").desc, col("n")])
    assert spark_sql(ordered.part(offset=2).part(fetch=3)).endswith(
        "FROM t0 ORDER BY t0.a DESC, t0.n ASC LIMIT 3 OFFSET 2"
    )
    assert spark_sql(ordered.part(fetch=3).part(offset=2)).endswith("LIMIT 3) AS _left OFFSET 2")
    assert is_ordered(ordered.selected("select", [col("a") + 1]).part(fetch=1).query)
    assert is_ordered(ordered.filtered("where", col("a") > 1).query)
    assert not is_ordered(ordered.distinct().query)
    assert not is_ordered(ordered.selected("select", [col("a").sum], [col("b")]).query)


def test_a_subquery_brings_its_tables(triples: Table, pairs: Table) -> None:
    names = pairs.select(col("y"))
    built = relation(triples).filtered("where", col("b").in_(names) & (col("a") > 1))
    assert list(built.tables.values()) == [triples, names]
    assert "IN (SELECT" in spark_sql(built)


def test_columns_are_chosen_and_renamed_without_a_query(triples: Table) -> None:
    chosen = triples.select(col("n"), col("a").alias("x"))
    assert repr(chosen) == "Table(`n` BIGINT, `x` INT)"
    assert chosen._stream is triples._stream
    assert repr(triples.rename_columns(col("a").alias("b"), col("b").alias("a"))) == (
        "Table(`b` INT, `a` STRING, `n` BIGINT)"
    )
    assert repr(triples.drop_columns(col("a"), col("n"))) == "Table(`b` STRING)"


def test_results_keep_their_query_when_columns_are_renamed(triples: Table) -> None:
    results = Table(
        triples._environment, triples._stream, triples._columns, relation(triples).ordered([col("a")])
    )
    renamed = results.alias("x").drop_columns(col("b"))
    assert relation(renamed).columns == ("x", "n")
    assert spark_sql(relation(renamed).part(fetch=1)) == (
        "SELECT _left.x AS x, _left.n AS n FROM (SELECT _left.a AS x, _left.b AS b, _left.n AS n FROM "
        "(SELECT t0.a AS a, t0.b AS b, t0.n AS n FROM t0 ORDER BY t0.a ASC) AS _left) AS _left LIMIT 1"
    )


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        (lambda t, u: t.select(), "select takes at least one expression, such as"),
        (lambda t, u: t.select("a"), r"select takes an Expression such as col\('a'\).*, not 'a'"),
        (lambda t, u: t.select(col("z")), "select: there is no column 'z' among a, b, n, in `z`"),
        (lambda t, u: t.select(col("a") + col("z")), "'z' among a, b, n, in `a` [+] `z`"),
        (lambda t, u: t.select(call_sql("z.f + 1")), "there is no column 'z' among a, b, n"),
        (lambda t, u: t.select(col("a"), col("b").alias("a")), "select: .* two columns of the name 'a'"),
        (lambda t, u: t.select(col("a") + 1, lit(1).alias("_c0")), "two columns of the name '_c0'"),
        (lambda t, u: t.select((col("a") + 1).desc), "select: an order such as .* belongs in order_by"),
        (lambda t, u: t.where(col("z") > 1), "where: there is no column 'z' among a, b, n"),
        (lambda t, u: t.filter(True), "filter takes an Expression such as .*, not True"),
        (lambda t, u: t.group_by(col("z")).select(col("a")), "group_by: there is no column 'z'"),
        (lambda t, u: t.group_by(col("b")).select(col("z")), "select: there is no column 'z'"),
        (lambda t, u: t.group_by(lit(1).alias("a")).select(col("a")), "group_by: .* of the name 'a'"),
        (lambda t, u: t.order_by(col("z").desc), "order_by: there is no column 'z'"),
        (lambda t, u: t.join(t, col("a") == col("a")), "join: both tables have the column 'a', 'b', 'n'"),
        (lambda t, u: t.join(u, col("a") == col("z")), "join: there is no column 'z' among a, b, n, x, y"),
        (lambda t, u: t.join(1), "join takes a Table, not 1"),
        (lambda t, u: t.union(u), "union: the tables have 3 and 2 columns"),
        (lambda t, u: t.minus(t.select(col("a"), col("n"), col("b"))), "minus: column `b` STRING has not"),
        (lambda t, u: t.add_columns(lit(1).alias("a")), "add_columns: .* two columns of the name 'a'"),
        (lambda t, u: t.rename_columns(col("z").alias("y")), "rename_columns: there is no column 'z' among"),
        (
            lambda t, u: t.rename_columns(col("a").alias("b")),
            "rename_columns: .* two columns of the name 'b'",
        ),
        (lambda t, u: t.drop_columns(col("a") + 1), r"drop_columns takes columns such as .*, not `a` \+ 1"),
        (lambda t, u: u.drop_columns(col("x"), col("y")), "drop_columns: no column would be left"),
        (lambda t, u: t.fetch(-1), "fetch must be an int of 0 or more"),
        (lambda t, u: t.select(with_columns(col("z"))), "select: there is no column 'z' among a, b, n"),
        (lambda t, u: t.select(without_columns(col("z"))), "select: there is no column 'z' among a, b, n"),
        (lambda t, u: t.select(with_columns(4)), "no column 4; they are numbered from 1 to 3: a, b, n"),
        (lambda t, u: t.select(with_columns(range_(3, "a"))), "ends at 'a', before it starts at 'n'"),
        (lambda t, u: t.select(with_columns(col("a") + 1)), r"take columns such as .*, not `a` \+ 1"),
        (lambda t, u: t.select(range_(1, 2)), "range_ belongs in with_columns or without_columns"),
        (lambda t, u: t.select(with_columns(1, 2) + 1), "stands for 2 columns, where .* takes one"),
        (lambda t, u: t.filter(with_columns(1, 2)), "filter takes one expression, and .* stands for 2"),
        (lambda t, u: t.join(u, with_columns(1, 2) == col("x")), "join: .* stands for 2 columns, where"),
        (lambda t, u: t.select((col("a") + 1).flatten), "flatten takes a column, or a call of a function"),
        (lambda t, u: t.select(call("plus", 1)), "call: plus takes 2 arguments, not 1"),
        (lambda t, u: t.select(call("in", 1)), "call: in takes two arguments or more, not 1"),
        (lambda t, u: t.select(call("map", 1)), "call: map takes a value after each key, not 1 argument$"),
        (lambda t, u: t.select(call("array")), "call: array takes one argument or more, not 0 arguments"),
        (lambda t, u: t.select(call("row")), "call: row takes one argument or more, not 0 arguments"),
        (lambda t, u: t.select(col("b").get(-1)), "get must be an int of 0 or more"),
    ],
)
def test_wrong_methods_are_refused(
    triples: Table, pairs: Table, method: Callable[[Table, Table], object], complaint: str
) -> None:
    with pytest.raises((PlanError, ConfigurationError), match=complaint):
        method(triples, pairs)


def test_tables_of_different_environments_are_refused(
    triples: Table, env: StreamExecutionEnvironment
) -> None:
    other = StreamTableEnvironment.create(env).from_data_stream(env.from_collection([(1, "q")], PAIR))
    with pytest.raises(PlanError, match="union: the tables belong to different environments"):
        triples.union(other)


def test_fields_of_a_stream_by_expressions(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    stream = env.from_collection([(1, "p", 2)], TRIPLE)
    assert repr(t_env.from_data_stream(stream, col("n"), col("a"))) == "Table(`n` BIGINT, `a` INT)"
    renamed = t_env.from_data_stream(stream, col("n"), col("a").alias("b"))
    assert repr(renamed) == "Table(`n` BIGINT, `b` INT)"
    assert repr(t_env.from_data_stream(stream, col("x"), col("y"))) == "Table(`x` INT, `y` STRING)"
    t_env.create_temporary_view("view", stream, col("b").alias("c"))
    assert repr(t_env.from_path("view")) == "Table(`c` STRING)"


def test_times_among_fields_of_a_stream(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    stream = env.from_collection([(1, "p", 2)], TRIPLE)
    table = t_env.from_data_stream(stream, col("n").rowtime, col("b"), col("p").proctime)
    assert repr(table) == "Table(`n` TIMESTAMP(3), `b` STRING, `p` TIMESTAMP_LTZ(3) NOT NULL)"
    with pytest.raises(PlanError, match=r"select: .* is a property of a window, which is given by its name"):
        t_env.from_data_stream(stream).select(col("n").rowtime)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ((col("a"), "b"), r"takes either names or expressions .*, not 'b'"),
        ((col("z").alias("y"),), "there is no field 'z' among a, b, n"),
        ((col("a") + 1,), r"`a` \+ 1 is no field"),
        ((col("a"), col("n").alias("a")), "two columns of the name 'a'"),
        ((col("a"), col("z")), "there is no field 'z' among a, b, n"),
        (
            (col("b").rowtime, col("n")),
            r"col\('b'\).rowtime is in the place of the field `b` STRING, .* no time",
        ),
        ((col("n"), col("a").rowtime.alias("n")), "two columns of the name 'n'"),
        ((col("n"), col("x").rowtime.alias("t")), r"chooses no field .*; write col\('t'\).rowtime"),
        ((col("x"), col("p").proctime), r"in the place of the field 'b', but the time of the clock is a new"),
        (
            (col("a"), col("n").rowtime, col("t").rowtime),
            r"col\('n'\).rowtime and col\('t'\).rowtime are the same time",
        ),
    ],
)
def test_wrong_fields_of_a_stream_are_refused(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, fields: tuple[Any, ...], complaint: str
) -> None:
    with pytest.raises(PlanError, match=f"from_data_stream.*{complaint}"):
        t_env.from_data_stream(env.from_collection([(1, "p", 2)], TRIPLE), *fields)


def test_the_modules_have_the_names_of_flink() -> None:
    assert pystream.table.expression.Expression is Expression
    with pytest.raises(TypeError):
        hash(col("a"))
    assert pickle.loads(pickle.dumps(TimeIntervalUnit.DAY)) is TimeIntervalUnit.DAY


def test_decimals_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(PlanTypeError, match=r"Decimal\('NaN'\) is no DECIMAL; give a float"):
        lit(Decimal("NaN"))
