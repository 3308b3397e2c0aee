"""What follows from the declaration of a function: refusals, types, Spark's SQL and the page of functions."""

from __future__ import annotations

import pytest
from sqlglot import exp

from pystream.errors import PlanError, SqlError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table import DataTypes as Types
from pystream.table import StreamTableEnvironment
from pystream.table.functions.common_types import common_type
from pystream.table.functions.declaration import SqlFunction
from pystream.table.functions.declared import DECLARED
from pystream.table.functions.parameters import Parameters
from pystream.table.sql.analysis import analyse_query
from pystream.table.sql.dialect import Flink
from pystream.table.sql.expression_trees import call_tree, column_tree, tree_text
from pystream.table.sql.parser import parse_query
from pystream.table.sql.queries import translate_query
from pystream.table.sql.type_trees import data_type_of_sql, sql_of_data_type
from pystream.testing import local_environment
from tests.functions_page import PAGE, with_tables

COLUMNS = [("s", DataTypes.STRING()), ("i", DataTypes.INT())]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", {0}),
        ("STRING", {1}),
        ("STRING, INT [, INT]", {2, 3}),
        ("STRING [, STRING, STRING]", {1, 3}),
        ("INT [, INT [, INT]]", {1, 2, 3}),
        ("STRING [, STRING...]", set(range(1, 9))),
    ],
)
def test_numbers_of_arguments(text: str, counts: set[int]) -> None:
    parameters = Parameters.of(text)
    assert {count for count in range(9) if parameters.takes_number(count)} == counts


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("SUBSTRING(i, s)", "SUBSTRING takes (STRING, INT [, INT]); got (INT, STRING)"),
        ("upper(s, 'x')", "UPPER takes (STRING), not 2 arguments"),
        ("LPAD(s, 3)", "LPAD takes (STRING, INT, STRING), not 2 arguments"),
        ("UPPER()", "UPPER takes (STRING), not no arguments"),
        ("ABS(s)", "ABS takes (NUMBER); got (STRING)"),
        ("ROUND(i, 1, 2)", "ROUND takes (NUMBER [, INT]), not 3 arguments"),
        ("FLOOR(i, 1)", "FLOOR is written FLOOR(NUMBER) or FLOOR(DATE or TIME or TIMESTAMP or TIMESTAMP_LTZ"),
        ("CURRENT_DATE(1)", "CURRENT_DATE is written CURRENT_DATE"),
        ("EXTRACT(DAY FROM i)", "EXTRACT is written EXTRACT(UNIT FROM DATE or TIME or TIMESTAMP or"),
        ("EXTRACT(DAY FROM TIME '10:00:00')", ": TIME(0) has no DAY"),
        ("FLOOR(DATE '2020-01-01' TO EON)", ": DATE is not rounded to EON"),
        (
            "ARRAY_SORT(ARRAY[MAP['a', 1]])",
            "[, BOOLEAN [, BOOLEAN]]): MAP<CHAR(1), INT> has no order",
        ),
        ("ARRAY_MAX(ARRAY[ROW(1, 2)])", "ARRAY_MAX takes (ARRAY): ROW<"),
        ("MAP_UNION(MAP['a', 1], MAP['a', 'x'])", "MAP_UNION takes (MAP [, MAP...]); got (MAP"),
        ("NULLIF(s, i)", "NULLIF takes (T, T) or (STRING, DATE or TIMESTAMP or TIMESTAMP_LTZ) or"),
        ("JSON_VALUE(s, s)", ": the path must be a literal"),
        (
            "JSON_VALUE(s, '$.a' RETURNING DATE)",
            ": RETURNING takes STRING, BOOLEAN, INT, DOUBLE, not",
        ),
        ("JSON_QUERY(s, '$[?(@.a > 1)]')", ": the JSON path '$[?(@.a > 1)]' is not supported from"),
        ("GREATEST(DATE '2020-01-01', LOCALTIMESTAMP)", ": a TIMESTAMP is not compared with a DATE"),
        ("ABS(NULL)", "ABS takes (NUMBER); got (NULL); give NULL a type, as in CAST(NULL AS INT)"),
        ("TIMESTAMPADD(HOURS, 1, DATE '2020-01-01')", ": the unit HOURS is not supported; take one of"),
        ("TIMESTAMPADD(DAY, s, s)", "TIMESTAMP or TIMESTAMP_LTZ); got (STRING, STRING)"),
        ("JSON_VALUE(i, '$.a')", "T ON EMPTY] [… ON ERROR]); got (INT, CHAR(3))"),
        ("JSON_QUERY(i, '$.a')", "[… ON ERROR]); got (INT, CHAR(3))"),
        (
            "JSON_QUERY(s, '$.a' RETURNING ARRAY<STRING> EMPTY OBJECT ON ERROR)",
            ": RETURNING ARRAY<STRING> takes EMPTY ARRAY, not EMPTY OBJECT",
        ),
        ("MD5(i)", "MD5 takes (STRING or BYTES); got (INT)"),
        ("LOWER(NULL)", "LOWER takes (STRING); got (NULL); give NULL a type, as in CAST(NULL AS STRING)"),
        ("POSITION(s, s)", "POSITION is written POSITION(STRING IN STRING)"),
        ("OVERLAY(s PLACING s)", "OVERLAY is written OVERLAY(STRING PLACING STRING FROM INT) or OVERLAY("),
        ("TRIM(s, s)", "TRIM is written TRIM(STRING) or TRIM(BOTH STRING FROM STRING)"),
        ("TRIM(LEADING i FROM s)", "LTRIM takes (STRING [, STRING]); got (STRING, INT)"),
        ("s RLIKE 'a'", "RLIKE is not supported; use REGEXP(text, pattern)"),
        ("UCASE(s)", "there is no function UCASE"),
        ("PARSE_JSON(s)", "PARSE_JSON is not supported: there is no type VARIANT; use JSON_VALUE"),
        ("BITMAP_OR_AGG(i)", "BITMAP_OR_AGG is not supported: there is no type BITMAP"),
    ],
)
def test_a_wrong_call_is_refused_at_its_place(call: str, complaint: str) -> None:
    with pytest.raises(SqlError) as failure:
        analyse_query(parse_query(f"SELECT i,\n  {call} AS x FROM t"), lambda _: COLUMNS)
    assert complaint in str(failure.value)
    assert str(failure.value).startswith("line 2, column ")


