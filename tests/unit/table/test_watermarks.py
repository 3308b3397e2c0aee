"""The delays of watermarks in SQL."""

from __future__ import annotations

import pytest

from pystream.errors import SqlError
from pystream.table.sql.watermarks import watermark_delay


@pytest.mark.parametrize(
    ("expression", "delay"),
    [
        ("ts", 0),
        ("`ts`", 0),
        ("ts - INTERVAL '5' SECOND", 5000),
        ("ts - INTERVAL '0.001' SECOND", 1),
        ("ts - INTERVAL '2' MINUTES", 120_000),
        ("ts - INTERVAL '1' hour", 3_600_000),
        ("ts - INTERVAL '1' DAY", 86_400_000),
        ("ts - INTERVAL '2' WEEK", 1_209_600_000),
    ],
)
def test_delays(expression: str, delay: int) -> None:
    assert watermark_delay("ts", expression) == delay


@pytest.mark.parametrize(
    "expression",
    ["other", "ts + INTERVAL '5' SECOND", "ts - 5", "ts - INTERVAL 'x' SECOND", "ts - INTERVAL '1' YEAR"],
)
def test_other_expressions_are_refused(expression: str) -> None:
    with pytest.raises(SqlError, match="watermark of 'ts' must be `ts` or `ts` - INTERVAL '5' SECOND, not"):
        watermark_delay("ts", expression)


def test_the_column_may_have_any_name() -> None:
    assert watermark_delay("b`c", "`b``c`") == 0


def test_the_place_of_a_syntax_error_is_in_the_expression() -> None:
    with pytest.raises(SqlError) as failure:
        watermark_delay("b`c", "`b``c` - INTERVAL '5' SECOND)")
    text = str(failure.value)
    assert text.startswith("WATERMARK FOR `b``c` AS `b``c` - INTERVAL '5' SECOND): line 1, column 29, at ')'")
    assert text.endswith("\n  `b``c` - INTERVAL '5' SECOND)\n  " + " " * 28 + "^")
