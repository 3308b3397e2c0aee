"""Random expressions over columns have the values that they have for single rows, or fall back to these."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.errors import PyStreamError
from pystream.expressions.operation import NotComputedError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.evaluation import Evaluation, evaluated
from pystream.table.functions.kernels.compiled import kernel_of
from pystream.table.functions.kernels.logic import CONDITIONS
from pystream.table.functions.kernels.numbers import NUMBERS
from pystream.table.functions.kernels.texts import TEXTS as TEXTS_KERNELS
from pystream.table.functions.values import logic, mathematics, texts
from pystream.table.streaming.calc import CalcStep
from pystream.table.streaming.column_calc import ColumnCalc, SelectedRows
from tests.unit.table.evaluation.expressions import analysed, position_in
from typeinfo.row import Row

MOMENT = DataTypes.ROW(
    [DataTypes.FIELD("at", DataTypes.TIMESTAMP(6)), DataTypes.FIELD("w", DataTypes.STRING())]
)
COLUMNS: dict[str, DataType] = {
    "b": DataTypes.BOOLEAN(),
    "t": DataTypes.TINYINT(),
    "i": DataTypes.INT(),
    "j": DataTypes.INT(),
    "n": DataTypes.BIGINT(),
    "f": DataTypes.FLOAT(),
    "x": DataTypes.DOUBLE(),
    "y": DataTypes.DOUBLE(),
    "s": DataTypes.STRING(),
    "u": DataTypes.STRING(),
    "d": DataTypes.DATE(),
    "z": DataTypes.TIMESTAMP(6),
    "r": DataTypes.ROW([DataTypes.FIELD("k", DataTypes.INT()), DataTypes.FIELD("m", MOMENT)]),
    "p": DataTypes.DECIMAL(10, 2),
    "q": DataTypes.DECIMAL(38, 18),
    "h": DataTypes.DECIMAL(20, 8),
}
TYPED = list(COLUMNS.items())
TABLE = [
    TableColumn(name, data_type, data_type.type_info, number)
    for number, (name, data_type) in enumerate(COLUMNS.items())
]
ROWS = row_type(TABLE)

INTEGERS = ("t", "i", "j", "n", "ABS(t)", "ABS(n)", "CAST(x AS INT)", "CHAR_LENGTH(s)", "r.k", "3", "-2", "0")
DOUBLES = ("x", "y", "ABS(x)", "CAST(i AS DOUBLE)", "1.5E0", "0E0")
FLOATS = ("f", "CAST(x AS FLOAT)", "CAST(i AS FLOAT)")
TEXTS = (
    "s",
    "u",
    "UPPER(s)",
    "LOWER(u)",
    "'ab'",
    "SUBSTRING(s, 2)",
    "SUBSTRING(s, 1, 2)",
    "s || u",
    "r.m.w",
    "SPLIT_INDEX(s, 'b', 1)",
)
FORMS = ("yyyy-MM-dd", "yy D EEEE MMM", "HH:mm", "h a", "ss", "mm:ss.SSS", "SSSSSSSSS", "''T'' MMMM")
READ = (
    "TO_TIMESTAMP(DATE_FORMAT({}, 'yyyy-MM-dd HH:mm:ss.SSS'))",
    "TO_TIMESTAMP(DATE_FORMAT({}, 'dd.MM.yyyy HH:mm'), 'dd.MM.yyyy HH:mm')",
    "TO_DATE(DATE_FORMAT({}, 'yyyy-MM-dd'))",
    "TO_DATE(DATE_FORMAT({}, 'ddMMyyyy'), 'ddMMyyyy')",
)
PATTERNS = ("a%", "%b", "%a%", "ab", "%", "", "a_", "a%b")

WITH_KERNELS = [
    *("i + j", "n - i", "i * 2", "n / i", "i % 3", "-n", "x + y", "x - 1E0", "x * y", "x / y", "-x"),
    *("f + f", "CAST(i AS DOUBLE)", "CAST(x AS INT)", "CAST(n AS SMALLINT)", "CAST(x AS FLOAT)"),
    *("CAST(i AS STRING)", "i < n", "x >= y", "s = u", "s <> 'ab'", "d < DATE '2024-02-29'", "NOT b"),
    *("z = TIMESTAMP '2024-01-01 00:00:00'", "b AND i > 0", "b OR s IS NULL", "b IS TRUE", "b IS NOT FALSE"),
    *("i BETWEEN 1 AND j", "i IN (1, 2, 3)", "s IN ('a', 'ab')", "s LIKE 'a%'", "s || u", "UPPER(s)"),
    *("CHAR_LENGTH(s)", "SUBSTRING(s, 2, 1)", "CASE WHEN i > 0 THEN i WHEN b THEN j ELSE n END"),
    *("r.k + 1", "r.m.w", "r.m.at > z", "CASE i WHEN 1 THEN s WHEN j THEN u ELSE r.m.w END"),
    *("SPLIT_INDEX(s, 'a', 1)", "SPLIT_INDEX(u, 'ab', 0)", "SPLIT_INDEX(s, 'b', 2)"),
    *(f"DATE_FORMAT({time}, '{form}')" for form in FORMS for time in ("z", "r.m.at")),
    *(form.format(time) for form in READ for time in ("z", "r.m.at")),
    *("TO_TIMESTAMP(s)", "TO_TIMESTAMP(s, 'yyyy-MM-dd')", "TO_DATE(u)", "TO_DATE(u, 'yyyy-MM-dd')"),
    *("REGEXP_EXTRACT(s, '(a|^)([^b]*)', 2)", "REGEXP_REPLACE(u, 'a+', '$')", "REGEXP(s, '^a?b$')"),
    *("s LIKE 'a_%b'", "s NOT LIKE '%a!_' ESCAPE '!'", "s SIMILAR TO '(a|b)+%'", "REGEXP_COUNT(s, 'a|b')"),
    *(
        "p + p",
        "p - 1.5",
        "p * i",
        "0.908 * n",
        "-p",
        "p > 1.25",
        "p < q",
        "p BETWEEN 1 AND q",
        "ROUND(p, 1)",
    ),
    *("CAST(q AS DECIMAL(10, 2))", "CAST(i AS DECIMAL(12, 2))", "COALESCE(p, p)"),
    *("p / h", "h / p", "p / 3", "q / i", "p % h", "h % 7", "p % q", "MOD(h, i)", "h * h", "q * q", "q + h"),
    *("ROUND(h, -2)", "TRUNCATE(p, 1)", "TRUNCATE(h, -1)", "FLOOR(p)", "CEIL(q)", "ABS(q)", "SIGN(h)"),
    *(
        "CAST(p AS INT)",
        "CAST(q AS BIGINT)",
        "CAST(h AS DOUBLE)",
        "CAST(p AS FLOAT)",
        "p * x",
        "CAST(n AS FLOAT)",
    ),
    *("CAST(x AS DECIMAL(10, 2))", "CAST(f AS DECIMAL(30, 20))", "CAST(b AS DECIMAL(4, 2))"),
    *(
        "CAST(p AS STRING)",
        "CAST(q AS STRING)",
        "CAST(CAST(i AS STRING) AS DECIMAL(9, 2))",
        "CAST(h AS BOOLEAN)",
    ),
    *(
        "CASE WHEN b THEN p ELSE 1 END",
        "COALESCE(p, h, 0)",
        "p IN (1.25, 2)",
        "CASE p WHEN h THEN 1 ELSE 2 END",
    ),
    *("FLOOR(x)", "CEIL(y)", "SQRT(x)", "CAST(x AS BOOLEAN)", "CAST(i AS BOOLEAN)"),
    *("COALESCE(s, u)", "IF(b, x, y)", "ABS(t)", "ABS(n)", "ABS(-x)"),
]
"""Expressions that have kernels for some values at least."""
WITH_DECIMALS = (
    *("p", "p + 1", "p * i", "p / 3", "-p", "p > 1.5", "CAST(p AS STRING)", "COALESCE(p, 0)", "ARRAY[p]"),
    *("p * p", "q * p", "q - p", "0.908 * n", "p + p * 2", "ROUND(q, 3)", "ROUND(p)", "ROUND(p, 4)"),
    *("CAST(q AS DECIMAL(10, 2))", "CAST(p AS DECIMAL(12, 1))", "CAST(n AS DECIMAL(5, 0))", "p < q", "p = q"),
    *(
        "p BETWEEN 1 AND q",
        "p IN (1.5, 2.25)",
        "0.908 * n > 1000",
        "-q",
        "p <> 1.50",
        "CAST(i AS DECIMAL(20, 3))",
    ),
    "CASE WHEN b THEN p ELSE 1 END",
    *("p / h", "h / p", "q / p", "p / q", "h / 3", "2 / h", "p % h", "h % p", "p % q", "h % 7", "MOD(p, i)"),
    *(
        "h * h",
        "q * q",
        "q * h",
        "h + p / 7",
        "ROUND(h, -2)",
        "ROUND(p, -9)",
        "ROUND(h, 5)",
        "TRUNCATE(h, 3)",
    ),
    *("TRUNCATE(q, -1)", "FLOOR(p)", "FLOOR(q)", "CEIL(h)", "CEIL(q)", "ABS(p)", "SIGN(q)"),
    *("CAST(p AS INT)", "CAST(h AS TINYINT)", "CAST(q AS BIGINT)", "CAST(p AS DOUBLE)", "CAST(q AS DOUBLE)"),
    *(
        "CAST(h AS FLOAT)",
        "CAST(x AS DECIMAL(10, 2))",
        "CAST(y AS DECIMAL(38, 30))",
        "CAST(f AS DECIMAL(20, 8))",
    ),
    *(
        "CAST(b AS DECIMAL(3, 2))",
        "CAST(q AS STRING)",
        "CAST(h AS STRING)",
        "CAST(CAST(h AS STRING) AS DECIMAL(9, 3))",
    ),
    *("CAST(p AS BOOLEAN)", "p * x", "h / y", "COALESCE(p, h)", "COALESCE(h, q, 0)", "p IN (1.5, 2, -3.25)"),
    *("CASE h WHEN p THEN q WHEN 2 THEN h ELSE 0 END", "IF(b, p, h)", "CAST(q AS DECIMAL(4, 1))"),
)
"""Expressions of decimals."""


@st.composite
def numbers(draw: Any, parts: tuple[str, ...], depth: int = 2) -> str:
    if depth == 0 or draw(st.booleans()):
        return str(draw(st.sampled_from(parts)))
    sign = draw(st.sampled_from(["+", "-", "*", "/", *(["%"] if parts is INTEGERS else [])]))
    one, other = draw(numbers(parts, depth - 1)), draw(numbers(parts, depth - 1))
    return f"({one} {sign} {other})"


@st.composite
def conditions(draw: Any, depth: int = 2) -> str:
    if depth and draw(st.booleans()):
        connective = draw(st.sampled_from(["AND", "OR"]))
        one, other = draw(conditions(depth - 1)), draw(conditions(depth - 1))
        return f"({one} {connective} {other})"
    compare = draw(st.sampled_from(["=", "<>", "<", "<=", ">", ">="]))
    match draw(st.integers(0, 7)):
        case 0:
            return f"({draw(numbers(INTEGERS))} {compare} {draw(numbers(INTEGERS))})"
        case 1:
            return f"({draw(numbers(DOUBLES))} {compare} {draw(numbers(DOUBLES))})"
        case 2:
            return f"({draw(st.sampled_from(TEXTS))} {compare} {draw(st.sampled_from(TEXTS))})"
        case 3:
            return f"(s LIKE '{draw(st.sampled_from(PATTERNS))}')"
        case 4:
            return f"({draw(st.sampled_from(list(COLUMNS)))} IS NULL)"
        case 5:
            listed = draw(st.sampled_from(["1, 2", "1, CAST(NULL AS INT)", "0, -5, 127"]))
            return f"(i {draw(st.sampled_from(['IN', 'NOT IN']))} ({listed}))"
        case 6:
            return f"(d {compare} DATE '2024-02-29' AND z {compare} TIMESTAMP '2024-01-01 00:00:00')"
    return str(draw(st.sampled_from(["b", "b IS TRUE", "b IS NOT FALSE", "NOT b", "i BETWEEN t AND n"])))


@st.composite
def expressions(draw: Any) -> str:
    match draw(st.integers(0, 9)):
        case 6:
            time = draw(st.sampled_from(["z", "r.m.at"]))
            if draw(st.booleans()):
                return str(draw(st.sampled_from(READ)).format(time))
            return f"DATE_FORMAT({time}, '{draw(st.sampled_from(FORMS))}')"
        case 7:
            kinds = [(INTEGERS, "i", "j"), (DOUBLES, "x", "y"), (TEXTS, "s", "u")]
            parts, one, other = draw(st.sampled_from(kinds))
            operand, *candidates = (draw(st.sampled_from(parts)) for _ in range(3))
            whens = " ".join(f"WHEN {each} THEN {one}" for each in candidates)
            return f"CASE {operand} {whens} ELSE {other} END"
        case 0:
            return str(draw(numbers(INTEGERS)))
        case 1:
            return str(draw(numbers(DOUBLES)))
        case 2:
            return str(draw(numbers(FLOATS)))
        case 3:
            return str(draw(st.sampled_from(TEXTS)))
        case 4:
            parts = draw(st.sampled_from([("i", "j"), ("x", "y"), ("s", "u")]))
            return f"CASE WHEN {draw(conditions())} THEN {parts[0]} ELSE {parts[1]} END"
        case 5 | 9:
            return str(draw(st.sampled_from(WITH_DECIMALS)))
        case 8:
            one = draw(st.sampled_from(["FLOOR(x)", "CEIL(y)", "SQRT(x)", "CAST(n AS FLOAT)"]))
            return f"({one} + {draw(numbers(DOUBLES))})"
    return str(draw(conditions()))


def integers(bits: int) -> st.SearchStrategy[int]:
    edge = 2 ** (bits - 1)
    return st.one_of(st.integers(-3, 3), st.integers(-edge, edge - 1), st.sampled_from([-edge, edge - 1]))


DOUBLE_VALUES = st.one_of(st.sampled_from([0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan]), st.floats())
TEXT_VALUES = st.text(st.sampled_from("abAß %_é"), max_size=4)
TIME_VALUES = st.datetimes(datetime(1969, 12, 30), datetime(2024, 3, 1))
MOMENTS = st.builds(Row, at=st.none() | TIME_VALUES, w=st.none() | TEXT_VALUES)
VALUES = {
    "b": st.booleans(),
    "t": integers(8),
    "i": integers(32),
    "j": integers(32),
    "n": integers(64),
    "f": st.floats(width=32),
    "x": DOUBLE_VALUES,
    "y": DOUBLE_VALUES,
    "s": TEXT_VALUES,
    "u": TEXT_VALUES,
    "d": st.dates(date(1969, 12, 30), date(2024, 3, 1)),
    "z": TIME_VALUES,
    "r": st.builds(Row, k=st.none() | integers(32), m=st.none() | MOMENTS),
    "p": st.decimals(-100, 100, places=2) | st.just(Decimal("99999999.99")),
    "q": st.decimals(-9, 9, places=18) | st.sampled_from([Decimal(10**20 - 1), Decimal("0.5")]),
    "h": st.decimals(-(10**6), 10**6, places=8) | st.sampled_from([Decimal("1E-8"), Decimal(10**12 - 1)]),
}
TABLES = st.lists(st.tuples(*(st.none() | VALUES[name] for name in COLUMNS)), max_size=6)


def evaluation_of(text: str) -> Evaluation:
    tree, _ = analysed(text, TYPED)
    return evaluated(tree, position_in(TYPED))


def by_rows(field: Evaluation, condition: Evaluation, rows: list[tuple[Any, ...]]) -> list[Any] | None:
    """Return the values for the rows for which a condition is true, ``None`` if one raises."""
    try:
        return [field(row) for row in rows if condition(row)]
    except PyStreamError:
        return None


def shown(values: list[Any]) -> list[str]:
    return ["nan" if value != value else repr(value) for value in values]


@given(expressions(), conditions(), TABLES)
def test_expressions_over_columns(field_text: str, condition_text: str, rows: list[tuple[Any, ...]]) -> None:
    field, condition = evaluation_of(field_text), evaluation_of(condition_text)
    result = TableColumn("r", field.data_type, field.data_type.type_info, 0)
    layout = layout_of(ROWS)
    given_rows = ColumnValues(layout, layout.encode(list(rows)))
    calc = ColumnCalc([CalcStep((condition,), (field,), (None,))], row_type([result]))
    decoded = list(map(tuple, given_rows))
    expected = by_rows(field, condition, decoded)
    try:
        results = calc.results(given_rows.columns, len(rows))
    except PyStreamError:
        assert expected is None
        return
    assert results is not None
    values, positions = results
    assert expected is not None
    (column,) = values.columns
    codec = column.codec
    assert shown(list(column.values)) == shown(list(codec.decode(codec.conform_and_encode(expected))))
    kept = [number for number, row in enumerate(decoded) if condition(row)]
    assert kept == (list(range(len(rows))) if positions is None else positions.tolist())


DECIMALS = Decimal("1.25"), Decimal("-3.500000000000000001"), Decimal("34.56789012")


@pytest.mark.parametrize("text", WITH_KERNELS)
def test_an_expression_is_computed_by_kernels(text: str) -> None:
    kernel = kernel_of(evaluation_of(text).composition)
    assert kernel is not None
    nested = Row(k=1, m=Row(at=datetime(2024, 5, 17, 21, 4, 9, 123_456), w="c"))
    row = (
        True,
        1,
        2,
        3,
        4,
        1.5,
        2.5,
        4.0,
        "ab",
        "b",
        date(2024, 1, 1),
        datetime(2024, 1, 1),
        nested,
        *DECIMALS,
    )
    layout = layout_of(ROWS)
    result = kernel(SelectedRows(ColumnValues(layout, layout.encode([row])).columns, 1))
    (value,) = [result.as_py()] if isinstance(result, pa.Scalar) else result.to_pylist()
    assert value == evaluation_of(text)(row)


LONGS, NULL = pa.array([1, 2]), pa.scalar(None, pa.int64())


@pytest.mark.parametrize(
    ("kernel", "operands"),
    [
        (CONDITIONS[logic.one_of_constants], (frozenset({1, 2**63}), LONGS)),
        (CONDITIONS[logic.one_of_constants], (frozenset({0.0, 1.0}), pa.array([-0.0]))),
        (TEXTS_KERNELS[texts.substring], (pa.array(["ab"]), NULL)),
        (TEXTS_KERNELS[texts.substring], (pa.array(["ab"]), pa.scalar(1), NULL)),
        (NUMBERS[mathematics.absolute_integer], (128, pa.array([-128]))),
    ],
)
def test_a_kernel_refuses_values_that_it_does_not_compute(kernel: Any, operands: tuple[Any, ...]) -> None:
    with pytest.raises(NotComputedError):
        kernel(*operands)
