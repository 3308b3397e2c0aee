"""Functions of the program in queries, which Spark's Python workers call."""

from __future__ import annotations

import datetime
import logging
import re
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from pystream.common import Configuration, Row, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import JobExecutionError, PlanTypeError, SqlError
from pystream.table import FunctionContext, ScalarFunction, StreamTableEnvironment
from pystream.table.expressions import col
from pystream.table.udf import udf

POINT = Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.STRING()])
VALUES: dict[str, tuple[str, Any, Any]] = {
    "a_boolean": ("BOOLEAN", Types.BOOLEAN(), True),
    "an_int": ("INT", Types.INT(), 3),
    "a_bigint": ("BIGINT", Types.LONG(), 2**40),
    "a_double": ("DOUBLE", Types.DOUBLE(), 0.5),
    "a_string": ("STRING", Types.STRING(), "näh"),
    "bytes_": ("BYTES", Types.PRIMITIVE_ARRAY(Types.BYTE()), b"\x00\xff"),
    "a_decimal": ("DECIMAL(38, 18)", Types.BIG_DEC(), Decimal("1.5")),
    "a_date": ("DATE", Types.SQL_DATE(), datetime.date(2020, 2, 29)),
    "a_time": ("TIME(6)", Types.SQL_TIME(), datetime.time(1, 2, 3, 4)),
    "a_timestamp": ("TIMESTAMP(6)", Types.SQL_TIMESTAMP(), datetime.datetime(2020, 2, 29, 1, 2, 3, 4)),
    "a_list": ("ARRAY<INT>", Types.LIST(Types.INT()), [1, 2]),
    "a_dict": ("MAP<STRING, INT>", Types.MAP(Types.STRING(), Types.INT()), {"a": 1}),
    "a_row": ("ROW<x INT, y STRING>", POINT, Row(x=1, y="q")),
}


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(env)
    row = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])
    words = env.from_collection([("to", 1), (None, 2), ("tea", 3)], row)
    t_env.create_temporary_view("words", words)
    return t_env


def rows(t_env: StreamTableEnvironment, query: str) -> list[tuple[Any, ...]]:
    with t_env.sql_query(query).execute().collect() as results:
        return [tuple(result) for result in results]


@udf
def length(text: str | None) -> int:
    return -1 if text is None else len(text)


