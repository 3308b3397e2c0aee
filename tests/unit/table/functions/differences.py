"""The deliberate differences of functions from Flink."""

from __future__ import annotations

from collections.abc import Mapping

REFUSED: Mapping[str, str] = {
    "INSTR": "four arguments, because Spark finds no other occurrence than the first",
    **dict.fromkeys(("IS_ALPHA", "IS_DECIMAL", "IS_DIGIT"), "numbers, which are text only after a cast"),
    "OVERLAY": "bytes",
    "PRINTF": "NULL without a type",
    "SPLIT_INDEX": "the code of a character",
}
"""The functions that refuse what Flink accepts, and what it is."""

TYPES: Mapping[str, Mapping[str, str]] = {
    name: {f"{name}(a_string_, an_int_, a_string_)": "STRING"}  # null if it cannot be filled
    for name in ("LPAD", "RPAD")
}
"""The calls with another type, and their types."""

EXAMPLES: Mapping[str, str] = {
    # Flink drops the first of an odd number of digits.
    "UNHEX('abc')": "rows: x: [{'bytes': '00bc'}] is [{'bytes': '0abc'}]",
}
"""The examples with other results, and how they differ."""
