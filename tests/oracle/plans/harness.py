"""The tables, queries and recorded plans; imports neither PyFlink nor pystream."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"

TABLES = {
    "clicks": "u STRING, url STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND",
    "users": "name STRING, city STRING, `at` TIMESTAMP(3), WATERMARK FOR `at` AS `at` - INTERVAL '5' SECOND",
}
"""The declarations of the columns of each table, which never end."""


def queries() -> dict[str, str]:
    """Return the queries by their names."""
    blocks = (HERE / "queries.sql").read_text(encoding="utf-8").strip().split("\n\n")
    parts = (block.split("\n", 1) for block in blocks)
    return {name.removeprefix("-- "): " ".join(query.split()) for name, query in parts}