def test_functions_are_called_anywhere_in_a_query_and_with_nulls(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("len_", length)
    t_env.create_temporary_function("seven", udf(lambda: 7, result_type="INT"))
    assert rows(
        t_env, "SELECT word, LEN_(word) / 2, seven() FROM words WHERE len_(word) <> 2 ORDER BY n"
    ) == [
        (None, 0, 7),
        ("tea", 1, 7),
    ]
    grouped = "SELECT len_(word) AS l, SUM(len_(word)) AS s FROM words GROUP BY len_(word) ORDER BY l"
    assert rows(t_env, grouped) == [(-1, -1), (2, 2), (3, 3)]
    nested = "SELECT len_(CAST(len_(word) AS STRING)) AS l FROM words ORDER BY n"
    assert rows(t_env, nested) == [(1,), (2,), (1,)]


def test_values_of_every_type_arrive_as_in_streams(env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    _, types, values = zip(*VALUES.values(), strict=True)
    row = Types.ROW_NAMED(list(VALUES), list(types))
    nothing = Row(*(None for _ in VALUES))
    t_env.create_temporary_view("t", env.from_collection([Row(*values), nothing], row))
    for name, (kind, _, _) in VALUES.items():
        t_env.create_temporary_function(f"same_{name}", udf(lambda value: value, result_type=kind))
        t_env.create_temporary_function(f"text_{name}", udf(repr, result_type="STRING"))
    same = rows(t_env, f"SELECT {', '.join(f'same_{name}({name}) AS {name}' for name in VALUES)} FROM t")
    assert same == [values, tuple(nothing)]
    texts = rows(t_env, f"SELECT {', '.join(f'text_{name}({name}) AS {name}' for name in VALUES)} FROM t")
    expected = [repr(value) for value in values]
    expected[list(VALUES).index("a_decimal")] = "Decimal('1.500000000000000000')"
    assert texts == [tuple(expected), ("None",) * len(VALUES)]


def test_decimals_and_times_have_the_digits_of_the_declared_type(t_env: StreamTableEnvironment) -> None:
    time = datetime.time(1, 2, 3, 123456)
    t_env.create_temporary_function("price", udf(lambda n: Decimal("0.125") * n, result_type="DECIMAL(6, 2)"))
    t_env.create_temporary_function("time_", udf(lambda n: [time], result_type="ARRAY<TIME(3)>"))
    table = t_env.sql_query("SELECT price(n) AS p FROM words WHERE n = 1")
    assert [str(column) for column in table._columns] == ["`p` DECIMAL(6, 2)"]
    found = rows(t_env, "SELECT price(n) AS p, time_(n) AS t FROM words WHERE n = 1")
    assert found == [(Decimal("0.13"), [time.replace(microsecond=123000)])]


def test_arguments_are_converted_to_declared_types(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("text", udf(lambda x: x + "!", "STRING", "STRING"))
    assert rows(t_env, "SELECT text(n) AS t FROM words ORDER BY n") == [("1!",), ("2!",), ("3!",)]


@udf(func_type="pandas", result_type="BIGINT")
def total(one: pd.Series[int], other: pd.Series[int]) -> pd.Series[int]:
    return one + other


def test_pandas_functions_take_columns(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("total", total)
    t_env.create_temporary_function("len_", udf(lambda s: s.str.len(), result_type="INT", func_type="pandas"))
    t_env.create_temporary_function("short", udf(lambda s: s[:1], result_type="INT", func_type="pandas"))
    query = "SELECT total(n, n * 2) AS t, len_(word) AS l FROM words ORDER BY n"
    assert rows(t_env, query) == [(3, 2), (6, None), (9, 3)]
    with pytest.raises(JobExecutionError, match=r"function 'short' .*got 3 elements and returned 1 results"):
        rows(t_env, "SELECT short(n) AS s FROM words")


class Counting(ScalarFunction):
    def __init__(self, place: Path) -> None:
        self.place = place

    def open(self, function_context: FunctionContext) -> None:
        self.called = 0
        self.log(f"open {function_context.get_task_name()} {function_context.get_job_parameter('k', '-')}")

    def eval(self, number: int) -> int:
        self.called += 1
        return self.called * number

    def close(self) -> None:
        self.log(f"close after {self.called}")

    def log(self, line: str) -> None:
        with self.place.open("a") as file:
            file.write(f"{line}\n")


def test_an_object_is_opened_and_closed_once_per_task(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    env.get_config().set_global_job_parameters({"k": "v"})
    t_env.create_temporary_function("counting", udf(Counting(tmp_path / "log")))
    batch = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = str(spark.conf.get(batch))
    spark.conf.set(batch, "2")
    try:
        assert rows(t_env, "SELECT counting(1) AS c FROM words") == [(1,), (2,), (3,)]
    finally:
        spark.conf.set(batch, before)
    assert (tmp_path / "log").read_text() == "open counting v\nclose after 3\n"


def divided(number: int, by: int) -> int:
    return number // by


def test_an_error_names_the_function_its_arguments_and_the_line(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("quotient", udf(divided))
    with pytest.raises(JobExecutionError) as raised:
        rows(t_env, "SELECT quotient(n, 2 - n) AS q FROM words")
    message = str(raised.value)
    found = r"function 'quotient' \(divided at .*test_sql_functions.py:\d+\) failed: ZeroDivisionError: .*\n"
    assert re.search(rf"{found}  element: \(2, 0\)\n", message)
    assert "return number // by" in message
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (udf(lambda n: "x", result_type="INT"), r"'x' \(str\) is not an INT.*\n  element: 1\n  result: 'x'"),
        (udf(lambda n: None, result_type="INT NOT NULL"), r"None.*\n  element: 1\n  result: None"),
        (udf(lambda n: n.astype(str), result_type="INT", func_type="pandas"), "'1'|dtype"),
    ],
)
def test_a_result_of_another_type_fails_the_job(
    t_env: StreamTableEnvironment, function: Any, fault: str
) -> None:
    t_env.create_temporary_function("wrong", function)
    with pytest.raises(JobExecutionError, match=rf"function 'wrong' \(lambda at .*failed: .*({fault})"):
        rows(t_env, "SELECT wrong(n) AS w FROM words")


def test_queries_keep_the_functions_that_they_were_made_with(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, spark: SparkSession
) -> None:
    t_env.create_temporary_function("f", udf(lambda n: n, result_type="INT"))
    first = t_env.sql_query("SELECT f(n) AS a FROM words WHERE n = 3")
    assert t_env.drop_temporary_function("f")
    with pytest.raises(SqlError, match="there is no function F"):
        t_env.sql_query("SELECT f(n) AS a FROM words")
    t_env.create_temporary_function("f", udf(lambda n: -n, result_type="INT"))
    t_env.create_temporary_view("first", first)
    assert rows(t_env, "SELECT a, f(a) AS b FROM first") == [(3, -3)]
    assert spark.sql("SHOW USER FUNCTIONS").collect() == []


def test_files_of_the_program_are_importable(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "helpers_of_sql.py").write_text(
        "loaded = []\ndef count():\n    loaded.append(1)\n    return len(loaded)"
    )
    env.add_python_file(str(tmp_path / "helpers_of_sql.py"))

    def count(n: int) -> int:
        import helpers_of_sql  # type: ignore[import-not-found]

        return int(helpers_of_sql.count())

    t_env.create_temporary_function("count_", udf(count))
    assert rows(t_env, "SELECT count_(n) AS c FROM words") == [(1,), (2,), (3,)]


def test_log_records_reach_the_driver(
    t_env: StreamTableEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    def logged(n: int) -> int:
        logging.getLogger("mine").warning("got %d", n)
        return n

    t_env.create_temporary_function("logged", udf(logged))
    assert rows(t_env, "SELECT logged(n) AS n FROM words WHERE n = 2") == [(2,)]
    assert "[logged] got 2" in caplog.text


def test_results_become_a_data_frame(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("len_", length)
    table = t_env.sql_query("SELECT len_(word) AS l FROM words ORDER BY n")
    assert t_env.to_data_stream(table).to_data_frame().toPandas()["l"].tolist() == [2, -1, 3]


def test_functions_of_expressions_need_no_name(t_env: StreamTableEnvironment) -> None:
    @udf
    def more(text: str | None, count: int) -> str:
        return (text or "") * count

    words = t_env.from_path("words")
    chosen = words.where(length(col("word")) > 1).select(more(more(col("word"), 2), 2).alias("w"), col("n"))
    with chosen.order_by(col("n")).execute().collect() as results:
        assert [tuple(row) for row in results] == [("to" * 4, 1), ("tea" * 4, 3)]
    grouped = words.group_by(length(col("word")).alias("size")).select(col("size"), col("n").sum.alias("n"))
    with grouped.execute().collect() as results:
        assert sorted(tuple(row) for row in results) == [(-1, 2), (2, 1), (3, 3)]
    lengths = length(col("word"))
    same = words.group_by(lengths).select(length(col("word")).alias("size"), col("n").max.alias("n"))
    with same.execute().collect() as results:
        assert sorted(tuple(row) for row in results) == [(-1, 2), (2, 1), (3, 3)]
    with pytest.raises(SqlError, match=r"more.* cannot be called with 1 arguments"):
        words.select(more(col("word")))
    with pytest.raises(PlanTypeError, match="more: arguments in expressions are passed by position"):
        more("a", count=col("n"))  # type: ignore[arg-type]
    assert more("ab", 2) == "abab"


def halved(n: int | None) -> float | None:
    return None if n is None else n / 2


def clamped(n: int) -> int:
    return max(-100, min(n, 100))


def graded(x: float) -> str:
    if x != x:
        return "none"
    return "high" if x > 1.5 else 'it\'s \\ "low"'


class Adding(ScalarFunction):
    def __init__(self, number: int) -> None:
        self.number = number

    def eval(self, n: int) -> int:
        return n + self.number


LIFTED: dict[str, tuple[Any, str]] = {
    "floor_division": (udf(lambda n: n // 3, result_type="BIGINT"), "n"),
    "remainder": (udf(lambda n: n % -7, result_type="BIGINT"), "n"),
    "in_half": (udf(halved), "NULLIF(n, 0)"),
    "clamped": (udf(clamped), "n"),
    "sum_of_three": (udf(lambda a, b, c: a + b - c, result_type="DOUBLE"), "n, x, x"),
    "graded": (udf(graded), "x"),
    "templated": (udf(lambda s: f"${{{s}}}", result_type="STRING"), "s"),
    "scaled": (udf(lambda x: -x * 2.5e-3 + 1, result_type="DOUBLE"), "x"),
    "is_positive": (udf(lambda n: n > 0, result_type="BOOLEAN"), "n"),
    "is_null": (udf(lambda n: n is None, result_type="BOOLEAN"), "maybe"),
    "joined": (udf(lambda a, b: f"{a}-{b}", result_type="STRING"), "s, s"),
    "length_or_none": (udf(lambda s: len(s) if s else None, result_type="INT"), "s"),
    "stripped": (udf(lambda s: s.strip(" '").startswith("ä"), result_type="BOOLEAN"), "s"),
    "converted": (udf(lambda n: n + 1, "BIGINT", "BIGINT"), "CAST(n AS STRING)"),
    "added": (udf(Adding(5)), "n"),
    "nothing": (udf(lambda s: None, result_type="STRING"), "s"),
}
ARGUMENTS = Types.ROW_NAMED(
    ["n", "maybe", "x", "s"], [Types.INT(), Types.LONG(), Types.DOUBLE(), Types.STRING()]
)
VALUES_OF_ARGUMENTS = [
    (0, None, 0.0, ""),
    (-7, 7, -0.0, "ä b' "),
    (2**31 - 1, -(2**63), float("inf"), "🙂'\\"),
    (-(2**31), 2**63 - 1, float("nan"), "a\nb"),
    (5, 1, 1e300, " ä"),
]


def with_lifting(*, lifting: bool) -> StreamTableEnvironment:
    configuration = Configuration()
    configuration.set_string("pystream.lifting", str(lifting).lower())
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_view("t", env.from_collection(VALUES_OF_ARGUMENTS, ARGUMENTS))
    for name, (function, _) in LIFTED.items():
        t_env.create_temporary_function(name, function)
    return t_env


def spark_plan(t_env: StreamTableEnvironment, query: str) -> str:
    frame = t_env.to_data_stream(t_env.sql_query(query)).to_data_frame()
    return str(frame._jdf.queryExecution().optimizedPlan())


def called(names: Iterable[str]) -> str:
    return f"SELECT {', '.join(f'{name}({LIFTED[name][1]}) AS {name}' for name in names)} FROM t"


def test_lifted_functions_have_the_results_of_python(
    spark: SparkSession, caplog: pytest.LogCaptureFixture
) -> None:
    query = called(LIFTED)
    native, python = with_lifting(lifting=True), with_lifting(lifting=False)
    assert list(map(repr, rows(native, query))) == list(map(repr, rows(python, query)))
    assert "restarts in Python" not in caplog.text
    assert " in Python: it " not in native.sql_query(query).explain()


def test_lifted_functions_leave_no_python_in_the_plan_of_spark(spark: SparkSession) -> None:
    exact = [name for name in LIFTED if name != "templated"]  # Spark substitutes variables in its text
    assert "EvalPython" not in spark_plan(with_lifting(lifting=True), called(exact))
    assert "EvalPython" in spark_plan(with_lifting(lifting=False), called(exact))
    query = (
        "SELECT clamped(n) AS k, SUM(added(n)) AS s FROM t WHERE is_positive(n) GROUP BY clamped(n) "
        "HAVING clamped(n) > 4 AND SUM(clamped(n)) > 1 ORDER BY k"
    )
    assert "EvalPython" not in spark_plan(with_lifting(lifting=True), query)
    assert rows(with_lifting(lifting=True), query) == [(5, 10), (100, 2**31 + 4)]


@pytest.mark.parametrize(
    ("function", "arguments", "fault"),
    [
        (udf(lambda n: n + 1, result_type="INT"), "n", r"2147483648 does not fit INT"),
        (udf(lambda n: n * 2, result_type="BIGINT"), "maybe", r"NoneType"),
        (udf(lambda n: 1 // n, result_type="BIGINT"), "n", r"ZeroDivisionError"),
        (udf(lambda s: s or None, result_type="STRING NOT NULL"), "s", r"None"),
    ],
)
def test_what_fails_fails_as_in_python(
    spark: SparkSession, caplog: pytest.LogCaptureFixture, function: Any, arguments: str, fault: str
) -> None:
    t_env = with_lifting(lifting=True)
    t_env.create_temporary_function("failing", function)
    with pytest.raises(JobExecutionError, match=rf"function 'failing' .*failed: .*{fault}"):
        rows(t_env, f"SELECT failing({arguments}) AS f FROM t")
    assert "restarts in Python: a native expression cannot handle this data" in caplog.text


def test_values_that_an_expression_does_not_support_are_computed_in_python(
    spark: SparkSession, caplog: pytest.LogCaptureFixture
) -> None:
    t_env = with_lifting(lifting=True)
    t_env.create_temporary_function("wide", udf(lambda n: (n + n) // 4, result_type="BIGINT"))
    assert rows(t_env, "SELECT wide(maybe) AS w FROM t WHERE maybe > 7") == [(2**62 - 1,)]
    assert "cannot handle this data ([ARITHMETIC_OVERFLOW]" in caplog.text


def test_functions_that_cannot_be_lifted_say_why(spark: SparkSession, tmp_path: Path) -> None:
    t_env = with_lifting(lifting=True)
    t_env.create_temporary_function("total", total)
    t_env.create_temporary_function("counting", udf(Counting(tmp_path / "log")))
    t_env.create_temporary_function("chance", udf(lambda n: n, result_type="INT", deterministic=False))
    t_env.create_temporary_function("same", udf(lambda n: n, result_type="STRING"))
    explained = t_env.sql_query(
        "SELECT total(n, n) AS t, counting(n) AS c, chance(n) AS r, same(s) AS s, clamped(n) AS l FROM t"
    ).explain()
    assert "calls total in Python: it is called once per batch" in explained
    assert "calls counting in Python: it has open(), which may have side effects" in explained
    assert "calls chance in Python: it is not deterministic" in explained
    assert "calls same" not in explained
    assert "calls clamped" not in explained
    several = t_env.sql_query("SELECT added(n) AS a, added(maybe) AS b FROM t").explain()
    assert "calls added in Python: it has arguments that are not" in several


def test_a_function_in_a_place_where_spark_takes_none_of_sql_is_called_in_python(spark: SparkSession) -> None:
    t_env = with_lifting(lifting=True)
    query = "SELECT e FROM t CROSS JOIN UNNEST(ARRAY[clamped(n)]) AS u(e)"
    assert "EvalPython" in spark_plan(t_env, query)
    assert sorted(rows(t_env, query)) == sorted(rows(with_lifting(lifting=False), query))
