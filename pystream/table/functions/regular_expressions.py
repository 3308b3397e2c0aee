"""Regular expressions of Java."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.sql_types.data_types import DataTypes
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.values import patterns
from pystream.table.functions.values.pattern_groups import optional_groups

__all__ = ["REGULAR_EXPRESSIONS"]

_STRING = DataTypes.STRING()
_INT = DataTypes.INT()
_BOOLEAN = DataTypes.BOOLEAN()
_STRINGS = DataTypes.ARRAY(DataTypes.STRING())
_PATTERN = {1: patterns.translated_pattern}
_FIRST_MATCH = "CASE WHEN REGEXP_LIKE({0}, {1}) THEN REGEXP_EXTRACT({0}, {1}, 0) END"
_GROUP = "CASE WHEN {2} >= 0 AND REGEXP_LIKE({0}, {1}) THEN REGEXP_EXTRACT({0}, {1}, {2}) END"


def _extracted_in_spark(arguments: Arguments) -> str | None:
    """Return Spark's SQL, unless a group of a match may be null, of which Spark makes an empty text."""
    if len(arguments.types) == 2:
        return _FIRST_MATCH
    pattern, group = arguments.constants.get(1), arguments.constants.get(2)
    return None if isinstance(pattern, str) and group is not None and _may_be_null(pattern, group) else _GROUP


def _all_extracted_in_spark(arguments: Arguments) -> str | None:
    """Return Spark's SQL; ``None`` if the group may not exist or not take part in a match."""
    pattern, group = arguments.constants.get(1), arguments.constants.get(2, 1)
    is_known = len(arguments.types) == 2 or 2 in arguments.constants
    if is_known and isinstance(pattern, str) and group is not None and _may_be_null(pattern, group):
        return None
    return "REGEXP_EXTRACT_ALL({0:})"


def _may_be_null(pattern: str, group: int) -> bool:
    try:
        translated = patterns.translated_pattern(pattern)
    except patterns.UntranslatedPatternError:
        return False
    return not translated.has_group(group) or group in optional_groups(translated)


REGULAR_EXPRESSIONS: Sequence[SqlFunction] = [
    SqlFunction(
        "REGEXP",
        "STRING, STRING",
        _BOOLEAN,
        "Whether a regular expression of Java matches a part of the text.",
        patterns.matches,
        spark=["IF({1} = '' AND {0} IS NOT NULL, FALSE, REGEXP({0}, {1}))"],
        literals=_PATTERN,
        examples=["REGEXP('a1', '[0-9]')", "REGEXP('a1', '^1')", "REGEXP('abc', '')"],
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
        spark=_extracted_in_spark,
        literals=_PATTERN,
        examples=[
            "REGEXP_EXTRACT('a1b22', '[0-9]+')",
            "REGEXP_EXTRACT('a1b22', '([a-z])([0-9])', 2)",
            "REGEXP_EXTRACT('a', '[0-9]+')",
            "REGEXP_EXTRACT('abc', '')",
            *(f"REGEXP_EXTRACT('abc', {one})" for one in ("'(b)', -1", "'(b)', 3", "'(b)(x)?', 2")),
        ],
    ),
    SqlFunction(
        "REGEXP_EXTRACT_ALL",
        "STRING|NULL, STRING|NULL [, INT|NULL]",
        _STRINGS,
        "All parts of the text matched by a regular expression, or a group of each, the first unless given.",
        patterns.all_extracted,
        Nulls.AND_OTHERS,
        spark=_all_extracted_in_spark,
        literals=_PATTERN,
        examples=[
            f"REGEXP_EXTRACT_ALL('a1b22', {one})"
            for one in (
                *("'([0-9]+)'", "'[a-z]([0-9]+)', 0", "'[0-9]', 0", "'(x)'", "'x'", "'[0-9]'", "'[0-9](x)?'"),
                *("'(a)', -1", "'(a)', 2", "NULL", "CAST(NULL AS STRING)", "'(a)', CAST(NULL AS INT)"),
            )
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
        r"The text with another one, in which $ and \ are ordinary, for each match of a regular expression.",
        patterns.replaced,
        spark=[r"REGEXP_REPLACE({0}, {1}, REPLACE(REPLACE({2}, '\\', '\\\\'), '$', '\\$'))"],
        literals=_PATTERN,
        examples=[
            "REGEXP_REPLACE('a1b22', '[0-9]+', '#')",
            "REGEXP_REPLACE('abc', '(b)', '$1$1')",
            r"REGEXP_REPLACE('abc', 'b', 'x\y')",
        ],
    ),
    SqlFunction(
        "REGEXP_SUBSTR",
        "STRING|NULL, STRING|NULL",
        _STRING,
        "The first part of the text that a regular expression matches; null if there is none.",
        patterns.extracted,
        Nulls.AND_OTHERS,
        spark=[_FIRST_MATCH],
        literals=_PATTERN,
        examples=[
            "REGEXP_SUBSTR('a1b22', '[0-9]+')",
            "REGEXP_SUBSTR('a', '[0-9]+')",
            "REGEXP_SUBSTR('abc', '')",
        ],
    ),
]
"""The declarations."""
