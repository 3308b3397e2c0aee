"""Regular expressions of Java."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.sql_types.data_types import DataTypes
from pystream.table.functions.declaration import Nulls, SqlFunction
from pystream.table.functions.values import patterns

__all__ = ["REGULAR_EXPRESSIONS"]

_STRING = DataTypes.STRING()
_INT = DataTypes.INT()
_BOOLEAN = DataTypes.BOOLEAN()
_STRINGS = DataTypes.ARRAY(DataTypes.STRING())
_PATTERN = {1: patterns.translated_pattern}

REGULAR_EXPRESSIONS: Sequence[SqlFunction] = [
    SqlFunction(
        "REGEXP",
        "STRING, STRING",
        _BOOLEAN,
        "Whether a regular expression of Java matches a part of the text.",
        patterns.matches,
        literals=_PATTERN,
        examples=["REGEXP('a1', '[0-9]')", "REGEXP('a1', '^1')"],
    ),
    SqlFunction(
        "REGEXP_COUNT",
        "STRING|NULL, STRING|NULL",
        _INT,
        "How many parts of the text a regular expression matches.",
        patterns.count_of,
        Nulls.AND_OTHERS,
        literals=_PATTERN,
        examples=["REGEXP_COUNT('a1b22', '[0-9]+')"],
    ),
    SqlFunction(
        "REGEXP_EXTRACT",
        "STRING, STRING [, INT]",
        _STRING,
        "The first part of the text matched by a regular expression, or a group of it; null if none is.",
        patterns.extracted,
        Nulls.AND_OTHERS,
        spark=[
            "CASE WHEN REGEXP_LIKE({0}, {1}) THEN REGEXP_EXTRACT({0}, {1}, 0) END",
            "CASE WHEN REGEXP_LIKE({0}, {1}) THEN REGEXP_EXTRACT({0}, {1}, {2}) END",
        ],
        literals=_PATTERN,
        examples=[
            "REGEXP_EXTRACT('a1b22', '[0-9]+')",
            "REGEXP_EXTRACT('a1b22', '([a-z])([0-9])', 2)",
            "REGEXP_EXTRACT('a', '[0-9]+')",
        ],
    ),
    SqlFunction(
        "REGEXP_EXTRACT_ALL",
        "STRING|NULL, STRING|NULL [, INT|NULL]",
        _STRINGS,
        "All parts of the text matched by a regular expression, or a group of each, the first unless given.",
        patterns.all_extracted,
        Nulls.AND_OTHERS,
        literals=_PATTERN,
        examples=[
            f"REGEXP_EXTRACT_ALL('a1b22', {one})"
            for one in ("'([0-9]+)'", "'[a-z]([0-9]+)', 0", "'[0-9]', 0", "'(x)'")
        ],
    ),
    SqlFunction(
        "REGEXP_INSTR",
        "STRING|NULL, STRING|NULL",
        _INT,
        "Where a regular expression matches the text first; 0 if it does not.",
        patterns.place_of,
        Nulls.AND_OTHERS,
        literals=_PATTERN,
        examples=["REGEXP_INSTR('ab1', '[0-9]')", "REGEXP_INSTR('ab', '[0-9]')"],
    ),
    SqlFunction(
        "REGEXP_REPLACE",
        "STRING, STRING, STRING",
        _STRING,
        "The text with each match of a regular expression replaced; $1 is the match of its first group.",
        patterns.replaced,
        literals=_PATTERN,
        examples=["REGEXP_REPLACE('a1b22', '[0-9]+', '#')"],
    ),
    SqlFunction(
        "REGEXP_SUBSTR",
        "STRING|NULL, STRING|NULL",
        _STRING,
        "The first part of the text that a regular expression matches; null if there is none.",
        patterns.extracted,
        Nulls.AND_OTHERS,
        literals=_PATTERN,
        examples=["REGEXP_SUBSTR('a1b22', '[0-9]+')", "REGEXP_SUBSTR('a', '[0-9]+')"],
    ),
]
"""The declarations."""
