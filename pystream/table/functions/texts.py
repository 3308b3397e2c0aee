"""Functions of text, whose characters are code points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.formatting import PRINTF
from pystream.table.functions.values import patterns
from pystream.table.functions.values import texts as values

__all__ = ["TEXTS"]

_STRING = DataTypes.STRING()
_INT = DataTypes.INT()
_BOOLEAN = DataTypes.BOOLEAN()
_STRINGS = DataTypes.ARRAY(DataTypes.STRING())

_QUOTED = r"CONCAT('\\Q', {1}, '\\E')"
"""A regular expression of Spark that matches the second argument only."""

_NUMBER = (
    r"[\\x00-\\x20]*[+-]?(NaN|Infinity|([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[dDfF]?)[\\x00-\\x20]*"
)
"""A regular expression of the numbers that Java reads."""


def _string_of_first(arguments: Arguments) -> DataType:
    return DataTypes.STRING(arguments.types[0].is_nullable)


def _with_literal(position: int, spark: str = "") -> Callable[[Arguments], str | None]:
    """Return a function that returns Spark's SQL for calls with a literal that is not empty at a position.

    Python computes others, which have other results in Spark.
    """
    return lambda arguments: spark if arguments.constants.get(position) else None


def _padded_in_spark(name: str, arguments: Arguments) -> str | None:
    length = arguments.constants.get(1)
    is_known = isinstance(length, int) and length >= 0
    return f"{name}({{0}}, {{1}}, NULLIF({{2}}, ''))" if is_known else None


def _part_in_spark(arguments: Arguments) -> str | None:
    """Return Spark's SQL for a part of a text whose place and length are literals, and not negative."""
    place, *lengths = (arguments.constants.get(position, -1) for position in range(1, len(arguments.types)))
    is_plain = isinstance(place, int) and place > 0 and all(isinstance(n, int) and n >= 0 for n in lengths)
    return "" if is_plain else None


def _map_in_spark(arguments: Arguments) -> str | None:
    """Return Spark's SQL, which refuses keys that occur twice, for delimiters that Python does not know."""
    are_known = all(place in arguments.constants for place in range(1, len(arguments.types)))
    return None if are_known else "STR_TO_MAP({0}, {1}, {2})"


def _chosen_in_spark(arguments: Arguments) -> str:
    count = len(arguments.types) - 1
    return f"CAST(GET(ARRAY({{1:}}), CAST(IF({{0}} BETWEEN 1 AND {count}, {{0}}, 0) AS INT) - 1) AS STRING)"


