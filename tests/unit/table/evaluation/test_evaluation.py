"""Evaluations as objects: pickling, functions of the program, types, and expressions that are refused."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from sqlglot import exp

from pystream.engine.failure import TaskFailure
from pystream.engine.function_context import FunctionContext
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.task_info import JobInfo
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.sql_types.stream_types import data_type_of
from pystream.table import ScalarFunction
from pystream.table.evaluation import Evaluation, NotEvaluatedError, evaluated
from pystream.table.udf import udf
from tests.unit.table.evaluation.expressions import analysed, evaluation_of, position_in, value_of
from typeinfo.instant import Instant
from typeinfo.pickling import dumps
from typeinfo.types import Types

COLUMNS: list[tuple[str, DataType]] = [("i", DataTypes.INT()), ("s", DataTypes.STRING())]


class Scaled(ScalarFunction):
    def __init__(self) -> None:
        self.factor = 0
        self.is_closed = False

    def open(self, function_context: Any) -> None:
        self.factor = int(function_context.get_job_parameter("factor", "1"))

    def eval(self, number: int | None) -> int | None:
        return None if number is None else number * self.factor

    def close(self) -> None:
        CLOSED.append(self.factor)


CLOSED: list[int] = []


@udf
def size_of(text: str) -> int:
    return len(text)


@udf(result_type="INT")
def untrue(text: str) -> Any:
    return text


@udf(result_type="BIGINT", func_type="pandas")
def by_batches(numbers: pd.Series[int]) -> pd.Series[int]:
    return numbers.astype("Int64") + 1000 * len(numbers)


@udf(result_type="INT", func_type="pandas")
def halved(numbers: pd.Series[int]) -> pd.Series[int]:
    return numbers[: len(numbers) // 2]


scaled = udf(Scaled(), result_type="INT")

FUNCTIONS: dict[str, Any] = {
    "by_batches": by_batches,
    "halved": halved,
    "size_of": size_of,
    "scaled": scaled,
    "untrue": untrue,
}


def called(expression: str) -> Evaluation:
    tree, query = analysed(expression, COLUMNS, lambda name: definition_of(name))
    return evaluated(tree, position_in(COLUMNS), query.functions)


def definition_of(name: str) -> Any:
    return FUNCTIONS[name]._definition(name, "udf") if name in FUNCTIONS else None


def context(**parameters: str) -> FunctionContext:
    return FunctionContext(JobInfo("1", "job", parameters), "task", 0, 0, MetricRegistry().group())


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("CASE WHEN i > 3 THEN UPPER(s) ELSE s || '!' END", "ABC"),
        ("REGEXP_REPLACE(s, '[a-b]', '-')", "--c"),
        ("DATE_FORMAT(TIMESTAMP '2020-01-02 03:04:05', 'd/M/yyyy') || s", "2/1/2020abc"),
        ("CAST(i / 2.5 AS DECIMAL(5, 1))", Decimal("2.0")),
        ("ROW(i, ARRAY[i, 1], MAP[s, i])[1]", None),
    ][:4],
)
def test_an_evaluation_can_be_pickled(expression: str, expected: Any) -> None:
    evaluation = evaluation_of(expression, i="INT", s="STRING")
    copied = pickle.loads(dumps(evaluation))
    assert copied((5, "abc")) == evaluation((5, "abc")) == expected
    assert copied.data_type == evaluation.data_type


def test_a_worker_does_not_load_the_parser() -> None:
    evaluation = called(
        "UPPER(s) || CAST(scaled(i) AS STRING) || DATE_FORMAT(TIMESTAMP '2020-01-02 03:04:05', 'y')"
    )
    program = (
        "import pickle, sys\n"
        f"evaluation = pickle.loads(bytes.fromhex('{dumps(evaluation).hex()}'))\n"
        "print(evaluation.data_type, 'sqlglot' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout == "STRING False\n", result.stderr


def test_functions_of_the_program_are_opened_called_and_closed() -> None:
    evaluation = pickle.loads(dumps(called("scaled(i) + scaled(i + 1)")))
    CLOSED.clear()
    evaluation.open(context(factor="3"))
    assert [evaluation((2, "")), evaluation((None, ""))] == [15, None]
    evaluation.close()
    assert CLOSED == [3]


def test_a_function_gets_null_and_its_declared_types() -> None:
    evaluation = called("size_of(CAST(i AS STRING)) * 2")
    evaluation.open(context())
    assert evaluation((1234, None)) == 8


def test_a_function_that_raises_is_named_with_its_arguments() -> None:
    evaluation = called("size_of(s)")
    evaluation.open(context())
    with pytest.raises(TaskFailure, match=r"function 'size_of' .* failed: TypeError.*\n  element: None"):
        evaluation((1, None))


def test_a_result_of_another_type_is_an_error() -> None:
    evaluation = called("untrue(s)")
    evaluation.open(context())
    with pytest.raises(TaskFailure, match=r"(?s)function 'untrue'.*result: 'abc'"):
        evaluation((1, "abc"))


def test_a_function_of_columns_is_called_once_for_many_rows() -> None:
    evaluation = pickle.loads(
        dumps(called("CASE WHEN i > 2 THEN by_batches(by_batches(i) + 1) ELSE scaled(i) END"))
    )
    evaluation.open(context())
    assert evaluation.takes_batches
    assert evaluation.of_rows([(2, ""), (3, ""), (None, "")]) == [2, 6004, None]
    assert evaluation((3, "")) == 2004
    assert evaluation.of_rows([]) == []


def test_a_function_of_columns_that_returns_other_ones_is_named() -> None:
    evaluation = called("halved(i)")
    evaluation.open(context())
    with pytest.raises(TaskFailure, match=r"(?s)function 'halved'.*3 elements and returned 1 results"):
        evaluation.of_rows([(1, ""), (2, ""), (3, "")])
    wrong = called("by_batches(s)")
    wrong.open(context())
    with pytest.raises(TaskFailure, match=r"(?s)function 'by_batches'.*a batch of 1 rows"):
        wrong((1, "abc"))


@pytest.mark.parametrize(
    ("expression", "complaint", "culprit"),
    [
        ("s SIMILAR TO 'a+' ESCAPE '!!'", "ESCAPE takes a literal of one character", exp.Escape),
        ("s + 1", r"STRING and INT have no operator \+", exp.Add),
        ("s > 1", "values of types STRING and INT are not compared", exp.GT),
        ("i OR TRUE", "BOOLEAN is needed here, not INT", exp.Column),
        ("CASE WHEN TRUE THEN i ELSE s END", "the types INT, STRING have no type in common", exp.Case),
        ("REGEXP(s, s)", "argument 2 of REGEXP must be a literal", exp.Anonymous),
        ("REGEXP(s, '(?i)a')", "groups with names or flags are not supported", exp.Anonymous),
        (r"REGEXP(s, '\bx')", r"\\b is not supported", exp.Anonymous),
        ("DATE_FORMAT(TIMESTAMP '2020-01-01 00:00:00', 'w')", "w is not supported", exp.Anonymous),
        ("CAST(ROW(i, s) AS INT)", "a CAST of ROW<.*> to INT is not supported", exp.Cast),
        ("i IN (1, 'a')", r"values of types INT and CHAR\(1\) are not compared", exp.In),
        ("TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '0.5' SECOND", "of more digits", exp.Add),
        ("TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '0.0005' SECOND", "the interval", exp.Interval),
        ("1.5 + INTERVAL '1' DAY", r"DECIMAL\(2, 1\): no interval is added to it", exp.Add),
        ("NULL + 1", r"NULL and INT have no operator \+", exp.Add),
    ],
)
def test_what_is_not_supported_is_refused_by_name(expression: str, complaint: str, culprit: Any) -> None:
    with pytest.raises(NotEvaluatedError, match=complaint) as caught:
        evaluation_of(expression, i="INT", s="STRING")
    assert isinstance(caught.value.node, culprit)


def test_a_column_of_an_unknown_type_is_refused() -> None:
    column = exp.column("x", "t")
    with pytest.raises(NotEvaluatedError, match="the type of the column 'x'") as caught:
        evaluated(column, lambda _: 0)
    assert caught.value.node is column


@pytest.mark.parametrize(
    ("expression", "data_type"),
    [
        ("i", "INT"),
        ("i + 1", "INT"),
        ("n + 1", "INT NOT NULL"),
        ("n > 1 AND i > 1", "BOOLEAN"),
        ("i IS NULL", "BOOLEAN NOT NULL"),
        ("COALESCE(i, n)", "INT NOT NULL"),
        ("COALESCE(i, i)", "INT"),
        ("NULLIF(n, 1)", "INT"),
        ("CASE WHEN i > 1 THEN n END", "INT"),
        ("CASE WHEN i > 1 THEN n ELSE 2.5 END", "DECIMAL(11, 1) NOT NULL"),
        ("TRY_CAST(n AS TINYINT)", "TINYINT"),
        ("CONCAT_WS(',', CAST(i AS STRING))", "STRING NOT NULL"),
        ("ARRAY[n, 1]", "ARRAY<INT NOT NULL> NOT NULL"),
        ("ARRAY[n][1]", "INT"),
        ("MAP['a', i]", "MAP<CHAR(1) NOT NULL, INT> NOT NULL"),
        ("ROW(n, i)", "ROW<`EXPR$0` INT NOT NULL, `EXPR$1` INT> NOT NULL"),
    ],
)
def test_types_of_results(expression: str, data_type: str) -> None:
    types = {"i": DataTypes.INT(), "n": DataTypes.INT().not_null()}
    columns = list(types.items())
    tree, _ = analysed(expression, columns)
    evaluation = evaluated(tree, position_in(columns), type_of=lambda column: types[column.name])
    assert str(evaluation.data_type) == data_type


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("s + '-' + s", "ab-ab"),
        ("ts + (5 * INTERVAL '1' MINUTE)", datetime(2020, 2, 29, 0, 5)),
        ("(2 * INTERVAL '1' MONTH) + ts", datetime(2020, 4, 29)),
        ("ts - CAST(-2 * INTERVAL '7' DAY AS INTERVAL DAY)", datetime(2020, 3, 14)),
        ("ts + INTERVAL '1' HOUR * 3", datetime(2020, 2, 29, 3)),
        ("MAP_VALUES(m)", [1, None]),
        ("REGEXP(s, '^a')", True),
    ],
)
def test_what_expressions_of_a_program_are_made_of(expression: str, expected: Any) -> None:
    row = {
        "s": ("STRING", "ab"),
        "ts": ("TIMESTAMP(3)", datetime(2020, 2, 29)),
        "items": ("ARRAY<STRING>", ["x", "y"]),
        "m": ("MAP<STRING, INT>", {"a": 1, "b": None}),
    }
    assert value_of(expression, **row) == expected


def test_a_column_that_sql_has_no_type_for_is_refused() -> None:
    raw = data_type_of(Types.PICKLED_BYTE_ARRAY())
    with pytest.raises(NotEvaluatedError, match=r"the type of the column 'i' is RAW\("):
        evaluated(analysed("i", COLUMNS)[0], position_in(COLUMNS), type_of=lambda _: raw)


def test_an_integer_of_any_size_is_a_decimal() -> None:
    tree, _ = analysed("i * 2", COLUMNS)
    big = data_type_of(Types.BIG_INT())
    evaluation = evaluated(tree, position_in(COLUMNS), type_of=lambda _: big)
    assert evaluation((Decimal(10**30), "")) == 2 * 10**30
    assert str(evaluation.data_type) == "DECIMAL(38, 0) NOT NULL"


def test_instants_are_compared_and_moved() -> None:
    instant = Instant.of_epoch_milli(1_000)
    moved = value_of("x + INTERVAL '1' MINUTE", x=("TIMESTAMP_LTZ(3)", instant))
    assert moved == Instant.of_epoch_milli(61_000)
    assert value_of("x < x + INTERVAL '1' DAY", x=("TIMESTAMP_LTZ(3)", instant)) is True


@pytest.mark.parametrize(
    ("local", "milliseconds"),
    [
        ("2024-01-01 00:00:00", 1_704_085_200_000),
        ("2024-03-10 02:30:00", 1_710_055_800_000),  # an hour that clocks skip: 03:30
        ("2024-11-03 01:30:00", 1_730_611_800_000),  # an hour that comes twice: the first
    ],
)
def test_instants_of_local_times(local: str, milliseconds: int) -> None:
    tree, _ = analysed(f"CAST(TIMESTAMP '{local}' AS TIMESTAMP_LTZ(3))", [])
    evaluation = evaluated(tree, position_in([]), zone=ZoneInfo("America/New_York"))
    assert evaluation(()) == Instant.of_epoch_milli(milliseconds)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("EXTRACT(HOUR FROM x)", 19),
        ("HOUR(x)", 19),
        ("DATE_FORMAT(x, 'yyyy-MM-dd HH:mm')", "2019-12-31 19:00"),
        ("CAST(x AS STRING)", "2019-12-31 19:00:00.000"),
        ("CAST(x AS DATE)", date(2019, 12, 31)),
        ("CAST(x AS TIMESTAMP(3))", datetime(2019, 12, 31, 19)),
        ("FLOOR(x TO DAY)", Instant.of_epoch_milli(1_577_768_400_000)),
        ("x + INTERVAL '3' MONTH", Instant.of_epoch_milli(1_585_695_600_000)),  # of summer time
        ("x + INTERVAL '90' DAY", Instant.of_epoch_milli(1_585_612_800_000)),
        ("CAST(CAST(x AS TIMESTAMP(3)) AS TIMESTAMP_LTZ(3)) = x", True),
    ],
)
def test_parts_of_instants_depend_on_the_time_zone(expression: str, expected: Any) -> None:
    columns = [("x", DataTypes.TIMESTAMP_LTZ(3))]
    tree, _ = analysed(expression, columns)
    evaluation = evaluated(tree, position_in(columns), zone=ZoneInfo("America/New_York"))
    copied = pickle.loads(dumps(evaluation))
    assert copied((Instant.of_epoch_milli(1_577_836_800_000),)) == expected  # 2020-01-01 in UTC
    if expression != "x + INTERVAL '90' DAY":
        with pytest.raises(NotEvaluatedError, match="it depends on the time zone"):
            evaluated(tree, position_in(columns))


def test_a_lenient_conversion_to_instants() -> None:
    tree, _ = analysed("TRY_CAST(s AS TIMESTAMP_LTZ(3))", COLUMNS)
    evaluation = evaluated(tree, position_in(COLUMNS), zone=ZoneInfo("Asia/Tokyo"))
    assert evaluation((1, "soon")) is None
    assert evaluation((1, "1970-01-01 09:00:01")) == Instant(1)


def test_second_operands_are_not_evaluated_in_vain() -> None:
    assert value_of("x <> 0 AND 10 / x > 1", x=("INT", 0)) is False
    assert value_of("x = 0 OR 10 / x > 1", x=("INT", 0)) is True
    assert value_of("CASE WHEN x = 0 THEN 0 ELSE 10 / x END", x=("INT", 0)) == 0
    assert value_of("COALESCE(x, 1 / 0)", x=("INT", 3)) == 3
    assert value_of("x + 1 / 0", x=("INT", None)) is None


def test_a_constant_that_has_no_value_is_an_error_of_rows_only() -> None:
    evaluation = evaluation_of("1 / 0", i="INT")
    with pytest.raises(ArithmeticError):
        evaluation((1,))


@pytest.mark.parametrize(
    ("expression", "is_deterministic"),
    [("i + 1", True), ("UUID()", False), ("NOW() IS NULL", False)],
)
def test_random_functions_and_clocks_are_not_deterministic(expression: str, is_deterministic: bool) -> None:
    assert evaluation_of(expression, i="INT").is_deterministic == is_deterministic


def test_clocks_go_on() -> None:
    evaluation = evaluation_of("CURRENT_TIMESTAMP")
    before = time.time()
    first, second = evaluation([]), evaluation([])
    assert int(before * 1000) <= first.to_epoch_milli() <= second.to_epoch_milli() <= time.time() * 1000


def test_literals_of_intervals() -> None:
    start = datetime(2020, 1, 31)
    for literal, expected in {
        "'1' DAY": datetime(2020, 2, 1),
        "'1 02:03:04.5' DAY TO SECOND": datetime(2020, 2, 1, 2, 3, 4, 500_000),
        "'1:30' HOUR TO MINUTE": datetime(2020, 1, 31, 1, 30),
        "'1-1' YEAR TO MONTH": datetime(2021, 2, 28),
        "'-1' MONTH": datetime(2019, 12, 31),
        "'2' WEEK": datetime(2020, 2, 14),
    }.items():
        assert value_of(f"x + INTERVAL {literal}", x=("TIMESTAMP(3)", start)) == expected
