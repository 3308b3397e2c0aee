"""The types that INSERT casts from and to; imports neither PyFlink nor pystream."""

from __future__ import annotations

import json
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded.json"

ZONE = "Europe/Berlin"

SOURCES = {
    "BOOLEAN": ["TRUE"],
    "TINYINT": ["CAST(12 AS TINYINT)"],
    "SMALLINT": ["CAST(300 AS SMALLINT)"],
    "INT": ["CAST(70000 AS INT)", "CAST(123456789 AS INT)"],
    "BIGINT": ["CAST(5000000000 AS BIGINT)", "CAST(12 AS BIGINT)"],
    "FLOAT": ["CAST(1.5 AS FLOAT)", "CAST(0.1 AS FLOAT)"],
    "DOUBLE": ["CAST(1.555 AS DOUBLE)", "CAST(12345678.25 AS DOUBLE)", "CAST('NaN' AS DOUBLE)"],
    "DECIMAL(5, 2)": ["CAST(1.55 AS DECIMAL(5,2))", "CAST(-2.5 AS DECIMAL(5,2))"],
    "DECIMAL(12, 3)": ["CAST(123456789.555 AS DECIMAL(12,3))", "CAST(1.555 AS DECIMAL(12,3))"],
    "CHAR(3)": ["CAST('abc' AS CHAR(3))", "CAST('1' AS CHAR(3))"],
    "VARCHAR(5)": ["CAST('abcde' AS VARCHAR(5))", "CAST('12.6' AS VARCHAR(5))"],
    "STRING": ["CAST('some text' AS STRING)", "CAST('2020-01-02 03:04:05.6' AS STRING)"],
    "BINARY(2)": ["CAST(X'4142' AS BINARY(2))"],
    "VARBINARY(3)": ["CAST(X'414243' AS VARBINARY(3))"],
    "BYTES": ["CAST(X'4142434445' AS BYTES)"],
    "DATE": ["DATE '2024-02-29'"],
    "TIME": ["TIME '12:34:56'"],
    "TIME(3)": ["CAST(TIMESTAMP '2024-07-01 12:34:56.789' AS TIME(3))"],
    "TIMESTAMP(0)": ["CAST(TIMESTAMP '2024-07-01 12:34:56' AS TIMESTAMP(0))"],
    "TIMESTAMP(3)": ["CAST(TIMESTAMP '2024-07-01 12:34:56.789' AS TIMESTAMP(3))"],
    "TIMESTAMP(6)": ["CAST(TIMESTAMP '2024-07-01 12:34:56.789999' AS TIMESTAMP(6))"],
    "TIMESTAMP(9)": ["CAST(TIMESTAMP '1969-12-31 23:59:59.123456789' AS TIMESTAMP(9))"],
    "TIMESTAMP_LTZ(3)": ["TO_TIMESTAMP_LTZ(1700000000123, 3)"],
    "TIMESTAMP_LTZ(6)": ["CAST(TIMESTAMP '2024-07-01 12:34:56.789999' AS TIMESTAMP_LTZ(6))"],
    "ARRAY<INT>": ["ARRAY[1,2]"],
    "ARRAY<DECIMAL(5, 2)>": ["ARRAY[CAST(1.55 AS DECIMAL(5,2))]"],
    "ARRAY<TIMESTAMP(3)>": ["ARRAY[CAST(TIMESTAMP '2024-07-01 12:34:56.789' AS TIMESTAMP(3))]"],
    "MAP<STRING, INT>": ["MAP['a', 1]"],
    "ROW<a INT, b STRING>": ["ROW(CAST(1 AS INT), CAST('x' AS STRING))"],
}
"""Types of the rows, each with expressions of values."""

SINKS = [
    *("BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE"),
    *("DECIMAL(5, 2)", "DECIMAL(12, 1)", "DECIMAL(38, 18)"),
    *("CHAR(3)", "CHAR(5)", "VARCHAR(3)", "VARCHAR(5)", "STRING"),
    *("BINARY(2)", "BINARY(4)", "VARBINARY(2)", "BYTES"),
    *("DATE", "TIME", "TIME(3)", "TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(6)", "TIMESTAMP(9)"),
    *("TIMESTAMP_LTZ(0)", "TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(6)"),
    *("ARRAY<DOUBLE>", "ARRAY<DECIMAL(5, 1)>", "ARRAY<TIMESTAMP_LTZ(0)>", "ARRAY<STRING>"),
    *("MAP<STRING, DOUBLE>", "MAP<CHAR(1), BIGINT>"),
    *("ROW<a DOUBLE, b STRING>", "ROW<x BIGINT, y VARCHAR(1)>", "ROW<a INT>"),
]
"""Types of the column that is written to."""


def recorded() -> dict[str, dict[str, dict[str, str]]]:
    """Return by source and sink what each expression became; pairs that are refused are left out."""
    outcomes: dict[str, dict[str, dict[str, str]]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return outcomes
