"""What wrong queries are refused with: the place in the text, and what is wrong there."""

from __future__ import annotations

import pytest

from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import PyStreamError, SqlError
from pystream.table import Schema, StreamTableEnvironment

ORDERS = Types.ROW_NAMED(
    ["id", "customer", "amount", "ts"], [Types.INT(), Types.STRING(), Types.INT(), Types.SQL_TIMESTAMP()]
)
WINDOW = "SELECT * FROM TABLE({}(TABLE orders, DESCRIPTOR(ts), {}))"

# query, place, message; the place is the column that is marked, or 0 if none is known
WRONG = [
    ("SELECT * FROM missing", 15, "there is no table or view of the name 'missing'; there are: orders"),
    ("SELECT missing FROM orders", 8, "there is no column 'missing' among id, customer, amount, ts"),
    ("SELECT o.missing FROM orders o", 10, "there is no column 'missing' among id, customer, amount, ts"),
    ("SELECT id FROM orders ORDER BY missing", 32, "there is no column 'missing'"),
    ("SELECT x.id FROM orders o", 8, "there is no table 'x' here; there are: o"),
    (
        "SELECT id FROM orders a JOIN orders b ON a.id = b.id",
        8,
        "the column 'id' is ambiguous: it is in a and b",
    ),
    ("SELECT MY_FUNCTION(id) FROM orders", 8, "there is no function MY_FUNCTION, or it is not supported"),
    ("SELECT id + ts FROM orders", 8, 'incompatible types ("INT" and "TIMESTAMP_NTZ")'),
    ("SELECT id FROM orders WHERE amount", 29, "is not a boolean"),
    ("SELECT id AND TRUE FROM orders", 8, 'incompatible types ("INT" and "BOOLEAN")'),
    ("SELECT SUM(customer) FROM orders", 8, "SUM takes numbers, not text"),
    (
        "SELECT customer, SUM(amount) FROM orders",
        8,
        "customer must be in GROUP BY or in an aggregate function",
    ),
    ("SELECT amount, COUNT(*) FROM orders GROUP BY customer", 8, "not participating in the GROUP BY clause"),
    ("SELECT SUM(SUM(amount)) FROM orders", 12, "aggregate function in the argument of another"),
    ("SELECT id FROM orders WHERE SUM(amount) > 1", 29, "WHERE takes no aggregate functions; use HAVING"),
    ("SELECT id FROM orders GROUP BY", 8, "GROUP BY takes expressions"),
    ("SELECT ROW_NUMBER() FROM orders", 8, "requires an OVER clause"),
    ("SELECT EXTRACT(FORTNIGHT FROM ts) FROM orders", 8, "TIMESTAMP(6) has no FORTNIGHT"),
    ("SELECT FLOOR(ts TO DOW) FROM orders", 8, "TIMESTAMP(6) is not rounded to DOW"),
    ("SELECT CAST('25:00:00' AS TIME) FROM orders", 13, "'25:00:00' is not a TIME such as 12:30:45"),
    ("SELECT CAST(id AS WIBBLE) FROM orders", 19, "Expected TYPE"),
    (WINDOW.format("TUMBLE", "10"), 21, "10 is not an interval of weeks or less"),
    (WINDOW.format("TUMBLE", "INTERVAL '1' MONTH"), 21, "is not an interval of weeks or less"),
    (WINDOW.format("TUMBLE", "INTERVAL '0' SECOND"), 21, "TUMBLE needs a size greater than zero"),
    (
        WINDOW.format("TUMBLE", "SIZ => INTERVAL '5' MINUTE"),
        21,
        "TUMBLE has no argument SIZ, only DATA, TIMECOL, SIZE, OFFSET",
    ),
    (WINDOW.format("HOP", "INTERVAL '5' MINUTE"), 21, "HOP takes TABLE t, DESCRIPTOR(time), SLIDE, SIZE"),
    (
        WINDOW.format("HOP", "INTERVAL '10' MINUTE, INTERVAL '5' MINUTE"),
        21,
        "HOP needs a slide greater than zero and not above the size",
    ),
    (
        WINDOW.format("CUMULATE", "INTERVAL '3' MINUTE, INTERVAL '10' MINUTE"),
        21,
        "CUMULATE needs a size that is a multiple of the step",
    ),
    (
        "SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(amount), INTERVAL '1' MINUTE))",
        53,
        "a window needs a column of TIMESTAMP or TIMESTAMP_LTZ, not INT",
    ),
    (
        "SELECT COUNT(*) FROM orders GROUP BY TUMBLE(ts)",
        38,
        "TUMBLE in GROUP BY takes a column of times and intervals: TUMBLE(time, size)",
    ),
    (
        "SELECT * FROM orders MATCH_RECOGNIZE (MEASURES A.id AS x PATTERN (A B) DEFINE B AS TRUE)",
        39,
        "MATCH_RECOGNIZE needs ORDER BY, with the time of the rows first",
    ),
    (
        "SELECT * FROM orders FOR SYSTEM_TIME AS OF ts",
        15,
        "FOR SYSTEM_TIME AS OF is of the right side of a join",
    ),
    ("SELECT * FROM orders /*+ OPTIONS('a') */", 15, "the hint of a table is OPTIONS, with keys and values"),
    ("SELECT * FROM orders /*+ OPTION('a' = 'b') */ AS o", 15, "the hint of a table is OPTIONS"),
    ("SELECT * FROM orders TABLESAMPLE (10 PERCENT)", 35, "TABLESAMPLE is not supported"),
    ("SELECT o.id FROM orders o LEFT SEMI JOIN orders p ON o.id = p.id", 42, "use IN or EXISTS"),
    ("INSERT OVERWRITE orders SELECT * FROM orders", 0, "'orders' is a view, which cannot be written to"),
    ("SELECT id FROM orders UNION SELECT id, amount FROM orders", 0, "the same number of columns"),
    ("SELEC id FROM orders", 1, "This is not a statement"),
]


