"""Each function that PyFlink lists is one of SQL or of expressions here, or there is a reason why not.

The names are those of ``TableEnvironment.list_functions()`` in PyFlink 2.3.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pystream.table import expressions
from pystream.table.expressions import Expression
from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.declared import DECLARED
from pystream.table.functions.refused import REFUSED
from pystream.table.sql.operations import names_operation

NAMES = (Path(__file__).parents[3] / "parity" / "functions.txt").read_text().split()

OTHERS = {
    r"(HIVE_)?AGG_DECIMAL_(PLUS|MINUS)|JSON_(ARRAY|OBJECT)AGG_\w+|reinterpretCast": "is made by the planner",
    r"streamRecordTimestamp": "is the event time of a stream, which the metadata rowtime of a schema reads",
    r"ASSIGNMENT|DEFAULT|TRY_CAST|IS_JSON": "is a syntax: =>, DEFAULT, TRY_CAST(… AS …), IS JSON",
    r"TRANSLATE3": "is TRANSLATE",
    r"as": "is alias",
}


def is_here(name: str) -> bool:
    snake = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
    of_sql = {name.upper(), snake.upper()}
    is_of_sql = any(of_sql & known.keys() for known in (DECLARED, AGGREGATE_FUNCTIONS, REFUSED))
    methods = {snake, f"{snake}_", snake.replace("range_to", "range_")}
    is_method = any(hasattr(owner, method) for owner in (Expression, expressions) for method in methods)
    return is_of_sql or names_operation(name) or is_method


def test_functions_are_here_or_there_is_a_reason() -> None:
    missing = [name for name in NAMES if not is_here(name)]
    assert [name for name in missing if not any(re.fullmatch(why, name) for why in OTHERS)] == []


@pytest.mark.parametrize("pattern", OTHERS, ids=OTHERS.values())
def test_every_reason_applies_to_a_function(pattern: str) -> None:
    assert any(re.fullmatch(pattern, name) for name in NAMES)
