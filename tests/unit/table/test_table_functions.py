"""Table functions of the program and UNNEST: what udtf makes of its arguments, and calls that are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from pystream.common import Row, Types
from pystream.errors import (
    JobExecutionError,
    PlanError,
    PlanTypeError,
    PyStreamError,
    SqlError,
    UnsupportedOperationError,
)
from pystream.sql_types.data_types import DataType
from pystream.table import DataTypes, ScalarFunction, StreamTableEnvironment, Table, TableFunction
from pystream.table.algebra.explain import plan_text
from pystream.table.expressions import call, col
from pystream.table.udf import UserDefinedTableFunctionWrapper, udf, udtf
from pystream.testing import local_environment

untyped: Any = udtf


class Pair(NamedTuple):
    word: str
    n: int


@udtf
def words(line: str) -> Iterator[tuple[str, int]]:
    for word in line.split():
        yield word, len(word)


def repeated(n: int) -> list[int]:
    return [n] * n


def pairs(n: int) -> Iterator[Pair]:
    yield Pair("a", n)


def some(n: int) -> Iterator[int | None]:
    yield n


def unannotated(n):  # type: ignore[no-untyped-def]
    return n


async def slow(n: int) -> list[int]:
    return [n]


class Counted(TableFunction):
    def __init__(self, first: int) -> None:
        self.first = first

    def eval(self, count: int) -> list[int]:
        return list(range(self.first, self.first + count))


@dataclass
class Word:
    text: str
    parts: list[Pair]


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    env = local_environment()
    t_env = StreamTableEnvironment.create(env)
    rows = [Row(1, "a bc"), Row(2, ""), Row(3, "d")]
    stream = env.from_collection(rows, Types.ROW_NAMED(["id", "line"], [Types.INT(), Types.STRING()]))
    t_env.create_temporary_view("lines", stream)
    t_env.create_temporary_function("words", words)
    t_env.create_temporary_function("size", udf(len, result_type="INT"))
    return t_env


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    with table.execute().collect() as rows:
        return [tuple(row) for row in rows]


def test_objects_of_an_annotated_dataclass_are_rows(t_env: StreamTableEnvironment) -> None:
    @udtf
    def parsed(line: str) -> Iterator[Word]:
        for word in line.split():
            yield Word(word, [Pair(word, len(word))])

    table = t_env.from_path("lines").join_lateral(parsed(col("line")).alias("t", "p"))
    found = rows_of(table.select(col("t"), col("p").at(1).get("n")))
    assert found == [("a", 1), ("bc", 2), ("d", 1)]


def test_objects_for_several_declared_columns_are_refused_with_what_to_return(
    t_env: StreamTableEnvironment,
) -> None:
    parsed = udtf(lambda line: Word(line, []), result_types=["STRING", "INT"])
    table = t_env.from_path("lines").join_lateral(parsed(col("line")).alias("t", "n"))
    with pytest.raises(JobExecutionError, match=r"Word\(text='a bc', .*; return a tuple or Row of 2 values"):
        rows_of(table)


@pytest.mark.parametrize(
    ("made", "columns"),
    [
        (words, "ROW<`f0` STRING NOT NULL, `f1` BIGINT NOT NULL>"),
        (udtf(repeated), "ROW<`f0` BIGINT NOT NULL>"),
        (udtf(some), "ROW<`f0` BIGINT>"),
        (udtf(pairs), "ROW<`f0` STRING NOT NULL, `f1` BIGINT NOT NULL>"),
        (udtf(Counted(1)), "ROW<`f0` BIGINT NOT NULL>"),
        (udtf(len, result_types=DataTypes.INT()), "ROW<`f0` INT>"),
        (udtf(len, result_types="BIGINT"), "ROW<`EXPR$0` BIGINT>"),
        (udtf(len, result_types=[DataTypes.INT(), DataTypes.STRING()]), "ROW<`f0` INT, `f1` STRING>"),
        (udtf(len, result_types=["INT", "STRING"]), "ROW<`f0` INT, `f1` STRING>"),
        (udtf(len, result_types="ROW<a INT, b STRING>"), "ROW<`a` INT, `b` STRING>"),
        (udtf(len, result_types=DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())])), "ROW<`f0` INT>"),
        (udtf(len, result_types=Types.LONG()), "ROW<`f0` BIGINT NOT NULL>"),
        (udtf(result_types=["INT"])(len), "ROW<`f0` INT>"),
    ],
)
def test_columns_are_declared_or_annotated(made: UserDefinedTableFunctionWrapper, columns: str) -> None:
    assert str(made._result_type) == columns


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: untyped(unannotated), PlanError, r"rows of unannotated at .* not known .*result_types="),
        (lambda: untyped(lambda n: n), PlanError, "a lambda has no annotations"),
        (lambda: untyped(slow), UnsupportedOperationError, r"udtf: slow at .* is asynchronous"),
        (
            lambda: untyped(Counted),
            PlanTypeError,
            r"an instance of Counted, not the class: write Counted\(\)",
        ),
        (
            lambda: untyped(words),
            PlanTypeError,
            "udtf takes a function or a TableFunction, not <user-defined",
        ),
        (lambda: untyped(3), PlanTypeError, "not 3"),
        (lambda: untyped(len, result_types="FOO"), SqlError, "udtf: result_types: line 1, .*at 'FOO'"),
        (lambda: untyped(len, ["FOO"], "INT"), SqlError, "udtf: input_types: line 1, .*at 'FOO'"),
        (lambda: untyped(len, result_types=[]), PlanError, "rows without columns; give result_types"),
        (lambda: untyped(len, result_types=[int]), PlanTypeError, r"not \[<class .int.>\]"),
        (
            lambda: untyped(Counted(1), deterministic=False),
            PlanError,
            r"udtf: deterministic=False contradicts",
        ),
    ],
)
def test_wrong_arguments_are_refused(make: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT * FROM lines, LATERAL TABLE(other(line))", "there is no table function other"),
        ("SELECT * FROM TABLE(other(1)) AS x(a)", "there is no table function other"),
        ("SELECT * FROM other(1) AS x(a)", "there is no table function other"),
        ("SELECT * FROM lines, LATERAL TABLE(size(line))", "size is no table function, which FROM takes"),
        ("SELECT * FROM lines, LATERAL TABLE(words(line => 'a'))", "arguments are passed by position"),
        ("SELECT * FROM (VALUES (size('a'))) AS x(a)", "VALUES calls no functions of the program"),
        ("SELECT * FROM lines, LATERAL TABLE(words())", "words.* cannot be called with 0 arguments"),
        ("SELECT * FROM lines, LATERAL TABLE(words(line)) AS x(a)", "words has 2 columns, not 1"),
        ("SELECT * FROM lines, LATERAL TABLE(words(line)) AS x(a, a)", "two columns have the same name"),
        ("SELECT * FROM lines, LATERAL TABLE(words(nothing)) AS x(a, b)", "there is no column 'nothing'"),
        ("SELECT * FROM LATERAL TABLE(words(line)) AS x(a, b), lines", "there is no column 'line'"),
        ("SELECT words(line) FROM lines", r"words is a table function.*LATERAL TABLE\(words\(…\)\)"),
        (
            "SELECT * FROM lines RIGHT JOIN LATERAL TABLE(words(line)) AS x(a, b) ON TRUE",
            "RIGHT or FULL JOIN of words",
        ),
        ("SELECT * FROM lines, UNNEST(id) AS u(x)", "UNNEST takes an array, a map or a multiset, not INT"),
        ("SELECT * FROM lines, UNNEST(ARRAY[id]) AS lines", "FROM has two items of the name 'lines'"),
        ("SELECT * FROM lines, LATERAL TABLE(words(line)) AS lines(a, b)", "two items of the name 'lines'"),
        (
            "SELECT 1 FROM lines WHERE EXISTS (SELECT 1 FROM (VALUES (1)) AS x, (VALUES (2)) AS x)",
            "two items of the name 'x'",
        ),
        (
            "SELECT * FROM lines JOIN LATERAL TABLE(words(line)) AS x(w, n) USING (id)",
            "USING takes columns of both sides; there is no 'id' on the right",
        ),
        (
            "SELECT * FROM lines JOIN LATERAL TABLE(words(line)) AS x(w, n) USING (w)",
            "USING takes columns of both sides; there is no 'w' on the left",
        ),
        ("SELECT * FROM lines, UNNEST(ARRAY[1], ARRAY[2]) AS u(x, y)", "one array, map or multiset, not 2"),
        ("SELECT * FROM lines, UNNEST(ARRAY[id]) AS u(x, y)", "UNNEST has 1 columns, not 2"),
    ],
)
def test_wrong_calls_are_refused_with_their_place(
    t_env: StreamTableEnvironment, query: str, message: str
) -> None:
    with pytest.raises((SqlError, UnsupportedOperationError), match=message) as caught:
        t_env.sql_query(query)
    assert "line 1" in str(caught.value)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda t: t.join_lateral(col("line")), PlanError, "join_lateral takes a call of a table function"),
        (lambda t: t.join_lateral(call("size", col("line"))), PlanError, "takes a call of a table function"),
        (lambda t: t.join_lateral(words(col("x"))), PlanError, "there is no column 'x' among id, line"),
        (lambda t: t.join_lateral(words(col("line")).alias("id", "n")), PlanError, "the column 'id' already"),
        (lambda t: t.join_lateral(words(col("line")).alias("n")), PlanError, "words has 2 columns, not 1"),
        (
            lambda t: t.flat_map(call("size", col("line"))),
            PlanError,
            "flat_map takes a call of a table function",
        ),
        (lambda t: t.map(words(col("line"))), PlanError, "map takes a call of a scalar function made by udf"),
        (
            lambda t: t.map(call("size", col("line")).alias("n")),
            PlanError,
            r"map takes a call without names, not .*; name the columns of map\(…\) by alias",
        ),
        (lambda t: t.map(col("line")), PlanError, "map takes a call of a scalar function made by udf"),
        (
            lambda t: t.map(words),
            PyStreamError,
            "takes an Expression .*or a UserDefinedScalarFunctionWrapper",
        ),
        (lambda t: t.select(words(col("line"))), SqlError, "words is a table function"),
        (
            lambda t: t.select(words(col("line")).alias("a", "b")),
            PlanError,
            "is one column, which takes one name",
        ),
        (lambda t: col("a").alias("a", "b"), UnsupportedOperationError, "one column, which takes one name"),
    ],
)
def test_wrong_calls_of_methods_are_refused(
    t_env: StreamTableEnvironment, make: Callable[[Any], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make(t_env.from_path("lines"))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT id FROM lines WHERE EXISTS (SELECT 1 FROM UNNEST(ARRAY[lines.id]) AS x(v) WHERE v > 1)",
            "UNNEST of a column of the query around a subquery is not supported on the local host",
        ),
        (
            "SELECT id, (SELECT SUM(v) FROM lines AS l, UNNEST(ARRAY[l.id, k]) AS x(v)) AS s "
            "FROM (SELECT id, id AS k FROM lines)",
            "UNNEST of a column of the query around a subquery is not supported on the local host",
        ),
        (
            "SELECT id FROM lines WHERE 'a' IN (SELECT w FROM LATERAL TABLE(words(line)) AS x(w, n))",
            "words of a column of the query around a subquery is not supported on the local host",
        ),
        (
            "SELECT id FROM lines, (SELECT v FROM UNNEST(ARRAY[lines.id]) AS x(v)) AS q",
            "there is no table 'lines' here",
        ),
        (
            "SELECT id FROM lines WHERE EXISTS (SELECT 1 FROM UNNEST(nothing) AS x(v))",
            "there is no column 'nothing'",
        ),
    ],
)
def test_columns_of_the_query_around_a_subquery_are_arguments_on_spark_only(
    t_env: StreamTableEnvironment, query: str, message: str
) -> None:
    with pytest.raises((SqlError, UnsupportedOperationError), match=message):
        t_env.sql_query(query)


class Doubled(ScalarFunction):
    def eval(self, n: int) -> int:
        return 2 * n


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            Counted(1),
            r"by udtf, such as udtf\(Counted\(\), result_types=\[DataTypes.BIGINT\(\)\]\), not",
        ),
        (Doubled(), r"by udf, such as udf\(Doubled\(\), result_type=DataTypes.BIGINT\(\)\), not"),
    ],
)
def test_a_name_is_given_to_what_is_made_of_an_instance(
    t_env: StreamTableEnvironment, function: Any, message: str
) -> None:
    with pytest.raises(PlanTypeError, match=f"create_temporary_function takes a function made {message}"):
        t_env.create_temporary_function("made", function)


def test_a_plan_shows_calls(t_env: StreamTableEnvironment) -> None:
    query = """SELECT id, a, x FROM lines LEFT JOIN LATERAL TABLE(words(line)) AS w(a, b) ON TRUE
        CROSS JOIN UNNEST(ARRAY[b, 1]) AS u(x) WHERE x > 2"""
    plan = t_env.sql_query(query)._plan
    assert plan is not None
    assert plan_text(plan).splitlines()[1:] == [
        "+- Correlate(invocation=[UNNEST(ARRAY(b, 1))], joinType=[INNER], condition=[x > 2], "
        "changelogMode=[I]) -> (`id` INT, `line` STRING, `a` STRING, `b` BIGINT, `x` BIGINT)",
        "   +- PythonCorrelate(invocation=[words(line)], joinType=[LEFT], changelogMode=[I]) "
        "-> (`id` INT, `line` STRING, `a` STRING, `b` BIGINT)",
        "      +- TableSourceScan(table=[lines], fields=[id, line], changelogMode=[I]) "
        "-> (`id` INT, `line` STRING)",
    ]


def test_a_name_keeps_the_function_that_it_had(t_env: StreamTableEnvironment) -> None:
    before = t_env.sql_query("SELECT a FROM lines, LATERAL TABLE(WORDS(line)) AS x(a, b)")
    t_env.drop_temporary_function("words")
    t_env.create_temporary_function("words", udtf(lambda line: [line], result_types=["STRING"]))
    assert rows_of(before) == [("a",), ("bc",), ("d",)]
    assert rows_of(t_env.sql_query("SELECT a FROM lines, LATERAL TABLE(words(line)) AS x(a)")) == [
        ("a bc",),
        ("",),
        ("d",),
    ]


def test_arguments_see_only_the_items_before(t_env: StreamTableEnvironment) -> None:
    query = "SELECT x.line FROM lines, LATERAL TABLE(words(line)) AS x(line, id) WHERE x.id > 1"
    assert rows_of(t_env.sql_query(query)) == [("bc",)]


@pytest.mark.parametrize("item", ["LATERAL TABLE(words('a bc'))", "TABLE(words('a bc'))", "words('a bc')"])
def test_functions_of_constants_stand_alone(t_env: StreamTableEnvironment, item: str) -> None:
    assert rows_of(t_env.sql_query(f"SELECT a, b FROM {item} AS x(a, b)")) == [("a", 1), ("bc", 2)]


def test_elements_of_a_multiset_come_as_often_as_they_occur(t_env: StreamTableEnvironment) -> None:
    query = """SELECT x, o FROM (SELECT COLLECT(id / 3) AS m FROM lines)
        CROSS JOIN UNNEST(m) WITH ORDINALITY AS u(x, o)"""
    assert rows_of(t_env.sql_query(query)) == [(0, 1), (0, 2), (1, 3)]


def test_arguments_are_converted_to_declared_types(t_env: StreamTableEnvironment) -> None:
    named = udtf(lambda n: [type(n).__name__], ["DOUBLE"], ["STRING"])
    t_env.create_temporary_function("named", named)
    query = "SELECT t FROM lines, LATERAL TABLE(named(id)) AS x(t) WHERE id = 1"
    assert rows_of(t_env.sql_query(query)) == [("float",)]


def test_with_queries_and_subqueries_have_columns_for_arguments(t_env: StreamTableEnvironment) -> None:
    query = """WITH a AS (SELECT id, ARRAY[id, 7] AS s FROM lines),
        b AS (SELECT id, x FROM a, UNNEST(s) AS u(x))
        SELECT x, y FROM b, UNNEST(ARRAY[x]) AS v(y) WHERE id = 3"""
    assert rows_of(t_env.sql_query(query)) == [(3, 3), (7, 7)]


def test_results_have_the_digits_and_length_of_their_types(t_env: StreamTableEnvironment) -> None:
    types = [
        DataTypes.DECIMAL(5, 2),
        DataTypes.VARCHAR(2),
        DataTypes.TIMESTAMP(0),
        DataTypes.TIME(0),
        DataTypes.ARRAY(DataTypes.DECIMAL(5, 2)),
        DataTypes.CHAR(3),
    ]
    at = datetime(2024, 1, 1, 0, 0, 1, 999_000)
    given = (Decimal("1.005"), "abc", at, time(1, 2, 3, 4567), [Decimal("1.005"), None], None)
    made = udtf(lambda line: [given], result_types=types)
    table = t_env.from_path("lines").where(col("id") == 3).flat_map(made(col("line")))
    assert rows_of(table) == [
        (
            Decimal("1.01"),
            "ab",
            datetime(2024, 1, 1, 0, 0, 1),
            time(1, 2, 3, 4000),  # milliseconds of the program remain
            [Decimal("1.01"), None],
            None,
        )
    ]


@pytest.mark.parametrize(
    ("data_type", "value", "message"),
    [
        (DataTypes.INT(nullable=False), None, r"value\.f0: None is not an INT; leave the row out"),
        (DataTypes.DECIMAL(5, 2), Decimal(1000), r"1000 is out of the range of DECIMAL\(5, 2\)"),
    ],
)
def test_results_that_their_types_cannot_hold_fail_the_job(
    t_env: StreamTableEnvironment, data_type: DataType, value: Any, message: str
) -> None:
    made = udtf(lambda line: [value], result_types=[data_type], name="made")
    with pytest.raises(JobExecutionError, match=f"(?s)function 'made'.*{message}.*element: 'a bc'"):
        rows_of(t_env.from_path("lines").flat_map(made(col("line"))))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda line: [(1, "x")], "line.*STRING|str"),
        (lambda line: [("x",)], "1 .*2|2 .*1|fields"),
        (lambda line: 1 // 0, "ZeroDivisionError.*element: 'a bc'"),
    ],
)
def test_wrong_rows_fail_the_job(
    t_env: StreamTableEnvironment, function: Callable[[str], Any], message: str
) -> None:
    made = udtf(function, result_types=["STRING", "INT"], name="made")
    with pytest.raises(JobExecutionError, match=f"(?s)function 'made'.*({message})"):
        rows_of(t_env.from_path("lines").join_lateral(made(col("line"))))