@pytest.mark.spark_only("Spark tells what is wrong in other words")
def test_a_wrong_query_is_refused_with_its_place(env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("orders", env.from_collection([], ORDERS))
    for query, column, message in WRONG:
        with pytest.raises(PyStreamError) as failure:
            t_env.execute_sql(query)
        text = str(failure.value)
        assert message in text, query
        if column:
            assert text.startswith(f"line 1, column {column}, at "), (query, text)
            assert text.endswith(f"\n  {query}\n  {' ' * (column - 1)}^"), (query, text)


# declaration, expression, place in it, message
WRONG_COLUMNS = [
    (
        "size AS customer + missing",
        "customer + missing",
        12,
        "there is no column 'missing' among id, customer",
    ),
    ("size AS MY_FUNCTION( id )", "MY_FUNCTION( id )", 1, "there is no function MY_FUNCTION"),
    ("size AS amount  AND TRUE", "amount  AND TRUE", 1, 'incompatible types ("INT" and "BOOLEAN")'),
    ("size AS (SELECT 1 FROM nowhere)", "(SELECT 1 FROM nowhere)", 16, "there is no table or view"),
]
TABLE = "CREATE TABLE orders (id INT, fine AS id + 1, {}, customer STRING, amount INT) {}"
DATAGEN = "WITH ('connector' = 'datagen', 'number-of-rows' = '1')"


@pytest.mark.spark_only("Spark tells what is wrong in other words")
def test_a_wrong_computed_column_is_refused_with_its_place(env: StreamExecutionEnvironment) -> None:
    for declaration, expression, column, message in WRONG_COLUMNS:
        t_env = StreamTableEnvironment.create(env)
        t_env.execute_sql(TABLE.format(declaration, DATAGEN))
        with pytest.raises(SqlError) as failure:
            t_env.from_path("orders")
        text = str(failure.value)
        assert message in text, declaration
        assert text.startswith(f"computed column `size` AS {expression}: line 1, column {column}, at '"), text
        assert text.endswith(f"\n  {expression}\n  {' ' * (column - 1)}^"), text


def test_a_wrong_computed_column_of_a_schema_is_refused_with_its_place(
    env: StreamExecutionEnvironment,
) -> None:
    t_env = StreamTableEnvironment.create(env)
    schema = Schema.new_builder().column_by_expression("a`b", "id +").build()
    with pytest.raises(SqlError, match=r"^computed column `a``b` AS id \+: line 1, column 4, at '\+'"):
        t_env.from_data_stream(env.from_collection([], ORDERS), schema)