TEXTS: Sequence[SqlFunction] = [
    SqlFunction(
        "BTRIM",
        "STRING|NULL [, STRING|NULL]",
        _STRING,
        "The text without the characters of another, blanks unless given, at both ends.",
        values.trimmed,
        examples=["BTRIM('  a ')", "BTRIM('xyaxy', 'yx')"],
    ),
    SqlFunction(
        "CHARACTER_LENGTH",
        "STRING",
        _INT,
        "The same as CHAR_LENGTH.",
        len,
        examples=["CHARACTER_LENGTH('ab ')"],
    ),
    SqlFunction(
        "CHAR_LENGTH", "STRING", _INT, "The number of characters.", len, examples=["CHAR_LENGTH('ab ')"]
    ),
    SqlFunction(
        "CONCAT",
        "STRING...",
        _STRING,
        "The texts one after the other; null if one is.",
        values.concatenated,
        examples=["CONCAT('a', 'b', 'c')", "CONCAT('a', CAST(NULL AS STRING))"],
    ),
    SqlFunction(
        "CONCAT_WS",
        "STRING [, STRING...]",
        _string_of_first,
        "The texts after the first, which stands between them; without those that are null.",
        values.joined,
        Nulls.AS_DECLARED,
        examples=["CONCAT_WS('-', 'a', CAST(NULL AS STRING), 'b')", "CONCAT_WS(CAST(NULL AS STRING), 'a')"],
    ),
    SqlFunction(
        "ELT",
        "INT, STRING|NULL...",
        _STRING,
        "The text of a number, from 1, among those after it; null if there is none.",
        values.chosen,
        Nulls.AS_DECLARED,
        spark=_chosen_in_spark,
        examples=[
            *("ELT(2, 'a', 'b')", "ELT(3, 'a', 'b')", "ELT(0, 'a')", "ELT(1, 'a', CAST(NULL AS STRING))"),
            *("ELT(-2147483647 - 1, 'a')", "ELT(CAST(9223372036854775807 AS BIGINT), 'a')", "ELT(0, NULL)"),
        ],
    ),
    SqlFunction(
        "ENDSWITH",
        "STRING|NULL, STRING|NULL",
        _BOOLEAN,
        "Whether the text ends with another.",
        str.endswith,
        examples=["ENDSWITH('abc', 'bc')", "ENDSWITH('abc', '')"],
    ),
    SqlFunction(
        "INITCAP",
        "STRING",
        _STRING,
        "The text with a capital at the start of each word, and small letters after it; words are made of "
        "ASCII letters and digits.",
        values.capitalized,
        spark=None,
        examples=["INITCAP('hello WORLD-x')"],
    ),
    SqlFunction(
        "INSTR",
        "STRING, STRING [, INT]",
        _INT,
        "Where another text is found in the text, from a character on if it is given, or back from one, "
        "counted from the end, if it is negative; 0 if it is not.",
        values.located,
        spark=lambda arguments: "LOCATE({1}, {0})" if len(arguments.types) == 2 else None,
        examples=[
            "INSTR('corporate', 'or')",
            "INSTR('corporate', 'or', 3)",
            "INSTR('a', 'b')",
            "INSTR('abc', 'b', 0)",
            "INSTR('abcb', 'b', -1)",
            "INSTR('abcbb', 'bb', -2)",
            "INSTR('abcb', 'b', -9)",
            "INSTR('abc', '', 0)",
        ],
    ),
    SqlFunction(
        "IS_ALPHA",
        "STRING",
        DataTypes.BOOLEAN(nullable=False),
        "Whether the text is made of letters, at least one; false for null.",
        values.is_letters,
        Nulls.AS_DECLARED,
        spark=["COALESCE({0} RLIKE '^\\\\p{L}+$', FALSE)"],
        examples=["IS_ALPHA('abé')", "IS_ALPHA('a1')", "IS_ALPHA('')", "IS_ALPHA(CAST(NULL AS STRING))"],
    ),
    SqlFunction(
        "IS_DECIMAL",
        "STRING",
        DataTypes.BOOLEAN(nullable=False),
        "Whether the text is a number, NaN or Infinity; false for null.",
        values.is_number,
        Nulls.AS_DECLARED,
        spark=[f"COALESCE({{0}} RLIKE '^{_NUMBER}$', FALSE)"],
        examples=[
            f"IS_DECIMAL({one})"
            for one in (
                *("'12'", "'-1.5'", "'.5'", "'5.'", "'+1'", "'1e5'", "'1E-2'", "'1a'", "' 1'", "'1_0'"),
                *("''", "'.'", "'NaN'", "'-Infinity'", "'1d'", "'inf'", "CAST(NULL AS STRING)"),
            )
        ],
    ),
    SqlFunction(
        "IS_DIGIT",
        "STRING",
        DataTypes.BOOLEAN(nullable=False),
        "Whether the text is made of digits, at least one; false for null.",
        values.is_digits,
        Nulls.AS_DECLARED,
        spark=["COALESCE({0} RLIKE '^[0-9]+$', FALSE)"],
        examples=["IS_DIGIT('12')", "IS_DIGIT('1a')", "IS_DIGIT('')", "IS_DIGIT(CAST(NULL AS STRING))"],
    ),
    SqlFunction(
        "LEFT",
        "STRING, INT",
        _STRING,
        "The first characters.",
        values.left,
        Nulls.AND_OTHERS,
        examples=["LEFT('abc', 2)", "LEFT('abc', 9)", "LEFT('abc', -1)"],
    ),
    SqlFunction(
        "LOCATE",
        "STRING, STRING [, INT]",
        _INT,
        "Where the text is found in another, from a character on if it is given; 0 if it is not.",
        values.place_of,
        spark=["LOCATE({0}, {1})", "LOCATE({0}, {1}, IF({2} < 1, 1, {2}))"],
        examples=[
            "LOCATE('or', 'corporate')",
            "LOCATE('or', 'corporate', 3)",
            "LOCATE('b', 'a')",
            "LOCATE('b', 'abc', 0)",
        ],
    ),
    SqlFunction(
        "LOWER", "STRING", _STRING, "The text in small letters.", str.lower, examples=["LOWER('ÄB c')"]
    ),
    SqlFunction(
        "LPAD",
        "STRING, INT, STRING",
        _STRING,
        "The text filled up before it, or cut, to a number of characters; null if it cannot be filled.",
        values.left_padded,
        Nulls.AND_OTHERS,
        spark=partial(_padded_in_spark, "LPAD"),
        examples=["LPAD('ab', 5, 'xy')", "LPAD('abc', 2, 'x')"],
    ),
    SqlFunction(
        "LTRIM",
        "STRING [, STRING]",
        _STRING,
        "The text without the characters of another, blanks unless given, at its start.",
        values.left_trimmed,
        spark=["LTRIM({0})", "TRIM(LEADING {1} FROM {0})"],
        examples=["LTRIM('  a ')", "LTRIM('xyax', 'yx')"],
    ),
    SqlFunction(
        "OVERLAY",
        "STRING, STRING, INT [, INT]",
        _STRING,
        "The text with another in the place of some characters, as many as it has unless given.",
        values.overlaid,
        spark=None,
        syntax=["OVERLAY({0} PLACING {1} FROM {2})", "OVERLAY({0} PLACING {1} FROM {2} FOR {3})"],
        examples=[
            "OVERLAY('abcdef' PLACING 'XX' FROM 2)",
            "OVERLAY('abcdef' PLACING 'XX' FROM 2 FOR 4)",
            "OVERLAY('abc' PLACING 'XX' FROM 9)",
        ],
    ),
    SqlFunction(
        "POSITION",
        "STRING, STRING",
        _INT,
        "Where the text is found in another; 0 if it is not.",
        values.place_of,
        spark=["LOCATE({0}, {1})"],
        syntax=["POSITION({0} IN {1})"],
        examples=["POSITION('b' IN 'abb')", "POSITION('x' IN 'abb')"],
    ),
    PRINTF,
    SqlFunction(
        "REPEAT",
        "STRING, INT",
        _STRING,
        "The text several times.",
        values.repeated,
        examples=["REPEAT('ab', 3)", "REPEAT('ab', -1)"],
    ),
    SqlFunction(
        "REPLACE",
        "STRING, STRING, STRING",
        _STRING,
        "The text with each occurrence of the second text replaced by the third.",
        str.replace,
        spark=_with_literal(1),
        examples=["REPLACE('banana', 'an', 'o')", "REPLACE('ab', 'b', '')"],
    ),
    SqlFunction(
        "REVERSE",
        "STRING",
        _STRING,
        "The characters in reverse order.",
        values.reversed_text,
        Nulls.AND_OTHERS,
        examples=["REVERSE('abc')"],
    ),
    SqlFunction(
        "RIGHT",
        "STRING, INT",
        _STRING,
        "The last characters.",
        values.right,
        Nulls.AND_OTHERS,
        examples=["RIGHT('abc', 2)", "RIGHT('abc', 9)", "RIGHT('abc', -1)"],
    ),
    SqlFunction(
        "RPAD",
        "STRING, INT, STRING",
        _STRING,
        "The text filled up after it, or cut, to a number of characters; null if it cannot be filled.",
        values.right_padded,
        Nulls.AND_OTHERS,
        spark=partial(_padded_in_spark, "RPAD"),
        examples=["RPAD('ab', 5, 'xy')", "RPAD('abc', 2, 'x')"],
    ),
    SqlFunction(
        "RTRIM",
        "STRING [, STRING]",
        _STRING,
        "The text without the characters of another, blanks unless given, at its end.",
        values.right_trimmed,
        spark=["RTRIM({0})", "TRIM(TRAILING {1} FROM {0})"],
        examples=["RTRIM('  a ')", "RTRIM('xaxy', 'yx')"],
    ),
    SqlFunction(
        "SPLIT",
        "STRING|NULL, STRING|NULL",
        _STRINGS,
        "The parts of the text between the occurrences of another.",
        values.split,
        spark=[
            "CASE WHEN {0} = '' THEN CAST(ARRAY() AS ARRAY<STRING>) ELSE SPLIT({0}, IF({1} = '', '', "
            + _QUOTED
            + ")) END"
        ],
        examples=[
            "SPLIT('a,b,,c', ',')",
            "SPLIT('', ',')",
            "SPLIT('a.b', '.')",
            "SPLIT('abc', '')",
            "SPLIT(CAST(NULL AS STRING), ',')",
        ],
    ),
    SqlFunction(
        "SPLIT_INDEX",
        "STRING, STRING, INT",
        _STRING,
        "One of the parts of the text between the occurrences of another, from 0; null if there are less.",
        values.split_part,
        Nulls.AND_OTHERS,
        spark=_with_literal(1, f"GET(SPLIT(NULLIF({{0}}, ''), {_QUOTED}), {{2}})"),
        examples=["SPLIT_INDEX('a,b', ',', 1)", "SPLIT_INDEX('a,b', ',', 2)", "SPLIT_INDEX('a,b', ',', -1)"],
    ),
    SqlFunction(
        "STARTSWITH",
        "STRING|NULL, STRING|NULL",
        _BOOLEAN,
        "Whether the text starts with another.",
        str.startswith,
        examples=["STARTSWITH('abc', 'ab')", "STARTSWITH('abc', '')"],
    ),
    SqlFunction(
        "STR_TO_MAP",
        "STRING [, STRING, STRING]",
        DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING()),
        "The map whose entries stand in the text, with what is between them and inside of them: , and = "
        "unless given.",
        values.map_of_text,
        Nulls.AND_OTHERS,
        spark=_map_in_spark,
        literals=dict.fromkeys((1, 2), patterns.translated_pattern),
        examples=[
            "STR_TO_MAP('a=1,b=2')",
            "STR_TO_MAP('a:1;b:2', ';', ':')",
            "STR_TO_MAP('a,b=')",
            "STR_TO_MAP('a=1,a=2')",
        ],
    ),
    SqlFunction(
        "SUBSTR",
        "STRING, INT [, INT]",
        _STRING,
        "The same as SUBSTRING.",
        values.substring,
        Nulls.AND_OTHERS,
        spark=_part_in_spark,
        examples=["SUBSTR('abcdef', -3)", "SUBSTR('abcdef', 2, 3)"],
    ),
    SqlFunction(
        "SUBSTRING",
        "STRING, INT [, INT]",
        _STRING,
        "The text from a character on, from its end if it is negative; all of it, or some characters.",
        values.substring,
        Nulls.AND_OTHERS,
        spark=_part_in_spark,
        examples=[
            "SUBSTRING('abcdef', 3)",
            "SUBSTRING('abcdef' FROM 2 FOR 3)",
            "SUBSTRING('abcdef', -3, 2)",
            "SUBSTRING('abc', 9)",
        ],
    ),
    SqlFunction(
        "TRANSLATE",
        "STRING, STRING, STRING",
        _STRING,
        "The text with the characters of the second text replaced by those in the same places of the third, "
        "or left out.",
        values.translated,
        examples=["TRANSLATE('banana', 'an', 'o')"],
    ),
    SqlFunction(
        "TRIM",
        "STRING [, STRING]",
        _STRING,
        "The text without the characters of another, blanks unless given, at both ends, or at one by LEADING "
        "or TRAILING.",
        values.trimmed,
        spark=["TRIM({0})", "TRIM(BOTH {1} FROM {0})"],
        syntax=["TRIM({0})", "TRIM(BOTH {1} FROM {0})"],
        examples=["TRIM('  a ')", "TRIM(BOTH 'x' FROM 'xaxx')", "TRIM(LEADING 'x' FROM 'xax')"],
    ),
    SqlFunction("UPPER", "STRING", _STRING, "The text in capitals.", str.upper, examples=["UPPER('äb C')"]),
]
"""The declarations."""