def test_a_wrong_call_in_an_inner_function_is_named() -> None:
    with pytest.raises(SqlError, match=r"column 21, at 'LOWER': LOWER takes"):
        analyse_query(parse_query("SELECT UPPER(CONCAT(LOWER(i), s)) FROM t"), lambda _: COLUMNS)


def test_arguments_of_unknown_types_are_left_to_the_host() -> None:
    function = DECLARED["SUBSTRING"]
    assert function.refusal([None, DataTypes.INT()]) is None
    assert function.refusal([None, DataTypes.STRING()]) is not None


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("upper(s)", "UPPER(`s`)"),
        (
            "ELT(i, s, 'b', 'c')",
            "CAST(GET(ARRAY(`s`, 'b', 'c'), CAST(IF(`i` BETWEEN 1 AND 3, `i`, 0) AS INT) - 1) AS STRING)",
        ),
        ("INSTR(s, 'a')", "LOCATE('a', `s`)"),
        ("LOCATE('a', s, i)", "LOCATE('a', `s`, IF(`i` < 1, 1, `i`))"),
        ("TRIM(TRAILING 'x' FROM s)", "TRIM(TRAILING 'x' FROM `s`)"),
        ("DATE_FORMAT(LOCALTIMESTAMP, 'yyyy')", "DATE_FORMAT(LOCALTIMESTAMP(), 'yyyy')"),
        (
            "TIMESTAMPADD(DAY, i, CURRENT_TIMESTAMP)",
            "TIMESTAMP_MICROS(UNIX_MICROS(CURRENT_TIMESTAMP()) + `i` * CAST(86400000000 AS BIGINT))",
        ),
        (
            "CURRENT_TIMESTAMP - INTERVAL '2' DAY",
            "TIMESTAMP_MICROS(UNIX_MICROS(CURRENT_TIMESTAMP()) - 172800000000)",
        ),
        (
            "INTERVAL '1' DAY + CURRENT_TIMESTAMP",
            "TIMESTAMP_MICROS(UNIX_MICROS(CURRENT_TIMESTAMP()) + 86400000000)",
        ),
        ("FLOOR(i)", "`i`"),
        ("MOD(i + 1, 3)", "CAST((`i` + 1) % 3 AS INT)"),
        ("ROUND(i / 2e0, 1)", "CAST(ROUND(`i` / 2e0, 1) AS DOUBLE)"),
        ("ROUND(-1.25, -1)", "CAST(ROUND(-1.25, -1) AS DECIMAL(2, 0))"),
        ("LPAD(UPPER(s), 5, 'x')", "LPAD(UPPER(`s`), 5, NULLIF('x', ''))"),
    ],
)
def test_calls_of_spark(call: str, text: str) -> None:
    analysed = analyse_query(parse_query(f"SELECT {call} AS x FROM t AS u"), lambda _: COLUMNS)
    translated = translate_query(analysed).text.replace("`u`.", "")
    assert translated == f"SELECT {text} AS `x` FROM {{t0}} AS `u`"


