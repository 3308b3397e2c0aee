"""Names and numbers in clauses of queries, as Flink takes them."""

from __future__ import annotations

import pytest
from sqlglot import exp

from pystream.errors import SqlError
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.sql.analysis import analyse_query
from pystream.table.sql.dialect import Flink
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.parser import parse_query
from pystream.table.sql.queries import translate_query
from pystream.testing import local_environment

COLUMNS = [("shop", DataTypes.STRING()), ("item", DataTypes.STRING()), ("amount", DataTypes.INT())]


@pytest.mark.parametrize(
    ("query", "place", "complaint"),
    [
        ("SELECT shop, COUNT(*) FROM t GROUP BY 1", "1", "1 in GROUP BY is a number, not the column at that"),
        ("SELECT shop, item FROM t GROUP BY shop, 2", "2", "2 in GROUP BY is a number"),
        ("SELECT UPPER(shop) AS k, COUNT(*) FROM t GROUP BY k", "k", "'k' is the name of a result"),
        (
            "SELECT shop, COUNT(*) AS n FROM t GROUP BY shop HAVING n > 1",
            "n > 1",
            "'n' is the name of a result",
        ),
        ("SELECT shop AS s FROM t WHERE s = 'a'", "s = 'a'", "'s' is the name of a result"),
        ("SELECT amount + 1 AS n, n * 2 AS m FROM t", "n * 2", "'n' is the name of a result"),
    ],
)
def test_a_result_is_not_named_where_flink_does_not_know_it(query: str, place: str, complaint: str) -> None:
    with pytest.raises(SqlError) as failure:
        analyse_query(parse_query(query), lambda _: COLUMNS)
    text = str(failure.value)
    assert complaint in text
    assert text.startswith(f"line 1, column {query.rindex(place) + 1}, at ")


@pytest.mark.parametrize(("query", "column"), [("SELECT shop", 8), ("VALUES (shop)", 9)])
def test_a_column_needs_a_table(query: str, column: int) -> None:
    with pytest.raises(SqlError, match="no column 'shop' here; add a table with one to FROM") as failure:
        analyse_query(parse_query(query), lambda _: COLUMNS)
    assert str(failure.value).startswith(f"line 1, column {column}, at 'shop'")


def test_an_interval_needs_a_unit() -> None:
    with pytest.raises(SqlError, match=r"column 37, .*INTERVAL needs a unit, as in INTERVAL '1' DAY"):
        analyse_query(parse_query("SELECT DATE '2020-01-01' + INTERVAL '1' FROM t"), lambda _: COLUMNS)


@pytest.mark.parametrize("text", ["25:00:00", "noon", "23:59:59.9995"])
def test_a_literal_must_be_a_time_of_day_to_be_cast_to_one(text: str) -> None:
    with pytest.raises(SqlError, match=f"column 13, .*'{text}' is not a TIME such as 12:30:45"):
        analyse_query(parse_query(f"SELECT CAST('{text}' AS TIME(3)) FROM t"), lambda _: COLUMNS)
    analyse_query(parse_query(f"SELECT TRY_CAST('{text}' AS TIME(3)) FROM t"), lambda _: COLUMNS)


@pytest.mark.parametrize(
    ("query", "column"), [("SELECT FROM FROM t", 18), ("SELECT 1 FROM t AS a JOIN FROM t ON TRUE", 32)]
)
def test_a_query_in_from_needs_parentheses(query: str, column: int) -> None:
    with pytest.raises(SqlError, match="FROM takes a table, or a query in parentheses") as failure:
        analyse_query(parse_query(query), lambda _: COLUMNS)
    assert str(failure.value).startswith(f"line 1, column {column}, at 't'")


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("ARRAY[amount]", "not arrays"),
        ("CAST(NULL AS MAP<INT, INT>)", "not maps"),
        ("CAST(NULL AS ROW<a INT>)", "not rows"),
    ],
)
def test_values_without_an_order_have_no_extremes(value: str, complaint: str) -> None:
    for function in ("MIN", "MAX"):
        with pytest.raises(SqlError, match=f"{function} takes values in an order, {complaint}"):
            analyse_query(parse_query(f"SELECT {function}({value}) FROM t"), lambda _: COLUMNS)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT shop AS s, COUNT(*) AS n FROM t GROUP BY shop ORDER BY s, n DESC",
        "SELECT item AS shop, COUNT(*) AS n FROM t GROUP BY item, shop",  # the column, not the result
        "SELECT s FROM (SELECT shop AS s FROM t) WHERE s = 'a' GROUP BY s",
        "SELECT amount AS n FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE amount > 2)",
        "SELECT amount AS n, SUM(amount) OVER (PARTITION BY shop ORDER BY amount) AS s FROM t",
        "SELECT COUNT(*) FROM t GROUP BY 'a'",
    ],
)
def test_names_that_flink_knows(query: str) -> None:
    analyse_query(parse_query(query), lambda _: COLUMNS)


