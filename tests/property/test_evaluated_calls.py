"""Random calls of functions are refused, or have values of their types or errors that name the values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row
from pystream.errors import PyStreamError
from pystream.sql_types.data_types import DataType
from pystream.table.evaluation import NotEvaluatedError, evaluated
from pystream.table.sql.column_types import parse_data_type
from pystream.table.sql.functions.names import FUNCTIONS
from tests.unit.table.evaluation.expressions import analysed, position_in
from typeinfo.instant import Instant
from typeinfo.serde.serializer import serializer_for
from typeinfo.types import Types

COLUMNS: Mapping[str, tuple[str, Any]] = {
    "ti": ("TINYINT", 7),
    "i": ("INT", -70_000),
    "bi": ("BIGINT", 5_000_000_000),
    "f": ("FLOAT", 1.5),
    "d": ("DOUBLE", -2.25),
    "de": ("DECIMAL(10, 2)", Decimal("12.50")),
    "b": ("BOOLEAN", True),
    "s": ("STRING", "Hello wörld"),
    "n": ("STRING", "12"),
    "y": ("BYTES", b"a\xff"),
    "dt": ("DATE", date(2020, 2, 29)),
    "tm": ("TIME(0)", time(12, 30, 45)),
    "ts": ("TIMESTAMP(3)", datetime(2020, 2, 29, 12, 30, 45, 123_000)),
    "ltz": ("TIMESTAMP_LTZ(3)", Instant(5)),
    "ints": ("ARRAY<INT>", [1, None, 3]),
    "counts": ("MAP<STRING, INT>", {"a": 1}),
    "r": ("ROW<a INT, b STRING>", Row(a=1, b="x")),
}
TYPED: list[tuple[str, DataType]] = [(name, parse_data_type(kind)) for name, (kind, _) in COLUMNS.items()]
ROWS = ([value for _, value in COLUMNS.values()], [None] * len(COLUMNS))
OTHERS = ("NULL", "0", "1", "'a'", "'yyyy-MM-dd'", "2.5", "1e3", "INTERVAL '1' DAY", "DATE '2020-01-01'")
OPERATORS = ("+", "-", "*", "/", "%", "=", "<", ">=", "<>", "AND", "OR", "||", "IS DISTINCT FROM", "LIKE")
KINDS = (
    "INT",
    "STRING",
    "DECIMAL(5, 2)",
    "DATE",
    "TIMESTAMP(3)",
    "TIME",
    "BOOLEAN",
    "DOUBLE",
    "FLOAT",
    "BYTES",
)


def joined(template: str) -> Callable[..., str]:
    return template.format


def calls(name: str, arguments: list[str]) -> str:
    return f"{name}({', '.join(arguments)})"


def composed(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(calls, st.sampled_from(sorted(FUNCTIONS)), st.lists(parts, max_size=3)),
        st.builds(joined("({} {} {})"), parts, st.sampled_from(OPERATORS), parts),
        st.builds(joined("CAST({} AS {})"), parts, st.sampled_from(KINDS)),
        st.builds(joined("TRY_CAST({} AS {})"), parts, st.sampled_from(KINDS)),
        st.builds(joined("CASE WHEN {} THEN {} ELSE {} END"), parts, parts, parts),
        st.builds(joined("({} IN ({}, {}))"), parts, parts, parts),
        st.builds(joined("FLOOR({} TO {})"), parts, st.sampled_from(("DAY", "HOUR", "MONTH"))),
        st.builds(joined("EXTRACT({} FROM {})"), st.sampled_from(("YEAR", "HOUR", "EPOCH")), parts),
        st.builds(joined("({} IS {})"), parts, st.sampled_from(("NULL", "NOT NULL", "TRUE", "NOT FALSE"))),
    )


expressions = st.recursive(st.sampled_from((*COLUMNS, *OTHERS)), composed, max_leaves=6)


@given(expressions)
def test_an_expression_is_refused_or_has_values_of_its_type(expression: str) -> None:
    try:
        tree, _ = analysed(expression, TYPED)
    except (PyStreamError, ValueError):
        return  # no query has such an expression
    try:
        evaluation = evaluated(tree, position_in(TYPED), zone=UTC)
    except NotEvaluatedError:
        return
    kind = evaluation.data_type.type_info
    serializer = serializer_for(Types.ROW([kind]))
    for row in ROWS:
        try:
            value = evaluation(row)
        except PyStreamError:
            continue
        assert value is not None or evaluation.data_type.is_nullable
        (conformed,) = serializer.conform([Row(value)])
        assert type(conformed[0]) is type(value)
        assert repr(conformed[0]) == repr(value)
