"""Spark computes what the evaluation of expressions in Python computes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Context, Decimal
from random import Random
from typing import Any

import pytest

from pystream.common import Row
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import PyStreamError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table import Schema, StreamTableEnvironment
from pystream.table.columns import TableColumn, row_type
from pystream.table.evaluation import Evaluation, NotEvaluatedError, evaluated
from tests.unit.table.evaluation.expressions import analysed, position_in

COLUMNS: Sequence[tuple[str, DataType]] = [
    ("ti", DataTypes.TINYINT()),
    ("i", DataTypes.INT()),
    ("bi", DataTypes.BIGINT()),
    ("d", DataTypes.DOUBLE()),
    ("de", DataTypes.DECIMAL(10, 2)),
    ("long", DataTypes.DECIMAL(30, 12)),
    ("b", DataTypes.BOOLEAN()),
    ("s", DataTypes.STRING()),
    ("dt", DataTypes.DATE()),
    ("ts", DataTypes.TIMESTAMP(3)),
]
ROWS: Sequence[Sequence[Any]] = [
    [
        7,
        12,
        -5,
        0.5,
        Decimal("2.50"),
        Decimal("0.000000000001"),
        True,
        "a b",
        date(2020, 2, 29),
        datetime(2020, 2, 29, 23, 59),
    ],
    [
        -3,
        5,
        40,
        -2.25,
        Decimal("-0.05"),
        Decimal("-123456789.987654321012"),
        False,
        "Xyz",
        date(1999, 12, 31),
        datetime(1970, 1, 1),
    ],
    [None] * 10,
    [
        0,
        None,
        1,
        None,
        Decimal("99.99"),
        Decimal("1.500000000000"),
        None,
        "",
        None,
        datetime(2024, 1, 31, 12),
    ],
    [1, -8, None, 100.125, None, Decimal("0.333333333333"), True, "zu", date(2021, 1, 3), None],
]
NUMBERS = ("ti", "i", "bi", "d", "de", "long", "3", "0.75", "2e0")


def number(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(NUMBERS)
    one, other = number(random, random.randrange(depth)), number(random, random.randrange(depth))
    match random.randrange(8):
        case 0 | 1 | 2:
            return f"({one} {random.choice('+-*')} {other})"
        case 3:
            return f"({one} / (ABS({other}) + 1))"
        case 4:
            return f"CASE WHEN {condition(random, depth - 1)} THEN {one} ELSE {one} + 1 END"
        case 5:
            return f"ABS({one})"
        case 6:
            return f"COALESCE({one}, {one} * 2)"
    return f"(-{one})"


def condition(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(("b", "b IS NULL", "i IN (5, 12)", "s LIKE '%z%'", "dt > DATE '2020-01-01'"))
    one, other = number(random, depth - 1), number(random, depth - 1)
    match random.randrange(6):
        case 0 | 1:
            return f"({one} {random.choice(('<', '<=', '=', '<>', '>'))} {other})"
        case 2:
            return f"({condition(random, depth - 1)} AND {condition(random, depth - 1)})"
        case 3:
            return f"({condition(random, depth - 1)} OR {condition(random, depth - 1)})"
        case 4:
            return f"(NOT {condition(random, depth - 1)})"
    return f"({one} BETWEEN {other} AND 10)"


def text(random: Random, depth: int) -> str:
    inner = "s" if depth == 0 else text(random, depth - 1)
    start, count = random.randint(1, 3), random.randint(0, 3)
    return random.choice(
        (
            f"UPPER({inner})",
            f"({inner} || '-' || s)",
            f"SUBSTRING({inner}, {start}, {count})",
            f"LPAD({inner}, 5, '*')",
            f"REPLACE({inner}, 'z', 'zz')",
            f"CAST({random.choice(('i', 'de', 'b', 'ts', 'long'))} AS STRING)",
            f"CASE WHEN {condition(random, depth)} THEN {inner} ELSE TRIM({inner}) END",
        )
    )


def moment(random: Random, depth: int) -> str:
    inner = random.choice(("ts", "CAST(dt AS TIMESTAMP(3))")) if depth == 0 else moment(random, depth - 1)
    unit, amount = random.choice(("DAY", "MONTH", "HOUR", "YEAR", "SECOND")), random.randint(1, 40)
    return random.choice(
        (
            f"({inner} + INTERVAL '{amount}' {unit})",
            f"({inner} - INTERVAL '{amount}' {unit})",
            f"FLOOR({inner} TO {unit})",
            f"TIMESTAMPADD({unit}, ti, {inner})",
        )
    )


def expressions(random: Random) -> Iterator[str]:
    while True:
        depth = random.randint(1, 3)
        yield number(random, depth)
        yield condition(random, depth)
        yield text(random, depth - 1)
        yield moment(random, depth - 1)
        yield f"EXTRACT({random.choice(('YEAR', 'WEEK', 'HOUR', 'DOY'))} FROM {moment(random, 0)})"


def without_errors(random: Random, count: int) -> Iterator[tuple[str, Evaluation]]:
    """Yield random expressions that are supported, and have a value for each row."""
    for expression in expressions(random):
        tree, _ = analysed(expression, COLUMNS)
        try:
            evaluation = evaluated(tree, position_in(COLUMNS))
            for row in ROWS:
                evaluation(row)
        except (NotEvaluatedError, PyStreamError):
            continue
        yield expression, evaluation
        count -= 1
        if not count:
            return


def told(value: Any) -> str:
    """Return a value as text, in which decimals that are equal, and zeros, are the same."""
    if isinstance(value, Decimal):
        return f"{value.normalize(Context(prec=60)):f}"
    return repr(value or 0.0) if isinstance(value, float) else repr(value)


def without_digits(data_type: DataType) -> str:
    """Return a type without the digits of times, of which Spark knows only microseconds."""
    return re.sub(r"(TIMESTAMP)\(\d\)", r"\1", str(data_type.nullable()))


@pytest.mark.time_limit(300)
def test_random_expressions(env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    columns = [TableColumn(name, kind, kind.type_info, at) for at, (name, kind) in enumerate(COLUMNS)]
    names = [name for name, _ in COLUMNS]
    stream = env.from_collection(
        [Row(**dict(zip(names, row, strict=True))) for row in ROWS], row_type(columns)
    )
    schema = Schema.new_builder()
    for name, kind in COLUMNS:
        schema = schema.column(name, kind)
    t_env.create_temporary_view("t", t_env.from_data_stream(stream, schema.build()))
    chosen = list(without_errors(Random(20), 150))
    fields = ", ".join(f"{expression} AS x{position}" for position, (expression, _) in enumerate(chosen))
    table = t_env.sql_query(f"SELECT {fields} FROM t")
    types = table.get_schema().get_field_data_types()
    with table.execute().collect() as results:
        computed = list(zip(*(tuple(row) for row in results), strict=True))
    for (expression, evaluation), kind, values in zip(chosen, types, computed, strict=True):
        expected = [evaluation(row) for row in ROWS]
        assert sorted(map(told, values)) == sorted(map(told, expected)), expression
        assert without_digits(kind) == without_digits(evaluation.data_type), expression