@pytest.mark.parametrize(
    ("query", "place", "complaint"),
    [
        ("SELECT shop, shop FROM t ORDER BY shop", "shop", "2 columns of the query have the name 'shop'"),
        (
            "SELECT *, item AS shop FROM t ORDER BY shop",
            "shop",
            "2 columns of the query have the name 'shop'",
        ),
        (
            "SELECT *, amount FROM t ORDER BY -amount",
            "amount",
            "2 columns of the query have the name 'amount'",
        ),
        (
            "SELECT * FROM t ORDER BY 4",
            "4",
            "4 in ORDER BY is no number of a column: the query has 3 columns",
        ),
        ("SELECT t.*, 1 AS x FROM t ORDER BY 5", "5", "the query has 4 columns, numbered from 1 on"),
        (
            "SELECT shop FROM t ORDER BY 9999999999999999999",
            "9999999999999999999",
            "is no number of a column",
        ),
        ("SELECT shop FROM t AS s(shop)", "s(", "the list has 1 name, and the table 3 columns: shop, item"),
        ("WITH x(a, a, b) AS (SELECT * FROM t) SELECT 1 FROM x", "x", "the list names two columns 'a'"),
        (
            "WITH x AS (SELECT shop FROM t), x AS (SELECT item FROM t) SELECT item FROM x",
            "x AS (SELECT item",
            "WITH has two queries of the name 'x'",
        ),
        ("WITH x(a, b, c) AS (SELECT * FROM t) SELECT shop FROM x", "shop", "no column 'shop' among a, b, c"),
        ("SELECT r.a FROM t", "r.a", "there is no table 'r' here; there are: t"),
        ("SELECT shop.a FROM t, t AS u", "shop.a", "the column 'shop' is ambiguous: it is in t and u"),
        (
            "SELECT shop FROM t QUALIFY amount > 1",
            "amount",
            "QUALIFY takes a condition on functions with OVER",
        ),
        (
            "SELECT SUM(RANK() OVER (ORDER BY shop)) OVER () AS s FROM t",
            "RANK",
            "a function with OVER takes no others; select them in a subquery",
        ),
        (
            "SELECT LAG(amount, 1, TRUE) OVER (ORDER BY shop) AS l FROM t",
            "LAG(",
            "the default of LAG is of the type BOOLEAN, not INT; CAST it",
        ),
    ],
)
def test_a_wrong_name_or_number_is_refused_with_its_place(query: str, place: str, complaint: str) -> None:
    with pytest.raises(SqlError) as failure:
        analyse_query(parse_query(query), lambda _: COLUMNS)
    text = str(failure.value)
    assert complaint in text
    assert text.startswith(f"line 1, column {query.rindex(place) + 1}, at "), text


@pytest.mark.parametrize(
    ("query", "column", "complaint"),
    [
        ("SELECT t.s.x FROM t", 10, "STRING has no fields"),
        ("SELECT s FROM t WHERE t.r.z > 1", 25, "ROW<`a` BIGINT> has no field 'z'"),
        ("SELECT MAX(t.r.z) FROM t", 14, "ROW<`a` BIGINT> has no field 'z'"),
        ("SELECT n[1] FROM t", 8, "BIGINT has no elements"),
    ],
)
def test_a_part_that_no_value_has_is_refused_with_its_place(query: str, column: int, complaint: str) -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    row = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.BIGINT())])
    columns = {"n": DataTypes.BIGINT(), "s": DataTypes.STRING(), "r": row}
    fields = [DataTypes.FIELD(name, data_type) for name, data_type in columns.items()]
    t_env.create_temporary_view("t", t_env.from_elements([(1, "a", (1,))], DataTypes.ROW(fields)))
    with pytest.raises(SqlError) as failure:
        t_env.sql_query(query)
    first = str(failure.value).splitlines()[0]
    assert first.startswith(f"line 1, column {column}, at ")
    assert first.endswith(complaint)  # with no advice to run it on Spark


def test_a_table_with_braces_in_its_name_is_shown_in_plans() -> None:
    query = exp.select("shop").from_(exp.to_table("`_table_0`", dialect=Flink))
    analysed = analyse_query(ParsedQuery("", query), lambda _: COLUMNS)
    assert translate_query(analysed).shown(["a{b}"]).startswith("SELECT `a{b}`.shop FROM a{b}")
