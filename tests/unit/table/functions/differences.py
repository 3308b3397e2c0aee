"""The deliberate differences of functions from Flink."""

from __future__ import annotations

from collections.abc import Mapping

_DATED = ("DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "EXTRACT", "MONTH", "QUARTER", "WEEK", "YEAR")

REFUSED: Mapping[str, str] = {
    **dict.fromkeys(_DATED, "parts that a TIME does not have, with which Flink's job fails"),
    **dict.fromkeys(("CEIL", "CEILING", "FLOOR"), "units that a TIME does not have"),
    "GREATEST": "a TIMESTAMP with a DATE or TIME, with which Flink's job fails",
    "INSTR": "four arguments, because Spark finds no other occurrence than the first",
    **dict.fromkeys(("IS_ALPHA", "IS_DECIMAL", "IS_DIGIT"), "numbers, which are text only after a cast"),
    **dict.fromkeys(("JSON_EXISTS", "JSON_QUERY", "JSON_VALUE"), "values other than text"),
    **dict.fromkeys(("JSON_ARRAY", "JSON_OBJECT"), "DATE and TIME, which JSON_STRING refuses in Flink"),
    "NULLIF": "text with numbers, with which Flink's job fails, with BOOLEAN and with TIME",
    "OVERLAPS": "NULL without a type",
    "OVERLAY": "bytes",
    "PRINTF": "bytes, arrays and maps, whose text is different in each run",
    **dict.fromkeys(("RAND", "RAND_INTEGER"), "numbers other than integers, with which Flink's job fails"),
    "SPLIT_INDEX": "the code of a character",
    "TIMESTAMPADD": "months to TIME, which do not change it",
    "TIMESTAMPDIFF": "times of different types, with which Flink's job fails",
    "TO_TIMESTAMP_LTZ": "NULL without a type",
}
"""The functions that refuse what Flink accepts, and what it is."""

ACCEPTED: Mapping[str, frozenset[str]] = {
    # Whether a column is an event time is checked when the query is planned.
    "CURRENT_WATERMARK": frozenset(
        {f"CURRENT_WATERMARK({column})" for column in ("a_timestamp", "an_instant")}
    ),
}
"""The calls that Flink refuses."""

TYPES: Mapping[str, Mapping[str, str]] = {
    # Null if it cannot be filled.
    **{name: {f"{name}(a_string_, an_int_, a_string_)": "STRING"} for name in ("LPAD", "RPAD")},
    "PROCTIME": {"PROCTIME()": "TIMESTAMP_LTZ(3) NOT NULL"},  # a time attribute in Flink
}
"""The calls with another type, and their types."""

EXAMPLES: Mapping[str, str] = {
    # Flink drops the first of an odd number of digits.
    "UNHEX('abc')": "rows: x: [{'bytes': '00bc'}] is [{'bytes': '0abc'}]",
}
"""The examples with other results, and how they differ."""