def test_calls_of_expressions_are_written_in_their_syntax() -> None:
    column, number = column_tree("s"), exp.Literal.number(2)
    assert tree_text(call_tree("position", [column, column])) == "POSITION(`s` IN `s`)"
    assert tree_text(call_tree("OVERLAY", [column, column, number])) == "OVERLAY(`s` PLACING `s` FROM 2)"
    with pytest.raises(PlanError):
        call_tree("CAST", [column])


@pytest.mark.parametrize(
    "data_type",
    [
        Types.CHAR(3),
        Types.VARCHAR(3),
        Types.STRING(),
        Types.BINARY(2),
        Types.BYTES(),
        Types.DECIMAL(12, 3),
        Types.TIME(3),
        Types.TIMESTAMP(9),
        Types.TIMESTAMP_LTZ(3),
        Types.ARRAY(Types.TINYINT()),
    ],
)
def test_types_as_trees_are_those_of_the_parser(data_type: DataType) -> None:
    tree = sql_of_data_type(data_type)
    assert tree == exp.DataType.build(str(data_type), dialect=Flink)
    assert data_type_of_sql(tree) == data_type


def test_each_declaration_has_examples_and_one_line() -> None:
    def is_complete(function: SqlFunction) -> bool:
        has_examples = bool(function.examples) or not function.is_deterministic
        return has_examples and function.does.endswith(".")

    assert [one.name for one in DECLARED.values() if not is_complete(one)] == []


def test_the_page_has_the_tables_of_the_declarations() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page), "run python -m tests.functions_page"


@pytest.mark.parametrize(
    ("one", "other", "common"),
    [
        ((10, 2), (8, 4), (12, 4)),
        ((34, 14), (38, 7), (38, 7)),
        ((38, 0), (20, 18), (38, 0)),
    ],
)
def test_decimals_keep_the_digits_before_the_point(
    one: tuple[int, int], other: tuple[int, int], common: tuple[int, int]
) -> None:
    """The types are those of COALESCE in PyFlink 2.3."""
    found = common_type([DataTypes.DECIMAL(*one), DataTypes.DECIMAL(*other)])
    assert found == DataTypes.DECIMAL(*common)


@pytest.mark.parametrize(
    ("expression", "data_type"),
    [
        ("ARRAY_CONTAINS(ARRAY['aa', 'bb'], 'x')", "BOOLEAN NOT NULL"),
        ("ARRAY_CONTAINS(CAST(ARRAY['aa'] AS ARRAY<VARCHAR(3)>), 'aa')", "BOOLEAN NOT NULL"),
        ("ARRAY_CONTAINS(ARRAY[1.5, 5.0], 5)", "BOOLEAN NOT NULL"),
        ("ARRAY_APPEND(ARRAY[1.5], 2)", "ARRAY<DECIMAL(2, 1) NOT NULL> NOT NULL"),
    ],
)
def test_values_become_elements_of_arrays(expression: str, data_type: str) -> None:
    """The types are those of PyFlink 2.3."""
    t_env = StreamTableEnvironment.create(local_environment())
    (column,) = t_env.sql_query(f"SELECT {expression} AS x").get_resolved_schema().get_columns()
    assert str(column.get_data_type()) == data_type
